//! What the columns of a table are.

use super::error::ResultsError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// One column of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name, unlike all others of the table.
    pub name: String,
    /// Its unit, such as `rad/s`; `1` where it has none.
    pub unit: String,
    /// What it is, in a few words.
    pub description: String,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, description: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), description: description.into() }
    }

    /// Name and unit, as in the header of a CSV file and at an axis: `angle[rad]`.
    pub fn label(&self) -> String {
        format!("{}[{}]", self.name, self.unit)
    }
}

/// The columns of a table, checked, and the model whose motion it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    model: String,
    columns: Vec<Column>,
}

impl Table {
    /// Checks the columns.
    ///
    /// # Errors
    /// No column, a name that is empty or used twice, an empty unit, control characters or brackets in a unit.
    pub fn new(model: impl Into<String>, columns: Vec<Column>) -> Result<Self, ResultsError> {
        if columns.is_empty() {
            return Err(ResultsError::NoColumns);
        }
        let mut seen = HashMap::new();
        for (index, column) in columns.iter().enumerate() {
            let bad = |rule| Err(ResultsError::BadColumn { index, name: column.name.clone(), rule });
            if column.name.is_empty() {
                return bad("a name must not be empty");
            }
            if column.unit.is_empty() {
                return bad("a unit must not be empty; write `1` for a number without unit");
            }
            if column.unit.contains(['[', ']']) {
                return bad("a unit must not hold brackets, which enclose it in the head of a CSV file");
            }
            if column.name.chars().chain(column.unit.chars()).any(char::is_control) {
                return bad("names and units must not hold control characters such as line ends");
            }
            if let Some(first) = seen.insert(column.name.as_str(), index) {
                return Err(ResultsError::RepeatedColumn { index, first, name: column.name.clone() });
            }
        }
        Ok(Self { model: model.into(), columns })
    }

    /// Name of the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The index of a column by its name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// A row has a number per column.
    pub(super) fn check_row(&self, row: &[f64]) -> Result<(), ResultsError> {
        let (found, expected) = (row.len(), self.columns.len());
        if found == expected { Ok(()) } else { Err(ResultsError::WrongLength { found, expected }) }
    }

    /// All of these indices are columns.
    pub(super) fn check_indices(&self, indices: impl IntoIterator<Item = usize>) -> Result<(), ResultsError> {
        match indices.into_iter().find(|index| *index >= self.columns.len()) {
            Some(index) => Err(ResultsError::NoSuchColumn { index, columns: self.columns.len() }),
            None => Ok(()),
        }
    }
}
