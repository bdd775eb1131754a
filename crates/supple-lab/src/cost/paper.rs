//! The polynomials of the paper's section 8 [JR92 8].

use super::count::CostRow;

/// Rows `paper-articulated` and `paper-composite` for a chain of equal bodies; fractions are rounded in the sums.
///
/// The articulated count takes the explicit inverse up to seven modes and the indirect one beyond, as the paper does; its
/// bias terms are not given. The composite bias is the paper's count of `𝓒`.
pub(super) fn rows(bodies: usize, modes: usize) -> Vec<CostRow> {
    let (b, n) = (bodies as f64, modes as f64);
    let row = |algorithm, stage, multiplications: f64, additions: f64| CostRow {
        algorithm,
        stage,
        bodies,
        modes,
        multiplications: multiplications.round() as u64,
        additions: additions.round() as u64,
        other: 0,
    };
    let (m, a) = if modes <= 7 {
        (
            5.0 / 6.0 * n.powi(3) + 25.0 / 2.0 * n * n + 764.0 / 3.0 * n + 180.0,
            5.0 / 6.0 * n.powi(3) + 21.0 / 2.0 * n * n + 548.0 / 3.0 * n + 164.0,
        )
    } else {
        (12.0 * n * n + 255.0 * n + 572.0, 13.0 * n * n + 182.0 * n + 445.0)
    };
    let inertia = row("paper-articulated", "inertia", b * m, b * a);
    let (m, a) = (n * n + 43.0 * n + 101.0, n * n + 43.0 * n + 92.0);
    let sweeps = row("paper-articulated", "sweeps", b * m, b * a);

    // Σ k over the bodies, and the number of speeds of the whole chain
    let (places, dof) = (b * (b + 1.0) / 2.0, b * (n + 1.0));
    let composite = row(
        "paper-composite",
        "inertia",
        b * (48.0 * n + 90.0) + places * (12.0 * n * n + 34.0 * n + 13.0),
        b * (n * n + 97.0 / 2.0 * n + 116.0) + places * (11.0 * n * n + 24.0 * n + 13.0),
    );
    let solve = row(
        "paper-composite",
        "sweeps",
        dof.powi(3) / 6.0 + 1.5 * dof * dof - 2.0 / 3.0 * dof,
        dof.powi(3) / 6.0 + dof * dof - 7.0 / 6.0 * dof + dof,
    );
    let bias =
        row("paper-composite", "bias", b * (2.0 * n * n + 54.0 * n + 206.0), b * (2.0 * n * n + 50.0 * n + 143.0));
    vec![inertia, sweeps, composite, solve, bias]
}

#[cfg(test)]
mod tests {
    /// Sums that follow from the printed polynomials by hand: 3,987 and 9,140 per body.
    #[test]
    fn ten_bodies_of_five_and_ten_modes() {
        for (modes, flops) in [(5, 39_870), (10, 91_400)] {
            let sum: u64 = super::rows(10, modes).iter().take(2).map(|r| r.multiplications + r.additions).sum();
            assert_eq!(sum, flops);
        }
    }

    /// The printed polynomials of the composite algorithm by hand: composite inertias and mass matrix, solution, bias. Over those of the articulated one, without bias,
    /// they are what the text says: over 3 with five modes and over 7 with ten.
    #[test]
    fn composite_bodies_cost_three_and_seven_times_as_much() {
        for (modes, inertia, solution, bias, times) in [
            (5, [29_865, 26_275], [41_360, 39_590], [5_260, 4_430], 3.0),
            (10, [91_115, 81_425], [239_910, 233_915], [9_460, 8_430], 7.0),
        ] {
            let rows = super::rows(10, modes);
            let of = |i: usize| [rows[i].multiplications, rows[i].additions];
            assert_eq!([of(2), of(3), of(4)], [inertia, solution, bias], "{modes} modes");
            let sum = |range: std::ops::Range<usize>| range.flat_map(of).sum::<u64>() as f64;
            let ratio = sum(2..4) / sum(0..2);
            assert!((times..times + 0.5).contains(&ratio), "{modes} modes: {ratio}");
        }
    }

    /// Explicit inversion is the cheaper one up to seven modes by the printed polynomials, as the text says.
    #[test]
    fn the_polynomials_cross_at_seven_modes() {
        let cost = |modes: usize| super::rows(1, modes)[0].multiplications + super::rows(1, modes)[0].additions;
        let indirect = |n: u64| 12 * n * n + 255 * n + 572 + 13 * n * n + 182 * n + 445;
        for n in 1..=7 {
            assert!(cost(n) < indirect(n as u64), "{n}");
        }
        let explicit = |n: f64| 5.0 / 3.0 * n.powi(3) + 23.0 * n * n + 1312.0 / 3.0 * n + 344.0;
        assert!((explicit(7.0) - cost(7) as f64).abs() < 1.0);
        for n in 8..=12 {
            assert_eq!(cost(n), indirect(n as u64));
            assert!(explicit(n as f64) > cost(n) as f64, "{n}");
        }
    }
}
