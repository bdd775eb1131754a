//! Wrenches of hinges and nodes, from the dense equations of the system with every hinge cut.
//!
//! Each hinge becomes a free one at the same place with the same relative motion. The generalized forces of a free hinge are then all
//! six components of what it transmits, and the dense equations `T = 𝓜 u̇ + 𝓒` of the cut system give them.

use super::kinematics::{Arms, Kinematics, Moving};
use super::oracle::{frame_accelerations, frame_velocities};
use super::{Layout, RandomState, hinge};
use crate::model::{HingeKind, Parent, System};
use supple_spatial::{Force, Matrix3, Motion, Quaternion};

/// Wrenches in body axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrenches {
    /// Of the hinge of every body on the body: moment about `O` and force.
    pub hinges: Vec<[f64; 6]>,
    /// On every node, by body: of its children's hinges and of loads, moment about the node and force.
    pub nodes: Vec<Vec<[f64; 6]>>,
    /// Per body: body axes to inertial axes.
    pub attitudes: Vec<[[f64; 3]; 3]>,
    /// Per body: virtual power of the hinge's wrench on each hinge speed.
    pub powers: Vec<Vec<f64>>,
}

/// The wrenches of `system` in the state and under the loads of `random`, while its speeds change at `rates`.
///
/// # Panics
/// As [`answer`](fn@super::answer).
pub fn wrenches(system: &System, random: &RandomState, rates: &[f64]) -> Wrenches {
    let layout = Layout::new(system);
    let whole = Kinematics { system, layout: &layout };
    let at = moving(random);
    let (cut_system, cut_state) = cut(&whole, random);
    let cut_layout = Layout::new(&cut_system);
    let cut = Kinematics { system: &cut_system, layout: &cut_layout };
    let cut_at = moving(&cut_state);

    let wanted = frame_accelerations(&whole, &at, rates);
    let cut_units = frame_velocities(&cut, &cut_at);
    let mut cut_rates = vec![0.0; cut_layout.speed_count];
    for k in 0..system.bodies.len() {
        cut_rates[cut_layout.deformation_speeds(k)].copy_from_slice(&rates[layout.deformation_speeds(k)]);
    }
    // Parents first: the rates of each cut that give its body the acceleration it has.
    for (k, wanted) in wanted.iter().enumerate() {
        let missing = *wanted - frame_accelerations(&cut, &cut_at, &cut_rates)[k];
        let columns = own_columns(&cut_layout, &cut_units, k);
        let matrix = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
        cut_rates[cut_layout.hinge_speeds(k)].copy_from_slice(&solve(matrix, missing.to_array()));
    }
    let forces = cut_state.answer(&cut_system).forces(&cut_rates);

    let units = frame_velocities(&whole, &at);
    let mut hinges = Vec::new();
    let mut powers = Vec::new();
    for k in 0..system.bodies.len() {
        // T_i = V_i · f of unit speeds i of the cut, moment about the body's frame; then about O.
        let own = &forces[cut_layout.hinge_speeds(k)];
        let f = Force::from_array(solve(own_columns(&cut_layout, &cut_units, k), std::array::from_fn(|i| own[i])));
        powers.push(layout.hinge_speeds(k).map(|i| units[i][k].dot(f)).collect());
        let arm = whole.link(&at, k, Arms::Deformed).inner_arm();
        hinges.push(Force::new(f.angular - arm.cross(f.linear), f.linear));
    }
    let poses = whole.poses(&at);
    Wrenches {
        nodes: node_wrenches(&whole, &at, random, &hinges),
        hinges: hinges.into_iter().map(Force::to_array).collect(),
        attitudes: poses.iter().map(|(r, _)| r.0).collect(),
        powers,
    }
}

fn moving(state: &RandomState) -> Moving<f64> {
    let RandomState { coordinates, speeds, attitudes, .. } = state.clone();
    Moving { coordinates, attitudes, speeds }
}

/// The system with a free hinge without a drive in place of each, and its state.
fn cut(whole: &Kinematics, random: &RandomState) -> (System, RandomState) {
    let mut system = whole.system.clone();
    let mut state = RandomState { coordinates: Vec::new(), speeds: Vec::new(), ..random.clone() };
    for (k, body) in system.bodies.iter_mut().enumerate() {
        let theta = &random.coordinates[whole.layout.hinge(k)];
        let across = hinge::relative(&body.hinge.kind, theta, &random.speeds[whole.layout.hinge_speeds(k)]);
        state.coordinates.extend(&random.coordinates[whole.layout.deformation(k)]);
        state.coordinates.extend(Quaternion::from_matrix(&across.rotation).0);
        state.coordinates.extend(across.displacement.0);
        state.speeds.extend(&random.speeds[whole.layout.deformation_speeds(k)]);
        state.speeds.extend(across.spin.0);
        state.speeds.extend((across.rotation.transpose() * across.velocity).0);
        body.hinge.kind = HingeKind::Free;
        body.hinge.rotor_inertia.clear();
    }
    (system, state)
}

/// Velocity of the frame of body `k` at each unit speed of its own hinge, a free one.
fn own_columns(layout: &Layout, units: &[Vec<Motion<f64>>], k: usize) -> [[f64; 6]; 6] {
    let first = layout.hinge_speeds(k).start;
    std::array::from_fn(|i| units[first + i][k].to_array())
}

/// What children and loads exert on every node.
fn node_wrenches(
    whole: &Kinematics,
    at: &Moving<f64>,
    random: &RandomState,
    hinges: &[Force<f64>],
) -> Vec<Vec<[f64; 6]>> {
    let bodies = &whole.system.bodies;
    let mut nodes: Vec<_> = bodies.iter().map(|body| vec![Force::ZERO; body.nodes.len()]).collect();
    let poses = whole.poses(at);
    for &(k, node, inertial, wrench) in &random.wrenches {
        let f = Force::from_array(wrench);
        let to_body = if inertial { poses[k].0.transpose() } else { Matrix3::IDENTITY };
        nodes[k][node] += Force::new(to_body * f.angular, to_body * f.linear);
    }
    for (k, body) in bodies.iter().enumerate() {
        let Parent::Body(p, node) = body.parent else { continue };
        let link = whole.link(at, k, Arms::Deformed);
        let (moment, force) = (link.rotation * hinges[k].angular, link.rotation * hinges[k].linear);
        nodes[p.0][node.0] -= Force::new(moment + link.reach().cross(force), force);
    }
    nodes.into_iter().map(|list| list.into_iter().map(Force::to_array).collect()).collect()
}

/// Solves `m x = right` by elimination with row exchanges.
fn solve(mut m: [[f64; 6]; 6], mut right: [f64; 6]) -> [f64; 6] {
    for i in 0..6 {
        let pivot = (i..6).fold(i, |best, r| if m[r][i].abs() > m[best][i].abs() { r } else { best });
        m.swap(i, pivot);
        right.swap(i, pivot);
        for r in i + 1..6 {
            let factor = m[r][i] / m[i][i];
            for c in i..6 {
                m[r][c] -= factor * m[i][c];
            }
            right[r] -= factor * right[i];
        }
    }
    for i in (0..6).rev() {
        let known: f64 = (i + 1..6).map(|c| m[i][c] * right[c]).sum();
        right[i] = (right[i] - known) / m[i][i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::{RandomOptions, assert_close, random_system};

    /// What a cut transmits along the hinge is the generalized force of the whole system, less that of the rotor.
    #[test]
    fn cuts_give_the_generalized_forces_back() {
        for seed in 0..100 {
            let (system, random) = random_system(
                seed,
                &RandomOptions { modes: 5, second_order: seed % 5 > 2, ..RandomOptions::default() },
            );
            let layout = Layout::new(&system);
            let found = wrenches(&system, &random, &random.accelerations);
            let mut expected = random.answer(&system).forces(&random.accelerations);
            for (k, body) in system.bodies.iter().enumerate() {
                for (i, rotor) in layout.hinge_speeds(k).zip(&body.hinge.rotor_inertia) {
                    expected[i] -= rotor * random.accelerations[i];
                }
            }
            let pick = |k: usize| expected[layout.hinge_speeds(k)].to_vec();
            let expected: Vec<_> = (0..system.bodies.len()).map(pick).collect();
            assert_close(&found.powers, &expected, 1e-10);
        }
    }

    /// A fixed hinge carries the weight, its moment and the load.
    #[test]
    fn a_hanging_weight_pulls_by_its_weight() {
        let hinge = crate::Hinge::new(HingeKind::Fixed).at([1.0, 2.0, 3.0]);
        let body = crate::Body::rigid(
            "weight",
            Parent::Ground,
            hinge,
            2.0,
            [0.5, 0.0, 0.0],
            [[1.0, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, 1.5]],
        );
        let system = System { gravity: [0.0, 0.0, -10.0], bodies: vec![body], ..System::default() };
        let none = Vec::new;
        let state = RandomState {
            coordinates: none(),
            speeds: none(),
            attitudes: Vec::new(),
            wrenches: vec![(0, 0, true, [0.0, 0.0, 0.0, 3.0, 0.0, 0.0])],
            forces: none(),
            accelerations: none(),
        };
        let found = wrenches(&system, &state, &[]);
        assert_close(&found.hinges[0], &[0.0, -10.0, 0.0, -3.0, 0.0, 20.0], 1e-14);
    }
}
