//! The format of what acts in hinges: springs, friction, stops, motors.

use crate::document::shape::{
    NOT_NEGATIVE, NOT_NEGATIVE_OR_LIST, NUMBER_OR_NUMBERS, POSITIVE, Shape, TEXT, TableShape, key, need, table,
};

static SPRING: TableShape = table(
    "spring",
    "Spring of a hinge.",
    &[
        need("stiffness", &NOT_NEGATIVE_OR_LIST, "N m/rad or N/m, for all speeds or one per speed"),
        key("rest", &NUMBER_OR_NUMBERS, "coordinate without force; 0 unless given"),
    ],
);
static FRICTION: TableShape = table(
    "friction",
    "Dry friction of a hinge.",
    &[
        need("level", &NOT_NEGATIVE_OR_LIST, "N m or N, for all speeds or one per speed"),
        key(
            "transition_speed",
            &POSITIVE,
            "speed over which the friction is smoothed, f tanh(speed / this), rad/s or m/s; 1e-3 unless given",
        ),
    ],
);
static STOPS: TableShape = table(
    "stops",
    "Limits of the coordinates of a hinge.",
    &[
        need("lower", &NUMBER_OR_NUMBERS, "least coordinate, rad or m"),
        need("upper", &NUMBER_OR_NUMBERS, "greatest coordinate, rad or m"),
        key("stiffness", &NOT_NEGATIVE, "stiffness k of the stops, N m/rad or N/m; 1e5 unless given"),
        key(
            "damping",
            &NOT_NEGATIVE,
            "damping e of the contact, s/rad or s/m: force k d (1 + e ḋ) at depth d; 1 unless given",
        ),
    ],
);
static MOTOR: TableShape = table(
    "motor",
    "Motor with a gear at a hinge of one speed.",
    &[
        key(
            "name",
            &TEXT,
            "name of the motor; that of the hinge, or of the body where the hinge has none, unless given",
        ),
        key("gear_ratio", &POSITIVE, "turns of the rotor per turn of the hinge; 1 unless given"),
        key(
            "rotor_inertia",
            &NOT_NEGATIVE,
            "inertia of the rotor about its axis, kg m²; 0 unless given. The hinge feels it times the square of the gear ratio",
        ),
        key(
            "effort_limit",
            &NOT_NEGATIVE,
            "greatest torque or force at the hinge, N m or N; none unless given. Torques and feedforward are cut to it, a motion takes what it needs; both are warned of",
        ),
        key(
            "speed_limit",
            &NOT_NEGATIVE,
            "greatest speed of the hinge, rad/s or m/s; none unless given. It is kept and not enforced",
        ),
    ],
);
pub(crate) const ROTOR_INERTIA: &str = "inertia of the drive as the hinge feels it, the square of the gear ratio \
    included, for all speeds or one per speed, kg m² or kg; instead of that of the motor";
pub(crate) static SPRING_SHAPE: Shape = Shape::Choice(&[&NOT_NEGATIVE, &Shape::Table(&SPRING)]);
pub(crate) static FRICTION_SHAPE: Shape = Shape::Choice(&[&NOT_NEGATIVE, &Shape::Table(&FRICTION)]);
pub(crate) static STOPS_SHAPE: Shape = Shape::Table(&STOPS);
pub(crate) static MOTOR_SHAPE: Shape = Shape::Table(&MOTOR);
