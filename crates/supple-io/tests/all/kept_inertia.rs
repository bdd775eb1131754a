//! Flexible links that keep the mass and inertia of their URDF.

use supple::{DenseWorkspace, Model, State, Workspace, mass_matrix};
use supple_io::urdf::{self, Options, Robot};

fn arm(mass: f64, side: Option<&str>) -> Result<Robot, supple_io::source::FileError> {
    let robot = format!(
        r#"<robot name="arm"><link name="base"/>
        <link name="upper"><inertial><origin xyz="0.3 0.01 0.02"/><mass value="{mass}"/>
          <inertia ixx="0.02" iyy="0.6" izz="0.61" ixy="0.001" ixz="0" iyz="0"/></inertial></link>
        <link name="lower"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
        <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint></robot>"#
    );
    urdf::from_text("arm.urdf", &robot, side.map(|side| ("side.toml", side)), &Options::default())
}

fn side(keep: bool, wall: f64) -> String {
    format!(
        "format = \"supple-flexible-1\"\n[[flexible]]\nlink = \"upper\"\nkeep_inertia = {keep}\n[flexible.beam]\nlength = 1.0\n\
         section = {{ tube = {{ outer_radius = 0.04, thickness = {wall} }} }}\nmaterial = {{ E = 7e10, nu = 0.33, density = 2700 }}\n\
         modes = {{ bending_y = 1, bending_z = 1 }}\n"
    )
}

/// The mass matrix of the hinges, undeformed, with the elbow bent.
fn of_hinges(model: &Model) -> Vec<f64> {
    let mut state = State::new(model);
    let hinges: Vec<_> = ["shoulder", "elbow"].iter().map(|name| model.hinge(name).unwrap()).collect();
    state.coordinates[hinges[1].coordinates().start] = 0.7;
    let n = model.speed_count();
    let mut full = vec![0.0; n * n];
    mass_matrix(model, &state, &mut Workspace::new(model), &mut DenseWorkspace::new(model), &mut full).unwrap();
    let at: Vec<usize> = hinges.iter().map(|hinge| hinge.speeds().start).collect();
    at.iter().flat_map(|i| at.iter().map(|j| full[i * n + j]).collect::<Vec<_>>()).collect()
}

/// As a whole the flexible arm moves as the rigid one, whether its beam is lighter than the link or has to give way; without being asked for it does not.
#[test]
fn the_whole_moves_as_the_urdf_says() {
    let rigid = of_hinges(&arm(6.0, None).unwrap().file.model);
    for (wall, notes) in [(0.002, 0), (0.008, 1)] {
        let kept = arm(6.0, Some(&side(true, wall))).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(kept.notes.iter().filter(|note| note.what().contains("bends")).count(), notes, "{:?}", kept.notes);
        for (a, b) in of_hinges(&kept.file.model).iter().zip(&rigid) {
            assert!((a - b).abs() < 1e-9 * rigid[0], "{a} {b}");
        }
        assert!(kept.file.system.bodies.iter().any(|body| body.modes.count == 6));
    }
    let replaced = of_hinges(&arm(6.0, Some(&side(false, 0.002))).unwrap().file.model);
    assert!((replaced[0] / rigid[0] - 1.0).abs() > 0.05, "{} {}", replaced[0], rigid[0]);
}

/// A link that has no room for its beam is refused.
#[test]
fn beams_that_do_not_fit_are_refused() {
    let error = arm(0.05, Some(&side(true, 0.03))).expect_err("it is refused").to_string();
    assert!(error.contains("link 'upper'") && error.contains("room for"), "{error}");
}
