//! Random closures of every kind.

use super::{Generator, Layout};
use crate::model::{BodyIndex, Closure, ClosureKind, CoupledHinge, HingeKind, Model, Mount, NodeIndex, Parent, System};

/// Number of kinds that [`add_closures`] draws from.
const KINDS: usize = 12;

/// Adds at least one closure, and at most as many as asked, as long as more than one degree of freedom is left.
pub(super) fn add_closures(rng: &mut Generator, most: usize, driven: bool, system: &mut System) {
    let mut left = Layout::new(system).speed_count;
    for _ in 0..1 + rng.below(most) {
        for _ in 0..20 {
            let Some(closure) = closure(rng, driven, system) else { continue };
            let equations = closure.equations();
            if equations < left {
                left -= equations;
                system.closures.push(closure);
                break;
            }
        }
    }
}

fn closure(rng: &mut Generator, driven: bool, system: &System) -> Option<Closure> {
    let axis = rng.direction();
    let kind = match rng.below(KINDS) {
        0 => ClosureKind::Weld,
        1 => ClosureKind::Ball,
        2 => ClosureKind::Revolute { axis },
        3 => ClosureKind::Prismatic { axis },
        4 => ClosureKind::Screw { axis, pitch: rng.between(-0.5, 0.5) },
        5 => ClosureKind::Cylindrical { axis },
        6 => ClosureKind::Universal { axes: [axis, rng.direction()] },
        7 => ClosureKind::Planar { normal: axis },
        8 => ClosureKind::PointOnLine { axis },
        9 => ClosureKind::PointOnPlane { normal: axis },
        10 => ClosureKind::Distance { length: rng.between(0.1, 2.0) },
        _ => return coupling(rng, system),
    };
    let (a, b) = (mount(rng, system), mount(rng, system));
    let body = |mount: &Mount| if let Parent::Body(body, _) = mount.parent { Some(body) } else { None };
    let driven = driven && !kind.coordinates().is_empty() && rng.chance(0.5);
    let closure = Closure { driven, ..Closure::joint(kind, a, b) };
    // Frames that nothing moves against each other make no closure.
    let sound = || Model::build(&System { closures: vec![closure.clone()], ..system.clone() }).is_ok();
    (body(&a) != body(&b) && sound()).then_some(closure)
}

fn mount(rng: &mut Generator, system: &System) -> Mount {
    let mount = if rng.chance(0.25) {
        Mount::ground()
    } else {
        let k = rng.below(system.bodies.len());
        Mount::node(BodyIndex(k), NodeIndex(rng.below(system.bodies[k].nodes.len())))
    };
    mount.at(rng.vector(0.5)).turned(rng.rotation())
}

fn coupling(rng: &mut Generator, system: &System) -> Option<Closure> {
    let single = |k: &usize| {
        let kind = &system.bodies[*k].hinge.kind;
        !matches!(kind, HingeKind::Fixed | HingeKind::Spherical | HingeKind::Free)
    };
    let bodies: Vec<usize> = (0..system.bodies.len()).filter(single).collect();
    let mut hinges: Vec<CoupledHinge> = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let k = *bodies.get(rng.below(bodies.len().max(1)))?;
        let speed = rng.below(system.bodies[k].hinge.kind.sizes().1);
        if !hinges.iter().any(|hinge| (hinge.body.0, hinge.speed) == (k, speed)) {
            hinges.push(CoupledHinge { body: BodyIndex(k), speed, factor: rng.between(0.5, 2.0) });
        }
    }
    Some(Closure::coupling(hinges, rng.between(-1.0, 1.0)))
}
