//! Operation counts of forward dynamics of closed chains [SOA 0.37].
//!
//! | stage           | what it holds                                                                              |
//! |-----------------|--------------------------------------------------------------------------------------------|
//! | `tree`          | free accelerations of the tree: forward dynamics without closures; step A                    |
//! | `equations`     | frames and equations of the closures: first part of step B                                 |
//! | `compliance`    | `A Λ A*` by inward recursions over the paths of the closures: step C                         |
//! | `forces`        | the rest of step B; factor of the compliance and forces of the closures: step D             |
//! | `accelerations` | accelerations of the tree under these forces: steps E and F                                  |

use std::error::Error;

use serde::Serialize;
use supple::spatial::{Counted, Operations};
use supple::stages::Stages;
use supple::{Inputs, Method, Model, System};

use super::count::moving_state;
use super::loops::{Closed, Links};

/// One row of the table of closed systems.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClosedRow {
    /// The system.
    pub system: &'static str,
    /// Stage of forward dynamics.
    pub stage: &'static str,
    /// Number of closures.
    pub closures: usize,
    /// Number of bodies of the whole system.
    pub bodies: usize,
    /// Number of modes of each body.
    pub modes: usize,
    /// Multiplications.
    pub multiplications: u64,
    /// Additions and subtractions.
    pub additions: u64,
    /// Divisions, square roots, sines, cosines, logarithms.
    pub other: u64,
}

/// Counts of forward dynamics of a closed system made of links of `chain`: so many loops of so many links each.
/// An arm with a payload has one loop. `modes` only labels the rows.
///
/// # Errors
/// A system that cannot be built.
pub fn closed_cost(
    chain: impl Fn(usize) -> System,
    closed: Closed,
    loops: usize,
    bodies: usize,
    modes: usize,
) -> Result<Vec<ClosedRow>, Box<dyn Error>> {
    let links = Links::of(chain);
    match closed {
        Closed::SeparateLoops => rows("separate-loops", &links.separate(loops, bodies), modes),
        Closed::CoupledLoops => rows("coupled-loops", &links.coupled(loops, bodies), modes),
        Closed::SharedPayload => rows("shared-payload", &links.arms_with_payload(loops, bodies), modes),
        Closed::Payload => {
            let arm = rows("arm", &links.arm(bodies), modes)?;
            let payload = rows("payload", &links.payload(), modes)?;
            let both = rows("arm-with-payload", &links.arm_with_payload(bodies), modes)?;
            Ok([arm, payload, both].concat())
        }
    }
}

/// Counts of the stages of a system; trees have but one.
fn rows(system: &'static str, described: &System, modes: usize) -> Result<Vec<ClosedRow>, Box<dyn Error>> {
    let model = Model::build(described)?.cast::<Counted>();
    let mut run = Stages::new(&model, moving_state(&model), Inputs::new(&model))?;
    let mut rows = Vec::new();
    let mut stage = |stage, work: &mut dyn FnMut()| {
        let before = Counted::operations();
        work();
        let counted = Counted::operations() - before;
        let (Operations { multiplications, additions, .. }, other) = (counted, counted.other());
        let (closures, bodies) = (described.closures.len(), described.bodies.len());
        rows.push(ClosedRow { system, stage, closures, bodies, modes, multiplications, additions, other });
    };
    stage("tree", &mut || {
        run.bias();
        run.articulate(Method::Auto);
    });
    if !described.closures.is_empty() {
        stage("equations", &mut || run.closure_equations());
        stage("compliance", &mut || run.closure_compliance());
        stage("forces", &mut || run.closure_forces());
        stage("accelerations", &mut || run.close());
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::generic::forward_dynamics;
    use supple::{State, Workspace};
    use supple_bodies::catalogue::standard_chain::standard_chain;

    fn of(stage: &str, closed: Closed, loops: usize, bodies: usize, modes: usize) -> i64 {
        let rows = closed_cost(|n| standard_chain(n, modes), closed, loops, bodies, modes).unwrap();
        let chosen = rows.iter().filter(|row| stage == "all" || row.stage == stage);
        chosen.map(|row| (row.multiplications + row.additions + row.other) as i64).sum()
    }

    /// Differences of each value from the one before.
    fn differences(values: &[i64]) -> Vec<i64> {
        values.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// One loop of 4 to 64 links, rigid and flexible: every link costs the same.
    #[test]
    fn one_loop_is_linear_in_its_bodies() {
        for modes in [0, 5] {
            let counts: Vec<i64> =
                (4..=64).step_by(12).map(|n| of("all", Closed::SeparateLoops, 1, n, modes)).collect();
            let steps = differences(&counts);
            assert!(steps[0] > 0 && steps.iter().all(|step| *step == steps[0]), "{modes} modes: {counts:?}");
        }
    }

    /// One to eight loops that share no body: every loop costs the same.
    #[test]
    fn separate_loops_are_linear_in_their_number() {
        for modes in [0, 5] {
            let counts: Vec<i64> = (1..=8).map(|k| of("all", Closed::SeparateLoops, k, 4, modes)).collect();
            let steps = differences(&counts);
            assert!(steps[0] > 0 && steps.iter().all(|step| *step == steps[0]), "{modes} modes: {counts:?}");
        }
    }

    /// Loops that share a body: the factor of their compliance takes `(5 K)³/6` multiplications and as many additions for `K` loops of five
    /// equations, and lower powers; the compliance itself is quadratic in `K`, all else linear.
    #[test]
    fn coupled_loops_are_cubic_in_the_forces_alone() {
        let counts = |stage| (1..=8).map(|k| of(stage, Closed::CoupledLoops, k, 4, 0)).collect::<Vec<_>>();
        for stage in ["tree", "equations", "accelerations"] {
            let second = differences(&differences(&counts(stage)));
            assert!(second.iter().all(|x| *x == 0), "{stage}: {second:?}");
        }
        let third = |stage| differences(&differences(&differences(&counts(stage))));
        assert!(third("compliance").iter().all(|x| *x == 0), "{:?}", third("compliance"));
        assert!(third("forces").iter().all(|x| *x == 2 * 125), "{:?}", third("forces"));
    }

    /// Arms that share nothing but a payload: its speeds are the unknowns of step D, and every arm costs the same.
    #[test]
    fn arms_that_share_a_payload_are_linear_in_their_number() {
        for modes in [0, 5] {
            let counts: Vec<i64> = (7..=12).map(|k| of("all", Closed::SharedPayload, k, 7, modes)).collect();
            let steps = differences(&counts);
            assert!(steps[0] > 0 && steps.iter().all(|step| *step == steps[0]), "{modes} modes: {counts:?}");
        }
    }

    /// The tree of a rigid arm with a payload costs what both cost alone; what is more are additions at the node that carries the weld. (The modes of
    /// a flexible last link have nothing to carry where it is free, and are eliminated at less cost then.)
    #[test]
    fn a_payload_leaves_the_arm_as_it_is() {
        let rows = closed_cost(|n| standard_chain(n, 0), Closed::Payload, 1, 7, 0).unwrap();
        let tree = |system: &str| {
            let row = rows.iter().find(|row| row.system == system && row.stage == "tree").unwrap();
            row.multiplications + row.additions + row.other
        };
        let [arm, payload, both] = ["arm", "payload", "arm-with-payload"].map(tree);
        assert!((arm + payload..=(arm + payload) * 21 / 20).contains(&both), "{arm} {payload} {both}");
    }

    /// The stages together are forward dynamics: the same accelerations, bit for bit.
    #[test]
    fn stages_are_forward_dynamics() {
        let described = Links::of(|n| standard_chain(n, 3)).coupled(2, 4);
        let model = Model::build(&described).unwrap().cast::<Counted>();
        let (state, inputs): (State<Counted>, _) = (moving_state(&model), Inputs::new(&model));
        let mut run = Stages::new(&model, state.clone(), inputs.clone()).unwrap();
        run.bias();
        run.articulate(Method::Auto);
        run.closure_equations();
        run.closure_compliance();
        run.closure_forces();
        run.close();
        let mut workspace = Workspace::new(&model);
        let solution = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
        assert_eq!(run.accelerations(), solution.accelerations());
    }
}
