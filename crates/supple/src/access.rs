//! Numbers of states, inputs and solutions, read and written through handles.

use crate::inputs::{EquationMotion, Inputs, Wrench, WrenchFrame};
use crate::model::{ClosureHandle, Freedom, HingeHandle, ModelStamp, NodeHandle};
use crate::solution::Solution;
use crate::state::State;
use std::fmt;
use std::ops::Range;
use supple_spatial::{Force, Scalar};

/// A handle that does not fit what it was used with. Nothing is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccessError {
    /// The handle was made by another model.
    WrongModel {
        /// What it was used with.
        used_with: &'static str,
    },
    /// One number was asked for, or given, where there are several or none.
    NotOne {
        /// How many there are.
        count: usize,
    },
    /// A list of numbers has the wrong length.
    WrongSize {
        /// Its length.
        found: usize,
        /// The length that fits.
        expected: usize,
    },
    /// The verb that gave this solution does not compute the quantity.
    NotComputed {
        /// The quantity.
        quantity: &'static str,
        /// The verbs that do.
        computed_by: &'static str,
    },
    /// Every input is finite, the result is not: numbers too large for the scalar.
    Overflow {
        /// The quantity.
        quantity: &'static str,
    },
}

impl AccessError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::WrongModel { .. } => "ask the model in use for the handle",
            Self::NotOne { .. } => "use the methods that take and give slices",
            Self::WrongSize { .. } => "give one number for each coordinate or speed of the handle",
            Self::NotComputed { .. } => "call one of those verbs instead",
            Self::Overflow { .. } => "scale the model or the state",
        }
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongModel { used_with } => write!(f, "the handle belongs to another model than the {used_with}")?,
            Self::NotOne { count } => write!(f, "the handle refers to {count} numbers, not to one")?,
            Self::WrongSize { found, expected } => write!(f, "{found} numbers, the handle refers to {expected}")?,
            Self::NotComputed { quantity, computed_by } => {
                write!(f, "this solution has no {quantity}; {computed_by} give them")?;
            }
            Self::Overflow { quantity } => write!(f, "{quantity} overflowed although every input is finite")?,
        }
        write!(f, "; {}", self.remedy())
    }
}

impl std::error::Error for AccessError {}

/// Checks that a handle is of the model in use.
fn check(handle: ModelStamp, used: ModelStamp, used_with: &'static str) -> Result<(), AccessError> {
    if handle == used { Ok(()) } else { Err(AccessError::WrongModel { used_with }) }
}

/// The only number of a list.
fn one<T: Copy>(list: &[T]) -> Result<T, AccessError> {
    match list {
        [x] => Ok(*x),
        _ => Err(AccessError::NotOne { count: list.len() }),
    }
}

/// The only number of a list, to be written.
fn one_mut<T>(list: &mut [T]) -> Result<&mut T, AccessError> {
    match list {
        [x] => Ok(x),
        _ => Err(AccessError::NotOne { count: list.len() }),
    }
}

/// The part of a list that its owner may have resized.
fn part<T>(list: &[T], range: Range<usize>) -> Result<&[T], AccessError> {
    let (found, expected) = (list.len(), range.end);
    list.get(range).ok_or(AccessError::WrongSize { found, expected })
}

/// As [`part`], to be written.
fn part_mut<T>(list: &mut [T], range: Range<usize>) -> Result<&mut [T], AccessError> {
    let (found, expected) = (list.len(), range.end);
    list.get_mut(range).ok_or(AccessError::WrongSize { found, expected })
}

impl<T: Scalar> State<T> {
    /// Coordinate of a mode, or of a hinge with one.
    ///
    /// # Errors
    /// A handle of another model, or of a hinge with several numbers or none.
    pub fn get(&self, of: impl Into<Freedom>) -> Result<T, AccessError> {
        one(self.coordinates_of(of)?)
    }

    /// Sets the coordinate of a mode, or of a hinge with one. Integrated attitudes stay as they are; after a change of modes,
    /// [`turn_nodes`](Self::turn_nodes) makes them follow.
    ///
    /// # Errors
    /// A handle of another model, or of a hinge with several numbers or none.
    pub fn set(&mut self, of: impl Into<Freedom>, value: T) -> Result<(), AccessError> {
        *one_mut(self.coordinates_of_mut(of)?)? = value;
        Ok(())
    }

    /// Speed of a mode, or of a hinge with one.
    ///
    /// # Errors
    /// A handle of another model, or of a hinge with several numbers or none.
    pub fn speed(&self, of: impl Into<Freedom>) -> Result<T, AccessError> {
        one(self.speeds_of(of)?)
    }

    /// Sets the speed of a mode, or of a hinge with one.
    ///
    /// # Errors
    /// A handle of another model, or of a hinge with several numbers or none.
    pub fn set_speed(&mut self, of: impl Into<Freedom>, value: T) -> Result<(), AccessError> {
        *one_mut(self.speeds_of_mut(of)?)? = value;
        Ok(())
    }

    /// Coordinates of a hinge or a mode.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn coordinates_of(&self, of: impl Into<Freedom>) -> Result<&[T], AccessError> {
        let of = of.into();
        check(of.stamp(), self.stamp, "state")?;
        part(&self.coordinates, of.coordinates())
    }

    /// Coordinates of a hinge or a mode, to be written.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn coordinates_of_mut(&mut self, of: impl Into<Freedom>) -> Result<&mut [T], AccessError> {
        let of = of.into();
        check(of.stamp(), self.stamp, "state")?;
        part_mut(&mut self.coordinates, of.coordinates())
    }

    /// Speeds of a hinge or a mode.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn speeds_of(&self, of: impl Into<Freedom>) -> Result<&[T], AccessError> {
        let of = of.into();
        check(of.stamp(), self.stamp, "state")?;
        part(&self.speeds, of.speeds())
    }

    /// Speeds of a hinge or a mode, to be written.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn speeds_of_mut(&mut self, of: impl Into<Freedom>) -> Result<&mut [T], AccessError> {
        let of = of.into();
        check(of.stamp(), self.stamp, "state")?;
        part_mut(&mut self.speeds, of.speeds())
    }
}

impl<T: Scalar> Inputs<T> {
    /// Adds to the force of a mode, or of a hinge with one speed.
    ///
    /// # Errors
    /// A handle of another model, or of a hinge with several numbers or none.
    pub fn add_force(&mut self, of: impl Into<Freedom>, value: T) -> Result<(), AccessError> {
        *one_mut(self.forces_of_mut(of)?)? += value;
        Ok(())
    }

    /// Sets the force of a mode, or of a hinge with one speed.
    ///
    /// # Errors
    /// A handle of another model, or of a hinge with several numbers or none.
    pub fn set_force(&mut self, of: impl Into<Freedom>, value: T) -> Result<(), AccessError> {
        *one_mut(self.forces_of_mut(of)?)? = value;
        Ok(())
    }

    /// Forces of a hinge or a mode.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn forces_of(&self, of: impl Into<Freedom>) -> Result<&[T], AccessError> {
        let of = of.into();
        check(of.stamp(), self.stamp, "inputs")?;
        part(&self.forces, of.speeds())
    }

    /// Forces of a hinge or a mode, to be written.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn forces_of_mut(&mut self, of: impl Into<Freedom>) -> Result<&mut [T], AccessError> {
        let of = of.into();
        check(of.stamp(), self.stamp, "inputs")?;
        part_mut(&mut self.forces, of.speeds())
    }

    /// Accelerations wanted of a hinge or a mode.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn accelerations_of(&self, of: impl Into<Freedom>) -> Result<&[T], AccessError> {
        let of = of.into();
        check(of.stamp(), self.stamp, "inputs")?;
        part(&self.accelerations, of.speeds())
    }

    /// Accelerations wanted of a hinge or a mode, to be written.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn accelerations_of_mut(&mut self, of: impl Into<Freedom>) -> Result<&mut [T], AccessError> {
        let of = of.into();
        check(of.stamp(), self.stamp, "inputs")?;
        part_mut(&mut self.accelerations, of.speeds())
    }

    /// Prescribes the accelerations of a hinge, one for each speed.
    ///
    /// # Errors
    /// A hinge of another model, or another number of accelerations.
    pub fn prescribe(&mut self, hinge: HingeHandle, accelerations: &[T]) -> Result<(), AccessError> {
        let wanted = self.accelerations_of_mut(hinge)?;
        if wanted.len() != accelerations.len() {
            return Err(AccessError::WrongSize { found: accelerations.len(), expected: wanted.len() });
        }
        wanted.copy_from_slice(accelerations);
        self.set_prescribed(hinge, true)
    }

    /// Leaves a hinge to its forces again.
    ///
    /// # Errors
    /// A hinge of another model.
    pub fn release(&mut self, hinge: HingeHandle) -> Result<(), AccessError> {
        check(hinge.stamp(), self.stamp, "inputs")?;
        self.set_prescribed(hinge, false)
    }

    fn set_prescribed(&mut self, hinge: HingeHandle, flag: bool) -> Result<(), AccessError> {
        let k = hinge.body().0;
        *one_mut(part_mut(&mut self.prescribed, k..k + 1)?)? = flag;
        Ok(())
    }

    /// Prescribed motions of the equations of a closure, to be written.
    ///
    /// # Errors
    /// A closure of another model.
    pub fn closure_motions_of_mut(&mut self, closure: ClosureHandle) -> Result<&mut [EquationMotion<T>], AccessError> {
        check(closure.stamp(), self.stamp, "inputs")?;
        part_mut(&mut self.closure_motions, closure.rows())
    }

    /// Adds a wrench on a node: moment and force, about the node.
    ///
    /// # Errors
    /// A node of another model.
    pub fn add_wrench(&mut self, node: NodeHandle, frame: WrenchFrame, force: Force<T>) -> Result<(), AccessError> {
        check(node.stamp(), self.stamp, "inputs")?;
        self.wrenches.push(Wrench { body: node.body(), node: node.node(), frame, force });
        Ok(())
    }
}

impl<'w, T: Scalar> Solution<'w, T> {
    /// Acceleration of a mode, or of a hinge with one speed.
    ///
    /// # Errors
    /// A handle of another model, or of a hinge with several numbers or none.
    pub fn acceleration(&self, of: impl Into<Freedom>) -> Result<T, AccessError> {
        one(self.accelerations_of(of)?)
    }

    /// Accelerations of a hinge or a mode.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn accelerations_of(&self, of: impl Into<Freedom>) -> Result<&'w [T], AccessError> {
        let of = of.into();
        self.check(of.stamp())?;
        part(self.accelerations(), of.speeds())
    }

    /// Generalized force of a mode, or of a hinge with one speed.
    ///
    /// # Errors
    /// A handle of another model, or of a hinge with several numbers or none.
    pub fn force(&self, of: impl Into<Freedom>) -> Result<T, AccessError> {
        one(self.forces_of(of)?)
    }

    /// Generalized forces of a hinge or a mode.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn forces_of(&self, of: impl Into<Freedom>) -> Result<&'w [T], AccessError> {
        let of = of.into();
        self.check(of.stamp())?;
        part(self.forces(), of.speeds())
    }

    /// Checks that a handle is of the model that was solved.
    pub(crate) fn check(&self, handle: ModelStamp) -> Result<(), AccessError> {
        check(handle, self.stamp(), "solution")
    }
}
