//! Sound files for tests that break them.

/// An arm with a hand.
pub const MODEL: &str = r#"format = "supple-model-1"
gravity = [0, 0, -9.81]

[[body]]
name = "arm"
hinge = { name = "shoulder", kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 2, mass_centre = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1] }
nodes = [{ name = "tip", position = [1, 0, 0] }]

[[body]]
name = "hand"
parent = "arm"
at = "tip"
hinge = { name = "wrist", kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 1, mass_centre = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02] }
"#;

/// A second of it.
pub const SCENARIO: &str = r#"format = "supple-scenario-1"
model = "model.toml"
duration = 1
output_interval = 0.1
integrator = { kind = "dormand-prince" }
"#;

/// A link on a joint.
pub const ROBOT: &str = r#"<robot name="two">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <mass value="2"/>
      <inertia ixx="0.2" iyy="0.2" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="shoulder" type="continuous">
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
  </joint>
</robot>
"#;

/// A thin beam on a hinge, whose modes are too soft for a fast spin.
pub const WHIP: &str = r#"format = "supple-model-1"

[[body]]
name = "whip"
hinge = { name = "root", kind = "revolute", axis = [0, 0, 1] }
[body.beam]
length = 2
section = { tube = { outer_radius = 0.01, thickness = 0.001 } }
material = { E = 7e10, nu = 0.33, density = 2700 }
modes = { basis = "cantilever", bending_y = 2 }
fidelity = "inconsistent"
"#;
