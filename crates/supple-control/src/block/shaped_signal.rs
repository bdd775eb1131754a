//! A signal convolved with the impulses of a shaper: `y(t) = Σ Aᵢ x(t - tᵢ)`.
//!
//! Past values are kept in a ring, as many as the shaper is long. Impulses between two instants take the values around them in proportion,
//! so what vibration is left differs from that of the shaper by terms of the order of `(ωT)²/8`.

use super::kind::{Hinges, Input, Kind, Needs, Otherwise, Output, Setting, SettingError};
use supple::integrate::{Measured, Role, Sampled};

/// Longest memory of a shaper, in instants.
const MOST: f64 = 1e6;

struct ShapedSignal {
    /// Instants back, and the weight of the value then.
    taps: Vec<(usize, f64)>,
    /// The last values of each signal, the newest at `newest`.
    ring: Vec<[f64; 3]>,
    newest: usize,
    begun: bool,
}

/// The kind.
pub static KIND: Kind = Kind {
    name: "shaper",
    role: Role::Observer,
    about: "an input shaper: the signal convolved with impulses that leave little vibration",
    parameters: &[],
    inputs: &[
        Input { key: "input", otherwise: Otherwise::Required, meaning: "desired coordinate" },
        Input {
            key: "input_speed",
            otherwise: Otherwise::Number(0.0),
            meaning: "desired speed; default: that of `input`, or 0",
        },
        Input {
            key: "input_acceleration",
            otherwise: Otherwise::Number(0.0),
            meaning: "desired acceleration; default: that of `input`, or 0",
        },
    ],
    outputs: &[
        Output { name: "position", unit: "rad, m", meaning: "shaped coordinate" },
        Output { name: "speed", unit: "rad/s, m/s", meaning: "shaped speed" },
        Output { name: "acceleration", unit: "rad/s², m/s²", meaning: "shaped acceleration" },
    ],
    hinges: Hinges::None,
    needs: Needs::Shaper,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let Some(shaper) = &setting.shaper else {
        return Err(SettingError::new("kind", "there are no impulses", "a kind of shaper"));
    };
    let instants = shaper.duration() / setting.period;
    if instants > MOST {
        let what = format!("the shaper is {instants:.0} instants long");
        return Err(SettingError::new("update_rate", what, format!("at most {MOST:.0} instants: a lower rate")));
    }
    let mut taps = Vec::new();
    for (t, a) in shaper.impulses() {
        let back = t / setting.period;
        // An impulse that falls on an instant but for rounding.
        let whole = if (back - back.round()).abs() < 1e-9 { back.round() } else { back.floor() };
        let share = (back - whole).max(0.0);
        taps.push((whole as usize, a * (1.0 - share)));
        if share > 0.0 {
            taps.push((whole as usize + 1, a * share));
        }
    }
    let longest = taps.iter().map(|(back, _)| *back).max().unwrap_or(0);
    Ok(Box::new(ShapedSignal { taps, ring: vec![[0.0; 3]; longest + 1], newest: 0, begun: false }))
}

impl Sampled for ShapedSignal {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let [x, v, a] = measured.signals else { return };
        if !self.begun {
            // As if the first value had always been there, at rest.
            self.ring.fill([*x, 0.0, 0.0]);
            self.begun = true;
        }
        let length = self.ring.len();
        self.newest = (self.newest + 1) % length;
        self.ring[self.newest] = [*x, *v, *a];
        outputs.fill(0.0);
        for (back, weight) in &self.taps {
            let past = self.ring[(self.newest + length - back) % length];
            outputs.iter_mut().zip(past).for_each(|(sum, past)| *sum += weight * past);
        }
    }

    fn save(&self) -> Vec<f64> {
        let head = [self.newest as f64, f64::from(u8::from(self.begun))];
        head.into_iter().chain(self.ring.iter().flatten().copied()).collect()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [newest, begun, ring @ ..] = from else { return false };
        let in_ring = newest.fract() == 0.0 && (0.0..self.ring.len() as f64).contains(newest);
        if ring.len() != 3 * self.ring.len() || !in_ring {
            return false;
        }
        (self.newest, self.begun) = (*newest as usize, *begun != 0.0);
        self.ring.as_flattened_mut().copy_from_slice(ring);
        true
    }
}
