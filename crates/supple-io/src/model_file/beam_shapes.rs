//! The format of beams: keys, values, meanings.

use super::shapes::{FIDELITIES, MASS_KEYS, ROTATION};
use crate::document::shape::{FLAG, NOT_NEGATIVE, NUMBER, POSITIVE, Shape, TEXT, TableShape, VECTOR, key, need, table};

/// Most modes of a beam: the nonlinear stiffness of more takes too long to integrate.
pub(super) const MAX_BEAM_MODES: usize = 24;
/// Most pieces of a beam.
const MAX_PIECES: usize = 1000;

static MODE_COUNT: Shape = Shape::Whole(MAX_BEAM_MODES);
static SUPPORTS: Shape = Shape::Word(&[
    ("clamped-free", "cantilever; the usual choice"),
    ("clamped-loaded", "cantilever with the tip mass and the carried load"),
    ("clamped-pinned", "clamped at the root, pinned at the tip"),
    ("pinned-free", "pinned at the root"),
    ("pinned-pinned", "pinned at both ends"),
    ("free-free", "free at both ends"),
]);

static TIP: TableShape = table("tip", "Rigid mass at the tip of a beam, given from the tip.", &MASS_KEYS);
static CARRIED: TableShape =
    table("carried", "Load of other bodies on the tip of a beam, given from the tip; for its modes only.", &MASS_KEYS);

static TUBE: TableShape = table(
    "tube",
    "Circular tube.",
    &[
        need("outer_radius", &POSITIVE, "outer radius, m"),
        need("thickness", &POSITIVE, "thickness of the wall, m; the outer radius for a solid rod"),
    ],
);
static BOX: TableShape = table(
    "box",
    "Rectangular box with walls of one thickness.",
    &[
        need("width", &POSITIVE, "outer width along y, m"),
        need("height", &POSITIVE, "outer height along z, m"),
        need("thickness", &POSITIVE, "thickness of the walls, m"),
    ],
);
static RECTANGLE: TableShape = table(
    "rectangle",
    "Solid rectangle.",
    &[need("width", &POSITIVE, "width along y, m"), need("height", &POSITIVE, "height along z, m")],
);
static SECTION: TableShape = TableShape {
    one_of: &[&["tube", "box", "rectangle"]],
    ..table(
        "section",
        "Cross-section of a beam that runs along x.",
        &[
            key("tube", &Shape::Table(&TUBE), "circular tube"),
            key("box", &Shape::Table(&BOX), "rectangular box"),
            key("rectangle", &Shape::Table(&RECTANGLE), "solid rectangle"),
        ],
    )
};
static MATERIAL: TableShape = TableShape {
    one_of: &[&["nu", "G"]],
    ..table(
        "material",
        "Isotropic material.",
        &[
            need("E", &POSITIVE, "Young's modulus, Pa"),
            key("G", &POSITIVE, "shear modulus, Pa"),
            key("nu", &NUMBER, "Poisson's ratio"),
            need("density", &POSITIVE, "density, kg/m³"),
        ],
    )
};
static STIFFNESS: TableShape = table(
    "properties",
    "Mass and stiffness of a beam per length, instead of section and material.",
    &[
        need("mass_per_length", &POSITIVE, "mass per length, kg/m"),
        need("EA", &POSITIVE, "axial stiffness, N"),
        need("EI_y", &POSITIVE, "bending stiffness in the x-z plane, N m²"),
        need("EI_z", &POSITIVE, "bending stiffness in the x-y plane, N m²"),
        need("GJ", &POSITIVE, "torsional stiffness, N m²"),
        need(
            "rotary_inertia",
            &Shape::List { of: &NOT_NEGATIVE, length: Some((3, "axis")) },
            "inertia per length about x, y, z, kg m",
        ),
    ],
);
static BASES: Shape = Shape::Word(&[
    ("tip", "static shapes of unit tip motions, then modes with both ends held: for whatever hangs on the tip"),
    ("cantilever", "modes of the free tip: for a link that carries nothing, and for comparison with published results"),
]);
static MODE_COUNTS: TableShape = table(
    "mode-counts",
    "Numbers of modes by family: a family with any has two static tip shapes besides, stretch and twist one each, unless `basis` or `support` says otherwise.",
    &[
        key("basis", &BASES, "shapes that the modes are made of; default: tip"),
        key("bending_y", &MODE_COUNT, "bending in the x-y plane"),
        key("bending_z", &MODE_COUNT, "bending in the x-z plane"),
        key("stretch", &MODE_COUNT, "stretch"),
        key("twist", &MODE_COUNT, "twist"),
    ],
);
static STATION: TableShape = table(
    "station",
    "A node between root and tip.",
    &[need("name", &TEXT, "name of the node"), need("x", &POSITIVE, "distance from the root, m")],
);
pub(crate) static BEAM: TableShape = TableShape {
    one_of: &[&["section", "properties"]],
    at_most_one: &[&["direction", "rotation"], &["material", "properties"]],
    ..table(
        "beam",
        "A uniform beam with exact modes; nodes `root` and `tip`, and stations between them.",
        &[
            need("length", &POSITIVE, "length, m"),
            key("start", &VECTOR, "root of the beam in the body frame, m; default: the origin"),
            key(
                "direction",
                &VECTOR,
                "direction of the beam in the body frame; default: x. Its y and z are those of the body, rotated with x by the shortest way: for z they are y and -x",
            ),
            key("rotation", &ROTATION, "axes of the beam in the body frame, instead of its direction"),
            key("section", &Shape::Table(&SECTION), "cross-section"),
            key("material", &Shape::Table(&MATERIAL), "material of the section"),
            key("properties", &Shape::Table(&STIFFNESS), "mass and stiffness per length"),
            need("modes", &Shape::Table(&MODE_COUNTS), "numbers of modes"),
            key(
                "pieces",
                &Shape::Whole(MAX_PIECES),
                "bodies that it is cut into, one rigidly on the other, for large deflections: `NAME piece 1`, `NAME piece 2`, …, the last of which \
                 keeps the name and the tip; default: 1",
            ),
            key("support", &SUPPORTS, "boundary conditions of exact modes, instead of the basis of `modes`"),
            key("tip", &Shape::Table(&TIP), "rigid mass at the tip"),
            key(
                "carried",
                &Shape::Table(&CARRIED),
                "load of other bodies on the tip, for support clamped-loaded, whose modes it shapes, and basis tip, whose shapes it combines; it adds no mass",
            ),
            key("rotary_inertia", &FLAG, "include the rotary inertia of the sections in bending; default: false"),
            key("damping_ratio", &NOT_NEGATIVE, "damping ratio of every mode; default: 0"),
            key("fidelity", &FIDELITIES, "terms of the dynamics that the body includes; default: stiffened"),
            key("stations", &Shape::List { of: &Shape::Table(&STATION), length: None }, "nodes between root and tip"),
        ],
    )
};
pub(crate) static BEAM_SHAPE: Shape = Shape::Table(&BEAM);
