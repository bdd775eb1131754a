//! Operation counts of the catalogue.

use supple::Fidelity;
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_lab::bench::standard_system;
use supple_lab::cost::{cost_of, derivative_cost};

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

/// All derivatives of forward dynamics cost at most eight evaluations of it for every ten speeds; central differences cost two for each
/// displacement and each speed.
#[test]
fn derivatives_cost_less_than_one_evaluation_per_speed() {
    for system in ["arm7", "shuttle-stiffened", "beams10x10"] {
        let model = standard_system(system).unwrap();
        let [forward, all] = derivative_cost(&model).unwrap();
        let evaluations = all as f64 / forward as f64;
        let speeds = model.speed_count() as f64;
        println!("{system}: {speeds} speeds, {forward} and {all}: {:.2} per ten speeds", 10.0 * evaluations / speeds);
        assert!(evaluations <= 0.8 * speeds, "{system}: {evaluations:.2} evaluations for {speeds} speeds");
        assert!(4.0 * speeds >= 5.0 * evaluations, "{system}: {evaluations:.2} of {} by differences", 4.0 * speeds);
    }
}
