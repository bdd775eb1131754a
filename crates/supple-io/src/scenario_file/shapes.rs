//! The format of scenario files: keys, values, meanings.

use super::control_shapes;
use super::event_shapes::EVENT;
use super::real_time::REAL_TIME;
use crate::document::shape::{
    FLAG, NOT_NEGATIVE, NUMBER, NUMBER_OR_NUMBERS, NUMBERS, POSITIVE, Shape, TEXT, TableShape, Unit, VECTOR, key, need,
    table,
};
use crate::document::units::{UNITS, UNITS_DOC};

static VECTORS: Shape = Shape::List { of: &VECTOR, length: None };
pub(super) static NODE: Shape = Shape::Choice(&[&TEXT, &Shape::Whole(1_000_000)]);
static BY_NAME: Shape = Shape::Map(&NUMBER_OR_NUMBERS);
pub(super) static TEXTS: Shape = Shape::List { of: &TEXT, length: None };
static LISTS_BY_NAME: Shape = Shape::Map(&NUMBERS);

static REDUNDANT: Shape = Shape::Word(&[
    ("least-forces", "run with a warning that names them; of all possible forces, columns show the least"),
    ("error", "refuse to run"),
]);

static INITIAL: TableShape = table(
    "initial",
    "Where the motion starts; default: at rest and undeformed.",
    &[
        key(
            "hinges",
            &BY_NAME,
            "coordinates by name of hinge or body, rad or m; quaternions x, y, z, w, then position",
        )
        .unit("rad or m"),
        key("hinge_speeds", &BY_NAME, "speeds by name of hinge or body, rad/s or m/s").unit("rad/s or m/s"),
        key("modes", &LISTS_BY_NAME, "modal coordinates by name of body"),
        key("mode_speeds", &LISTS_BY_NAME, "modal speeds by name of body"),
        key(
            "inside_stops",
            &FLAG,
            "move hinges that would start beyond a stop to that stop; default: false, and such a start is an error",
        ),
        key("open", &TEXTS, "names of closures that are open at the start; default: none"),
        key("locked", &TEXTS, "names of hinges that are locked at the start; default: none"),
        key(
            "redundant_equations",
            &REDUNDANT,
            "what to do if equations of closures depend on others; default: least-forces",
        ),
    ],
);

static STARTS: &[(&str, &str)] = &[
    ("initial", "at the initial state"),
    (
        "equilibrium",
        "at the equilibrium near the initial state, under gravity, springs and the forces at the start; hinges with a prescribed motion are held, and controllers hold theirs",
    ),
];

pub(super) static INTEGRATORS: &[(&str, &str)] = &[
    ("automatic", "explicit of order 8, and implicit where the system is stiff; the default"),
    ("dormand-prince", "explicit, order 5; for moderate tolerances"),
    ("prince-dormand8", "explicit, order 8; for tight tolerances"),
    ("rk4", "explicit, order 4, fixed step; for real time"),
    ("generalized-alpha", "implicit, order 2, fixed step; for stiff modes, with chosen numerical damping"),
    ("linearly-implicit", "linearly implicit, one linear solve per stage, order 4; for stiff modes"),
    ("exponential", "modal oscillations integrated exactly, order 4; for stiff vibrating modes, preserves their phase"),
    ("exponential-adams", "multistep form of exponential, order 5 with one evaluation per step"),
    (
        "gauss",
        "implicit Gauss-Legendre, order twice the number of stages, fixed step; for stiff vibrating modes with long steps",
    ),
    ("adams", "variable order and step; for smooth motions"),
    ("bdf", "variable order and step; for stiff systems"),
];
static INTEGRATOR: TableShape = table(
    "integrator",
    "Integrator, with error control or a fixed step.",
    &[
        key("kind", &Shape::Word(INTEGRATORS), "method; default: automatic"),
        key("relative_tolerance", &POSITIVE, "relative error tolerance per step; default: 1e-8"),
        key("absolute_tolerance", &POSITIVE, "absolute error tolerance per step; default: 1e-10"),
        key(
            "step",
            &POSITIVE,
            "fixed step size, s, instead of tolerances; required by rk4, generalized-alpha and gauss, not available for automatic, adams and bdf",
        ),
        key("spectral_radius", &NOT_NEGATIVE, "spectral radius of generalized-alpha, from 0 to 1; default: 0.8"),
        key(
            "corrections",
            &Shape::Whole(30),
            "corrections of each step of generalized-alpha, from 1 to 30, so that all steps take the same work, as real time requires; default: until converged",
        ),
        key("stages", &Shape::Whole(6), "number of stages of gauss, from 1 to 6; default: 3"),
        key(
            "iteration_tolerance",
            &POSITIVE,
            "tolerance of the iteration of gauss, relative to coordinates and speeds; default: 1e-10",
        ),
        key("least_step", &POSITIVE, "minimum step size with error control, s; below it the run fails"),
        key("greatest_step", &POSITIVE, "maximum step size with error control, s"),
        key("max_steps", &Shape::Whole(1_000_000_000_000), "maximum number of steps; beyond it the run fails"),
        key("wall_seconds", &POSITIVE, "maximum computing time, s; beyond it the run fails"),
    ],
);

pub(super) static MOVE: TableShape = table(
    "move",
    "A smooth move from one coordinate to another.",
    &[
        key("from", &NUMBER, "coordinate at its start, rad or m; default: the initial coordinate").unit("rad or m"),
        need("to", &NUMBER, "coordinate at its end, rad or m").unit("rad or m"),
        key("start", &NOT_NEGATIVE, "start time, s; default: 0"),
        need("duration", &POSITIVE, "duration, s"),
    ],
);
pub(super) static JERK_LIMITED: TableShape = table(
    "jerk-limited",
    "The fastest move from one coordinate to another within bounds, with continuous acceleration.",
    &[
        key("from", &NUMBER, "coordinate at its start, rad or m; default: the initial coordinate").unit("rad or m"),
        need("to", &NUMBER, "coordinate at its end, rad or m").unit("rad or m"),
        key("start", &NOT_NEGATIVE, "start time, s; default: 0"),
        need("speed", &POSITIVE, "greatest speed, rad/s or m/s").unit("rad/s or m/s"),
        need("acceleration", &POSITIVE, "greatest acceleration, rad/s² or m/s²").unit("rad/s² or m/s²"),
        need("jerk", &POSITIVE, "greatest jerk, rad/s³ or m/s³").unit("rad/s³ or m/s³"),
    ],
);
static SPIN_UP: TableShape = table(
    "spin-up",
    "A smooth start from rest to a constant speed.",
    &[
        need("rate", &NUMBER, "final speed, kept to the end of the run, rad/s or m/s").unit("rad/s or m/s"),
        key("start", &NOT_NEGATIVE, "start time, s; default: 0"),
        need("duration", &POSITIVE, "duration, s"),
    ],
);
pub(super) static SAMPLES: TableShape = table(
    "samples",
    "Values at times.",
    &[
        need("times", &NUMBERS, "times, ascending, s"),
        need("values", &NUMBERS, "one value per time").with(Unit::Inherited),
    ],
);
pub(super) static CSV: TableShape = table(
    "csv",
    "Values at times from a file of comma-separated values whose first line names the columns.",
    &[
        need("file", &TEXT, "path of the file, relative to this file"),
        need("time", &TEXT, "column of the times, s"),
        need("value", &TEXT, "column of the values").with(Unit::Inherited),
    ],
);
static MOTION: TableShape = TableShape {
    one_of: &[&["cycloid", "quintic", "jerk_limited", "rate", "spin_up", "table", "csv"]],
    ..table(
        "motion",
        "Prescribed motion of a hinge.",
        &[
            need("hinge", &TEXT, "name of the hinge, or of its body; a hinge with one degree of freedom"),
            key("cycloid", &Shape::Table(&MOVE), "cycloidal move: continuous acceleration"),
            key("quintic", &Shape::Table(&MOVE), "quintic move: zero acceleration at both ends"),
            key(
                "jerk_limited",
                &Shape::Table(&JERK_LIMITED),
                "fastest move within bounds of speed, acceleration and jerk",
            ),
            key("rate", &NUMBER, "constant speed, rad/s or m/s").unit("rad/s or m/s"),
            key("spin_up", &Shape::Table(&SPIN_UP), "from rest to a constant speed, with continuous acceleration"),
            key("table", &Shape::Table(&SAMPLES), "coordinates at times, rad or m, interpolated smoothly")
                .unit("rad or m"),
            key("csv", &Shape::Table(&CSV), "coordinates at times from a file, rad or m, interpolated smoothly")
                .unit("rad or m"),
        ],
    )
};
static CLOSURE_MOTION: TableShape = TableShape {
    one_of: &[&["cycloid", "quintic", "rate", "spin_up", "table", "csv"]],
    ..table(
        "closure-motion",
        "Prescribed motion of a coordinate of a closure that is `driven`, or of what a distance or a coupling holds.",
        &[
            need("closure", &TEXT, "name of the closure"),
            key("coordinate", &Shape::Whole(2), "coordinate of the closure; default: 0, the first"),
            key("cycloid", &Shape::Table(&MOVE), "cycloidal move: continuous acceleration; `from` is zero by default"),
            key("quintic", &Shape::Table(&MOVE), "quintic move: zero acceleration at both ends"),
            key("rate", &NUMBER, "constant speed, rad/s or m/s").unit("rad/s or m/s"),
            key("spin_up", &Shape::Table(&SPIN_UP), "from rest to a constant speed, with continuous acceleration"),
            key("table", &Shape::Table(&SAMPLES), "coordinates at times, rad or m, interpolated smoothly")
                .unit("rad or m"),
            key("csv", &Shape::Table(&CSV), "coordinates at times from a file, rad or m, interpolated smoothly")
                .unit("rad or m"),
        ],
    )
};
static MOTOR_FORCE: TableShape = TableShape {
    one_of: &[&["constant", "steps", "table", "csv"]],
    ..table(
        "motor-force",
        "The force or torque of a motor among the force elements of the model.",
        &[
            need("motor", &TEXT, "name of the force element of kind motor"),
            key("constant", &NUMBER, "N m or N").unit("N m or N"),
            key("steps", &Shape::Table(&SAMPLES), "each value from its time on, N m or N; zero before the first")
                .unit("N m or N"),
            key("table", &Shape::Table(&SAMPLES), "values at times, N m or N, interpolated linearly").unit("N m or N"),
            key("csv", &Shape::Table(&CSV), "values at times from a file, N m or N, interpolated linearly")
                .unit("N m or N"),
        ],
    )
};
static FEEDFORWARD_MOTION: TableShape = TableShape {
    one_of: &[&["cycloid", "quintic", "table", "csv"]],
    ..table(
        "feedforward-motion",
        "Desired motion of a hinge of the rigid model. It starts at the initial coordinate.",
        &[
            need(
                "hinge",
                &TEXT,
                "name of the hinge, or of its body; a hinge with one degree of freedom and no prescribed motion",
            ),
            key("cycloid", &Shape::Table(&MOVE), "cycloidal move"),
            key("quintic", &Shape::Table(&MOVE), "quintic move"),
            key("table", &Shape::Table(&SAMPLES), "coordinates at times, rad or m, interpolated smoothly")
                .unit("rad or m"),
            key("csv", &Shape::Table(&CSV), "coordinates at times from a file, rad or m, interpolated smoothly")
                .unit("rad or m"),
        ],
    )
};
static FEEDFORWARD: TableShape = table(
    "feedforward",
    "Torques that would give the rigid model desired motions, from inverse dynamics of the model without its modes, applied in open loop. \
     In the rigid model, hinges that are not named stay at their initial coordinates.",
    &[need(
        "motion",
        &Shape::List { of: &Shape::Table(&FEEDFORWARD_MOTION), length: None },
        "motions of the rigid model",
    )],
);
static TORQUE: TableShape = TableShape {
    one_of: &[&["constant", "steps", "table", "csv"]],
    ..table(
        "torque",
        "A torque or force in a hinge.",
        &[
            need("hinge", &TEXT, "name of the hinge, or of its body"),
            key("speed", &Shape::Whole(5), "index of the speed of the hinge, from 0; required if there are several"),
            key("constant", &NUMBER, "N m or N").unit("N m or N"),
            key("steps", &Shape::Table(&SAMPLES), "each value from its time on, N m or N; zero before the first")
                .unit("N m or N"),
            key("table", &Shape::Table(&SAMPLES), "values at times, N m or N, interpolated linearly").unit("N m or N"),
            key("csv", &Shape::Table(&CSV), "values at times from a file, N m or N, interpolated linearly")
                .unit("N m or N"),
        ],
    )
};
static CONSTANT_WRENCH: TableShape = table(
    "constant-wrench",
    "A constant wrench.",
    &[
        key("force", &VECTOR, "force, N; default: zero"),
        key("moment", &VECTOR, "moment about the node, N m; default: zero").unit("N m"),
    ],
);
static WRENCH_SAMPLES: TableShape = table(
    "wrench-samples",
    "Wrenches at times.",
    &[
        need("times", &NUMBERS, "times, ascending, s"),
        key("force", &VECTORS, "one force per time, N; default: zero"),
        key("moment", &VECTORS, "one moment about the node per time, N m; default: zero").unit("N m"),
    ],
);
static WRENCH: TableShape = TableShape {
    one_of: &[&["constant", "steps", "table"]],
    ..table(
        "wrench",
        "An external force and moment on a node.",
        &[
            need("body", &TEXT, "name of the body"),
            key("node", &NODE, "node, by name or index; required if the body has several"),
            key(
                "frame",
                &Shape::Word(&[("body", "axes of the body frame"), ("inertial", "inertial axes")]),
                "axes of force and moment; default: inertial",
            ),
            key("constant", &Shape::Table(&CONSTANT_WRENCH), "a constant wrench"),
            key("steps", &Shape::Table(&WRENCH_SAMPLES), "each wrench from its time on; zero before the first"),
            key("table", &Shape::Table(&WRENCH_SAMPLES), "wrenches at times, interpolated linearly"),
        ],
    )
};

pub(super) static FORMATS: &[(&str, &str)] =
    &[("csv", "comma-separated values"), ("parquet", "Parquet table"), ("mcap", "MCAP log")];
pub(super) static COLUMNS: &[(&str, &str)] = &[
    ("hinges", "hinge coordinates"),
    ("hinge_speeds", "hinge speeds"),
    ("hinge_accelerations", "hinge accelerations"),
    ("hinge_forces", "generalized forces in hinges"),
    ("modes", "modal coordinates"),
    ("mode_speeds", "modal speeds"),
    ("mode_accelerations", "modal accelerations"),
    ("reactions", "wrenches that hinges transmit to their bodies, about the hinge, in body axes"),
    ("closures", "closures: whether they act, distance and angle of their frames, deviations of their equations"),
    (
        "closure_forces",
        "wrenches of closures on their frames b, about its origin, in inertial axes; forces of couplings and of locks of hinges",
    ),
    ("energy", "energies and their balance"),
    ("momentum", "momenta and mass centre"),
    ("signals", "outputs of sensors, shapers and controllers"),
    ("steps", "steps of the integrator"),
    ("deflections", "elastic displacement of the listed nodes, in body axes"),
    ("strains", "stretch, curvatures and twist of beams at the listed nodes"),
    ("node_wrenches", "wrenches of children and loads on the listed nodes, in body axes"),
];
static RESULT_NODE: TableShape = table(
    "result-node",
    "A node whose pose and velocity to record.",
    &[need("body", &TEXT, "name of the body"), key("node", &NODE, "node, by name or index; default: the first")],
);
static RESULTS: TableShape = table(
    "results",
    "What to record, and where.",
    &[
        key("folder", &TEXT, "results folder, relative to this file; default: `results`"),
        key("formats", &Shape::List { of: &Shape::Word(FORMATS), length: None }, "formats; default: csv"),
        key(
            "columns",
            &Shape::List { of: &Shape::Word(COLUMNS), length: None },
            "quantities to record; default: hinges, hinge_speeds, modes, energy and signals",
        ),
        key("nodes", &Shape::List { of: &Shape::Table(&RESULT_NODE), length: None }, "nodes to record"),
        key(
            "most_bytes",
            &POSITIVE,
            "maximum size of the results on the disk, estimated before the run; beyond it the run is refused; default: 1e10",
        ),
    ],
);

/// A scenario file.
pub(super) static SCENARIO: TableShape = table(
    "scenario",
    "A simulation of a model: drives, loads, duration, results. SI units, radians.",
    &[
        need("format", &TEXT, "supple-scenario-1"),
        key("name", &TEXT, "name of the scenario"),
        key("description", &TEXT, "remark"),
        need("model", &TEXT, "model file (.toml) or robot (.urdf, .xml), relative to this file"),
        key("side_file", &TEXT, "side file of a robot, relative to this file"),
        key(
            "shared",
            &FLAG,
            "allow `model` and `side_file` above the folder of this file, `../arm.toml`; default: false",
        ),
        key("lenient", &FLAG, "accept defects of a robot that other programs ignore, with notes; default: false"),
        need("duration", &POSITIVE, "duration of the simulation, s"),
        need("output_interval", &POSITIVE, "time between results, s"),
        key("units", &UNITS, UNITS_DOC),
        key("gravity", &VECTOR, "gravitational acceleration instead of that of the model, m/s²").unit("m/s²"),
        key("initial", &Shape::Table(&INITIAL), "initial state"),
        key("start", &Shape::Word(STARTS), "where the run starts; default: initial"),
        key(
            "effort_limits",
            &FLAG,
            "limit the sum of torques, feedforward and controllers in a hinge to the `effort_limit` of its motor; default: true",
        ),
        key("integrator", &Shape::Table(&INTEGRATOR), "method and step size; default: automatic"),
        key("motion", &Shape::List { of: &Shape::Table(&MOTION), length: None }, "prescribed motions of hinges"),
        key(
            "feedforward",
            &Shape::Table(&FEEDFORWARD),
            "torques that would give the rigid model desired motions, applied in open loop",
        ),
        key("torque", &Shape::List { of: &Shape::Table(&TORQUE), length: None }, "torques and forces in hinges"),
        key(
            "closure_motion",
            &Shape::List { of: &Shape::Table(&CLOSURE_MOTION), length: None },
            "prescribed motions of closures",
        ),
        key("motor_force", &Shape::List { of: &Shape::Table(&MOTOR_FORCE), length: None }, "forces of motors"),
        key("sensor", &control_shapes::SENSORS, "sensors"),
        key("shaper", &control_shapes::SHAPERS, "input shapers"),
        key("controller", &control_shapes::CONTROLLERS, "controllers, filters, servos and trajectories"),
        key(
            "observer",
            &control_shapes::OBSERVERS,
            "observers: estimates of coordinates and speeds from measurements of sensors",
        ),
        key("wrench", &Shape::List { of: &Shape::Table(&WRENCH), length: None }, "forces and moments on nodes"),
        key("events", &Shape::List { of: &Shape::Table(&EVENT), length: None }, "events to detect"),
        key("results", &Shape::Table(&RESULTS), "what to record, and where"),
        key("real_time", &Shape::Table(&REAL_TIME), "rules for plant and controllers as two programs"),
        key("checkpoint_interval", &POSITIVE, "time between checkpoints, s; default: none"),
    ],
);
