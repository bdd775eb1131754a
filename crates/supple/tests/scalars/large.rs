//! Chains of thousands of bodies: time and memory grow in proportion, and no recursion eats the stack.

use crate::counting_allocator::held;
use supple::generic::{
    energy, forward_dynamics, hybrid_dynamics, inverse_dynamics, kinematics, mass_operator, momentum, node_compliances,
    node_jacobian,
};
use supple::spatial::{Counted, Operations, Scalar};
use supple::testkit::{ChainOptions, Layout, Prepared, RandomState, serial_chain};
use supple::{ElasticRotation, Model, System, Workspace};

const BODIES: usize = 5000;

/// A chain that moves gently: in one that whirls at random the accelerations of the outer bodies cancel to nothing.
fn chain(bodies: usize, modes: usize, elastic_rotation: ElasticRotation) -> (System, RandomState) {
    let (system, mut random) = serial_chain(bodies, modes, &ChainOptions { elastic_rotation, ..Default::default() });
    random.speeds.iter_mut().for_each(|x| *x *= 1e-2);
    random.wrenches.clear();
    let layout = Layout::new(&system);
    for k in 0..bodies {
        random.coordinates[layout.hinge(k)].iter_mut().for_each(|x| *x *= 0.1);
    }
    (system, random)
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |m, x| m.max(x.abs()))
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, |m: f64, d| if d.is_nan() { d } else { m.max(d) })
}

/// Builds and evaluates; the answers fit each other.
fn build_and_evaluate(bodies: usize, modes: usize, elastic_rotation: ElasticRotation) {
    let (system, random) = chain(bodies, modes, elastic_rotation);
    let at = Prepared::new(&system, &random);
    let Prepared { model, state, mut inputs } = at;
    let mut ws = Workspace::new(&model);
    let found = forward_dynamics(&model, &state, &inputs, &mut ws).unwrap().accelerations().to_vec();
    inputs.accelerations.copy_from_slice(&found);
    let forces = inverse_dynamics(&model, &state, &inputs, &mut ws).unwrap().forces().to_vec();
    inputs.prescribed.iter_mut().step_by(3).for_each(|flag| *flag = true);
    let hybrid = hybrid_dynamics(&model, &state, &inputs, &mut ws).unwrap().accelerations().to_vec();

    let n = model.speed_count();
    let (mut x, mut back) = (vec![0.0; n], vec![0.0; n]);
    let mut operator = mass_operator(&model, &state, &mut ws).unwrap();
    // The condition number of such a chain is beyond 1/ε: what can be asked of a solution is that its residual is
    // rounding beside ‖𝓜‖ ‖χ̇‖. The largest entry of 𝓜 is the inertia about the first hinge.
    back[modes] = 1.0;
    operator.apply(&back, &mut x).unwrap();
    let inertia = x[modes];
    let check = |what: &str, residual: f64, solution: &[f64]| {
        let error = residual / (inertia * largest(solution));
        println!("{bodies} bodies, {modes} modes: {what} is off by {error:.1e} ‖𝓜‖ ‖χ̇‖");
        assert!(error < 1000.0 * f64::EPSILON, "{error:e}");
    };
    check("inverse of forward dynamics", difference(&forces, &inputs.forces), &found);
    operator.solve(&inputs.forces, &mut x).unwrap();
    operator.apply(&x, &mut back).unwrap();
    check("𝓜 𝓜⁻¹ x", difference(&back, &inputs.forces), &x);
    let error = difference(&hybrid, &found) / largest(&found);
    println!("{bodies} bodies, {modes} modes: hybrid and forward dynamics differ by {error:.1e}");
    assert!(error < 1e-10, "{error:e}");
    assert!(operator.log_det().is_finite());

    assert!(energy(&model, &state, &mut ws).unwrap().total().is_finite());
    assert!(momentum(&model, &state, &mut ws).unwrap().mass > 0.0);
    let last = (supple::BodyIndex(bodies - 1), supple::NodeIndex(0));
    let place = kinematics(&model, &state, &mut ws).unwrap().node_position(last.0, last.1);
    assert!(largest(&place.0) <= bodies as f64 * 1.5);
    node_jacobian(&model, &state, last, &mut ws, &mut vec![0.0; 6 * n]).unwrap();
    let mut blocks = [supple::spatial::Matrix6::ZERO];
    node_compliances(&model, &state, &[last], &mut ws, &mut blocks).unwrap();
}

#[test]
fn five_thousand_bodies_build_and_evaluate_on_a_small_stack() {
    // 256 KiB: a call per body would need more than that many times over.
    let thread = std::thread::Builder::new().stack_size(256 * 1024);
    let run = thread.spawn(|| {
        build_and_evaluate(BODIES, 0, ElasticRotation::None);
        build_and_evaluate(BODIES, 2, ElasticRotation::Euler321);
        build_and_evaluate(BODIES, 1, ElasticRotation::Integrated);
    });
    run.unwrap().join().unwrap();
}

/// Asserts that `f` is affine: over 1,250, 2,500 and 5,000 bodies the second difference is twice the first, to `share`.
#[track_caller]
fn assert_affine(what: &str, f: impl Fn(usize) -> i64, share: f64) {
    let [a, b, c] = [BODIES / 4, BODIES / 2, BODIES].map(f);
    let (first, second) = (b - a, c - b);
    println!("{what}: {a}, {b}, {c}: {} per body", second as f64 / (BODIES / 2) as f64);
    assert!(first > 0, "{what}");
    let excess = (second - 2 * first).abs() as f64;
    assert!(excess <= share * second as f64, "{what}: {first} for 1,250 bodies, {second} for 2,500");
}

#[test]
fn memory_grows_in_proportion_to_the_bodies() {
    for modes in [0, 3] {
        let model = |bodies: usize| {
            let (system, _) = chain(bodies, modes, ElasticRotation::Euler321);
            held(|| Model::build(&system).unwrap())
        };
        assert_affine("bytes of the model", |bodies| model(bodies).1, 0.02);
        let workspace = |bodies: usize| held(|| Workspace::new(&model(bodies).0)).1;
        assert_affine("bytes of the workspace", workspace, 0.02);
    }
}

/// Operations of one call.
fn operations(run: impl FnOnce()) -> Operations {
    let before = Counted::operations();
    run();
    Counted::operations() - before
}

#[test]
fn operations_grow_in_exact_proportion_to_the_bodies() {
    for modes in [0, 3] {
        let count = |bodies: usize| {
            let (system, random) = chain(bodies, modes, ElasticRotation::Euler321);
            let Prepared { model, state, inputs } = Prepared::new(&system, &random).map(Counted::from_f64);
            let mut ws = Workspace::new(&model);
            let mut out = vec![Counted::ZERO; model.speed_count()];
            [
                operations(|| assert!(forward_dynamics(&model, &state, &inputs, &mut ws).is_ok())),
                operations(|| assert!(inverse_dynamics(&model, &state, &inputs, &mut ws).is_ok())),
                operations(|| assert!(hybrid_dynamics(&model, &state, &inputs, &mut ws).is_ok())),
                operations(|| mass_operator(&model, &state, &mut ws).unwrap().apply(&inputs.forces, &mut out).unwrap()),
                operations(|| mass_operator(&model, &state, &mut ws).unwrap().solve(&inputs.forces, &mut out).unwrap()),
                operations(|| assert!(energy(&model, &state, &mut ws).is_ok())),
                operations(|| assert!(momentum(&model, &state, &mut ws).is_ok())),
            ]
        };
        let counts = [BODIES / 4, BODIES / 2, BODIES].map(|bodies| (bodies, count(bodies)));
        let names = ["forward", "inverse", "hybrid", "𝓜 x", "𝓜⁻¹ x", "energy", "momentum"];
        for (i, name) in names.into_iter().enumerate() {
            let of = |bodies: usize, kind: fn(&Operations) -> u64| {
                let found = counts.iter().find(|(n, _)| *n == bodies);
                found.map_or(0, |(_, list)| kind(&list[i])) as i64
            };
            assert_affine(&format!("{name}, {modes} modes: multiplications"), |n| of(n, |o| o.multiplications), 0.0);
            assert_affine(&format!("{name}, {modes} modes: additions"), |n| of(n, |o| o.additions), 0.0);
        }
    }
}
