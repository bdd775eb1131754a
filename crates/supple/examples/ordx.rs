//! x
#[path = "../tests/motions/mod.rs"]
mod motions;
use motions::*;
use supple::integrate::{Scheme, Stepping};
fn main() {
    let (model, start) = heavy_top();
    for end in [0.1, 0.4, 1.0, 2.0] {
        let exact =
            arrive(&model, &start, Scheme::PrinceDormand8, Stepping::Fixed(end / (end * 8000.0_f64).round()), end);
        let tight = arrive(&model, &start, Scheme::PrinceDormand8, tolerance(1e-14), end);
        println!("end {end}: two references {:.1e}", distance(&exact, &tight, 150.0));
        for (scheme, list) in [
            (Scheme::PrinceDormand8, vec![75.0, 100.0, 150.0, 200.0, 300.0, 400.0, 600.0, 800.0, 1200.0]),
            (Scheme::gauss(1), vec![4000.0, 8000.0]),
            (Scheme::gauss(2), vec![500.0, 1000.0, 2000.0, 4000.0]),
            (Scheme::gauss(3), vec![100.0, 200.0, 400.0, 800.0]),
            (Scheme::gauss(4), vec![100.0, 150.0, 200.0, 400.0, 800.0]),
            (Scheme::gauss(5), vec![50.0, 75.0, 100.0, 150.0, 200.0, 400.0]),
            (Scheme::ExponentialAdams, vec![4000.0, 8000.0, 16000.0]),
        ] {
            let mut last: Option<(f64, f64)> = None;
            for n in list {
                let steps = (n * end).max(1.0);
                let f = arrive(&model, &start, scheme, Stepping::Fixed(end / steps), end);
                let e = distance(&f, &exact, 150.0);
                let q: Vec<f64> = f
                    .coordinates
                    .iter()
                    .zip(&exact.coordinates)
                    .chain(f.speeds.iter().zip(&exact.speeds))
                    .map(|(a, b)| a - b)
                    .collect();
                let order = last.map_or(0.0, |(m, f)| (f / e).ln() / (n / m).ln());
                println!(
                    "  {scheme:?} {n}/s: {e:.2e} order {order:.2} {}",
                    q.iter().map(|x| format!("{x:9.1e}")).collect::<String>()
                );
                last = Some((n, e));
            }
        }
    }
}
