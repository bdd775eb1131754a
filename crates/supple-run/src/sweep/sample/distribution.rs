//! Values by their quantiles. Functions of `libm` give the same bits on every machine.

use std::f64::consts::SQRT_2;

use supple_io::study_file::Law;

/// The number below which the part `u` of a distribution lies; none for lists.
pub fn quantile(law: &Law, u: f64) -> Option<f64> {
    Some(match *law {
        Law::List { .. } => return None,
        Law::Uniform { from, to } => (from + u * (to - from)).clamp(from, to),
        Law::Normal { mean, deviation, bounds } => truncated(u, bounds.map(|bound| (bound - mean) / deviation))
            .mul_add(deviation, mean)
            .clamp(bounds[0], bounds[1]),
        Law::Lognormal { median, deviation, bounds } => {
            let z = truncated(u, bounds.map(|bound| libm::log(bound / median) / deviation));
            (median * libm::exp(deviation * z)).clamp(bounds[0], bounds[1])
        }
        Law::Triangular { from, peak, to } => {
            let left = (peak - from) / (to - from);
            let value = if u < left {
                from + libm::sqrt(u * (to - from) * (peak - from))
            } else {
                to - libm::sqrt((1.0 - u) * (to - from) * (to - peak))
            };
            value.clamp(from, to)
        }
    })
}

/// Quantile of the standard normal distribution between two bounds.
fn truncated(u: f64, [from, to]: [f64; 2]) -> f64 {
    if from == f64::NEG_INFINITY && to == f64::INFINITY {
        return normal_quantile(u);
    }
    // Far tails keep their digits on the lower side.
    if from > 0.0 {
        return -truncated(1.0 - u, [-to, -from]);
    }
    let below = |z: f64| 0.5 * libm::erfc(-z / SQRT_2);
    let (low, high) = (below(from), below(to));
    normal_quantile(low + u * (high - low)).clamp(from, to)
}

/// Quantile of the standard normal distribution: M. J. Wichura, Algorithm AS 241, Appl. Statist. 37 (1988) 477-484, PPND16, whose relative
/// error is about 1e-16.
pub fn normal_quantile(u: f64) -> f64 {
    let q = u - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * ratio(r, &CENTRE);
    }
    let tail = if q < 0.0 { u } else { 1.0 - u };
    if tail <= 0.0 {
        return q.signum() * f64::INFINITY;
    }
    let r = libm::sqrt(-libm::log(tail));
    let magnitude = if r <= 5.0 { ratio(r - 1.6, &MIDDLE) } else { ratio(r - 5.0, &FAR) };
    magnitude.copysign(q)
}

/// Numerator and denominator, from the highest power down.
type Ratio = [[f64; 8]; 2];

fn ratio(r: f64, [above, below]: &Ratio) -> f64 {
    let polynomial = |coefficients: &[f64; 8]| coefficients.iter().fold(0.0, |sum, c| sum * r + c);
    polynomial(above) / polynomial(below)
}

#[rustfmt::skip]
#[allow(clippy::excessive_precision, reason = "digits as printed")]
const CENTRE: Ratio = [
    [2.509_080_928_730_122_672_7e3, 3.343_057_558_358_812_810_5e4, 6.726_577_092_700_870_085_3e4, 4.592_195_393_154_987_145_7e4,
     1.373_169_376_550_946_112_5e4, 1.971_590_950_306_551_442_7e3, 1.331_416_678_917_843_774_5e2, 3.387_132_872_796_366_608_0],
    [5.226_495_278_852_854_561_0e3, 2.872_908_573_572_194_267_4e4, 3.930_789_580_009_271_061_0e4, 2.121_379_430_158_659_586_7e4,
     5.394_196_021_424_751_107_7e3, 6.871_870_074_920_579_083_0e2, 4.231_333_070_160_091_125_2e1, 1.0],
];
#[rustfmt::skip]
#[allow(clippy::excessive_precision, reason = "digits as printed")]
const MIDDLE: Ratio = [
    [7.745_450_142_783_414_076_40e-4, 2.272_384_498_926_918_458_33e-2, 2.417_807_251_774_506_117_70e-1, 1.270_458_252_452_368_382_58,
     3.647_848_324_763_204_605_04, 5.769_497_221_460_691_405_50, 4.630_337_846_156_545_295_90, 1.423_437_110_749_683_577_34],
    [1.050_750_071_644_416_843_24e-9, 5.475_938_084_995_344_946_00e-4, 1.519_866_656_361_645_719_66e-2, 1.481_039_764_274_800_745_90e-1,
     6.897_673_349_851_000_045_50e-1, 1.676_384_830_183_803_849_40, 2.053_191_626_637_758_821_87, 1.0],
];
#[rustfmt::skip]
#[allow(clippy::excessive_precision, reason = "digits as printed")]
const FAR: Ratio = [
    [2.010_334_399_292_288_132_65e-7, 2.711_555_568_743_487_578_15e-5, 1.242_660_947_388_078_438_60e-3, 2.653_218_952_657_612_309_30e-2,
     2.965_605_718_285_048_912_30e-1, 1.784_826_539_917_291_335_80, 5.463_784_911_164_114_369_90, 6.657_904_643_501_103_777_20],
    [2.044_263_103_389_939_785_64e-15, 1.421_511_758_316_445_888_70e-7, 1.846_318_317_510_054_681_80e-5, 7.868_691_311_456_132_591_00e-4,
     1.487_536_129_085_061_485_25e-2, 1.369_298_809_227_358_053_10e-1, 5.998_322_065_558_879_376_90e-1, 1.0],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-14 * expected.abs().max(1e-300), "{found} for {expected}");
    }

    /// `scipy.stats.norm.ppf` of SciPy 1.17.1.
    #[test]
    fn normal_quantiles_are_those_of_scipy() {
        for (u, expected) in [
            (1e-300, -37.0470962993612),
            (1e-12, -7.034483825301131),
            (0.001, -3.090232306167813),
            (0.025, -1.9599639845400545),
            (0.2, -0.8416212335729142),
            (0.5, 0.0),
            (0.75, 0.6744897501960817),
            (0.975, 1.959963984540054),
            (1.0 - 2.0_f64.powi(-53), 8.209536151601387),
        ] {
            close(normal_quantile(u), expected);
        }
    }

    /// `scipy.stats.truncnorm.ppf(0.3, -1, 2, loc=5, scale=0.5)` and `(0.7, 8, 9)` of SciPy 1.17.1.
    #[test]
    fn truncated_quantiles_are_those_of_scipy() {
        let normal = |mean, deviation, bounds| Law::Normal { mean, deviation, bounds };
        close(quantile(&normal(5.0, 0.5, [4.5, 6.0]), 0.3).unwrap(), 4.878798091055387);
        close(quantile(&normal(0.0, 1.0, [8.0, 9.0]), 0.7).unwrap(), 8.146885924759781);
    }

    #[test]
    fn other_quantiles_follow_from_their_definitions() {
        close(quantile(&Law::Uniform { from: -1.0, to: 3.0 }, 0.25).unwrap(), 0.0);
        let lognormal = Law::Lognormal { median: 2.0, deviation: 0.5, bounds: [0.0, f64::INFINITY] };
        close(quantile(&lognormal, 0.975).unwrap(), 2.0 * (0.5_f64 * 1.959963984540054).exp());
        // The parts below the peak and below a quarter of the way to it.
        let triangular = Law::Triangular { from: 0.0, peak: 2.0, to: 10.0 };
        close(quantile(&triangular, 0.2).unwrap(), 2.0);
        close(quantile(&triangular, 0.05).unwrap(), 1.0);
        close(quantile(&triangular, 0.8).unwrap(), 10.0 - (0.2_f64 * 80.0).sqrt());
    }
}
