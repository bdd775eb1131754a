//! From what a file says acts in hinges to the forces of the engine.

use supple::{BodyIndex, force};

use super::{HingeElements, ModelFile};

/// Speed over which friction is smoothed where a file does not say: 1 mrad/s or 1 mm/s.
pub const FRICTION_SPEED: f64 = 1e-3;
/// Stiffness of stops where a file does not say, N m/rad or N/m: 100 N m turn, 100 N move the hinge by a thousandth into the stop.
pub const STOP_STIFFNESS: f64 = 1e5;
/// Damping of stops where a file does not say, s/rad or s/m: from 1 rad/s a hinge bounces back at 0.59 rad/s, slower ones keep more.
pub const STOP_DAMPING: f64 = 1.0;

impl ModelFile {
    /// The forces that act in the hinges, one element per speed in which anything does. Motors are none: what they do is the
    /// scenario's, and their inertia is the hinge's.
    ///
    /// ```
    /// # let text = r#"
    /// # format = "supple-model-1"
    /// # [[body]]
    /// # name = "arm"
    /// # hinge = { kind = "revolute", axis = [0, 1, 0], friction = 0.2 }
    /// # rigid = { mass = 1, inertia = [1, 1, 1] }
    /// # "#;
    /// use supple::force::HingeElements;
    /// let file = supple_io::model_file::from_text("arm.toml", text, None)?;
    /// let elements = HingeElements::new(&file.model, file.hinge_elements())?;
    /// assert!(!elements.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hinge_elements(&self) -> Vec<force::HingeElement> {
        self.elements.iter().flat_map(|elements| of_hinge(&self.system, elements)).collect()
    }
}

fn of_hinge(system: &supple::System, told: &HingeElements) -> Vec<force::HingeElement> {
    let Some(body) = system.bodies.get(told.body) else { return Vec::new() };
    let speeds = body.hinge.kind.sizes().1;
    (0..speeds).filter_map(|speed| of_speed(told, speed)).collect()
}

/// What acts in one speed, where anything does.
fn of_speed(told: &HingeElements, speed: usize) -> Option<force::HingeElement> {
    let nothing = force::HingeElement { speed, ..force::HingeElement::new(BodyIndex(told.body)) };
    let element = force::HingeElement {
        spring: told.spring.as_ref().and_then(|spring| {
            let (stiffness, rest) = (*spring.stiffness.get(speed)?, *spring.rest.get(speed)?);
            (stiffness > 0.0).then_some(force::Spring { stiffness, rest })
        }),
        damping: told.damping.get(speed).copied().unwrap_or(0.0),
        friction: told.friction.as_ref().and_then(|friction| {
            let force = *friction.level.get(speed)?;
            let speed = friction.transition_speed.unwrap_or(FRICTION_SPEED);
            (force > 0.0).then_some(force::Friction { force, speed })
        }),
        stops: told.stops.as_ref().and_then(|stops| {
            Some(force::Stops {
                lower: *stops.lower.get(speed)?,
                upper: *stops.upper.get(speed)?,
                stiffness: stops.stiffness.unwrap_or(STOP_STIFFNESS),
                damping: stops.damping.unwrap_or(STOP_DAMPING),
            })
        }),
        ..nothing
    };
    (element != nothing).then_some(element)
}
