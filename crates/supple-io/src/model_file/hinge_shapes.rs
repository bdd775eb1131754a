//! The format of what acts in hinges: springs, friction, stops, motors.

use crate::document::shape::{
    NOT_NEGATIVE, NOT_NEGATIVE_OR_LIST, NUMBER_OR_NUMBERS, POSITIVE, Shape, TEXT, TableShape, key, need, table,
};

static SPRING: TableShape = table(
    "spring",
    "Spring of a hinge.",
    &[
        need("stiffness", &NOT_NEGATIVE_OR_LIST, "N m/rad or N/m, for all speeds or one per speed")
            .unit("N m/rad or N/m"),
        key("rest", &NUMBER_OR_NUMBERS, "coordinate of zero force, rad or m; default: 0").unit("rad or m"),
    ],
);
static FRICTION: TableShape = table(
    "friction",
    "Dry friction of a hinge.",
    &[
        need("level", &NOT_NEGATIVE_OR_LIST, "N m or N, for all speeds or one per speed").unit("N m or N"),
        key(
            "transition_speed",
            &POSITIVE,
            "speed over which the friction is smoothed, f tanh(speed / this), rad/s or m/s; default: 1e-3",
        )
        .unit("rad/s or m/s"),
    ],
);
static STOPS: TableShape = table(
    "stops",
    "Limits of the coordinates of a hinge.",
    &[
        need("lower", &NUMBER_OR_NUMBERS, "lower limit, rad or m").unit("rad or m"),
        need("upper", &NUMBER_OR_NUMBERS, "upper limit, rad or m").unit("rad or m"),
        key("stiffness", &NOT_NEGATIVE, "stiffness k of the stops, N m/rad or N/m; default: 1e5")
            .unit("N m/rad or N/m"),
        key(
            "damping",
            &NOT_NEGATIVE,
            "damping e of the contact, s/rad or s/m: force k d (1 + e ḋ) at depth d; default: 1",
        )
        .unit("s/rad or s/m"),
    ],
);
static MOTOR: TableShape = table(
    "motor",
    "Motor with a gear at a hinge with one degree of freedom.",
    &[
        key("name", &TEXT, "name of the motor; default: that of the hinge, or else of the body"),
        key("gear_ratio", &POSITIVE, "rotor angle over hinge angle; default: 1"),
        key(
            "rotor_inertia",
            &NOT_NEGATIVE,
            "inertia of the rotor about its axis, kg m²; default: 0. It acts on the hinge multiplied by the square of the gear ratio",
        ).unit("kg m²"),
        key(
            "effort_limit",
            &NOT_NEGATIVE,
            "maximum torque or force at the hinge, N m or N; default: none. It limits the sum of torques, feedforward and controllers, but not prescribed motions; a run warns in both cases",
        ).unit("N m or N"),
        key(
            "speed_limit",
            &NOT_NEGATIVE,
            "maximum speed of the hinge, rad/s or m/s; default: none. It is stored with the model but not enforced",
        ).unit("rad/s or m/s"),
    ],
);
pub(crate) const ROTOR_INERTIA: &str = "inertia of the drive reflected to the hinge, the square of the gear ratio included, for all speeds or one per speed, kg m² or kg; instead of that of the motor";
pub(crate) static SPRING_SHAPE: Shape = Shape::Choice(&[&NOT_NEGATIVE, &Shape::Table(&SPRING)]);
pub(crate) static FRICTION_SHAPE: Shape = Shape::Choice(&[&NOT_NEGATIVE, &Shape::Table(&FRICTION)]);
pub(crate) static STOPS_SHAPE: Shape = Shape::Table(&STOPS);
pub(crate) static MOTOR_SHAPE: Shape = Shape::Table(&MOTOR);
