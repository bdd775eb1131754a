//! A system whose bodies no longer deform.

use supple::{Body, ModalInertia, Modes, Node, System};

/// The same system with all modes removed: every body keeps its undeformed inertia, its nodes and its hinge.
///
/// Bodies, nodes and hinges keep their indices and names, so that what is computed of the one can be applied to the other: torques that
/// move the rigid system as wanted, given open loop to the flexible one.
///
/// ```
/// use supple_bodies::catalogue::beam_chain::beam_chain;
/// use supple_bodies::rigid::rigid_system;
///
/// let arm = beam_chain(3, 4, supple::Fidelity::Stiffened);
/// let model = supple::Model::build(&rigid_system(&arm))?;
/// assert_eq!(model.speed_count(), 3);
/// # Ok::<(), supple::BuildError>(())
/// ```
pub fn rigid_system(system: &System) -> System {
    System { bodies: system.bodies.iter().map(rigid_body).collect(), ..system.clone() }
}

fn rigid_body(body: &Body) -> Body {
    let nodes = body.nodes.iter().map(|node| Node { influence: Vec::new(), strain: Vec::new(), ..node.clone() });
    // Of the tables what does not change with the modes.
    let undeformed = |tables: &ModalInertia| ModalInertia {
        mass: tables.mass,
        mass_moment: tables.mass_moment,
        inertia: tables.inertia,
        ..ModalInertia::zero(0)
    };
    Body {
        name: body.name.clone(),
        parent: body.parent,
        hinge: body.hinge.clone(),
        inboard_node: body.inboard_node,
        nodes: nodes.collect(),
        modes: Modes::default(),
        modal_inertia: body.modal_inertia.as_ref().map(undeformed),
    }
}
