//! Wrenches of hinges for other scalars.

use supple::spatial::{Dual, Lanes};
use supple::testkit::{Prepared, RandomOptions, random_system};
use supple::{HingeHandle, WrenchFrame, generic};

/// Lanes hold the wrenches of their instances, and dual numbers their derivatives.
#[test]
fn every_scalar_gives_wrenches() {
    for seed in 0..40 {
        let (system, random) =
            random_system(seed, &RandomOptions { modes: 12, second_order: seed % 5 > 2, ..RandomOptions::default() });
        let at = Prepared::new(&system, &random);
        let mut ws = at.workspace();
        let solution = generic::reactions(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let wrench = |hinge: HingeHandle| solution.hinge_wrench(hinge, WrenchFrame::Inertial).unwrap();
        let plain: Vec<_> = at.model.hinges().map(|hinge| wrench(hinge).to_array()).collect();

        let lanes = at.map(Lanes::<f64, 4>::splat);
        let mut ws = lanes.workspace();
        let solution = generic::reactions(&lanes.model, &lanes.state, &lanes.inputs, &mut ws).unwrap();
        for (hinge, plain) in lanes.model.hinges().zip(&plain) {
            let found = solution.hinge_wrench(hinge, WrenchFrame::Inertial).unwrap().to_array();
            for lane in 0..4 {
                assert_eq!(found.map(|x| x.0[lane]), *plain, "seed {seed}");
            }
        }

        // Along the first force, by differences.
        let step = 1e-4 * random.forces[0].abs().max(1e-3);
        let at_force = |change: f64| {
            let mut inputs = at.inputs.clone();
            inputs.forces[0] += change;
            let mut ws = at.workspace();
            let solution = generic::reactions(&at.model, &at.state, &inputs, &mut ws).unwrap();
            let wrench = |hinge: HingeHandle| solution.hinge_wrench(hinge, WrenchFrame::Inertial).unwrap().to_array();
            at.model.hinges().flat_map(wrench).collect::<Vec<_>>()
        };
        let (above, below) = (at_force(step), at_force(-step));
        let differences: Vec<f64> = above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * step)).collect();
        let mut dual = at.map(Dual::constant);
        dual.inputs.forces[0].derivative = 1.0;
        let mut ws = dual.workspace();
        let solution = generic::reactions(&dual.model, &dual.state, &dual.inputs, &mut ws).unwrap();
        let wrench = |hinge: HingeHandle| solution.hinge_wrench(hinge, WrenchFrame::Inertial).unwrap().to_array();
        let found: Vec<f64> = dual.model.hinges().flat_map(wrench).map(|x| x.derivative).collect();
        let largest = plain.as_flattened().iter().chain(&differences).fold(0.0_f64, |m, x| m.max(x.abs()));
        let error = found.iter().zip(&differences).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        assert!(error <= 1e-7 * largest / step.min(1.0), "seed {seed}: {error:e} of {largest:e}");
    }
}
