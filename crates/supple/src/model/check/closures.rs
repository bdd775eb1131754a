//! Checks of closures.

use super::super::closure::{ClosureKind, Constraint, Mount};
use super::super::description::{Body, HingeKind, Parent, System};
use super::super::problem::Problem;
use supple_spatial::{Matrix3, Vector3};

/// Everything that is wrong with the closures.
pub(super) fn closures(system: &System, found: &mut Vec<Problem>) {
    for (i, closure) in system.closures.iter().enumerate() {
        let name = closure.name.as_ref().map_or(format!("closure {i}"), |name| format!("closure '{name}'"));
        let mut wrong =
            |(reason, remedy)| found.push(Problem::Closure { index: i, closure: name.clone(), reason, remedy });
        if !(0.0..=1.0).contains(&closure.restitution) {
            let reason = format!("its restitution is {}", closure.restitution);
            wrong((reason, "give a number from 0 (it stays closed) to 1 (it rebounds without loss)"));
        }
        match &closure.constraint {
            Constraint::Joint { kind, a, b } => {
                for (which, mount) in [("a", a), ("b", b)] {
                    mounted(system, mount)
                        .map_err(|(reason, remedy)| wrong((format!("frame {which} {reason}"), remedy)))
                        .ok();
                }
                axes(kind).map_err(&mut wrong).ok();
                if closure.driven && kind.coordinates().is_empty() {
                    let reason = "it is driven, but its kind has no coordinate".into();
                    wrong((reason, "drive a joint with an axis; give distances and couplings a motion as they are"));
                }
                if a.parent == b.parent || on_one_rigid_body(system, a, b) {
                    let reason = "its two frames are fixed to each other".into();
                    wrong((reason, "put them on two bodies, or on a body and the ground"));
                }
            }
            Constraint::Coupling { hinges, offset } => {
                if !offset.is_finite() {
                    wrong((format!("its offset is {offset}"), "give a finite number"));
                }
                if hinges.is_empty() {
                    wrong(("it couples no hinge".into(), "name at least one hinge and its factor"));
                }
                for hinge in hinges {
                    if !hinge.factor.is_finite() || hinge.factor == 0.0 {
                        wrong((format!("a factor is {}", hinge.factor), "give a finite number other than zero"));
                    }
                    super::elements::hinge(system, hinge.body, hinge.speed, true).map_err(&mut wrong).ok();
                }
                let place = |i: usize| (hinges[i].body, hinges[i].speed);
                if (0..hinges.len()).any(|i| (0..i).any(|j| place(i) == place(j))) {
                    wrong(("it names a hinge direction twice".into(), "give each direction one factor"));
                }
            }
        }
    }
}

type Wrong = (String, &'static str);

/// A frame of a joint.
fn mounted(system: &System, mount: &Mount) -> Result<(), Wrong> {
    if let Parent::Body(body, node) = mount.parent {
        super::elements::node_exists(system, body, node)
            .map_err(|(reason, remedy)| (format!("is nowhere: {reason}"), remedy))?;
    }
    let numbers = mount.position.iter().chain(mount.rotation.as_flattened());
    if let Some(value) = numbers.copied().find(|x| !x.is_finite()) {
        return Err((format!("has the number {value}"), "every number must be finite"));
    }
    let error = super::rotation_error(&Matrix3(mount.rotation));
    if error > 1e-9 {
        let reason = format!("has axes that deviate from a rotation matrix by {error:.2e}");
        return Err((reason, "its columns must be a right-handed orthonormal triad"));
    }
    Ok(())
}

/// Directions and numbers of a kind.
fn axes(kind: &ClosureKind) -> Result<(), Wrong> {
    let axes: Vec<[f64; 3]> = match kind {
        ClosureKind::Weld | ClosureKind::Ball => vec![],
        ClosureKind::Revolute { axis }
        | ClosureKind::Prismatic { axis }
        | ClosureKind::Cylindrical { axis }
        | ClosureKind::PointOnLine { axis } => vec![*axis],
        ClosureKind::Planar { normal } | ClosureKind::PointOnPlane { normal } => vec![*normal],
        ClosureKind::Universal { axes } => axes.to_vec(),
        ClosureKind::Screw { pitch, .. } if !pitch.is_finite() => {
            return Err((format!("its pitch is {pitch}"), "give a finite number"));
        }
        ClosureKind::Screw { axis, .. } => vec![*axis],
        ClosureKind::Distance { length } if !(length.is_finite() && *length > 0.0) => {
            return Err((format!("its length is {length}"), "give a positive length, or close with a ball"));
        }
        ClosureKind::Distance { .. } => vec![],
    };
    match axes.iter().find(|axis| !Vector3(**axis).norm_squared().is_normal()) {
        None => Ok(()),
        Some(axis) => Err((format!("its axis {axis:?} has no direction"), "give it a direction")),
    }
}

/// Whether nothing can move between two frames: both on bodies without modes that fixed hinges join.
fn on_one_rigid_body(system: &System, a: &Mount, b: &Mount) -> bool {
    let root = |mount: &Mount| {
        let mut parent = mount.parent;
        while let Parent::Body(body, _) = parent {
            let fixed = |of: &&Body| of.modes.count == 0 && of.hinge.kind == HingeKind::Fixed;
            match (system.bodies.get(body.0).filter(fixed).map(|of| of.parent), body) {
                (Some(Parent::Body(inboard, _)), body) if inboard >= body => break,
                (Some(inboard), _) => parent = inboard,
                (None, _) => break,
            }
        }
        parent
    };
    match (root(a), root(b)) {
        (Parent::Ground, Parent::Ground) => true,
        (Parent::Body(a, _), Parent::Body(b, _)) => {
            a == b && system.bodies.get(a.0).is_some_and(|of| of.modes.count == 0)
        }
        _ => false,
    }
}
