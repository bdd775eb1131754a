//! The report as text.

use super::{DIRECTIONS, ModeReport, ModeWarning, ORDER};
use std::fmt;

impl ModeReport {
    /// What is no warning but worth to know: that the modes are free-free, and where the body is rigid.
    pub fn notes(&self) -> Vec<String> {
        let free = self.free.then(|| "free-free modes; the rigid-body motion carries all the momentum".to_owned());
        let directions: Vec<&str> = self.unmoved.iter().map(|d| DIRECTIONS[*d]).collect();
        let rigid = format!("no mode moves {}: the body is rigid there", directions.join(", "));
        free.into_iter().chain((!directions.is_empty()).then_some(rigid)).collect()
    }
}

impl fmt::Display for ModeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let r = &self.rigid;
        writeln!(f, "mass {:.6} kg, inertia about F_k {:.6}, {:.6}, {:.6} kg m²", r[3], r[0], r[1], r[2])?;
        if self.turned {
            writeln!(f, "coupled modes: the eigenmodes are reported")?;
        }
        writeln!(f, "effective mass in % of the rigid body, with the cumulative sum")?;
        write!(f, "{:>4} {:>12} {:>12}", "mode", "Hz", "rad/s")?;
        ORDER.iter().try_for_each(|&d| write!(f, " {:>15}", DIRECTIONS[d]))?;
        writeln!(f)?;
        for (i, mode) in self.modes.iter().enumerate() {
            write!(f, "{:>4} {:>12} {:>12}", i + 1, number(mode.frequency), number(mode.angular_frequency))?;
            for d in ORDER {
                write!(f, " {:>6.2} ({:>6.2})", mode.percent[d], mode.running[d])?;
            }
            writeln!(f)?;
        }
        writeln!(f, "modal mass, damping ratio and participation factors")?;
        for (i, mode) in self.modes.iter().enumerate() {
            let damping = mode.damping_ratio.map_or("-".to_owned(), number);
            write!(f, "{:>4} {:>12} {damping:>12}", i + 1, number(mode.modal_mass))?;
            ORDER.iter().try_for_each(|&d| write!(f, " {:>15}", number(mode.participation[d])))?;
            writeln!(f)?;
        }
        for (i, mode) in self.modes.iter().enumerate() {
            let axis = ["x", "y", "z"][mode.sketch.axis];
            writeln!(f, "mode {}: {}, drawn along {axis}", i + 1, mode.sketch.label())?;
            mode.sketch.rows.iter().try_for_each(|row| writeln!(f, "    {row}"))?;
        }
        self.notes().into_iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        self.warnings.iter().try_for_each(|warning| writeln!(f, "warning: {warning}"))
    }
}

impl fmt::Display for ModeWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewModes { direction, percent } => write!(
                f,
                "the modes have {percent:.1} % of the effective mass {}: too few for loads there; add modes or static corrections",
                DIRECTIONS[*direction]
            ),
            Self::NearDuplicate { modes: [a, b], distance } => write!(
                f,
                "modes {} and {} have nearly the same frequency (relative distance {distance:.1e}): their shapes may mix",
                a + 1,
                b + 1
            ),
            Self::HardlyMoves { mode, percent } => write!(
                f,
                "mode {} hardly moves any mass (at most {percent:.1e} %): no motion of the base excites it",
                mode + 1
            ),
            Self::SingularMass => f.write_str(
                "the modes move too little mass of the body's own: frequencies are those of each mode by itself; \
                 leave out modes that move nothing",
            ),
        }
    }
}

/// Six digits, in powers of ten only where they are needed.
fn number(x: f64) -> String {
    let size = x.abs();
    if size.is_infinite() {
        "inf".into()
    } else if size != 0.0 && !(1e-3..1e6).contains(&size) {
        if size < 1e-12 { "0".into() } else { format!("{x:.4e}") }
    } else {
        format!("{x:.5}")
    }
}
