//! The format of beams: keys, values, meanings.

use super::shapes::{FIDELITIES, MASS_KEYS, MAX_MODES, ROTATION};
use crate::document::shape::{
    FLAG, NOT_NEGATIVE, NUMBER, POSITIVE, Shape, TEXT, TableShape, Unit, VECTOR, key, need, table,
};

/// Most pieces of a beam.
const MAX_PIECES: usize = 1000;

static MODE_COUNT: Shape = Shape::Whole(MAX_MODES);
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
        need("outer_radius", &POSITIVE, "outer radius, m").unit("m"),
        need("thickness", &POSITIVE, "thickness of the wall, m; the outer radius for a solid rod").unit("m"),
    ],
);
static BOX: TableShape = table(
    "box",
    "Rectangular box with walls of one thickness.",
    &[
        need("width", &POSITIVE, "outer width along y, m").unit("m"),
        need("height", &POSITIVE, "outer height along z, m").unit("m"),
        need("thickness", &POSITIVE, "thickness of the walls, m").unit("m"),
    ],
);
static RECTANGLE: TableShape = table(
    "rectangle",
    "Solid rectangle.",
    &[need("width", &POSITIVE, "width along y, m").unit("m"), need("height", &POSITIVE, "height along z, m").unit("m")],
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
            need("density", &POSITIVE, "density, kg/m³").unit("kg/m³"),
        ],
    )
};
static ROW6: Shape = Shape::List { of: &NUMBER, length: Some((6, "strain")) };
static MATRIX6: Shape = Shape::List { of: &ROW6, length: Some((6, "stress resultant")) };
static PAIR: Shape = Shape::List { of: &NUMBER, length: Some((2, "axis y and z")) };
static STIFFNESS: TableShape = TableShape {
    one_of: &[&["EA", "stiffness"]],
    at_most_one: &[
        &["EI_y", "stiffness"],
        &["EI_z", "stiffness"],
        &["GJ", "stiffness"],
        &["GA_y", "stiffness"],
        &["GA_z", "stiffness"],
    ],
    ..table(
        "properties",
        "Mass and stiffness of a beam per length, instead of section and material: `EA`, `EI_y`, `EI_z` and `GJ`, or a full `stiffness`.",
        &[
            need("mass_per_length", &POSITIVE, "mass per length, kg/m").unit("kg/m"),
            key("EA", &POSITIVE, "axial stiffness, N"),
            key("EI_y", &POSITIVE, "bending stiffness in the x-z plane, N m²").unit("N m²"),
            key("EI_z", &POSITIVE, "bending stiffness in the x-y plane, N m²").unit("N m²"),
            key("GJ", &POSITIVE, "torsional stiffness, N m²").unit("N m²"),
            key("GA_y", &POSITIVE, "shear stiffness along y, N, with its correction factor; default: rigid"),
            key("GA_z", &POSITIVE, "shear stiffness along z, N, with its correction factor; default: rigid"),
            key(
                "stiffness",
                &MATRIX6,
                "stress resultants N, Qy, Qz, Mx, My, Mz (rows) per strain εx, γy, γz, κx, κy, κz (columns) on the line of the beam, N, N m and N m²: symmetric, positive definite",
            ).with(Unit::Section),
            key("mass_centre", &PAIR, "offset of the mass centre from the axis of the beam along y and z, m; default: on it").unit("m"),
            need(
                "rotary_inertia",
                &Shape::List { of: &NOT_NEGATIVE, length: Some((3, "axis")) },
                "inertia per length about x, y, z through the mass centre, kg m",
            ).unit("kg m"),
        ],
    )
};
const TWIST_DOC: &str = "rotation of the section about the line of the beam, rad";
const CURVATURE_DOC: &str = "curvature of the unloaded axis of the beam about its y and z axes, 1/m";
static SECTION_AT: TableShape = TableShape {
    one_of: &[&["section", "properties"]],
    ..table(
        "section-at",
        "The section at a place of a beam. Between places its dimensions, or its stiffness and mass, change linearly.",
        &[
            need("x", &NOT_NEGATIVE, "distance from the root along the axis of the beam, m").unit("m"),
            key("section", &Shape::Table(&SECTION), "cross-section, of one kind in all places"),
            key("properties", &Shape::Table(&STIFFNESS), "mass and stiffness per length"),
            key("twist", &NUMBER, TWIST_DOC).unit("rad"),
            key("curvature", &PAIR, CURVATURE_DOC).unit("1/m"),
        ],
    )
};
static BASES: Shape = Shape::Word(&[
    ("tip", "static shapes of unit tip motions, and modes with both ends held; for links that carry something"),
    ("cantilever", "modes with a free tip; for links that carry nothing, and for comparison with published results"),
]);
static MODE_COUNTS: TableShape = table(
    "mode-counts",
    "Number of modes in each family. A family with modes also has two static tip shapes (stretch and twist: one), unless `basis` or `support` says otherwise.",
    &[
        key("basis", &BASES, "shapes that the modes are made of; default: tip"),
        key("bending_y", &MODE_COUNT, "bending in the x-y plane"),
        key("bending_z", &MODE_COUNT, "bending in the x-z plane"),
        key("stretch", &MODE_COUNT, "stretch"),
        key("twist", &MODE_COUNT, "twist"),
        key(
            "coupled",
            &MODE_COUNT,
            "number of modes of all families together, with six tip shapes: for sections that couple them, twisted and curved beams",
        ),
    ],
);
static STATION: TableShape = table(
    "station",
    "A node between root and tip.",
    &[need("name", &TEXT, "name of the node"), need("x", &POSITIVE, "distance from the root, m").unit("m")],
);
pub(crate) static BEAM: TableShape = TableShape {
    one_of: &[&["section", "properties", "sections"]],
    at_most_one: &[
        &["direction", "rotation"],
        &["material", "properties"],
        &["sections", "twist"],
        &["sections", "curvature"],
    ],
    ..table(
        "beam",
        "A beam; nodes `root` and `tip`, and stations between them. A uniform one has exact modes.",
        &[
            need("length", &POSITIVE, "length, m").unit("m"),
            key("start", &VECTOR, "root of the beam in the body frame, m; default: the origin").unit("m"),
            key(
                "direction",
                &VECTOR,
                "direction of the beam in the body frame; default: x. Its y and z axes are those of the body, turned by the smallest rotation that takes x to this direction: for z they are y and -x",
            ),
            key("rotation", &ROTATION, "axes of the beam in the body frame, instead of its direction"),
            key("section", &Shape::Table(&SECTION), "cross-section"),
            key("material", &Shape::Table(&MATERIAL), "material of the section"),
            key("properties", &Shape::Table(&STIFFNESS), "mass and stiffness per length"),
            key(
                "sections",
                &Shape::List { of: &Shape::Table(&SECTION_AT), length: None },
                "sections along the beam, from the root on, instead of one: tapered, twisted, curved",
            ),
            key(
                "twist",
                &NUMBER,
                "rotation of the section about the line from root to tip, evenly along it, rad; default: 0",
            )
            .unit("rad"),
            key(
                "curvature",
                &PAIR,
                "curvature of the unloaded axis of the beam about its y and z axes, 1/m; default: straight",
            )
            .unit("1/m"),
            key("shear_flexible", &FLAG, "sections shear in bending (Timoshenko's theory); default: false"),
            need("modes", &Shape::Table(&MODE_COUNTS), "numbers of modes"),
            key(
                "pieces",
                &Shape::Whole(MAX_PIECES),
                "number of bodies to cut the beam into, each fixed to the tip of the one before, for large deflections: `NAME piece 1`, `NAME piece 2`, …, the last of which \
                 keeps the name and the tip; default: 1",
            ),
            key("support", &SUPPORTS, "boundary conditions of exact modes, instead of the basis of `modes`"),
            key("tip", &Shape::Table(&TIP), "rigid mass at the tip"),
            key(
                "carried",
                &Shape::Table(&CARRIED),
                "load of other bodies on the tip: support clamped-loaded uses the modes with this load, basis tip combines its shapes into these modes; it adds no mass",
            ),
            key(
                "rotary_inertia",
                &FLAG,
                "include the rotary inertia of the sections in bending; default: if it changes the second frequency by more than 0.5 %",
            ),
            key("damping_ratio", &NOT_NEGATIVE, "damping ratio of every mode; default: 0"),
            key("fidelity", &FIDELITIES, "terms of the dynamics that the body includes; default: stiffened"),
            key("stations", &Shape::List { of: &Shape::Table(&STATION), length: None }, "nodes between root and tip"),
        ],
    )
};
pub(crate) static BEAM_SHAPE: Shape = Shape::Table(&BEAM);
