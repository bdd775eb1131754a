//! The numbers of the closed chains of the gallery, from the data of their models, by hand: loops of rigid bars, virtual work, statics of beams.

use super::analytic::{G, Number, root};
use std::f64::consts::{PI, TAU};

/// All of them.
pub fn numbers() -> Vec<Number> {
    let mut all = Vec::new();
    all.extend(four_bar());
    all.extend(slider_crank());
    all.extend(stewart_platform());
    all.extend(two_arms());
    all
}

/// The torque that turns a mechanism of one degree of freedom at the constant rate `w`: `dV/dφ + ½ w² dJ/dφ` with the energies
/// `V(φ)` and `½ w² J(φ)`, by differences of order four.
fn torque(energies: impl Fn(f64) -> [f64; 2], w: f64, angle: f64) -> f64 {
    let h = 1e-3;
    let change = |i: usize| {
        let at = |x: f64| energies(angle + x * h)[i];
        (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h)
    };
    change(0) + 0.5 * w * w * change(1)
}

/// Rates of a function of the crank angle.
fn rate(f: impl Fn(f64) -> f64, angle: f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(angle + h) - f(angle - h)) - (f(angle + 2.0 * h) - f(angle - 2.0 * h))) / (12.0 * h)
}

fn four_bar() -> [Number; 4] {
    let (crank, coupler, rocker, base) = (0.108_f64, 0.2794_f64, 0.2705_f64, 0.254_f64);
    // The pin of the rocker: where circles about the pin of the crank and about the pivot meet.
    let pins = |angle: f64| {
        let (x, y) = (crank * angle.cos(), crank * angle.sin());
        let (dx, dy) = (base - x, -y);
        let distance = dx.hypot(dy);
        let along = (distance * distance + coupler * coupler - rocker * rocker) / (2.0 * distance);
        let across = (coupler * coupler - along * along).sqrt();
        let (ex, ey) = (dx / distance, dy / distance);
        [[x, y], [x + along * ex - across * ey, y + along * ey + across * ex]]
    };
    let swing = |angle: f64| pins(angle)[1][1].atan2(pins(angle)[1][0] - base);
    let tilt = |angle: f64| {
        let [[ax, ay], [bx, by]] = pins(angle);
        (by - ay).atan2(bx - ax)
    };
    let mass = 2710.0 * 0.0016 * 0.0254 * coupler;
    let inertia = mass * (coupler * coupler + 0.0016 * 0.0016) / 12.0;
    let energies = |angle: f64| {
        let middle = |i: usize| move |angle: f64| 0.5 * (pins(angle)[0][i] + pins(angle)[1][i]);
        let height = 0.0735 * 0.085 * angle.sin() + mass * middle(1)(angle) + 0.0718 * 0.2147 * swing(angle).sin();
        let square = |rate: f64| rate * rate;
        let motion = 9e-5
            + 0.0735 * 0.085 * 0.085
            + mass * (square(rate(middle(0), angle)) + square(rate(middle(1), angle)))
            + inertia * square(rate(tilt, angle))
            + (5e-4 + 0.0718 * 0.2147 * 0.2147) * square(rate(swing, angle));
        [G * height, motion]
    };
    let turn = (0..2000).map(|i| torque(energies, TAU / 5.0, TAU * f64::from(i) / 2000.0));
    let (least, greatest) = turn.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    // Where crank and coupler are in line.
    let dead = |reach: f64| PI - ((base * base + rocker * rocker - reach * reach) / (2.0 * base * rocker)).acos();
    let folder = "four-bar";
    [
        (folder, "greatest torque of a slow turn", greatest),
        (folder, "least torque of a slow turn", least),
        (folder, "greatest angle of the rocker", dead(coupler - crank)),
        (folder, "least angle of the rocker", dead(crank + coupler)),
    ]
}

fn slider_crank() -> [Number; 1] {
    let (crank, rod) = (0.15, 0.3);
    let mass = 7870.0 * 0.008 * 0.008 * rod;
    let tilt = move |angle: f64| -(crank / rod * angle.sin()).asin();
    let slider = move |angle: f64| crank * angle.cos() + rod * tilt(angle).cos();
    let energies = |angle: f64| {
        let x = move |angle: f64| crank * angle.cos() + 0.5 * rod * tilt(angle).cos();
        let y = move |angle: f64| 0.5 * crank * angle.sin();
        let square = |rate: f64| rate * rate;
        let motion = mass * (square(rate(x, angle)) + square(rate(y, angle)))
            + mass * (rod * rod + 0.008 * 0.008) / 12.0 * square(rate(tilt, angle))
            + 0.075552 * square(rate(slider, angle));
        [0.0, motion]
    };
    // 15 rad/s since 1 s, as far as the angle goes.
    [("slider-crank", "torque of the motor after 59.9 s", torque(energies, 15.0, 15.0 * 58.9))]
}

/// By symmetry the plate moves up and down only. Where the energy of weights and springs is least:
fn stewart_platform() -> [Number; 2] {
    let (base, plate, height, rod) = (1.0_f64, 0.6_f64, 1.2_f64, 0.7_f64);
    let aside = base * base + plate * plate - 2.0 * base * plate * (PI / 6.0).cos();
    let length = |h: f64| (h * h + aside).sqrt();
    let mass = 2700.0 * PI * (0.01_f64.powi(2) - 0.0085_f64.powi(2)) * rod;
    let rest = |push: f64| {
        // Of a leg and its share of the plate, with respect to the height; slopes of the legs' mass centres with it.
        let force = |h: f64| {
            let (l, slope) = (length(h), h / length(h));
            let upright = aside / l.powi(3);
            let weight = 20.0 + 3.0 * 0.3 * upright + mass * (1.0 - 0.5 * rod * upright);
            G * weight + (6000.0 * (l - length(height)) - push) * slope
        };
        root(force, 1.0, 1.4)
    };
    [
        ("stewart-platform", "height of the plate at rest", rest(0.0)),
        ("stewart-platform", "height of the plate, lifted by 150 N a leg", rest(150.0)),
    ]
}

/// Both arms as chains of two cantilevers that sag under the forces at their ends. Unknown are the angles of the right arm and the force that
/// it exerts on the payload; its ends must meet, and its torques are given.
fn two_arms() -> [Number; 2] {
    let load = 20.0 * G;
    let left = [1.647689807, -1.420228054];
    let residual = |x: &[f64; 4]| {
        let (centre, grip, tilt) = payload(left, [x[2], x[3]], load);
        let (tip, _, torques) = arm(1.0, [x[0], x[1]], [-x[2], -x[3] - G], 0.0);
        let misses = [tip[0] - grip[0], tip[1] - grip[1], torques[0] + 31.992, torques[1] + 102.710];
        (misses, centre, tilt)
    };
    let mut x = [1.1, 1.7, 0.0, 0.5 * load];
    for _ in 0..20 {
        let (misses, ..) = residual(&x);
        let mut matrix = [[0.0; 5]; 4];
        for j in 0..4 {
            let mut moved = x;
            moved[j] += 1e-6;
            let (there, ..) = residual(&moved);
            (0..4).for_each(|i| matrix[i][j] = (there[i] - misses[i]) / 1e-6);
        }
        (0..4).for_each(|i| matrix[i][4] = -misses[i]);
        solve(&mut matrix);
        (0..4).for_each(|i| x[i] += matrix[i][4]);
    }
    let (_, centre, tilt) = residual(&x);
    [
        ("two-arms", "mean height of the payload, lifted", centre[1]),
        ("two-arms", "mean tilt of the payload, sin(θ/2)", (-0.5 * tilt).sin()),
    ]
}

/// Centre, right grip and tilt of the payload on the left arm under a force on the grip.
fn payload(angles: [f64; 2], force: [f64; 2], load: f64) -> ([f64; 2], [f64; 2], f64) {
    let (mut tip, mut tilt) = ([0.0; 2], 0.0_f64);
    for _ in 0..40 {
        let (s, c) = tilt.sin_cos();
        let moment = 0.8 * (c * force[1] - s * force[0]) - 0.4 * c * load;
        let (end, angle, _) = arm(-1.0, angles, [force[0], force[1] - load], moment);
        // The wrist keeps it level as long as nothing sags.
        (tip, tilt) = (end, angle - angles[0] - angles[1]);
    }
    let at = |x: f64| [tip[0] + x * tilt.cos(), tip[1] + x * tilt.sin()];
    (at(0.4), at(0.8), tilt)
}

/// Tip, its angle and the torques of an arm whose hinges have `angles`, under a force and a moment on its tip.
fn arm(base: f64, angles: [f64; 2], force: [f64; 2], moment: f64) -> ([f64; 2], f64, [f64; 2]) {
    let (upper, fore, motor, wrist) = (1.0, 0.9, 3.0 * G, G);
    let weight = 2700.0 * PI * (0.025_f64.powi(2) - 0.023_f64.powi(2)) * G;
    let ei = 7e10 * 0.25 * PI * (0.025_f64.powi(4) - 0.023_f64.powi(4));
    // End and slope of a beam from its root, and the moment there, counted like the angles.
    let link = |length: f64, angle: f64, [fx, fz]: [f64; 2], moment: f64| {
        let (s, c) = angle.sin_cos();
        let (across, own) = (fz * c - fx * s, -weight * c);
        let deflection =
            (own * length.powi(4) / 8.0 + across * length.powi(3) / 3.0 + moment * length * length / 2.0) / ei;
        let slope = (own * length.powi(3) / 6.0 + across * length * length / 2.0 + moment * length) / ei;
        let end = [length * c - deflection * s, length * s + deflection * c];
        (end, slope, moment + end[0] * fz - end[1] * fx + own * length * length / 2.0)
    };
    let at_wrist = [force[0], force[1] - wrist];
    let at_elbow = [at_wrist[0], at_wrist[1] - motor - weight * fore];
    let mut slope = 0.0;
    let mut found = ([0.0; 2], 0.0, [0.0; 2]);
    for _ in 0..40 {
        let (second, bent, elbow) = link(fore, angles[0] + slope + angles[1], at_wrist, moment);
        let (first, turned, shoulder) = link(upper, angles[0], at_elbow, elbow);
        slope = turned;
        let tip = [base + first[0] + second[0], first[1] + second[1]];
        found = (tip, angles[0] + slope + angles[1] + bent, [-shoulder, -elbow]);
    }
    found
}

/// By elimination with the largest pivots; the solution replaces the last column.
fn solve(a: &mut [[f64; 5]; 4]) {
    for k in 0..4 {
        let pivot = (k..4).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        a.swap(k, pivot);
        for i in (0..4).filter(|i| *i != k) {
            let share = a[i][k] / a[k][k];
            let row = a[k];
            (k..5).for_each(|j| a[i][j] -= share * row[j]);
        }
    }
    (0..4).for_each(|k| a[k][4] /= a[k][k]);
}
