//! A model with one more mode in every family of every beam: by how much its frequencies still move tells whether it has enough.

use supple::{Body, NodeIndex, Parent, System};

use super::beam::BeamLine;

/// The tree of a system with one more mode in each family of its beams that has any; none where it has no such beams.
///
/// It is for frequencies: forces, motors and closures are left out, since they name nodes by index.
pub fn with_one_more_mode(system: &System, beams: &[BeamLine]) -> Option<System> {
    let refined: Vec<Option<Body>> = (0..system.bodies.len())
        .map(|k| {
            let line = beams.iter().find(|line| line.body == k)?;
            refined(&system.bodies[k], line)
        })
        .collect();
    refined.iter().any(Option::is_some).then_some(())?;
    let moved = |body: &Body| match body.parent {
        Parent::Body(parent, node) if refined[parent.0].is_some() => {
            let (old, new) = (&system.bodies[parent.0], refined[parent.0].as_ref()?);
            Some(Parent::Body(parent, same_node(old, new, node)))
        }
        same => Some(same),
    };
    let bodies = system.bodies.iter().zip(&refined).map(|(body, refined)| {
        let parent = moved(body)?;
        Some(Body { parent, ..refined.as_ref().unwrap_or(body).clone() })
    });
    let bodies = bodies.collect::<Option<_>>()?;
    Some(System { bodies, forces: Vec::new(), actuators: Vec::new(), closures: Vec::new(), ..system.clone() })
}

fn refined(body: &Body, line: &BeamLine) -> Option<Body> {
    let mut spec = line.spec.clone();
    let modes = &mut spec.beam.modes;
    for count in [&mut modes.bending_y, &mut modes.bending_z, &mut modes.stretch, &mut modes.twist] {
        *count += usize::from(*count > 0);
    }
    let mut total = modes.total();
    if let Some(coupled) = spec.varying.as_mut().and_then(|varying| varying.coupled.as_mut()) {
        *coupled += usize::from(*coupled > 0);
        total += *coupled;
    }
    if total == 0 {
        return None;
    }
    let parts = spec.parts();
    // Without what relaxes: frequencies are those of stiffness at rest.
    Some(Body { nodes: parts.nodes, modes: parts.modes, modal_inertia: parts.modal_inertia, ..body.clone() })
}

/// The node of the same name; of those without, the one nearest to where it was.
fn same_node(old: &Body, new: &Body, node: NodeIndex) -> NodeIndex {
    let told = &old.nodes[node.0];
    let away = |k: &usize| -> f64 {
        let other = &new.nodes[*k];
        (0..3).map(|i| (other.position[i] - told.position[i]).powi(2)).sum()
    };
    let named = told.name.as_ref().and_then(|_| new.nodes.iter().position(|other| other.name == told.name));
    let nearest = || (0..new.nodes.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0);
    NodeIndex(named.unwrap_or_else(nearest))
}
