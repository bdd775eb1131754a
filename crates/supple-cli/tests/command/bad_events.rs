//! Events that ask for what cannot be, among the bad inputs.

use crate::bad_inputs::Cases;
use crate::bad_inputs::Ends::{self, At, With};
use crate::sound_files::{MODEL, SCENARIO};

/// A pin at the tip of the hand, for events that close and open it.
pub fn events_that_act(c: &mut Cases) {
    let pinned = MODEL.to_owned()
        + "[[closure]]\nname = \"grip\"\nkind = \"ball\"\na = { ground = [2, 0, 0] }\nb = { body = \"hand\" }\n";
    let mut at = |input: &'static str, more: &str, ends: Ends| {
        let start = if more.contains("[initial]") { "" } else { "[initial]\nopen = [\"grip\"]\n" };
        let scenario = format!("{SCENARIO}{start}{more}");
        let files = [("model.toml", pinned.as_bytes()), ("scenario.toml", scenario.as_bytes())];
        c.files("Scenarios", input, &files, ends);
    };
    let event = |more: &str| format!("[[events]]\nname = \"now\"\ntime = 0.5\n{more}\n");
    at("event that closes an unknown closure", &event("close = [\"gripp\"]"), At("no closure `gripp`"));
    at("event that opens an unknown closure", &event("open = [\"grap\"]"), At("no closure `grap`"));
    at("event that locks an unknown hinge", &event("lock = [\"wirst\"]"), At("no hinge `wirst`"));
    at("unknown closure that starts open", "[initial]\nopen = [\"gripp\"]\n", At("no closure `gripp`"));
    at("unknown hinge that starts locked", "[initial]\nlocked = [\"elbow\"]\n", At("no hinge `elbow`"));
    at(
        "hinge that starts locked and moves",
        "[initial]\nopen = [\"grip\"]\nlocked = [\"wrist\"]\nhinge_speeds = { wrist = 0.3 }\n",
        At("with a speed of 0.3"),
    );
    let moved = event("lock = [\"wrist\"]") + "[[motion]]\nhinge = \"wrist\"\nrate = 1\n";
    at("event that locks a hinge with a motion", &moved, At("cannot be locked"));
    at("event that closes and opens one closure", &event("close = [\"grip\"]\nopen = [\"grip\"]"), At("same event"));
    at("event at a time and at a crossing", &event("quantity = \"hinge.wrist\"\nvalue = 0"), At("given together"));
    at("event at a time with a value", &event("value = 1"), At("happens at a time"));
    at("event at a negative time", &event("").replace("0.5", "-1"), At("not below zero"));
    at("restitution above one", &event("close = [\"grip\"]\nrestitution = 1.5"), At("from 0 to 1"));
    at("restitution of nothing", &event("lock = [\"wrist\"]\nrestitution = 0.5"), At("`close`"));
    at("event that closes what is far apart", &event("close = [\"grip\"]"), With("is open by"));
}
