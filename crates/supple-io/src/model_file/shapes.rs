//! The format of model files: keys, values, meanings.

use super::accepted::{ACCEPTED, ACCEPTED_DOC};
use super::beam_shapes::BEAM_SHAPE;
use super::damping::{DAMPING_DOC, DAMPING_SHAPE};
use super::hinge_shapes::{FRICTION_SHAPE, MOTOR_SHAPE, ROTOR_INERTIA, SPRING_SHAPE, STOPS_SHAPE};
use crate::document::shape::{
    Key, MATRIX3, NOT_NEGATIVE, NOT_NEGATIVE_OR_LIST, NUMBER, NUMBERS, ROWS, Shape, TEXT, TableShape, Unit, VECTOR,
    key, need, table,
};
use crate::document::units::{UNITS, UNITS_DOC};

/// Most bodies of a model.
pub(crate) const MAX_BODIES: usize = supple::BODY_LIMIT;
/// Most modes of a body.
pub(super) const MAX_MODES: usize = supple::MODE_LIMIT;

static QUATERNION: Shape = Shape::List { of: &NUMBER, length: Some((4, "component x, y, z, w")) };
static TWO_AXES: Shape = Shape::List { of: &VECTOR, length: Some((2, "axis of the hinge")) };
static COLUMN: Shape = Shape::List { of: &NUMBER, length: Some((6, "component of [λ; γ]")) };
static COLUMNS: Shape = Shape::List { of: &COLUMN, length: None };
static STRAIN: Shape = Shape::List { of: &NUMBER, length: Some((4, "strain: stretch, curvatures, twist")) };
static STRAINS: Shape = Shape::List { of: &STRAIN, length: None };
static ENTRY2: Shape = Shape::List { of: &NUMBER, length: Some((3, "index and value")) };
static ENTRY3: Shape = Shape::List { of: &NUMBER, length: Some((4, "index and value")) };
static ENTRY4: Shape = Shape::List { of: &NUMBER, length: Some((5, "index and value")) };
static ENTRIES2: Shape = Shape::List { of: &ENTRY2, length: None };
static ENTRIES3: Shape = Shape::List { of: &ENTRY3, length: None };
static ENTRIES4: Shape = Shape::List { of: &ENTRY4, length: None };
static SECOND_ORDER: Shape = Shape::List { of: &ENTRIES2, length: None };
static MODAL_MATRIX: Shape = Shape::Choice(&[&NUMBERS, &ROWS]);
pub(crate) static NODE_REFERENCE: Shape = Shape::Choice(&[&TEXT, &Shape::Whole(1_000_000)]);

static INERTIA_TABLE: TableShape = table(
    "inertia",
    "Inertia by matrix entries; products of inertia carry their sign.",
    &[
        need("xx", &NUMBER, "moment about x, kg m²").unit("kg m²"),
        need("yy", &NUMBER, "moment about y, kg m²").unit("kg m²"),
        need("zz", &NUMBER, "moment about z, kg m²").unit("kg m²"),
        key("xy", &NUMBER, "matrix entry xy, kg m²; default: 0").unit("kg m²"),
        key("xz", &NUMBER, "matrix entry xz, kg m²; default: 0").unit("kg m²"),
        key("yz", &NUMBER, "matrix entry yz, kg m²; default: 0").unit("kg m²"),
    ],
);
static INERTIA: Shape = Shape::Choice(&[&Shape::Table(&INERTIA_TABLE), &VECTOR, &MATRIX3]);
static ABOUT: Shape = Shape::Word(&[
    ("mass_centre", "about the mass centre"),
    ("origin", "about the frame or node that carries the mass"),
]);

static ROTATION_TABLE: TableShape = TableShape {
    one_of: &[&["quaternion", "rpy", "matrix"]],
    ..table(
        "rotation",
        "Rotation from the rotated axes to the fixed axes.",
        &[
            key("quaternion", &QUATERNION, "unit quaternion in the order x, y, z, w"),
            key("rpy", &VECTOR, "roll, pitch, yaw about the fixed axes x, y, z, rad").unit("rad"),
            key("matrix", &MATRIX3, "matrix by rows; its columns are the rotated axes"),
        ],
    )
};
pub(crate) static ROTATION: Shape = Shape::Table(&ROTATION_TABLE);

/// Words of `elastic_rotation`.
pub(crate) static ELASTIC_ROTATIONS: Shape = Shape::Word(&[
    ("rotation-vector", "rotation vector, correct to second order in the deformation"),
    (
        "integrated",
        "a state variable that follows the rates of the slopes, correct to first order if a node turns about several axes",
    ),
    ("euler-321", "Euler angles, z then y then x"),
    ("euler-123", "Euler angles, x then y then z"),
    ("first-order", "first order in the deformation"),
    ("none", "no rotation, undeformed lever arms"),
]);
pub(crate) static CONVENTIONS: Shape = Shape::Word(&[
    ("lagrange", "Lagrange's equations of the deformed body"),
    ("newton-euler", "Newton-Euler for every node"),
]);
pub(crate) static FIDELITIES: Shape = Shape::Word(&[
    ("stiffened", "all inertial terms of a displacement field of second order; recommended"),
    (
        "exact",
        "all inertial terms and the nonlinear elastic force; for comparison: with few stretch modes it locks in bending",
    ),
    ("consistent", "consistently linearised, with the stiffness of the axial load"),
    ("inconsistent", "all inertial terms, linear elasticity"),
    ("inconsistent-constant-mass", "as inconsistent, with the mass of the undeformed body"),
    ("ruthless", "constant mass and bias"),
    ("ruthless-constant", "constant mass and bias, no modal speeds across hinges"),
]);
static HINGE_KINDS: Shape = Shape::Word(&[
    ("fixed", "no motion"),
    ("revolute", "rotation about `axis`"),
    ("prismatic", "translation along `axis`"),
    ("screw", "rotation about `axis`, advance by `pitch` along it"),
    ("universal", "rotation about `axes[0]`, then about `axes[1]`"),
    ("cylindrical", "rotation about and translation along `axis`"),
    ("planar", "translation across and rotation about `normal`"),
    ("spherical", "any rotation"),
    ("free", "any motion"),
]);

pub(super) const MASS_KEYS: [Key; 4] = [
    need("mass", &NOT_NEGATIVE, "mass, kg"),
    key("mass_centre", &VECTOR, "mass centre from the origin, m; default: zero").unit("m"),
    key("inertia", &INERTIA, "inertia: table, principal moments along the axes, or matrix, kg m²; default: zero")
        .unit("kg m²"),
    key("inertia_about", &ABOUT, "point of the inertia; default: mass_centre"),
];
pub(crate) static RIGID: TableShape = table("rigid", "Mass of a rigid body, given in its frame.", &MASS_KEYS);

static NODE: TableShape = table(
    "node",
    "A point of a body, for mass, hinges, loads or output.",
    &[
        key("name", &TEXT, "name, unique in the body"),
        key("position", &VECTOR, "undeformed position in the body frame, m; default: zero").unit("m"),
        key("mass", &NOT_NEGATIVE, "mass, kg; default: zero"),
        key("mass_centre", &VECTOR, "mass centre from the node, m").unit("m"),
        key("inertia", &INERTIA, "inertia, kg m²").unit("kg m²"),
        key("inertia_about", &ABOUT, "point of the inertia; default: mass_centre"),
        key(
            "influence",
            &COLUMNS,
            "one column [λx, λy, λz, γx, γy, γz] per mode, then one per shape of second order; omitted if no mode moves the node",
        ).with(Unit::Modal),
        key(
            "strain",
            &STRAINS,
            "of a beam: stretch, curvature about y and z and twist per mode, 1/m; for outputs and columns `strain`, default: not known",
        ).with(Unit::Modal),
    ],
);
pub(crate) static NODES: Shape = Shape::List { of: &Shape::Table(&NODE), length: None };

static NONLINEAR: TableShape = table(
    "nonlinear",
    "Nonlinear elastic force, by every nonzero entry of symmetric tensors.",
    &[
        key("cubic", &ENTRIES3, "entries [i, j, k, value] of the third-order tensor").with(Unit::Modal),
        key("quartic", &ENTRIES4, "entries [i, j, k, l, value] of the fourth-order tensor").with(Unit::Modal),
        key("axial_load", &ENTRIES3, "entries [i, j, k, value] of the stiffness of the axial load").with(Unit::Modal),
    ],
);
static MODES: TableShape = table(
    "modes",
    "Assumed modes of a flexible body; indices count from 0.",
    &[
        need("count", &Shape::Whole(MAX_MODES), "number of modes"),
        key("stiffness", &MODAL_MATRIX, "modal stiffness: one number per mode, or a matrix by rows; default: zero")
            .with(Unit::Modal),
        key("damping", &MODAL_MATRIX, "modal damping: one number per mode, or a matrix by rows; default: zero")
            .with(Unit::Modal),
        key("nonlinear", &Shape::Table(&NONLINEAR), "nonlinear elastic force"),
        key(
            "fidelity",
            &FIDELITIES,
            "terms of the dynamics that the body includes; default: exact, which without nonlinear tables is linear elasticity",
        ),
        key("second_order", &SECOND_ORDER, "shapes of second order, each a list of entries [r, s, value] with r ≤ s")
            .with(Unit::Modal),
    ],
);
pub(crate) static MODES_SHAPE: Shape = Shape::Table(&MODES);

static VECTORS: Shape = Shape::List { of: &VECTOR, length: None };
static VECTOR_ROWS: Shape = Shape::List { of: &VECTORS, length: None };
static MATRICES: Shape = Shape::List { of: &MATRIX3, length: None };
static MATRIX_ROWS: Shape = Shape::List { of: &MATRICES, length: None };
static MOMENTUM: Shape = Shape::List { of: &NUMBER, length: Some((6, "component of [angular; linear]")) };
static MOMENTA: Shape = Shape::List { of: &MOMENTUM, length: None };
static MODAL_INERTIA: TableShape = table(
    "modal-inertia",
    "Inertia as tables of modal integrals, in addition to that of the nodes. Each runs over the modes, then over the shapes of second \
     order; a rigid body has none but the first three.",
    &[
        need("mass", &NOT_NEGATIVE, "mass, kg"),
        key("mass_moment", &VECTOR, "mass times mass centre, undeformed, kg m; default: zero").with(Unit::Modal),
        key("inertia", &MATRIX3, "inertia about the body frame, undeformed, by rows, kg m²; default: zero")
            .with(Unit::Modal),
        key("moment_change", &VECTORS, "change of the mass moment per mode").with(Unit::Modal),
        key("coupling", &MOMENTA, "angular momentum about the body frame, then linear momentum, per unit modal speed")
            .with(Unit::Modal),
        key("coupling_change", &VECTOR_ROWS, "change of the angular momentum of mode r (row) with mode s (column)")
            .with(Unit::Modal),
        key("inertia_first", &MATRICES, "first derivative of the inertia by each mode").with(Unit::Modal),
        key("inertia_second", &MATRIX_ROWS, "second derivative of the inertia by modes r (row) and s (column)")
            .with(Unit::Modal),
        key("modal_mass", &ROWS, "modal mass, by rows").with(Unit::Modal),
    ],
);
pub(crate) static MODAL_INERTIA_SHAPE: Shape = Shape::Table(&MODAL_INERTIA);
pub(crate) const MODAL_INERTIA_DOC: &str = "inertia as tables of modal integrals, in addition to that of the nodes";

static MODAL: TableShape = table(
    "modal",
    "Nodes and modes of a body from a separate file.",
    &[
        need(
            "file",
            &TEXT,
            "path of a file, relative to this file: of format supple-modes-1, or standard input data (.sid, .SID_FEM)",
        ),
        key(
            "fidelity",
            &FIDELITIES,
            "of standard input data: terms of the dynamics that the body includes; default: stiffened if they have geometric \
             stiffness, otherwise exact",
        ),
        key(
            "inboard_node",
            &NODE_REFERENCE,
            "node at the body's own hinge, by name or index, instead of that of the file",
        ),
    ],
);
pub(crate) static MODAL_SHAPE: Shape = Shape::Table(&MODAL);

/// A file of nodes and modes.
pub(super) static MODES_FILE: TableShape = table(
    "modes-file",
    "Nodes and modes of a flexible body.",
    &[
        need("format", &TEXT, "supple-modes-1"),
        key("units", &UNITS, UNITS_DOC),
        key("description", &TEXT, "remark"),
        key("inboard_node", &NODE_REFERENCE, "node at the body's own hinge, by name or index; default: the first"),
        need("nodes", &NODES, "nodes"),
        need("modes", &MODES_SHAPE, "modes"),
        key("modal_inertia", &MODAL_INERTIA_SHAPE, MODAL_INERTIA_DOC),
    ],
);

static HINGE: TableShape = table(
    "hinge",
    "The joint between a body and the node that carries it.",
    &[
        key("name", &TEXT, "name, unique in the model"),
        need("kind", &HINGE_KINDS, "the relative motion it allows"),
        key("axis", &VECTOR, "direction, for revolute, prismatic, screw and cylindrical hinges"),
        key("axes", &TWO_AXES, "directions, for universal hinges"),
        key(
            "normal",
            &VECTOR,
            "direction across the plane, for planar hinges. Coordinates are displacements along a and b, then the angle: a is the axis of the hinge that is least \
             along the normal (of equal ones the first), made perpendicular to it, b = normal × a; for z they are x and y",
        ),
        key("pitch", &NUMBER, "advance, for screw hinges, m/rad").unit("m/rad"),
        key("position", &VECTOR, "origin of the hinge from the carrying node, m; default: zero").unit("m"),
        key("rotation", &ROTATION, "axes of the hinge in those of the carrying node"),
        key("spring", &SPRING_SHAPE, "spring: its stiffness, N m/rad or N/m, or a table").unit("N m/rad or N/m"),
        key("damping", &NOT_NEGATIVE_OR_LIST, "viscous damping, N m s/rad or N s/m").unit("N m s/rad or N s/m"),
        key("friction", &FRICTION_SHAPE, "dry friction: its level, N m or N, or a table").unit("N m or N"),
        key("stops", &STOPS_SHAPE, "limits of the coordinates"),
        key("motor", &MOTOR_SHAPE, "motor and gear"),
        key("rotor_inertia", &NOT_NEGATIVE_OR_LIST, ROTOR_INERTIA).unit("kg m² or kg"),
    ],
);

static BODY: TableShape = TableShape {
    at_most_one: &[
        &["rigid", "beam", "modal"],
        &["beam", "modal", "modes"],
        &["beam", "modal", "nodes"],
        &["beam", "modal", "modal_inertia"],
        &["beam", "modal", "inboard_node"],
    ],
    ..table(
        "body",
        "A rigid or flexible body with the hinge to its parent.",
        &[
            need("name", &TEXT, "name, unique in the model"),
            key(
                "parent",
                &TEXT,
                "name of the parent body; default: \"ground\", inertial space unless a body has this name",
            ),
            key("at", &NODE_REFERENCE, "node of the parent, by name or index; required if it has several"),
            need("hinge", &Shape::Table(&HINGE), "hinge to the parent"),
            key("inboard_node", &NODE_REFERENCE, "node at the body's own hinge, by name or index; default: the first"),
            key("rigid", &Shape::Table(&RIGID), "mass of a rigid body: its first node, at the origin of the frame"),
            key("nodes", &NODES, "nodes"),
            key("modes", &MODES_SHAPE, "modes"),
            key("modal_inertia", &MODAL_INERTIA_SHAPE, MODAL_INERTIA_DOC),
            key("beam", &BEAM_SHAPE, "a beam, instead of nodes and modes"),
            key("modal", &MODAL_SHAPE, "nodes and modes from a file"),
            key("visual", &super::visuals::VISUALS, "shapes for drawing; default: a solid of its inertia, or its beam"),
        ],
    )
};

/// A model file.
pub(super) static MODEL: TableShape = table(
    "model",
    "A system of rigid and flexible bodies. SI units, radians, right-handed frames.",
    &[
        need("format", &TEXT, "supple-model-1"),
        key("name", &TEXT, "name of the model"),
        key("description", &TEXT, "remark"),
        key("units", &UNITS, UNITS_DOC),
        key("gravity", &VECTOR, "gravitational acceleration in inertial axes, m/s²; default: zero").unit("m/s²"),
        key(
            "elastic_rotation",
            &ELASTIC_ROTATIONS,
            "elastic rotation of nodes that carry hinges; default: rotation-vector",
        ),
        key("inertia_convention", &CONVENTIONS, "equations of nodal inertias; default: lagrange"),
        key("damping", &DAMPING_SHAPE, DAMPING_DOC),
        key("accept_inertia", &ACCEPTED, ACCEPTED_DOC),
        need("body", &Shape::List { of: &Shape::Table(&BODY), length: None }, "bodies, in any order"),
        key("force", &super::force_tables::FORCES, "force elements, after those in the tables of the hinges"),
        key("closure", &super::closure_tables::CLOSURES, "closures: joints that close loops, and couplings of hinges"),
    ],
);
