//! `sweep.html`: the summary of a study with its plots.

use supple_report::SimplePage;

use super::plots::{plots, titled};
use super::statistics::Estimate;
use super::{Influences, NumberSummary, Row, Study, SweepSummary};

/// The page of a study.
pub fn page(study: &Study, rows: &[Row], summary: &SweepSummary) -> String {
    let mut page = SimplePage::new(&format!("Study: {}", summary.study));
    let SweepSummary { sampling, runs, done, stopped, failed, .. } = summary;
    page.text(&format!("{done} of {runs} runs ({sampling}), {failed} failed, {stopped} ended by an event."));
    page.text(&format!(
        "Fraction that failed: {}. All intervals are those of 95 % confidence.",
        shown(&summary.failure)
    ));
    for (i, number) in summary.numbers.iter().enumerate() {
        page.heading(&titled(&number.name, &number.unit));
        statistics(&mut page, number);
        sensitivity(&mut page, number);
        plots(study, rows, (i, number)).iter().for_each(|plot| page.drawing(&plot.drawing));
        worst(&mut page, number);
    }
    if !summary.failures.is_empty() {
        page.heading("First failures");
        let row =
            |failure: &super::Failure| vec![failure.run.to_string(), failure.message.clone(), failure.command.clone()];
        page.table(&["run", "why", "to repeat it"], &summary.failures.iter().map(row).collect::<Vec<_>>());
    }
    page.finish()
}

/// An estimate with its interval.
fn shown(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    format!("{} ({} to {})", short(*value), short(*low), short(*high))
}

fn short(number: f64) -> String {
    match number {
        x if x.is_nan() => "–".into(),
        0.0 => "0".into(),
        x if (1e-3..1e6).contains(&x.abs()) => {
            let digits = (4 - x.abs().log10().floor() as i32).clamp(0, 8) as usize;
            format!("{x:.digits$}")
        }
        x => format!("{x:.4e}"),
    }
}

fn statistics(page: &mut SimplePage, number: &NumberSummary) {
    let row = |name: &str, estimate: &Estimate| {
        vec![name.to_owned(), short(estimate.value), short(estimate.low), short(estimate.high)]
    };
    let alone = |name: &str, value: f64| vec![name.to_owned(), short(value), String::new(), String::new()];
    let mut rows =
        vec![row("mean", &number.mean), row("standard deviation", &number.deviation), alone("least", number.least)];
    for (percent, estimate) in &number.percentiles {
        let name = if *percent == 50.0 { "median".to_owned() } else { format!("{percent} % are below") };
        rows.push(row(&name, estimate));
    }
    rows.push(alone("greatest", number.greatest));
    page.table(&[&format!("of {} runs", number.count), "value", "from", "to"], &rows);
}

fn sensitivity(page: &mut SimplePage, number: &NumberSummary) {
    match &number.influences {
        Influences::Morris(effects) => {
            let rows = effects.iter().map(|of| {
                let e = &of.strength;
                vec![of.name.clone(), shown(&e.mu_star), short(e.mu), short(e.sigma)]
            });
            page.text("Elementary effects (Morris): change over the range of a parameter; sigma shows curvature and interaction.");
            page.table(&["parameter", "mu*", "mu", "sigma"], &rows.collect::<Vec<_>>());
        }
        Influences::SobolIndices(indices) => {
            let rows =
                indices.iter().map(|of| vec![of.name.clone(), shown(&of.strength.first), shown(&of.strength.total)]);
            page.text("Shares of the variance (Sobol): of a parameter alone, and with all its interactions.");
            page.table(&["parameter", "first order", "total order"], &rows.collect::<Vec<_>>());
        }
        Influences::RankCorrelation(coefficients) if !coefficients.is_empty() => {
            let rows = coefficients.iter().map(|of| vec![of.name.clone(), shown(&of.strength)]);
            page.text("Rank correlation (Spearman): 1 means that the number always rises with the parameter, -1 that it always falls.");
            page.table(&["parameter", "coefficient"], &rows.collect::<Vec<_>>());
        }
        Influences::RankCorrelation(_) => {}
    }
}

fn worst(page: &mut SimplePage, number: &NumberSummary) {
    let Some(first) = number.worst.first() else { return };
    page.text("Worst cases:");
    let mut head = vec!["run", "value"];
    head.extend(first.values.iter().map(|(name, _)| name.as_str()));
    head.push("to repeat it");
    let row = |case: &super::WorstCase| {
        let mut row = vec![case.run.to_string(), short(case.value)];
        row.extend(case.values.iter().map(|(_, text)| text.parse().map_or_else(|_| text.clone(), short)));
        row.push(case.command.clone());
        row
    };
    page.table(&head, &number.worst.iter().map(row).collect::<Vec<_>>());
}
