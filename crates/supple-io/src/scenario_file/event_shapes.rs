//! The format of events of scenario files: keys, values, meanings.

use super::shapes::TEXTS;
use crate::document::shape::{FLAG, NOT_NEGATIVE, NUMBER, POSITIVE, Shape, TEXT, TableShape, Unit, key, need, table};

pub(super) static EVENT: TableShape = TableShape {
    one_of: &[&["time", "quantity"]],
    ..table(
        "event",
        "A time, or a quantity that crosses a value, and what happens then. Closures open first, then hinges lock and others close: the speeds \
         jump by the balance of momentum with the closures that act afterwards. If closures and hinges are already as the event requires, there is no event.",
        &[
            need("name", &TEXT, "unique name of the event"),
            key("time", &NOT_NEGATIVE, "time at which it happens, s"),
            key(
                "quantity",
                &TEXT,
                "quantity, named as its column: hinge.NAME, speed.NAME, mode.BODY.1, mode_speed.BODY.1, closure.NAME.distance, \
                 closure.NAME.angle, closure.NAME.deviation.1",
            ),
            key("value", &NUMBER, "threshold of the quantity, in its unit").with(Unit::Quantity),
            key(
                "direction",
                &Shape::Word(&[("rising", "from below"), ("falling", "from above"), ("both", "either way")]),
                "direction of the crossing; default: both",
            ),
            key("close", &TEXTS, "names of closures that close: attach, berth, grapple"),
            key("open", &TEXTS, "names of closures that open: detach, release"),
            key("lock", &TEXTS, "names of hinges, or of their bodies, that lock where they are"),
            key("unlock", &TEXTS, "names of hinges, or of their bodies, that unlock"),
            key(
                "as_is",
                &FLAG,
                "close closures in the current relative pose of their frames instead of that of the model; default: false",
            ),
            key(
                "tolerance",
                &POSITIVE,
                "deviation of a closure up to which it closes, m or rad, whatever the units of the file; beyond it the run fails; default: 1e-6",
            ).with(Unit::Si),
            key(
                "restitution",
                &NOT_NEGATIVE,
                "coefficient of restitution of closures that close, from 0 to 1; with more than 0 they rebound and stay open; default: that of each closure",
            ),
            key(
                "rest_speed",
                &POSITIVE,
                "closing speed below which nothing rebounds and the closure stays closed, m/s or rad/s, whatever the units of the file; default: 1e-4",
            ).with(Unit::Si),
            key(
                "action",
                &Shape::Word(&[("record", "record the time"), ("stop", "record the time and end the run")]),
                "action; default: record",
            ),
        ],
    )
};
