//! Pages with programs: the examples of this crate are theirs.

#[doc = include_str!("../../../README.md")]
struct Readme;

#[doc = include_str!("../../../docs/batch.md")]
struct Batch;

#[doc = include_str!("../../../docs/how-to/flexible-link.md")]
struct FlexibleLink;

#[doc = include_str!("../../../docs/how-to/import-fe.md")]
struct ImportFe;

#[doc = include_str!("../../../docs/how-to/recipes.md")]
struct Recipes;

#[doc = include_str!("../../../docs/how-to/control.md")]
struct Control;

#[doc = include_str!("../../../docs/coming-from/pinocchio.md")]
struct Pinocchio;

#[doc = include_str!("../../../docs/coming-from/matlab.md")]
struct Matlab;
