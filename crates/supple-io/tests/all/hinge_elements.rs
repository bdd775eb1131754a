//! What acts in hinges: from the file to the forces of the engine, with defaults where the file does not say.

use supple::force::{ForceElement, HingeDamping, HingeFriction, HingeSpring, HingeStops, Law, Port};
use supple::{BodyIndex, DenseWorkspace, Inputs, State, Terms, Workspace, bias_forces, energy, mass_matrix, power};
use supple_io::model_file::{self, FRICTION_SPEED, ModelFile, STOP_DAMPING, STOP_STIFFNESS};
use supple_io::source::{FileError, Rule};
use supple_io::urdf;

fn read(hinge: &str) -> Result<ModelFile, FileError> {
    let text = format!(
        "format = \"supple-model-1\"\n[[body]]\nname = \"arm\"\n[body.hinge]\n{hinge}\n[body.rigid]\nmass = 2\n\
         mass_centre = [0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n"
    );
    model_file::from_text("arm.toml", &text, None)
}

#[track_caller]
fn sound(hinge: &str) -> ModelFile {
    read(hinge).unwrap_or_else(|error| panic!("{error}"))
}

const REVOLUTE: &str = "kind = \"revolute\"\naxis = [0, 1, 0]\n";

/// Force and energies of the elements at a coordinate and a speed.
fn effect(file: &ModelFile, coordinate: f64, speed: f64) -> [f64; 3] {
    let (model, mut state) = (&file.model, State::new(&file.model));
    (state.coordinates[0], state.speeds[0]) = (coordinate, speed);
    let (inputs, mut workspace) = (Inputs::new(model), Workspace::new(model));
    let terms = Terms { elements: true, ..Terms::NONE };
    let force = -bias_forces(model, &state, &inputs, terms, &mut workspace).unwrap().forces()[0];
    let stored = energy(model, &state, &mut workspace).unwrap().stored;
    [force, stored, power(model, &state, &inputs, &mut workspace).unwrap().element_dissipated]
}

/// An element in a direction of the hinge of the arm.
fn at(law: impl Law + 'static, speed: usize) -> ForceElement {
    ForceElement::new(law, [Port::Hinge { body: BodyIndex(0), speed }])
}

#[test]
fn numbers_of_the_file_are_those_of_the_engine() {
    let file = sound(&format!(
        "{REVOLUTE}spring = {{ stiffness = 30, rest = 0.2 }}\ndamping = 0.4\n\
         friction = {{ level = 2, transition_speed = 0.05 }}\n\
         stops = {{ lower = -1, upper = 1, stiffness = 500, damping = 0.5 }}"
    ));
    let wanted = [
        at(HingeDamping { damping: 0.4 }, 0),
        at(HingeFriction { force: 2.0, speed: 0.05 }, 0),
        at(HingeSpring { stiffness: 30.0, rest: 0.2 }, 0),
        at(HingeStops { lower: -1.0, upper: 1.0, stiffness: 500.0, damping: 0.5 }, 0),
    ];
    assert_eq!(file.system.forces, wanted);
    let [force, stored, taken] = effect(&file, 1.1, 0.3);
    let friction = 2.0 * (0.3_f64 / 0.05).tanh();
    let stop = 500.0 * (1.1 - 1.0) * (1.0 + 0.5 * 0.3);
    assert!((force + 30.0 * 0.9 + 0.4 * 0.3 + friction + stop).abs() < 1e-12, "{force}");
    assert!((stored - 15.0 * 0.81 - 250.0 * 0.01).abs() < 1e-12, "{stored}");
    assert!((taken - 0.4 * 0.09 - friction * 0.3 - (stop - 50.0) * 0.3).abs() < 1e-12, "{taken}");
}

#[test]
fn what_the_file_leaves_out_has_a_default() {
    let file = sound(&format!("{REVOLUTE}friction = 2\nstops = {{ lower = -1, upper = 1 }}"));
    let stops = HingeStops { lower: -1.0, upper: 1.0, stiffness: STOP_STIFFNESS, damping: STOP_DAMPING };
    let friction = HingeFriction { force: 2.0, speed: FRICTION_SPEED };
    assert_eq!(file.system.forces, [at(friction, 0), at(stops, 0)]);
    assert_eq!((FRICTION_SPEED, STOP_STIFFNESS, STOP_DAMPING), (1e-3, 1e5, 1.0));
}

/// The speed after a bounce that the default damping is documented with: `m θ̈ = -k d (1 + e ḋ)` from 1 rad/s.
#[test]
fn a_bounce_at_the_default_stops() {
    let file = sound(&format!("{REVOLUTE}stops = {{ lower = -1, upper = 1 }}"));
    let inertia = 0.6; // about y: 0.1 + 2 · 0.5²
    let (mut x, mut v, h) = (1.0, 1.0, 1e-6);
    let acceleration = |x: f64, v: f64| effect(&file, x, v)[0] / inertia;
    loop {
        let (xm, vm) = (x + 0.5 * h * v, v + 0.5 * h * acceleration(x, v));
        (x, v) = (x + h * vm, v + h * acceleration(xm, vm));
        if x < 1.0 {
            break;
        }
    }
    println!("bounces back at {v}");
    assert!((v + 0.59).abs() < 5e-3, "{v}");
}

#[test]
fn one_element_per_speed_in_which_anything_acts() {
    let file = sound(
        "kind = \"cylindrical\"\naxis = [0, 1, 0]\nspring = { stiffness = [0, 5], rest = [0, 0.1] }\nfriction = 0\n",
    );
    assert_eq!(file.system.forces, [at(HingeSpring { stiffness: 5.0, rest: 0.1 }, 1)]);
    // Damping in a hinge whose attitude is a quaternion.
    let file = sound("kind = \"spherical\"\ndamping = [1, 2, 3]\n");
    let damping = |speed: usize| at(HingeDamping { damping: 1.0 + speed as f64 }, speed);
    assert_eq!(file.system.forces, [damping(0), damping(1), damping(2)]);
    assert!(sound(REVOLUTE).system.forces.is_empty());
}

#[test]
fn rotors() {
    let mass = |file: &ModelFile| {
        let model = &file.model;
        let (mut workspace, mut dense) = (Workspace::new(model), DenseWorkspace::new(model));
        let mut mass = [0.0];
        mass_matrix(model, &State::new(model), &mut workspace, &mut dense, &mut mass).unwrap();
        mass[0]
    };
    let bare = sound(REVOLUTE);
    assert!((mass(&bare) - 0.6).abs() < 1e-15);
    let motor = sound(&format!("{REVOLUTE}motor = {{ gear_ratio = 50, rotor_inertia = 2e-4 }}"));
    assert_eq!(motor.system.actuators[0].reflected_inertia(), 50.0 * 50.0 * 2e-4);
    assert!(motor.system.bodies[0].hinge.rotor_inertia.is_empty());
    assert_eq!(motor.system.actuators[0].name, "arm");
    assert!((mass(&motor) - 1.1).abs() < 1e-15);
    let own = sound(&format!("{REVOLUTE}rotor_inertia = 0.5\nmotor = {{ effort_limit = 3 }}"));
    assert!((mass(&own) - 1.1).abs() < 1e-15);
    // A motor that says nothing of its rotor adds none.
    assert!((mass(&sound(&format!("{REVOLUTE}motor = {{ gear_ratio = 50 }}"))) - 0.6).abs() < 1e-15);
    let several = sound("kind = \"planar\"\nnormal = [0, 1, 0]\nrotor_inertia = [1, 2, 3]");
    assert_eq!(several.system.bodies[0].hinge.rotor_inertia, [1.0, 2.0, 3.0]);
    let one = sound("kind = \"free\"\nrotor_inertia = 2");
    assert_eq!(one.system.bodies[0].hinge.rotor_inertia, [2.0; 6]);
}

#[test]
fn mistakes_about_rotors() {
    let only = |hinge: &str| {
        let error = read(hinge).expect_err("the text is broken");
        assert_eq!(error.findings().len(), 1, "{error}");
        (error.findings()[0].place.line, error.findings()[0].rule.clone(), error.to_string())
    };
    let (line, rule, told) =
        only(&format!("{REVOLUTE}motor = {{ gear_ratio = 50, rotor_inertia = 2e-4 }}\nrotor_inertia = 0.5"));
    println!("{told}");
    assert!(line == 8 && matches!(rule, Rule::Mismatch { .. }) && told.contains("keep that of the motor"), "{told}");
    let (line, rule, _) = only(&format!("{REVOLUTE}rotor_inertia = [1, 2]"));
    assert!(line == 7 && matches!(rule, Rule::Length { found: 2, expected: 1, .. }), "{rule:?}");
    let (line, rule, _) = only(&format!("{REVOLUTE}rotor_inertia = -1"));
    assert!(line == 7 && matches!(rule, Rule::Range { .. }), "{rule:?}");
    let (line, rule, _) = only("kind = \"fixed\"\nrotor_inertia = 1");
    assert!(line == 6 && matches!(rule, Rule::Useless { .. }), "{rule:?}");
    // Too large for a number: the engine's rule, told at the motor.
    let (line, rule, _) = only(&format!("{REVOLUTE}motor = {{ gear_ratio = 1e200, rotor_inertia = 2e-4 }}"));
    assert!(line == 7 && matches!(rule, Rule::Model(supple::Problem::ForceParameter { .. })), "{rule:?}");
}

/// Exporters write zero where a joint has no limit of effort or speed: its motor gives what it is asked for, and a note says so.
#[test]
fn zero_limits_of_a_robot_are_none() {
    let motor = |effort: f64, velocity: f64| {
        let text = format!(
            r#"<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
            <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
            <joint name="j" type="continuous"><parent link="a"/><child link="b"/>
            <limit effort="{effort}" velocity="{velocity}"/></joint></robot>"#
        );
        let robot =
            urdf::from_text("r.urdf", &text, None, &urdf::Options::default()).unwrap_or_else(|error| panic!("{error}"));
        let motor = &robot.file.system.actuators[0];
        (motor.effort_limit, motor.speed_limit, robot.notes.iter().map(|note| note.what()).collect::<Vec<_>>())
    };
    assert_eq!(motor(3.0, 2.0), (Some(3.0), Some(2.0), Vec::new()));
    assert_eq!(motor(0.0, 0.0), (None, None, vec!["the effort limit is 0".to_owned()]));
}

/// Exporters write equal limits where a joint has none: no stops then, and a note.
#[test]
fn equal_limits_of_a_robot_are_no_stops() {
    let robot = |lower: f64, upper: f64| {
        let text = format!(
            r#"<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
            <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
            <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
            <limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/></joint></robot>"#
        );
        urdf::from_text("r.urdf", &text, None, &urdf::Options::default()).unwrap_or_else(|error| panic!("{error}"))
    };
    let limited = robot(-1.0, 1.0);
    assert!(limited.notes.is_empty() && limited.file.system.forces[0].law::<HingeStops>().is_some());
    let unlimited = robot(0.0, 0.0);
    assert!(unlimited.file.system.forces.is_empty());
    let [note] = &unlimited.notes[..] else { panic!("{:?}", unlimited.notes) };
    assert!(note.subject == "joint 'j'" && matches!(note.rule, Rule::Mismatch { .. }), "{note}");
}
