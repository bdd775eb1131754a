//! The Shuttle arm under control: PD at the hinges beside shaped commands with modal feedback.
//!
//! Manoeuvre I-f of Damaren and Sharf: every hinge turns by 0.4 rad, in 20 s before shaping. The plant has 12 modes and geometric stiffening; the
//! controller's model has 10 modes, of which the feedback knows the slowest 5, stiffnesses that are 10 % wrong, and a payload that is up to 10 % wrong.
//!
//! `pd` has joint servos alone, with a cycloid that arrives when the shaped command does; `pd_shaped` follows the shaped command; `shaped_modal` has such servos, a command shaped for
//! the modes of the controller's model, the torques of that model along it, and state feedback of hinges and modes from a Kalman filter.

mod arm;
mod cases;
mod design;
mod feedback;
mod motion;
mod slow_model;

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use self::cases::{Row, rows};
use crate::{Format, LabError};

pub use self::cases::Case;

/// Runs cases on all cores and writes their rows in order.
pub fn run(cases: &[Case], format: Format, out: &mut dyn Write, told: &mut dyn FnMut(&str)) -> Result<(), LabError> {
    let header = ["case", "controller", "quantity", "value"];
    let table = |cells: [&str; 4]| format!("{:<10}  {:<12}  {:<22}  {:>13}", cells[0], cells[1], cells[2], cells[3]);
    match format {
        Format::Csv => writeln!(out, "{}", header.join(","))?,
        Format::Json => {}
        _ => writeln!(out, "{}", table(header))?,
    }
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(cases.len().max(1));
    let mut all: Vec<Row> = Vec::new();
    let (sender, receiver) = std::sync::mpsc::channel();
    let sender = Mutex::new(sender);
    std::thread::scope(|scope| -> Result<(), LabError> {
        for _ in 0..threads {
            let sender = sender.lock().map(|sender| sender.clone()).ok();
            let next = &next;
            scope.spawn(move || {
                let Some(sender) = sender else { return };
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let rows = rows(*case).map_err(|error| format!("{}: {error}", case.name()));
                    if sender.send((*case, rows)).is_err() {
                        return;
                    }
                }
            });
        }
        let mut waiting: Vec<Option<Vec<Row>>> = vec![None; cases.len()];
        let mut written = 0;
        for done in 1..=cases.len() {
            let Ok((case, rows)) = receiver.recv() else { break };
            told(&format!("control: {} is done, {done} of {}", case.name(), cases.len()));
            let rows = rows.map_err(|error| {
                // The others need not begin.
                next.store(cases.len(), Ordering::Relaxed);
                LabError::failed("study", error)
            })?;
            if let Some(place) = cases.iter().position(|other| *other == case) {
                waiting[place] = Some(rows);
            }
            while let Some(rows) = waiting.get_mut(written).and_then(Option::take) {
                written += 1;
                for Row { case, controller, quantity, value } in &rows {
                    match format {
                        Format::Csv => writeln!(out, "{case},{controller},{quantity},{value:.6e}")?,
                        Format::Json => {}
                        _ => writeln!(out, "{}", table([case, controller, quantity, &format!("{value:.6e}")]))?,
                    }
                }
                out.flush()?;
                all.extend(rows);
            }
        }
        Ok(())
    })?;
    if format == Format::Json {
        serde_json::to_writer_pretty(&mut *out, &all).map_err(std::io::Error::from)?;
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nominal case: modal feedback leaves less than a tenth of what PD leaves, and no drive is at its limit.
    #[test]
    fn shaped_commands_with_modal_feedback_leave_a_tenth() {
        let rows = rows(Case::all().next().unwrap()).unwrap();
        let value = |controller: &str, quantity: &str| {
            rows.iter().find(|row| row.controller == controller && row.quantity == quantity).unwrap().value
        };
        let [pd, modal] = ["pd", "shaped_modal"].map(|controller| value(controller, "residual_tip_m"));
        assert!(pd >= 10.0 * modal, "{pd} {modal}");
        assert!(value("shaped_modal", "peak_torque_over_limit") < 1.0);
    }
}
