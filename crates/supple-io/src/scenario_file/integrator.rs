//! The integrator of a scenario.

use super::read::Reader;
use super::{Integrator, Method};
use crate::document::{Table, Value};
use crate::source::Rule;

/// Least relative tolerance: below it steps shrink without end, since rounding errors stay.
const LEAST_TOLERANCE: f64 = 1e-14;

/// Names of the methods in files.
pub(super) const WORDS: [(&str, Method); 11] = [
    ("automatic", Method::Automatic),
    ("dormand-prince", Method::DormandPrince),
    ("prince-dormand8", Method::PrinceDormand8),
    ("rk4", Method::RungeKutta4),
    ("generalized-alpha", Method::GeneralizedAlpha),
    ("linearly-implicit", Method::LinearlyImplicit),
    ("exponential", Method::Exponential),
    ("exponential-adams", Method::ExponentialAdams),
    ("gauss", Method::Gauss),
    ("adams", Method::Adams),
    ("bdf", Method::Bdf),
];

impl Reader<'_> {
    pub(super) fn integrator(&mut self, table: Option<Table<'_>>) -> Option<Integrator> {
        let mut integrator = Integrator {
            method: Method::Automatic,
            relative_tolerance: 1e-8,
            absolute_tolerance: 1e-10,
            step: None,
            spectral_radius: 0.8,
            corrections: None,
            stages: 3,
            iteration_tolerance: 1e-10,
            least_step: None,
            greatest_step: None,
            max_steps: None,
            wall_seconds: None,
        };
        let Some(table) = table else { return Some(integrator) };
        let kind = table.text("kind").unwrap_or("automatic");
        integrator.method = WORDS.iter().find(|(word, _)| *word == kind)?.1;
        self.stepping(table, integrator.method);
        for (key, method, word) in [
            ("spectral_radius", Method::GeneralizedAlpha, "generalized-alpha"),
            ("corrections", Method::GeneralizedAlpha, "generalized-alpha"),
            ("stages", Method::Gauss, "gauss"),
            ("iteration_tolerance", Method::Gauss, "gauss"),
        ] {
            if let Some(value) = table.get(key).filter(|_| integrator.method != method) {
                let because = format!("it applies to {word} only");
                self.add(value.span(), Rule::Useless { key: key.into(), because });
            }
        }
        integrator.relative_tolerance = table.number("relative_tolerance").unwrap_or(integrator.relative_tolerance);
        integrator.absolute_tolerance = table.number("absolute_tolerance").unwrap_or(integrator.absolute_tolerance);
        if integrator.relative_tolerance < LEAST_TOLERANCE {
            let rule = Rule::Range {
                quantity: "relative_tolerance".into(),
                value: integrator.relative_tolerance,
                expected: format!("a number of at least {LEAST_TOLERANCE:e}, near rounding"),
            };
            self.add(table.span_of("relative_tolerance"), rule);
        }
        integrator.step = table.number("step");
        integrator.spectral_radius = table.number("spectral_radius").unwrap_or(integrator.spectral_radius);
        if integrator.spectral_radius > 1.0 {
            let rule = Rule::Range {
                quantity: "spectral_radius".into(),
                value: integrator.spectral_radius,
                expected: "a number from 0 to 1".into(),
            };
            self.add(table.span_of("spectral_radius"), rule);
        }
        let whole = |key: &str| table.get(key).and_then(Value::whole).map(|count| count as u32);
        integrator.corrections = whole("corrections");
        integrator.stages = whole("stages").unwrap_or(integrator.stages);
        integrator.iteration_tolerance = table.number("iteration_tolerance").unwrap_or(integrator.iteration_tolerance);
        let corrections = integrator.corrections.unwrap_or(1);
        for (key, value, sound, expected) in [
            ("corrections", f64::from(corrections), corrections >= 1, "a whole number from 1 to 30"),
            ("stages", f64::from(integrator.stages), integrator.stages >= 1, "a whole number from 1 to 6"),
            (
                "iteration_tolerance",
                integrator.iteration_tolerance,
                (1e-14..1.0).contains(&integrator.iteration_tolerance),
                "a number from 1e-14, near rounding, to below 1",
            ),
        ] {
            if !sound {
                let rule = Rule::Range { quantity: key.into(), value, expected: expected.into() };
                self.add(table.span_of(key), rule);
            }
        }
        integrator.least_step = table.number("least_step");
        integrator.greatest_step = table.number("greatest_step");
        integrator.max_steps = table.get("max_steps").and_then(Value::whole);
        integrator.wall_seconds = table.number("wall_seconds");
        Some(integrator)
    }

    /// Steps follow tolerances or are fixed, as far as the method can.
    fn stepping(&mut self, table: Table<'_>, method: Method) {
        const ADAPTIVE: [&str; 4] = ["relative_tolerance", "absolute_tolerance", "least_step", "greatest_step"];
        let step = table.get("step");
        let told: Vec<&'static str> = ADAPTIVE.into_iter().filter(|key| table.get(key).is_some()).collect();
        if !method.estimates_error() {
            for key in told {
                let because = "this method has a fixed step and no error estimate".into();
                self.add(table.span_of(key), Rule::Useless { key: key.into(), because });
            }
            if step.is_none() {
                self.add(table.span_of("kind"), Rule::MissingKey { key: "step", meaning: "step of this method, s" });
            }
        } else if let Some(step) = step {
            if !method.takes_fixed_step() {
                let because = "this method chooses its steps by the tolerances".into();
                self.add(step.span(), Rule::Useless { key: "step".into(), because });
            } else if !told.is_empty() {
                let keys = [&["step"], &told[..]].concat();
                self.add(step.span(), Rule::Together { keys });
            }
        }
    }
}
