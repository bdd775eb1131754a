//! Operation counts of the catalogue.

use supple::Fidelity;
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_lab::cost::cost_of;

/// Every fidelity costs at most 2.5 times the ruthless one with six modes a body, velocity terms included.
#[test]
fn no_fidelity_costs_more_than_two_and_a_half_ruthless_ones() {
    let flops = |fidelity| -> u64 {
        let rows = cost_of(|bodies| beam_chain(bodies, 6, fidelity), 10, 6).unwrap();
        let auto = rows.iter().filter(|row| row.algorithm == "articulated-auto");
        auto.map(|row| row.multiplications + row.additions).sum()
    };
    let ruthless = flops(Fidelity::Ruthless);
    for fidelity in [Fidelity::Inconsistent, Fidelity::Consistent, Fidelity::Exact, Fidelity::Stiffened] {
        let ratio = flops(fidelity) as f64 / ruthless as f64;
        assert!(ratio < 2.5, "{fidelity:?} {ratio}");
    }
}
