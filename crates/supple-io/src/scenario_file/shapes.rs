//! The format of scenario files: keys, values, meanings.

use crate::document::shape::{
    FLAG, NOT_NEGATIVE, NUMBER, NUMBER_OR_NUMBERS, NUMBERS, POSITIVE, Shape, TEXT, TableShape, VECTOR, key, need, table,
};

static VECTORS: Shape = Shape::List { of: &VECTOR, length: None };
static NODE: Shape = Shape::Choice(&[&TEXT, &Shape::Whole(1_000_000)]);
static BY_NAME: Shape = Shape::Map(&NUMBER_OR_NUMBERS);
static LISTS_BY_NAME: Shape = Shape::Map(&NUMBERS);

static INITIAL: TableShape = table(
    "initial",
    "Where the motion starts; at rest and undeformed unless given.",
    &[
        key("hinges", &BY_NAME, "coordinates by name of hinge or body: rad, m; quaternions x, y, z, w, then position"),
        key("hinge_speeds", &BY_NAME, "speeds by name of hinge or body: rad/s, m/s"),
        key("modes", &LISTS_BY_NAME, "modal coordinates by name of body"),
        key("mode_speeds", &LISTS_BY_NAME, "modal speeds by name of body"),
    ],
);

pub(super) static INTEGRATORS: &[(&str, &str)] = &[
    ("dormand-prince", "explicit, order 5; the usual choice"),
    ("prince-dormand8", "explicit, order 8; for tight tolerances"),
    ("rk4", "explicit, order 4, fixed step; for real time"),
    ("generalized-alpha", "implicit, order 2, fixed step; for stiff modes, damped as chosen"),
    ("linearly-implicit", "one linear solution per stage, order 4; for stiff modes"),
    ("exponential", "oscillation of modes exact, order 4; for stiff modes that vibrate, phase kept"),
    ("exponential-adams", "the same, order 5 with one evaluation per step"),
    ("gauss", "implicit, order twice its stages, fixed step; for stiff modes that vibrate, long steps"),
    ("adams", "variable order and step; for smooth motions"),
    ("bdf", "variable order and step; for stiff systems"),
];
static INTEGRATOR: TableShape = table(
    "integrator",
    "How the motion is integrated: by tolerances, or by a fixed step.",
    &[
        need("kind", &Shape::Word(INTEGRATORS), "method"),
        key("relative_tolerance", &POSITIVE, "of each step; 1e-8 unless given"),
        key("absolute_tolerance", &POSITIVE, "of each step; 1e-10 unless given"),
        key(
            "step",
            &POSITIVE,
            "fixed step, s, instead of tolerances; needed by rk4, generalized-alpha and gauss, not for adams and bdf",
        ),
        key("spectral_radius", &NOT_NEGATIVE, "of generalized-alpha, from 0 to 1; 0.8 unless given"),
        key("stages", &Shape::Whole(6), "of gauss, from 1 to 6; 3 unless given"),
        key(
            "iteration_tolerance",
            &POSITIVE,
            "of gauss: what its iteration may leave out of a step, relative to coordinates and speeds; 1e-10 unless given",
        ),
        key("least_step", &POSITIVE, "least step under tolerances, s; below it the run ends with an error"),
        key("greatest_step", &POSITIVE, "greatest step under tolerances, s"),
        key("max_steps", &Shape::Whole(1_000_000_000_000), "steps after which the run ends with an error"),
        key("wall_seconds", &POSITIVE, "time of the clock after which the run ends with an error, s"),
    ],
);

static MOVE: TableShape = table(
    "move",
    "A smooth move from one coordinate to another.",
    &[
        key("from", &NUMBER, "coordinate before it; that at the start of the run unless given"),
        need("to", &NUMBER, "coordinate after it"),
        key("start", &NOT_NEGATIVE, "time at which it starts, s; 0 unless given"),
        need("duration", &POSITIVE, "how long it takes, s"),
    ],
);
static SPIN_UP: TableShape = table(
    "spin-up",
    "A smooth start from rest to a constant speed.",
    &[
        need("rate", &NUMBER, "speed that is reached and kept to the end of the run, rad/s or m/s"),
        key("start", &NOT_NEGATIVE, "time at which it starts, s; 0 unless given"),
        need("duration", &POSITIVE, "how long it takes, s"),
    ],
);
static SAMPLES: TableShape = table(
    "samples",
    "Values at times.",
    &[need("times", &NUMBERS, "times, ascending, s"), need("values", &NUMBERS, "one value per time")],
);
static CSV: TableShape = table(
    "csv",
    "Values at times from a file of comma-separated values whose first line names the columns.",
    &[
        need("file", &TEXT, "name of the file, below the folder of this file"),
        need("time", &TEXT, "column of the times, s"),
        need("value", &TEXT, "column of the values"),
    ],
);
static MOTION: TableShape = TableShape {
    one_of: &[&["cycloid", "quintic", "rate", "spin_up", "table", "csv"]],
    ..table(
        "motion",
        "A hinge that moves as told, whatever force it takes.",
        &[
            need("hinge", &TEXT, "name of the hinge, or of its body; a hinge of one speed"),
            key("cycloid", &Shape::Table(&MOVE), "cycloidal move: no jump of the acceleration"),
            key("quintic", &Shape::Table(&MOVE), "move by a polynomial of degree five: acceleration zero at both ends"),
            key("rate", &NUMBER, "constant speed, rad/s or m/s"),
            key("spin_up", &Shape::Table(&SPIN_UP), "from rest to a constant speed: no jump of the acceleration"),
            key("table", &Shape::Table(&SAMPLES), "coordinates at times, joined smoothly"),
            key("csv", &Shape::Table(&CSV), "coordinates at times from a file, joined smoothly"),
        ],
    )
};
static FEEDFORWARD_MOTION: TableShape = TableShape {
    one_of: &[&["cycloid", "quintic", "table", "csv"]],
    ..table(
        "feedforward-motion",
        "A motion that a hinge of the rigid model would make. It starts where the hinge does.",
        &[
            need("hinge", &TEXT, "name of the hinge, or of its body; a hinge of one speed without a motion of its own"),
            key("cycloid", &Shape::Table(&MOVE), "cycloidal move"),
            key("quintic", &Shape::Table(&MOVE), "move by a polynomial of degree five"),
            key("table", &Shape::Table(&SAMPLES), "coordinates at times, joined smoothly"),
            key("csv", &Shape::Table(&CSV), "coordinates at times from a file, joined smoothly"),
        ],
    )
};
static FEEDFORWARD: TableShape = table(
    "feedforward",
    "Torques that would give the rigid model some motions, by inverse dynamics of the model without its modes, applied open loop. \
     Hinges that are not named stay at their initial coordinates there.",
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
            key("speed", &Shape::Whole(5), "which speed of the hinge, from 0; needed where it has more than one"),
            key("constant", &NUMBER, "N m or N"),
            key("steps", &Shape::Table(&SAMPLES), "each value from its time on; zero before the first"),
            key("table", &Shape::Table(&SAMPLES), "values at times, joined by straight lines"),
            key("csv", &Shape::Table(&CSV), "values at times from a file, joined by straight lines"),
        ],
    )
};
static CONSTANT_WRENCH: TableShape = table(
    "constant-wrench",
    "A wrench that does not change.",
    &[
        key("force", &VECTOR, "force, N; zero unless given"),
        key("moment", &VECTOR, "moment about the node, N m; zero unless given"),
    ],
);
static WRENCH_SAMPLES: TableShape = table(
    "wrench-samples",
    "Wrenches at times.",
    &[
        need("times", &NUMBERS, "times, ascending, s"),
        key("force", &VECTORS, "one force per time, N; zero unless given"),
        key("moment", &VECTORS, "one moment about the node per time, N m; zero unless given"),
    ],
);
static WRENCH: TableShape = TableShape {
    one_of: &[&["constant", "steps", "table"]],
    ..table(
        "wrench",
        "An external force and moment on a node.",
        &[
            need("body", &TEXT, "name of the body"),
            key("node", &NODE, "node, by name or index; needed where the body has more than one"),
            key(
                "frame",
                &Shape::Word(&[("body", "axes of the body frame"), ("inertial", "inertial axes")]),
                "axes of force and moment; inertial unless given",
            ),
            key("constant", &Shape::Table(&CONSTANT_WRENCH), "a wrench that does not change"),
            key("steps", &Shape::Table(&WRENCH_SAMPLES), "each wrench from its time on; zero before the first"),
            key("table", &Shape::Table(&WRENCH_SAMPLES), "wrenches at times, joined by straight lines"),
        ],
    )
};

static EVENT: TableShape = table(
    "event",
    "A coordinate or speed of a hinge or mode that crosses a value.",
    &[
        need("name", &TEXT, "name of the event; each has its own"),
        need(
            "quantity",
            &TEXT,
            "what is watched, named as its column: hinge.NAME, speed.NAME, mode.BODY.1, mode_speed.BODY.1",
        ),
        need("value", &NUMBER, "the value that it crosses"),
        key(
            "direction",
            &Shape::Word(&[("rising", "from below"), ("falling", "from above"), ("both", "either way")]),
            "which crossings count; both unless given",
        ),
        key(
            "action",
            &Shape::Word(&[("record", "the time is recorded"), ("stop", "the run ends there as well")]),
            "what happens then; record unless given",
        ),
    ],
);

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
    ("energy", "energies and their balance"),
    ("momentum", "momenta and mass centre"),
    ("steps", "steps of the integrator"),
    ("deflections", "displacement of the nodes that are listed, from their undeformed places, in body axes"),
    ("node_wrenches", "wrenches of children and loads on the nodes that are listed, in body axes"),
];
static RESULT_NODE: TableShape = table(
    "result-node",
    "A node whose pose and velocity are recorded.",
    &[need("body", &TEXT, "name of the body"), key("node", &NODE, "node, by name or index; the first unless given")],
);
static RESULTS: TableShape = table(
    "results",
    "What is recorded, and where.",
    &[
        key("folder", &TEXT, "folder for the results, below that of this file; `results` unless given"),
        key("formats", &Shape::List { of: &Shape::Word(FORMATS), length: None }, "formats; csv unless given"),
        key(
            "columns",
            &Shape::List { of: &Shape::Word(COLUMNS), length: None },
            "what is recorded; hinges, hinge_speeds, modes and energy unless given",
        ),
        key("nodes", &Shape::List { of: &Shape::Table(&RESULT_NODE), length: None }, "nodes that are recorded"),
    ],
);

/// A scenario file.
pub(super) static SCENARIO: TableShape = table(
    "scenario",
    "What a model does and for how long. SI units, radians.",
    &[
        need("format", &TEXT, "supple-scenario-1"),
        key("name", &TEXT, "name of the scenario"),
        key("description", &TEXT, "remark"),
        need("model", &TEXT, "model file (.toml) or robot (.urdf), below the folder of this file"),
        key("side_file", &TEXT, "side file of a robot, below the folder of this file"),
        key("lenient", &FLAG, "whether a robot is read leniently; false unless given"),
        need("duration", &POSITIVE, "how long the run takes, s"),
        need("output_interval", &POSITIVE, "time between results, s"),
        key("gravity", &VECTOR, "gravitational acceleration instead of that of the model, m/s²"),
        key("initial", &Shape::Table(&INITIAL), "where the motion starts"),
        key("integrator", &Shape::Table(&INTEGRATOR), "method; dormand-prince unless given"),
        key("motion", &Shape::List { of: &Shape::Table(&MOTION), length: None }, "hinges that move as told"),
        key("feedforward", &Shape::Table(&FEEDFORWARD), "torques of motions of the rigid model, applied open loop"),
        key("torque", &Shape::List { of: &Shape::Table(&TORQUE), length: None }, "torques and forces in hinges"),
        key("wrench", &Shape::List { of: &Shape::Table(&WRENCH), length: None }, "forces and moments on nodes"),
        key("events", &Shape::List { of: &Shape::Table(&EVENT), length: None }, "events that are looked for"),
        key("results", &Shape::Table(&RESULTS), "what is recorded, and where"),
        key("checkpoint_interval", &POSITIVE, "time between checkpoints, s; none unless given"),
    ],
);
