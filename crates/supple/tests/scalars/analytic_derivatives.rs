//! Derivatives by recursion against dual numbers through whole verbs, and the regressor against changed models.

use supple::generic::{forward_dynamics, hybrid_dynamics, inverse_dynamics};
use supple::spatial::{Dual, Quaternion};
use supple::testkit::{Prepared, RandomOptions, Worst, constraints, random_system, tolerance};
use supple::{
    BodyIndex, Derivatives, DynamicsError, ElasticRotation, InertiaConvention, ModalMatrix, Model, Node, Parameter,
    Regressor, forward_dynamics_derivatives, hybrid_dynamics_derivatives, inverse_dynamics_derivatives,
    inverse_dynamics_regressor,
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verb {
    Forward,
    Inverse,
    Hybrid,
}

/// What one column of a matrix of derivatives is with respect to.
#[derive(Clone, Copy)]
enum Along {
    Displacement,
    Speed,
    Input,
}

impl Verb {
    fn differentiate(self, at: &Prepared, out: &mut Derivatives) -> Result<(), DynamicsError> {
        let (ws, Prepared { model, state, inputs }) = (&mut at.workspace(), at);
        match self {
            Self::Forward => forward_dynamics_derivatives(model, state, inputs, ws, out).map(drop),
            Self::Inverse => inverse_dynamics_derivatives(model, state, inputs, ws, out).map(drop),
            Self::Hybrid => hybrid_dynamics_derivatives(model, state, inputs, ws, out).map(drop),
        }
    }

    /// Whether the answer for a speed is its force.
    fn gives_force(self, at: &Prepared, speed: usize) -> bool {
        match self {
            Self::Forward => false,
            Self::Inverse => true,
            Self::Hybrid => {
                let mut bodies = at.model.body_indices().zip(&at.inputs.prescribed);
                bodies.any(|(body, prescribed)| *prescribed && at.model.hinge_speeds(body).contains(&speed))
            }
        }
    }

    /// One column by dual numbers.
    fn column(self, at: &Prepared, along: Along, j: usize) -> Vec<f64> {
        let mut dual = at.map(Dual::constant);
        match along {
            Along::Speed => dual.state.speeds[j].derivative = 1.0,
            Along::Input if self.gives_force(at, j) => dual.inputs.accelerations[j].derivative = 1.0,
            Along::Input => dual.inputs.forces[j].derivative = 1.0,
            Along::Displacement => {
                let mut moving = at.state.clone();
                moving.speeds.fill(0.0);
                moving.speeds[j] = 1.0;
                let mut rates = moving.coordinates.clone();
                let mut turns = vec![Quaternion([0.0; 4]); moving.attitudes.len()];
                moving.coordinate_rates(&at.model, &mut rates, &mut turns);
                dual.state.coordinates.iter_mut().zip(rates).for_each(|(x, rate)| x.derivative = rate);
                for (q, turn) in dual.state.attitudes.iter_mut().zip(turns) {
                    q.0.iter_mut().zip(turn.0).for_each(|(x, rate)| x.derivative = rate);
                }
            }
        }
        let (ws, Prepared { model, state, inputs }) = (&mut dual.workspace(), &dual);
        let solution = match self {
            Self::Forward => forward_dynamics(model, state, inputs, ws),
            Self::Inverse => inverse_dynamics(model, state, inputs, ws),
            Self::Hybrid => hybrid_dynamics(model, state, inputs, ws),
        };
        let solution = solution.unwrap();
        let answer = solution.accelerations().iter().zip(solution.forces()).enumerate();
        answer.map(|(i, (x, f))| if self.gives_force(at, i) { f.derivative } else { x.derivative }).collect()
    }
}

/// The largest error of a matrix, in parts of its largest entry, or of that of the `open` chain: what closures take away leaves its rounding.
fn error(verb: Verb, at: &Prepared, along: Along, found: &[f64], open: &[f64]) -> f64 {
    let n = at.model.speed_count();
    let (mut worst, mut size) = (0.0_f64, open.iter().fold(1e-3_f64, |m, x| m.max(x.abs())));
    for j in 0..n {
        for (i, expected) in verb.column(at, along, j).into_iter().enumerate() {
            worst = worst.max((found[i * n + j] - expected).abs());
            size = size.max(expected.abs());
        }
    }
    worst / size
}

/// Trees and loops of every kind.
fn options(seed: u64) -> RandomOptions {
    RandomOptions {
        modes: [0, 3, 6][seed as usize % 3],
        mass_ratio: 100.0,
        constant_terms: seed % 11 == 1,
        orthogonal_modes: seed.is_multiple_of(5),
        second_order: seed % 7 > 4,
        elements: seed.is_multiple_of(2),
        closures: if seed % 4 == 3 { 3 } else { 0 },
        driven: seed % 8 == 3,
        ..RandomOptions::default()
    }
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let mut worst = Worst::new();
    let mut checked = 0;
    for seed in 0..400 {
        let (system, random) = random_system(seed, &options(seed));
        let mut at = Prepared::new(&system, &random);
        let (answer, loops) = (random.answer(&system), !system.closures.is_empty());
        // A closed system has the condition of its closures too. Where they leave no freedom, derivatives are zero but for rounding.
        let equations = constraints(&system, &random);
        let closed = if loops { equations.condition(&answer) } else { 1.0 };
        if closed > 1e8 || equations.jacobian.len() >= at.model.speed_count() {
            continue;
        }
        checked += 1;
        let condition = answer.condition().max(closed);
        // With loops hinges are left free: a closure between prescribed hinges alone has no force of its own.
        let prescribed = |k: usize| !loops && (seed as usize + k).is_multiple_of(3);
        at.inputs.prescribed.iter_mut().enumerate().for_each(|(k, flag)| *flag = prescribed(k));
        let mut opened = at.clone();
        opened.state.closed.fill(false);
        let (mut found, mut open) = (Derivatives::new(&at.model), Derivatives::new(&at.model));
        for verb in [Verb::Forward, Verb::Inverse, Verb::Hybrid] {
            verb.differentiate(&at, &mut found).unwrap();
            verb.differentiate(&opened, &mut open).unwrap();
            let bound = tolerance(condition);
            let mut check = |what: &str, error: f64| worst.record(&format!("{verb:?} by {what}"), seed, error, bound);
            check("displacements", error(verb, &at, Along::Displacement, found.displacement(), open.displacement()));
            check("speeds", error(verb, &at, Along::Speed, found.speed(), open.speed()));
            check("inputs", error(verb, &at, Along::Input, found.input(), open.input()));
        }
    }
    assert!(checked >= 300, "{checked} systems");
    worst.assert_within();
}

/// At rest, without loads, `∂T/∂δ` is the second derivative of a potential; `𝓜` is symmetric always, `∂u̇/∂T` too.
#[test]
fn conservative_systems_have_symmetric_stiffness() {
    let mut worst = Worst::new();
    let asymmetry = |matrix: &[f64], n: usize| {
        let size = matrix.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.fold(0.0_f64, |m, (i, j)| m.max((matrix[i * n + j] - matrix[j * n + i]).abs())) / size
    };
    for seed in 0..100 {
        // Without quaternions and integrated attitudes δ are coordinates; Lagrange's convention weighs all by a potential.
        let options = RandomOptions {
            elastic_rotation: Some(ElasticRotation::RotationVector),
            inertia: Some(InertiaConvention::Lagrange),
            second_order: seed % 3 == 0,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        let mut at = Prepared::new(&system, &random);
        at.state.speeds.fill(0.0);
        at.inputs.accelerations.fill(0.0);
        at.inputs.wrenches.clear();
        let n = at.model.speed_count();
        let mut found = Derivatives::new(&at.model);
        Verb::Inverse.differentiate(&at, &mut found).unwrap();
        worst.record("𝓜", seed, asymmetry(found.acceleration(), n), 1e-12);
        let quaternions = at.model.coordinate_count() > n;
        // A body whose mass does not follow its deformation is weighed where it is not.
        let potential =
            system.bodies.iter().all(|body| body.modes.count == 0 || !body.modes.fidelity.has_constant_mass());
        if !quaternions && potential {
            worst.record("∂T/∂δ", seed, asymmetry(found.displacement(), n), 1e-10);
        }
        let condition = random.answer(&system).condition();
        Verb::Forward.differentiate(&at, &mut found).unwrap();
        worst.record("𝓜⁻¹", seed, asymmetry(found.force(), n), tolerance(condition));
    }
    worst.assert_within();
}

/// A rigid tree has no forces beside those of the regressor; a changed parameter of any changes the forces by its column.
#[test]
fn the_regressor_gives_forces_from_parameters() {
    let mut worst = Worst::new();
    for seed in 0..100 {
        let modes = if seed % 2 == 0 { 0 } else { 3 };
        let (system, mut random) = random_system(seed, &RandomOptions { modes, ..RandomOptions::default() });
        random.wrenches.clear();
        let at = Prepared::new(&system, &random);
        let mut regressor = Regressor::new(&at.model);
        let forces = |model: &Model, regressor: &mut Regressor| {
            let mut ws = supple::Workspace::new(model);
            let solution = inverse_dynamics_regressor(model, &at.state, &at.inputs, &mut ws, regressor);
            solution.unwrap().forces().to_vec()
        };
        let before = forces(&at.model, &mut regressor);
        let size = before.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
        let width = regressor.columns().len();
        if modes == 0 {
            for (row, force) in regressor.matrix().chunks_exact(width).zip(&before) {
                let sum: f64 = row.iter().zip(regressor.columns()).map(|(y, column)| y * column.value).sum();
                worst.record("T = Y π", seed, (sum - force).abs() / size, 1e-11);
            }
        }
        // A point mass fixed to a body, beside what its nodes have.
        let (body, mass, at_point) = (BodyIndex(seed as usize % system.bodies.len()), 0.7, [0.3, -0.2, 0.5]);
        let mut heavier = system.clone();
        heavier.bodies[body.0].nodes.push(Node { position: at_point, mass, ..Node::default() });
        let model = Model::build(&heavier).unwrap();
        let after = forces(&model, &mut Regressor::new(&model));
        for (row, (after, before)) in after.iter().zip(&before).enumerate() {
            let own = regressor.columns().iter().enumerate().filter(|(_, column)| column.body == body);
            let added =
                own.map(|(i, column)| regressor.matrix()[row * width + i] * of_point(column.parameter, mass, at_point));
            worst.record("a point mass", seed, (after - before - added.sum::<f64>()).abs() / size, 1e-10);
        }
        // A stiffer mode.
        for (i, column) in regressor.columns().iter().enumerate() {
            let Parameter::Stiffness(r, s) = column.parameter else { continue };
            let mut stiffer = system.clone();
            match &mut stiffer.bodies[column.body.0].modes.stiffness {
                ModalMatrix::Diagonal(d) => d[r] += CHANGE,
                ModalMatrix::Full(rows) if r == s => rows[r][r] += CHANGE,
                _ => continue,
            }
            let model = Model::build(&stiffer).unwrap();
            let after = forces(&model, &mut Regressor::new(&model));
            for (row, (after, before)) in after.iter().zip(&before).enumerate() {
                let expected = CHANGE * regressor.matrix()[row * width + i];
                worst.record("stiffness", seed, (after - before - expected).abs() / size, 1e-10);
            }
        }
    }
    worst.assert_within();
}

const CHANGE: f64 = 0.5;

/// A parameter of a point mass.
fn of_point(parameter: Parameter, mass: f64, [x, y, z]: [f64; 3]) -> f64 {
    match parameter {
        Parameter::Mass => mass,
        Parameter::Moment(i) => mass * [x, y, z][i],
        Parameter::Inertia(i) => mass * [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z][i],
        _ => 0.0,
    }
}

#[test]
fn memory_of_another_model_is_refused() {
    let prepared = |seed| {
        let (system, random) = random_system(seed, &RandomOptions::default());
        Prepared::new(&system, &random)
    };
    let (at, other) = (prepared(1), prepared(2));
    let mut derivatives = Derivatives::new(&other.model);
    let refused = Verb::Forward.differentiate(&at, &mut derivatives).unwrap_err();
    assert!(refused.to_string().contains("another model"), "{refused}");
}
