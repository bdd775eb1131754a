//! Standard input data (SID) of flexible bodies: a text format of several finite-element and multibody codes.
//!
//! A file is a tree of named blocks:
//!
//! ```text
//!   2  4  : No. nodes, No. modes : free text
//!  part
//!      new modal = name
//!          refmod                          mass, number and names of the modes
//!          end refmod
//!          frame
//!              new node = 7                position, shapes and axes of one node
//!              end node
//!          end frame
//!          mdCM … end mdCM                 J, Ct, Cr, Me, Gr, Ge, Oe, ksigma, Ke, De alike
//!      end modal
//!  end part
//! ```
//!
//! Each quantity is a [`Taylor`] object: a matrix and its change with every modal coordinate, entry by entry.
//!
//! | module      | gives                                                           |
//! |-------------|-----------------------------------------------------------------|
//! | [`taylor`]  | matrices that are linear in the modal coordinates               |
//! | [`error`]   | what is wrong with a text, and where                            |
//! | `read`      | [`Sid::read`]                                                   |
//! | `write`     | [`Sid::write`]                                                  |
//! | `body`      | [`Sid::body`]: a body of the engine                             |
//! | `from_body` | [`Sid::from_body`]: the data of a body                          |
//!
//! # Layout of the tables
//!
//! With `n` modes, rows and columns as in the file:
//!
//! | block    | size         | meaning                                                                               |
//! |----------|--------------|---------------------------------------------------------------------------------------|
//! | `mdCM`   | 3 × 1        | first moment of mass                                                                  |
//! | `J`      | 6 × 1, 3 × 3 | inertia about the frame; the column is `11, 22, 33, 12, 13, 23`                       |
//! | `Ct`     | n × 3        | linear momentum per unit modal speed                                                  |
//! | `Cr`     | n × 3        | angular momentum per unit modal speed                                                 |
//! | `Me`     | n × n        | modal mass                                                                            |
//! | `Gr`     | 3 × 3n       | `Σ Gr_l q̇_l ω` in the angular rows, three columns per mode                            |
//! | `Ge`     | n × 3n       | `Σ Ge_l q̇_l ω` in the modal rows, three columns per mode                              |
//! | `Oe`     | n × 6        | `Oe Ω` in the modal rows, `Ω = (ω₁², ω₂², ω₃², ω₁ω₂, ω₂ω₃, ω₁ω₃)`                      |
//! | `ksigma` | n × 1        | modal force of stresses at rest                                                       |
//! | `Ke`     | n × n        | modal stiffness                                                                       |
//! | `De`     | n × n        | modal damping                                                                         |
//! | `origin` | 3 × 1        | position of a node                                                                    |
//! | `phi`    | 3 × n        | displacement of a node per mode; its change is the geometric stiffness of nodal forces |
//! | `psi`    | 3 × n        | rotation of a node per mode                                                           |
//! | `AP`     | 3 × 3        | axes of a node                                                                        |
//! | `sigma`  | any × 1      | stresses at a node                                                                    |
//!
//! In the equations all of them stand on the side of the accelerations:
//!
//! ```text
//! m a + m̃dᵀ ω̇ + Ctᵀ q̈ + 2 ω̃ Ctᵀ q̇ + ω̃ ω̃ mdCM              = force
//! m̃d a + J ω̇ + Crᵀ q̈ + Σ Gr_l q̇_l ω + ω̃ J ω               = moment
//! Ct a + Cr ω̇ + Me q̈ + Σ Ge_l q̇_l ω + Oe Ω + Ke q + De q̇ = modal force
//! ```

mod body;
pub mod error;
mod from_body;
mod line;
mod read;
mod tables;
pub mod taylor;
mod write;

pub use body::SidBodyError;
pub use error::{SidError, SidRule};
pub use from_body::Loss;
pub use read::{MODE_LIMIT, NODE_LIMIT, NUMBER_LIMIT};
pub use taylor::{Structure, Taylor};

/// One flexible body as standard input data. SI units; everything in the axes of the body's frame and from its origin.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sid {
    /// Free text of the first line.
    pub title: String,
    /// Name of the modal object.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Names of the modes; their number is the number `n` of modes.
    pub modes: Vec<String>,
    /// Nodes.
    pub nodes: Vec<SidNode>,
    /// `mdCM`: first moment of mass, kg m.
    pub mass_moment: Taylor,
    /// `J`: inertia, kg m².
    pub inertia: Taylor,
    /// `Ct`: linear momentum per unit modal speed; its change is the geometric stiffness of a unit linear acceleration.
    pub linear_coupling: Taylor,
    /// `Cr`: angular momentum per unit modal speed; the geometric stiffness of angular acceleration adds to its change.
    pub angular_coupling: Taylor,
    /// `Me`: modal mass.
    pub modal_mass: Taylor,
    /// `Gr`: gyroscopic term of the angular rows.
    pub angular_gyroscopic: Option<Taylor>,
    /// `Ge`: gyroscopic term of the modal rows.
    pub modal_gyroscopic: Option<Taylor>,
    /// `Oe`: centrifugal term of the modal rows, with the geometric stiffness of spin in its change.
    pub centrifugal: Option<Taylor>,
    /// `ksigma`: modal force of stresses at rest.
    pub rest_force: Option<Taylor>,
    /// `Ke`: modal stiffness.
    pub stiffness: Taylor,
    /// `De`: modal damping.
    pub damping: Option<Taylor>,
}

/// A node of a [`Sid`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SidNode {
    /// Number, unique in the body.
    pub number: u64,
    /// `rframe`: name of the frame that the data refer to, `body ref` as a rule.
    pub frame: String,
    /// Position, m.
    pub origin: Taylor,
    /// `phi`: displacement per unit modal coordinate.
    pub translation: Taylor,
    /// `psi`: rotation per unit modal coordinate, rad.
    pub rotation: Taylor,
    /// `AP`: axes of the node as columns.
    pub axes: Taylor,
    /// `sigma`: stresses, Pa.
    pub stress: Option<Taylor>,
}
