//! A joint servo with its own dynamics: a motor with back-EMF, loops of current and speed, and a gear with friction, spring and backlash.
//!
//! On the side of the motor, with `N` the gear ratio and `δ = θ_m/N - θ` the twist of the gear:
//!
//! ```text
//! L di/dt = v - R i - k ω_m                v = sat(k_p e + k_i ∫e),  e = sat(i*) - i
//! J dω_m/dt = k i - b ω_m - c tanh(ω_m/ω_c) - T/N                    T = K gap(δ) + C dδ/dt
//! ```
//!
//! `gap(δ)` is `δ` less half the backlash, zero within it, and nothing acts there. The current asked for, `i*`, is that of the effort
//! asked for, or that of a PI loop of speed. Without a spring the gear is rigid: `ω_m = N θ̇`, and the inertia of the rotor belongs into
//! the model of the plant.
//!
//! From one instant to the next the hinge goes on at its speed and the servo is integrated in steps that its fastest part bears; what acts
//! is the mean of `T`, so that its impulse is kept.

use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use supple::integrate::{Measured, Role, Sampled};

/// Speed over which friction turns its sign, rad/s of the motor.
const FRICTION_SPEED: f64 = 1e-2;
/// Most steps between two instants.
const MOST_STEPS: f64 = 10_000.0;

struct Motor {
    period: f64,
    steps: usize,
    resistance: f64,
    inductance: f64,
    constant: f64,
    ratio: f64,
    /// Greatest voltage and current.
    limits: [f64; 2],
    current_gains: [f64; 2],
    /// None where efforts are asked for.
    speed_gains: Option<[f64; 2]>,
    friction: [f64; 2],
    gear: Option<Gear>,
    /// Current, integrals of the loops of current and speed, angle and speed of the motor.
    x: [f64; 5],
    begun: bool,
}

#[derive(Clone, Copy)]
struct Gear {
    rotor: f64,
    stiffness: f64,
    damping: f64,
    backlash: f64,
}

const fn number(key: &'static str, takes: Takes, meaning: &'static str) -> Parameter {
    Parameter { key, takes, meaning }
}

/// The kind.
pub static KIND: Kind = Kind {
    name: "joint-servo",
    role: Role::Controller,
    about: "joint servo with its own dynamics: back-EMF motor, loops of current and speed, gear with friction, spring and backlash",
    parameters: &[
        number("resistance", Takes::Number(Bound::Positive), "resistance of the motor, Ω"),
        number("inductance", Takes::Number(Bound::Positive), "inductance of the motor, H"),
        number(
            "torque_constant",
            Takes::NumberOr(Bound::Positive, 1.0),
            "torque of the motor for each ampere and back-EMF for each rad/s, N m/A; default: 1",
        ),
        number(
            "gear_ratio",
            Takes::NumberOr(Bound::Positive, 1.0),
            "turns of the motor for one of the hinge; default: 1",
        ),
        number("voltage_limit", Takes::Maybe(Bound::Positive), "greatest voltage, V; default: none"),
        number("current_limit", Takes::Maybe(Bound::Positive), "greatest current, A; default: none"),
        number("current_p", Takes::Number(Bound::Positive), "gain of the current loop, V/A"),
        number(
            "current_i",
            Takes::NumberOr(Bound::NotNegative, 0.0),
            "gain of the integral of the current loop, V/(A s); default: 0",
        ),
        number(
            "speed_p",
            Takes::NumberOr(Bound::NotNegative, 0.0),
            "gain of the speed loop, A s/rad of the motor; with mode speed; default: 0",
        ),
        number(
            "speed_i",
            Takes::NumberOr(Bound::NotNegative, 0.0),
            "gain of the integral of the speed loop, A/rad; default: 0",
        ),
        number(
            "mode",
            Takes::Word(&[
                ("effort", "the input is the effort of the hinge, N m or N"),
                ("speed", "the input is the speed of the hinge"),
            ]),
            "what the input is; default: effort",
        ),
        number("friction", Takes::NumberOr(Bound::NotNegative, 0.0), "dry friction of the motor, N m; default: 0"),
        number(
            "viscous",
            Takes::NumberOr(Bound::NotNegative, 0.0),
            "viscous friction of the motor, N m s/rad; default: 0",
        ),
        number(
            "gear_stiffness",
            Takes::Maybe(Bound::Positive),
            "stiffness of the gear at the hinge, N m/rad; default: a rigid gear",
        ),
        number(
            "gear_damping",
            Takes::NumberOr(Bound::NotNegative, 0.0),
            "damping of the gear at the hinge, N m s/rad; default: 0",
        ),
        number(
            "backlash",
            Takes::NumberOr(Bound::NotNegative, 0.0),
            "backlash of the gear at the hinge, rad; with gear_stiffness; default: 0",
        ),
        number(
            "rotor_inertia",
            Takes::Maybe(Bound::Positive),
            "inertia of the rotor, kg m²; required with gear_stiffness",
        ),
    ],
    inputs: &[
        Input { key: "input", otherwise: Otherwise::Required, meaning: "commanded effort or speed" },
        Input {
            key: "measured",
            otherwise: Otherwise::Coordinate,
            meaning: "coordinate; default: that of the hinge, without error",
        },
        Input {
            key: "measured_speed",
            otherwise: Otherwise::Speed,
            meaning: "speed; default: that of the hinge, without error",
        },
    ],
    outputs: &[
        Output { name: "effort", unit: "N m, N", meaning: "mean effort on the hinge until the next instant" },
        Output { name: "current", unit: "A", meaning: "current of the motor at the next instant" },
        Output { name: "motor_speed", unit: "rad/s", meaning: "speed of the motor at the next instant" },
    ],
    hinges: Hinges::One,
    needs: Needs::Nothing,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let gear = match setting.positive_or("gear_stiffness", 0.0)? {
        0.0 => {
            let useless =
                ["backlash", "rotor_inertia", "gear_damping"].into_iter().find(|key| setting.values.contains_key(key));
            if let Some(key) = useless {
                return Err(SettingError::new(key, "a rigid gear has none", "`gear_stiffness` as well"));
            }
            None
        }
        stiffness => Some(Gear {
            rotor: setting.positive("rotor_inertia")?,
            stiffness,
            damping: setting.not_negative_or("gear_damping", 0.0)?,
            backlash: setting.not_negative_or("backlash", 0.0)?,
        }),
    };
    let (resistance, inductance) = (setting.positive("resistance")?, setting.positive("inductance")?);
    let (constant, ratio) = (setting.positive_or("torque_constant", 1.0)?, setting.positive_or("gear_ratio", 1.0)?);
    let current_gains = [setting.positive("current_p")?, setting.not_negative_or("current_i", 0.0)?];
    let is_speed = setting.word("mode", "effort") == "speed";
    let speed_gains = [setting.not_negative_or("speed_p", 0.0)?, setting.not_negative_or("speed_i", 0.0)?];
    let friction = [setting.not_negative_or("friction", 0.0)?, setting.not_negative_or("viscous", 0.0)?];
    // Rates of the parts: steps of a tenth of the shortest time.
    let mut fastest = (resistance + current_gains[0]) / inductance;
    fastest = fastest.max((current_gains[1] / inductance).sqrt());
    if let Some(Gear { rotor, stiffness, damping, .. }) = gear {
        let seen = rotor * ratio * ratio;
        fastest = fastest.max((stiffness / seen).sqrt()).max(damping / seen).max(friction[1] / rotor);
        fastest = fastest.max(friction[0] / FRICTION_SPEED / rotor).max(constant * speed_gains[0] / rotor);
        fastest = fastest.max((constant * constant / (rotor * inductance)).sqrt());
    }
    let steps = (10.0 * fastest * setting.period).ceil().max(1.0);
    if steps > MOST_STEPS {
        let what = format!("the servo takes {steps:.0} steps between two instants");
        let expected = format!("at most {MOST_STEPS:.0}: a higher rate, or slower parts (inductance, rotor, friction)");
        return Err(SettingError::new("update_rate", what, expected));
    }
    Ok(Box::new(Motor {
        period: setting.period,
        steps: steps as usize,
        resistance,
        inductance,
        constant,
        ratio,
        limits: [setting.positive_or("voltage_limit", f64::MAX)?, setting.positive_or("current_limit", f64::MAX)?],
        current_gains,
        speed_gains: is_speed.then_some(speed_gains),
        friction,
        gear,
        x: [0.0; 5],
        begun: false,
    }))
}

impl Motor {
    /// Rates of the servo's numbers and the effort on the hinge, whose coordinate and speed these are.
    fn rates(&self, x: [f64; 5], asked: f64, [theta, theta_dot]: [f64; 2]) -> ([f64; 5], f64) {
        let [current, integral, speed_integral, angle, mut speed] = x;
        if self.gear.is_none() {
            speed = self.ratio * theta_dot;
        }
        let [most_voltage, most_current] = self.limits;
        let (wanted, slip) = match self.speed_gains {
            None => (asked / (self.ratio * self.constant), 0.0),
            Some([p, i]) => {
                let slip = self.ratio * asked - speed;
                (p * slip + i * speed_integral, slip)
            }
        };
        let bounded = wanted.clamp(-most_current, most_current);
        let error = bounded - current;
        let voltage = self.current_gains[0] * error + self.current_gains[1] * integral;
        let given = voltage.clamp(-most_voltage, most_voltage);
        // Integrals rest while they would lead further beyond a limit.
        let integral_rate = if (voltage - given) * error > 0.0 { 0.0 } else { error };
        let speed_rate = if (wanted - bounded) * slip > 0.0 { 0.0 } else { slip };
        let current_rate = (given - self.resistance * current - self.constant * speed) / self.inductance;
        let drag = self.friction[1] * speed + self.friction[0] * (speed / FRICTION_SPEED).tanh();
        let torque = self.constant * current - drag;
        let Some(Gear { rotor, stiffness, damping, backlash }) = self.gear else {
            return ([current_rate, integral_rate, speed_rate, 0.0, 0.0], self.ratio * torque);
        };
        let (twist, twist_rate) = (angle / self.ratio - theta, speed / self.ratio - theta_dot);
        let gap = twist - twist.clamp(-0.5 * backlash, 0.5 * backlash);
        // Within the backlash nothing touches, and a tooth does not pull.
        let pressed = stiffness * gap + damping * twist_rate;
        let is_loose = backlash > 0.0 && (gap == 0.0 || pressed * gap < 0.0);
        let effort = if is_loose { 0.0 } else { pressed };
        let acceleration = (torque - effort / self.ratio) / rotor;
        ([current_rate, integral_rate, speed_rate, speed, acceleration], effort)
    }
}

impl Sampled for Motor {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let [asked, theta, theta_dot] = measured.signals else { return };
        if !self.begun {
            // The motor starts with the hinge.
            (self.x[3], self.x[4], self.begun) = (self.ratio * theta, self.ratio * theta_dot, true);
        }
        let h = self.period / self.steps as f64;
        let mut impulse = 0.0;
        for step in 0..self.steps {
            let hinge = |part: f64| [theta + theta_dot * h * (step as f64 + part), *theta_dot];
            let moved = |rates: [f64; 5], h: f64| std::array::from_fn(|i| self.x[i] + h * rates[i]);
            // Runge and Kutta's method of order four.
            let (k1, t1) = self.rates(self.x, *asked, hinge(0.0));
            let (k2, t2) = self.rates(moved(k1, 0.5 * h), *asked, hinge(0.5));
            let (k3, t3) = self.rates(moved(k2, 0.5 * h), *asked, hinge(0.5));
            let (k4, t4) = self.rates(moved(k3, h), *asked, hinge(1.0));
            self.x = std::array::from_fn(|i| self.x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
            impulse += (t1 + 2.0 * (t2 + t3) + t4) / 6.0;
        }
        let speed = if self.gear.is_some() { self.x[4] } else { self.ratio * theta_dot };
        outputs.copy_from_slice(&[impulse / self.steps as f64, self.x[0], speed]);
    }

    fn save(&self) -> Vec<f64> {
        self.x.iter().copied().chain([f64::from(u8::from(self.begun))]).collect()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [a, b, c, d, e, begun] = from else { return false };
        (self.x, self.begun) = ([*a, *b, *c, *d, *e], *begun != 0.0);
        true
    }
}
