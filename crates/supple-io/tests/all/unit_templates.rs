//! Files whose numbers are written with their units, `<1.5 m>`.

/// Every kind of body, hinge, force and closure.
pub const MODEL: &str = r#"
gravity = [<0.3 m/s²>, 0.0, <-9.81 m/s²>]

[[body]]
name = "cart"
[body.rigid]
mass = 2.0
mass_centre = [<0.1 m>, <0.02 m>, <0.003 m>]
inertia = { xx = <0.4 kg m²>, yy = <0.5 kg m²>, zz = <0.6 kg m²>, xy = <0.01 kg m²>, xz = <0.02 kg m²>, yz = <0.03 kg m²> }
[[body.nodes]]
name = "top"
position = [<0.5 m>, 0.0, <0.25 m>]
mass = 0.1
mass_centre = [<0.01 m>, 0.0, 0.0]
inertia = [<0.1 kg m²>, <0.1 kg m²>, <0.1 kg m²>]
[body.hinge]
name = "rail"
kind = "prismatic"
axis = [0.0, 1.0, 0.0]
position = [<1.0 m>, <2.0 m>, <3.0 m>]
rotation = { rpy = [<0.25 rad>, <0.5 rad>, <0.75 rad>] }
spring = { stiffness = <40.0 N/m>, rest = <0.2 m> }
damping = <3.0 N s/m>
friction = { level = <1.5 N>, transition_speed = <0.01 m/s> }
stops = { lower = <-2.0 m>, upper = <1.0 m>, stiffness = <5e4 N/m>, damping = <0.5 s/m> }
motor = { gear_ratio = 5, rotor_inertia = <0.002 kg m²>, effort_limit = <60.0 N>, speed_limit = <3.0 m/s> }

[[body]]
name = "arm"
parent = "cart"
at = "top"
[body.hinge]
name = "shoulder"
kind = "revolute"
axis = [0.0, 0.0, 1.0]
spring = <25.0 N m/rad>
damping = <0.4 N m s/rad>
friction = <0.3 N m>
stops = { lower = <-1.5 rad>, upper = <1.25 rad>, stiffness = <2e3 N m/rad>, damping = <0.2 s/rad> }
rotor_inertia = <0.125 kg m²>
[body.beam]
length = <1.5 m>
start = [<0.05 m>, 0.0, 0.0]
section = { tube = { outer_radius = <0.04 m>, thickness = <0.005 m> } }
material = { E = 7e10, nu = 0.3, density = <2700.0 kg/m³> }
modes = { bending_y = 1, bending_z = 1 }
tip = { mass = 0.5, mass_centre = [<0.02 m>, 0.0, 0.0], inertia = [<0.001 kg m²>, <0.002 kg m²>, <0.003 kg m²>] }
stations = [{ name = "camera", x = <0.75 m> }]

[[body]]
name = "blade"
parent = "arm"
at = "tip"
[body.hinge]
kind = "cylindrical"
axis = [1.0, 0.0, 0.0]
damping = [<0.5 N m s/rad>, <6.0 N s/m>]
spring = { stiffness = [<7.0 N m/rad>, <80.0 N/m>], rest = [<0.1 rad>, <0.02 m>] }
rotor_inertia = [<0.01 kg m²>, <0.2 kg>]
[body.beam]
length = <0.8 m>
twist = <0.4 rad>
curvature = [<0.05 1/m>, <0.1 1/m>]
modes = { coupled = 1 }
[body.beam.properties]
mass_per_length = <0.5 kg/m>
mass_centre = [<0.001 m>, <0.002 m>]
rotary_inertia = [<2e-4 kg m>, <1e-4 kg m>, <1e-4 kg m>]
stiffness = [
    [4e6, 0.0, 0.0, <10.0 N m>, <20.0 N m>, <30.0 N m>],
    [0.0, 2e6, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 2e6, 0.0, 0.0, 0.0],
    [<10.0 N m>, 0.0, 0.0, <300.0 N m²>, <5.0 N m²>, 0.0],
    [<20.0 N m>, 0.0, 0.0, <5.0 N m²>, <500.0 N m²>, <7.0 N m²>],
    [<30.0 N m>, 0.0, 0.0, 0.0, <7.0 N m²>, <900.0 N m²>],
]

[[body]]
name = "post"
hinge = { kind = "screw", axis = [0.0, 0.0, 1.0], pitch = <0.02 m/rad> }
[body.beam]
length = <2.0 m>
modes = { coupled = 1 }
material = { E = 7e10, nu = 0.3, density = <2700.0 kg/m³> }
[[body.beam.sections]]
x = 0.0
section = { box = { width = <0.06 m>, height = <0.05 m>, thickness = <0.004 m> } }
twist = 0.0
[[body.beam.sections]]
x = <2.0 m>
section = { box = { width = <0.04 m>, height = <0.03 m>, thickness = <0.003 m> } }
twist = <0.2 rad>

[[body]]
name = "flap"
parent = "post"
at = "tip"
hinge = { kind = "revolute", axis = [1.0, 0.0, 0.0] }
[body.beam]
length = <0.5 m>
modes = { stretch = 1, twist = 1, bending_y = 1, bending_z = 1 }
[body.beam.properties]
mass_per_length = <0.5 kg/m>
EA = 1e6
EI_y = <40.0 N m²>
EI_z = <50.0 N m²>
GJ = <30.0 N m²>
rotary_inertia = [<2e-4 kg m>, <1e-4 kg m>, <1e-4 kg m>]

[[force]]
kind = "hinge-stops"
at = { body = "post" }
lower = <-4.0 rad>
upper = <5.0 rad>
stiffness = <1e3 N m/rad>
damping = <0.75 s/rad>
[[force]]
kind = "hinge-friction"
at = { body = "blade", speed = 1 }
level = <0.2 N>
transition_speed = <0.02 m/s>
[[force]]
kind = "hinge-spring"
at = { body = "flap" }
stiffness = <0.2 N m/rad>
rest = <0.02 rad>
[[force]]
kind = "coupling"
from = { body = "arm" }
to = { body = "cart" }
ratio = <1.5 rad/m>
offset = <0.1 rad>
stiffness = <12.0 N m/rad>
damping = <0.3 N m s/rad>
[[force]]
kind = "spring-damper"
from = { ground = [<0.1 m>, <0.2 m>, <0.3 m>] }
to = { body = "arm", node = "tip" }
length = <0.6 m>
stiffness = <90.0 N/m>
damping = <2.0 N s/m>
preload = 4.0
[[force]]
kind = "bushing"
from = { ground = [0.0, 0.0, 0.0] }
to = { body = "flap", node = "tip" }
stiffness = [<100.0 N/m>, <200.0 N/m>, <300.0 N/m>]
angular_stiffness = <4.0 N m/rad>
damping = <1.0 N s/m>
angular_damping = <0.5 N m s/rad>
[[force]]
kind = "constant"
at = { body = "arm", node = "tip" }
force = [1.0, 2.0, 3.0]
moment = [<0.5 N m>, <0.25 N m>, <0.125 N m>]
[[force]]
kind = "point-mass-field"
mu = <4.0 m³/s²>
position = [<100.0 m>, 0.0, 0.0]
[[force]]
kind = "motor"
name = "winch"
at = { closure = "slot" }

[[closure]]
name = "gear"
kind = "coupling"
hinges = [{ hinge = "rail" }, { hinge = "shoulder", factor = <-0.5 m/rad> }]
offset = <0.05 m>
[[closure]]
name = "slot"
kind = "point-on-line"
driven = true
axis = [1.0, 0.0, 0.0]
a = { body = "arm", node = "camera", position = [0.0, <0.05 m>, 0.0], rotation = { rpy = [<0.1 rad>, 0.0, 0.0] } }
b = { ground = [<1.0 m>, <1.0 m>, <1.0 m>] }
[[closure]]
name = "thread"
kind = "screw"
axis = [1.0, 0.0, 0.0]
pitch = <0.01 m/rad>
a = { body = "flap", node = "tip" }
b = { ground = [0.0, 0.0, 0.0] }
[[closure]]
name = "rod"
kind = "distance"
a = { body = "arm", node = "tip" }
b = { ground = [0.0, 0.0, <4.0 m>] }
length = <4.5 m>
"#;

/// For the model without its closures, which a run would have to close.
pub const SCENARIO: &str = r#"
model = "model.toml"
duration = 1.0
output_interval = 0.1
gravity = [0.0, 0.0, <-1.62 m/s²>]
initial = { hinges = { cart = <0.25 m>, blade = [<0.3 rad>, <0.02 m>] }, hinge_speeds = { post = <0.5 rad/s>, blade = [<0.1 rad/s>, <0.2 m/s>] } }
[[motion]]
hinge = "rail"
quintic = { from = <0.25 m>, to = <0.75 m>, duration = 0.5 }
[[motion]]
hinge = "shoulder"
jerk_limited = { to = <1.0 rad>, speed = <2.0 rad/s>, acceleration = <8.0 rad/s²>, jerk = <60.0 rad/s³> }
[[motion]]
hinge = "post"
spin_up = { rate = <0.5 rad/s>, duration = 0.5 }
[[torque]]
hinge = "flap"
csv = { file = "torque.csv", time = "t", value = "f" }
[[torque]]
hinge = "blade"
speed = 0
table = { times = [0.0, 1.0], values = [<0.5 N m>, <0.25 N m>] }
[[torque]]
hinge = "blade"
speed = 1
steps = { times = [0.0, 1.0], values = [<0.5 N>, <0.25 N>] }
[[wrench]]
body = "flap"
node = "tip"
constant = { force = [1.0, 0.0, 0.0], moment = [0.0, <0.1 N m>, 0.0] }
[[events]]
name = "half"
quantity = "hinge.rail"
value = <0.5 m>
[[events]]
name = "fast"
quantity = "speed.shoulder"
value = <1.0 rad/s>
[[controller]]
name = "plan"
kind = "trajectory"
hinge = "flap"
update_rate = 100
cycloid = { to = <0.5 rad>, duration = 1.0 }
"#;

/// A rod on a slide.
pub const ROBOT: &str = r#"<robot name="r"><link name="base"/>
<link name="rod"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.083" izz="0.083" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
</robot>"#;
/// The rod made flexible.
pub const SIDE: &str = r#"
gravity = [0.0, 0.0, <-3.7 m/s²>]
damping = { ratio = 0.01, at = { slide = <0.1 m> } }
[[flexible]]
link = "rod"
[flexible.beam]
length = <1.0 m>
section = { rectangle = { width = <0.02 m>, height = <0.03 m> } }
material = { E = 2.1e11, G = 8e10, density = <2500.0 kg/m³> }
modes = { bending_y = 1 }
[[joint]]
name = "slide"
spring = { stiffness = <30.0 N/m>, rest = <0.1 m> }
damping = <2.0 N s/m>
friction = <0.5 N>
stops = { lower = <-0.5 m>, upper = <0.5 m> }
"#;
