//! Systems from the literature, with what drives them.
//!
//! | module           | system                                                                     |
//! |------------------|----------------------------------------------------------------------------|
//! | [`spin_up_beam`] | a flexible beam brought to spin about its root                             |
//! | [`shuttle_arm`]  | the Shuttle Remote Manipulator System with two flexible booms and a payload |
//! | [`manoeuvre`]    | the four manoeuvres of that arm                                            |
//! | [`beam_chain`]   | a serial chain of equal beams                                              |
//! | [`standard_chain`] | a serial chain for which published operation counts hold                    |
//! | [`book_arm`]     | six joints, two flexible links of three modes                              |
//! | [`element_beam`] | one beam element, planar or spatial, as a flexible body                    |
//! | [`split_beam`]   | a beam cut into bodies that follow each other                              |
//! | `interface_beam` | a mesh reduced by Craig and Bampton's method (feature `fe`)                 |

pub mod beam_chain;
pub mod book_arm;
pub mod element_beam;
#[cfg(feature = "fe")]
pub mod interface_beam;
pub mod manoeuvre;
pub mod shuttle_arm;
pub mod spin_up_beam;
pub mod split_beam;
pub mod standard_chain;
