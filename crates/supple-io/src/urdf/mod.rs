//! Robots in URDF, with a side file that makes links flexible.
//!
//! ```
//! use supple_io::urdf;
//! let robot = r#"<robot name="pendulum">
//!   <link name="base"/>
//!   <link name="rod">
//!     <inertial>
//!       <origin xyz="0.5 0 0"/>
//!       <mass value="1"/>
//!       <inertia ixx="0.001" iyy="0.083" izz="0.083" ixy="0" ixz="0" iyz="0"/>
//!     </inertial>
//!   </link>
//!   <joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
//! </robot>"#;
//! let side = r#"
//! format = "supple-flexible-1"
//! [[flexible]]
//! link = "rod"
//! [flexible.beam]
//! length = 1.0
//! section = { rectangle = { width = 0.02, height = 0.02 } }
//! material = { E = 2.1e11, nu = 0.3, density = 2500 }
//! modes = { bending_y = 1, bending_z = 1 }
//! "#;
//! let read = urdf::from_text("rod.urdf", robot, Some(("rod.toml", side)), &urdf::Options::default())?;
//! assert_eq!(read.file.model.speed_count(), 7); // a hinge, a mode and 2 tip shapes in each plane
//! # Ok::<(), supple_io::source::FileError>(())
//! ```
//!
//! A link is a body of the same name, its joint the hinge of the same name; the root link has a fixed or a free hinge on the ground.
//! Bodies come depth first, children in the order of the names of their joints. Fixed joints stay as fixed hinges, so that every link
//! can be named in results. A joint that mimics another is coupled to it by a closure of its name. Visual shapes are what links look like; their meshes are read
//! only below folders that the user names, [`read_with_meshes`]. Collision shapes are not looked at.
//!
//! The reader is strict: what it does not know is an error, unless it belongs to other programs (`gazebo`, `transmission`, other
//! namespaces). A lenient reader turns into notes: unknown elements and attributes, a robot without a name, missing or inverted limits,
//! joints that mimic one that does not exist or has more than one coordinate (they move on their own then), visual shapes and meshes
//! that cannot be read (they are left out), and impossible inertias
//! of links on fixed joints (they count to the link that carries them, which is the same motion). Impossible inertias of links on moving joints, joints that move no mass, and
//! whatever breaks the tree are errors in any case.

mod element;
pub(crate) mod robot;
pub(crate) mod scan;
mod visual;

pub use crate::robot::{Options, Robot, Root, SIDE_FORMAT, from_text, read, read_with_meshes, side_schema};
