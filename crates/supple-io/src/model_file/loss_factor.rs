//! Damping by a loss factor: `loss_factor`, `from_hz` and `up_to_hz` of the table `damping`.

use std::f64::consts::TAU;
use std::ops::Range;

use supple::{Model, State, System};
use supple_bodies::damping::{Design, LossFactor, MOST_LOSS, NoDesign, WIDEST_BAND};
use supple_bodies::frequencies;

use super::damping::{DampingTable, RIGID, SystemDamping};
use crate::source::{Report, Rule, Source};

/// Part of the first frequency at which the band begins where the file does not say.
const BELOW: f64 = 0.5;
/// Width of the band where the file does not say.
const WIDTH: f64 = 100.0;

/// Gives the flexible bodies of a system the branches of a loss factor; problems are reported.
pub(super) fn apply(
    table: &DampingTable,
    factor: f64,
    (system, model): (&mut System, &Model),
    (source, report): (&Source, &mut Report),
) -> Option<SystemDamping> {
    let spans = &table.spans;
    let mut wrong = |span: &Range<usize>, what: String, expected: &str| {
        report.add(source, span.clone(), Rule::Mismatch { what, expected: expected.into() });
    };
    if factor > MOST_LOSS {
        let what = format!("a loss factor of {factor} is not that of a structure");
        wrong(&spans.loss, what, "a loss factor of up to 0.3, twice the damping ratio, such as 0.02");
        return None;
    }
    let all = match frequencies::of_system(model, system) {
        Ok(all) => all,
        Err(why) => {
            wrong(&spans.table, why.to_string(), "fewer modes");
            return None;
        }
    };
    let Some(first) = all.iter().map(|omega| omega / TAU).find(|hz| *hz > 0.0) else {
        wrong(&spans.table, NoDesign::Rigid.to_string(), RIGID);
        return None;
    };
    // A band that is asked to end below the first frequency begins below its end.
    let low = table.from.unwrap_or_else(|| BELOW * table.up_to.map_or(first, |high| high.min(first)));
    let loss = LossFactor { factor, band: [low, table.up_to.unwrap_or(WIDTH * low)] };
    let Some(relaxation) = loss.relaxation() else {
        let [low, high] = loss.band;
        let span = if table.up_to.is_some() { &spans.up_to } else { &spans.from };
        let what = format!("a loss factor of {factor} cannot be reached from {low:.4} to {high:.4} Hz");
        let widest = format!(
            "a band whose end is above its beginning, and at most {WIDEST_BAND:e} times it; less where much is lost"
        );
        wrong(span, what, &widest);
        return None;
    };
    system.bodies.iter_mut().for_each(|body| relaxation.add_to(body));
    let design =
        Design { ratios: vec![0.5 * factor], up_to: Some(loss.band[1]), free: vec![false; system.bodies.len()] };
    Some(SystemDamping { design, loss: Some(loss), pose: State::new(model) })
}
