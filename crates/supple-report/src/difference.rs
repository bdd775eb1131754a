//! How far two runs are apart, column by column.

use crate::columns::Columns;

/// Two columns of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Their name.
    pub name: String,
    /// Their unit.
    pub unit: String,
    /// The greatest difference.
    pub greatest: f64,
    /// When it is.
    pub time: f64,
    /// Root of the mean square of the differences over the points.
    pub root_mean_square: f64,
}

/// Differences of the columns that both tables have, at the times of the first within those of the second, which is interpolated.
pub fn differences(one: &Columns, other: &Columns) -> Vec<Difference> {
    let mut out = Vec::new();
    for (i, column) in one.columns.iter().enumerate() {
        let Some(j) = other.columns.iter().position(|c| c.name == column.name && c.unit == column.unit) else {
            continue;
        };
        let own = values(one, i);
        let theirs = values(other, j);
        let (mut greatest, mut time, mut squares, mut points) = (0.0_f64, f64::NAN, 0.0, 0_u64);
        for (t, x) in one.times.0.iter().zip(own) {
            let Some(y) = interpolated(&other.times.0, theirs, *t) else { continue };
            let apart = (y - f64::from(*x)).abs();
            if !apart.is_finite() {
                continue;
            }
            if apart >= greatest {
                (greatest, time) = (apart, *t);
            }
            squares += apart * apart;
            points += 1;
        }
        if points > 0 {
            let root_mean_square = (squares / points as f64).sqrt();
            out.push(Difference {
                name: column.name.clone(),
                unit: column.unit.clone(),
                greatest,
                time,
                root_mean_square,
            });
        }
    }
    out
}

fn values(table: &Columns, column: usize) -> &[f32] {
    let points = table.times.0.len();
    table.values.0.get(column * points..(column + 1) * points).unwrap_or(&[])
}

/// The value at a time between those of the points; none outside of them.
fn interpolated(times: &[f64], values: &[f32], time: f64) -> Option<f64> {
    let after = times.partition_point(|t| *t < time);
    let at = f64::from(*values.get(after)?);
    if times[after] == time {
        return Some(at);
    }
    let before = after.checked_sub(1)?;
    let share = (time - times[before]) / (times[after] - times[before]);
    let from = f64::from(*values.get(before)?);
    Some(from + share * (at - from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::ColumnRecorder;
    use supple_io::results::Column;

    fn table(rows: usize, step: f64, names: &[&str], value: impl Fn(f64) -> f64) -> Columns {
        let columns: Vec<Column> = [&["time"], names].concat().iter().map(|name| Column::new(*name, "1", "")).collect();
        let mut recorder = ColumnRecorder::new(&columns);
        for row in 0..rows {
            let time = step * row as f64;
            recorder.take(&std::iter::once(time).chain(names.iter().map(|_| value(time))).collect::<Vec<_>>());
        }
        recorder.columns()
    }

    #[test]
    fn columns_on_other_times_are_interpolated() {
        let one = table(11, 0.1, &["a", "b"], |t| 2.0 * t);
        let other = table(4, 0.25, &["b", "c"], |t| 2.0 * t + 0.5);
        let found = differences(&one, &other);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, "b");
        // Up to 0.75 s, where the other ends.
        assert!((found[0].greatest - 0.5).abs() < 1e-6 && found[0].time <= 0.75, "{found:?}");
        assert!((found[0].root_mean_square - 0.5).abs() < 1e-6);
        assert!(differences(&one, &table(3, 0.1, &["z"], |t| t)).is_empty());
        assert!(differences(&one, &table(0, 0.1, &["a"], |t| t)).is_empty());
        assert_eq!(differences(&one, &one)[0].greatest, 0.0);
    }
}
