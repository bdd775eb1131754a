//! The format of identification files: keys, values, meanings.

use crate::document::shape::{FLAG, NUMBER, POSITIVE, Shape, TEXT, TableShape, key, need, table};

static TEXTS: Shape = Shape::List { of: &TEXT, length: None };
static PRIOR: TableShape = table(
    "prior",
    "Prior knowledge of a parameter; it counts as one more measurement.",
    &[need("value", &NUMBER, "its value"), need("deviation", &POSITIVE, "its standard deviation")],
);
static PARAMETER: TableShape = table(
    "parameter",
    "A parameter to estimate.",
    &[
        need(
            "key",
            &Shape::Choice(&[&TEXT, &TEXTS]),
            "key of the scenario as in --set, e.g. model.body.payload.rigid.mass; entries of vectors by their number from zero, e.g. \
             model.body.payload.rigid.mass_centre.0; a list of keys that all have the same value",
        ),
        key("name", &TEXT, "its name in results; default: the key"),
        need("start", &NUMBER, "initial guess, in the units of the file with the key"),
        key("lower", &NUMBER, "least value; default: any"),
        key("upper", &NUMBER, "greatest value; default: any"),
        key(
            "scale",
            &POSITIVE,
            "size of a significant change; default: that of start, or of the bounds if start is zero",
        ),
        key("prior", &Shape::Table(&PRIOR), "prior knowledge; default: none"),
    ],
);
/// Units of recorded columns, and what they are in SI.
pub(super) const UNITS: [(&str, f64); 10] = [
    ("deg", std::f64::consts::PI / 180.0),
    ("deg/s", std::f64::consts::PI / 180.0),
    ("rpm", std::f64::consts::PI / 30.0),
    ("mm", 1e-3),
    ("mm/s", 1e-3),
    ("um/m", 1e-6),
    ("g", 9.80665),
    ("mN m", 1e-3),
    ("kN m", 1e3),
    ("kN", 1e3),
];
static UNIT: Shape = Shape::Word(&[
    ("deg", "degrees"),
    ("deg/s", "degrees per second"),
    ("rpm", "revolutions per minute"),
    ("mm", "millimetres"),
    ("mm/s", "millimetres per second"),
    ("um/m", "strain in millionths"),
    ("g", "standard gravity, 9.80665 m/s²"),
    ("mN m", "thousandths of N m"),
    ("kN m", "thousands of N m"),
    ("kN", "thousands of N"),
]);
static MEASURED: TableShape = TableShape {
    at_most_one: &[&["unit", "factor"]],
    ..table(
        "measured",
        "A column of the recording to which the model is fitted.",
        &[
            need(
                "column",
                &TEXT,
                "quantity of the model, named as its column of results: hinge.NAME, speed.NAME, acceleration.NAME, force.NAME (what a prescribed \
                 hinge needs), mode.BODY.1, node.BODY.NODE.x, deflection.BODY.NODE.y, strain.BODY.NODE.curvature_z, gyro.BODY.NODE.z, \
                 accelerometer.BODY.NODE.y",
            ),
            key("from", &TEXT, "the column of the recording; default: the same name"),
            key("unit", &UNIT, "unit of the recorded numbers; default: SI"),
            key("factor", &NUMBER, "factor from recorded values to SI; default: 1"),
            key("noise", &POSITIVE, "standard deviation of its noise, SI; default: estimated from the residuals"),
            key("offset", &FLAG, "also estimate a constant offset of the sensor; default: false"),
        ],
    )
};
static INPUT: TableShape = TableShape {
    at_most_one: &[&["unit", "factor"]],
    ..table(
        "input",
        "A recorded torque or force that acts in a hinge, in addition to the loads of the scenario.",
        &[
            need("hinge", &TEXT, "name of the hinge, or of its body; a hinge with one degree of freedom"),
            need("from", &TEXT, "the column of the recording: torque or force"),
            key("unit", &UNIT, "unit of the recorded numbers; default: SI"),
            key("factor", &NUMBER, "factor from recorded values to SI; default: 1"),
            key(
                "between",
                &Shape::Word(&[
                    ("hold", "hold each value until the next, as a digital controller does; the default"),
                    ("line", "straight lines"),
                ]),
                "interpolation between two samples",
            ),
        ],
    )
};
/// The document.
pub(super) static IDENTIFICATION: TableShape = table(
    "identification",
    "Estimation of parameters of a scenario from a recording, by least squares.",
    &[
        need("format", &TEXT, "supple-identify-1"),
        key("name", &TEXT, "name of the identification"),
        key("description", &TEXT, "remark"),
        need("scenario", &TEXT, "scenario file: model, start, drives, integrator; without controllers"),
        need("recording", &TEXT, "recording: a CSV file, or an MCAP file with JSON messages"),
        key("time", &TEXT, "column of times of a CSV file, s; default: time"),
        key(
            "time_zero",
            &Shape::Choice(&[&NUMBER, &Shape::Word(&[("first", "the first time of the recording")])]),
            "time of the recording at which the scenario starts, s; default: 0",
        ),
        key("from", &NUMBER, "ignore samples before this time of the scenario, s; default: its start"),
        key("to", &NUMBER, "ignore samples after this time of the scenario, s; default: its duration"),
        key("confidence", &POSITIVE, "confidence level of the bounds, below 1; default: 0.95"),
        key("iterations", &Shape::Whole(10_000), "maximum number of iterations; default: 50"),
        need("parameter", &Shape::List { of: &Shape::Table(&PARAMETER), length: None }, "parameters to estimate"),
        need(
            "measured",
            &Shape::List { of: &Shape::Table(&MEASURED), length: None },
            "columns to which the model is fitted",
        ),
        key("input", &Shape::List { of: &Shape::Table(&INPUT), length: None }, "recorded torques and forces in hinges"),
    ],
);
