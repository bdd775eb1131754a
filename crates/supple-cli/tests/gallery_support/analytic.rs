//! The numbers of the gallery that have a formula, from the data of the models, by hand.

use std::f64::consts::{PI, TAU};

pub const G: f64 = 9.81;

/// Folder, check and value.
pub type Number = (&'static str, &'static str, f64);

/// All of them.
pub fn numbers() -> Vec<Number> {
    let mut all = Vec::new();
    all.extend(spin_up_beam());
    all.extend(spacecraft());
    all.extend(laboratory_link());
    all.extend(crane());
    all.extend(ur5());
    all.extend(ur10());
    all.extend(satellite_grapple());
    all.extend(walking_arm());
    all.extend(two_link_arm());
    all.extend(under_control());
    all.extend(super::closed_chains::numbers());
    all
}

/// The fixture of a satellite that drifts and turns about z, and the hand of an arm that waits.
fn satellite_grapple() -> [Number; 2] {
    let turned = |[x, y, z]: [f64; 3], axis: char, angle: f64| {
        let (s, c) = angle.sin_cos();
        if axis == 'z' { [c * x - s * y, s * x + c * y, z] } else { [c * x + s * z, y, c * z - s * x] }
    };
    // From the hand inwards: the length of each link, then the hinge at its root.
    let links =
        [('x', 0.0, 0.6), ('y', 0.2, 0.8), ('z', 0.5, 0.5), ('z', -1.5, 7.0), ('z', 0.9, 6.4), ('y', -0.3, 0.9)];
    let hand =
        links.iter().fold([0.0; 3], |[x, y, z], (axis, angle, length)| turned([x + length, y, z], *axis, *angle));
    let hand = [hand[0], hand[1] + 2.0, hand[2]];
    let (centre, speed) = ([13.807079, 2.919141, 3.313724], [-0.05, 0.02, 0.01]);
    let open = |time: f64| {
        let fixture = turned([-1.2, 0.0, 0.0], 'z', 0.02 * time);
        let apart = (0..3).map(|i| centre[i] + speed[i] * time + fixture[i] - hand[i]);
        apart.map(|x| x * x).sum::<f64>().sqrt() - 0.01
    };
    let folder = "satellite-grapple";
    [(folder, "instant of the grapple", root(open, 5.0, 12.0)), (folder, "momentum at the end", 1200.0 * speed[0])]
}

/// Steps of two booms that stand at equal angles to the ground.
fn walking_arm() -> [Number; 3] {
    let length = 2.0 * 3.5 * 0.962550747884687_f64.cos();
    let folder = "walking-arm";
    [
        (folder, "foot b after one step", length),
        (folder, "foot a after two steps", 2.0 * length),
        (folder, "foot b after three steps", 3.0 * length),
    ]
}

/// The axial displacement of a rod that turns at `w` about its end: `EA u'' + m w² (x + u) = 0`, `u(0) = 0`, `u'(L) = 0`.
fn spin_up_beam() -> [Number; 1] {
    let (length, ea, mass, w): (f64, f64, f64, f64) = (10.0, 2.8e7, 1.2, 6.0);
    let a = w * length * (mass / ea).sqrt();
    [("spin-up-beam", "mean stretch at 6 rad/s", length * (a.tan() / a - 1.0))]
}

fn spacecraft() -> [Number; 3] {
    let (bus, side, length, mass, ei): (f64, f64, f64, f64, f64) = (150.0, 0.75, 5.0, 4.0, 2000.0);
    let (torque, burn) = (3.0, 10.0);
    let end = side + length;
    // Both panels, with the rotary inertia of their sections.
    let inertia = bus + 2.0 * (mass * (end.powi(3) - side.powi(3)) / 3.0 + 1e-4 * length);
    // Unknowns A, B, C, D, θ with w = A cos βx + B sin βx + C cosh βx + D sinh βx from the root, where w = side θ, w' = θ; free at the tip;
    // the bus turns under moment and shear of both roots: -ω² J θ = 2 EI (w'' - side w''').
    let equation = |beta: f64| {
        let (z, square) = (beta * length, beta.powi(4) * ei / mass);
        let (s, c, sh, ch) = (z.sin(), z.cos(), z.sinh(), z.cosh());
        let [second, third] = [2.0 * ei * beta * beta, 2.0 * ei * side * beta.powi(3)];
        determinant(vec![
            vec![1.0, 0.0, 1.0, 0.0, -side],
            vec![0.0, beta, 0.0, beta, -1.0],
            vec![-c, -s, ch, sh, 0.0],
            vec![s, -c, sh, ch, 0.0],
            vec![-second, third, second, -third, bus * square],
        ])
    };
    let beta = root(equation, 0.4, 0.8);
    let folder = "spacecraft";
    [
        (folder, "angular momentum after the first burn", torque * burn),
        (folder, "final attitude, sin(θ/2)", (0.5 * torque * burn * burn / inertia).sin()),
        (folder, "frequency with the bus free", beta * beta * (ei / mass).sqrt() / TAU),
    ]
}

fn laboratory_link() -> [Number; 4] {
    let (length, thick, high, young, density, hub) = (0.9_f64, 0.0032004_f64, 0.019008, 7.1e10, 2710.0, 5.8598e-4);
    let (ei, mass) = (young * high * thick.powi(3) / 12.0, density * high * thick);
    let rotary = density * high * thick.powi(3) / 12.0;
    let inertia = mass * length.powi(3) / 3.0 + rotary * length + hub;
    // w = A (cos - cosh) + B sin + C sinh; the hub: EI w'' + ω² J w' = 0 at the root; free at the tip.
    let equation = |beta: f64| {
        let (z, square) = (beta * length, beta.powi(4) * ei / mass);
        let (s, c, sh, ch) = (z.sin(), z.cos(), z.sinh(), z.cosh());
        let turned = hub * square * beta;
        determinant(vec![vec![-2.0 * ei * beta * beta, turned, turned], vec![-(c + ch), -s, sh], vec![s - sh, -c, ch]])
    };
    let hertz = |low: f64, high: f64| root(equation, low / length, high / length).powi(2) * (ei / mass).sqrt() / TAU;
    let folder = "laboratory-link";
    [
        (folder, "mean angle of the hub after the manoeuvre", 0.3 * 0.3 * 0.3 / inertia),
        (folder, "first frequency", hertz(3.5, 3.92)),
        (folder, "second frequency", hertz(5.5, 6.9)),
        (folder, "third frequency", hertz(7.5, 9.0)),
    ]
}

/// Two links of 0.5 m at given angles.
fn two_link_arm() -> [Number; 2] {
    let (length, shoulder, elbow) = (0.5, 0.8_f64, -0.6);
    let folder = "two-link-arm";
    let (second, place) = (shoulder + elbow, |first: f64, second: f64| length * (first + second));
    [
        (folder, "y of the tip after the move", place(shoulder.sin(), second.sin())),
        (folder, "x of the tip after the move", place(shoulder.cos(), second.cos())),
    ]
}

/// Where controllers hold an elbow, what they cannot change, and where inversion and a wheel take an arm and a spacecraft.
fn under_control() -> [Number; 4] {
    let (side, end): (f64, f64) = (0.75, 5.75);
    let inertia = 150.0 + 1.0 + 2.0 * (4.0 * (end.powi(3) - side.powi(3)) / 3.0 + 1e-4 * 5.0);
    let turn = 328.416874 / inertia;
    [
        ("satellite-grapple", "elbow after the stop under control", -1.5),
        ("satellite-grapple", "momentum after the stop", 1200.0 * -0.05),
        ("rest-to-rest", "place of the tip at the end", 0.7),
        ("spacecraft-wheel", "final attitude, sin(θ/2)", (0.5 * turn).sin()),
    ]
}

/// Mass and bending stiffness per length of a steel box.
fn steel_box(width: f64, height: f64, thickness: f64) -> (f64, f64) {
    let (inner, low) = (width - 2.0 * thickness, height - 2.0 * thickness);
    (7850.0 * (width * height - inner * low), 2.1e11 * (width * height.powi(3) - inner * low.powi(3)) / 12.0)
}

/// Deflection at the tip of a cantilever under its weight per length, a force and a moment at the tip.
fn cantilever(length: f64, ei: f64, weight: f64, force: f64, moment: f64) -> f64 {
    length * length / ei * (weight * length * length / 8.0 + force * length / 3.0 + moment / 2.0)
}

fn crane() -> [Number; 6] {
    let ((outer, outer_ei), (inner, inner_ei)) = (steel_box(0.35, 0.5, 0.008), steel_box(0.3, 0.44, 0.006));
    let (load, collar) = (3000.0 * G, 200.0 * G);
    // The root of the inner boom is 4 m behind the tip of the outer one, less the extension.
    let on_the_tip = |extension: f64| {
        let back = extension - 4.0;
        (inner * G * 6.0 + load + collar, inner * G * 6.0 * (back + 3.0) + load * (back + 6.0))
    };
    let sag = |extension: f64| {
        let (force, moment) = on_the_tip(extension);
        -cantilever(8.0, outer_ei, outer * G, force, moment)
    };
    let (force, moment) = on_the_tip(3.0);
    let slope = 8.0 / outer_ei * (outer * G * 64.0 / 6.0 + force * 4.0 + moment);
    let inner_sag = -cantilever(6.0, inner_ei, inner * G, load, 0.0);
    // A pendulum of length l = J/mc whose pivot accelerates: what is left is the transform of the acceleration at its frequency, over l ω.
    let length = (3000.0 * 16.0 + 300.0) / (3000.0 * 4.0);
    let w = (G / length).sqrt();
    let (way, duration, steps) = (3.0, 8.0, 20_000);
    let part = |i: i32| {
        let s = (f64::from(i) + 0.5) / f64::from(steps);
        let acceleration = way / (duration * duration) * (60.0 * s - 180.0 * s * s + 120.0 * s.powi(3));
        let (sine, cosine) = (w * duration * s).sin_cos();
        [acceleration * cosine, acceleration * sine]
    };
    let sum = (0..steps).map(part).fold([0.0, 0.0], |[a, b], [c, d]| [a + c, b + d]);
    let swing = sum[0].hypot(sum[1]) * duration / f64::from(steps) / (length * w);
    let folder = "crane";
    [
        (folder, "sag of the outer boom, retracted", sag(0.0)),
        (folder, "sag of the outer boom, extended", sag(3.0)),
        (folder, "sag of the inner boom", inner_sag),
        (folder, "height of the hook, extended", 6.0 + sag(3.0) + inner_sag - 5.0 * slope),
        (folder, "residual swing", swing),
        (folder, "frequency of the swing", w / TAU),
    ]
}

fn ur5() -> [Number; 2] {
    let (outer, inner, length, upper) = (0.03_f64, 0.0285_f64, 0.39225, 0.425);
    let (mass, ei) =
        (2700.0 * PI * (outer * outer - inner * inner), 7e10 * 0.25 * PI * (outer.powi(4) - inner.powi(4)));
    // Wrists and payload: with the wrist at zero their mass centres are in the plane across the end of the forearm.
    let carried = 2.0 * 1.219 + 0.1879 + 5.0;
    let levers = 8.393 * 0.28 + mass * length * (upper + 0.5 * length) + carried * (upper + length);
    [
        ("ur5", "mean torque that holds the arm", -G * levers),
        ("ur5", "mean sag of the forearm", cantilever(length, ei, mass * G, carried * G, 0.0)),
    ]
}

/// Masses of the links with their levers from the shoulder: along the stretched arm, and below it, which is what is left of them when it is upright.
fn ur10() -> [Number; 2] {
    let (upper, reach) = (0.612, 0.612 + 0.5723);
    let (below_wrist, below_hand) = (0.1157 - 0.007, 0.1157);
    let links = [
        (12.7, upper - 0.38, 0.0),
        (4.27, reach - 0.24, 0.0),
        (2.0, reach, 0.018),
        (2.0, reach, below_wrist),
        (0.365, reach, below_hand),
        (10.0, reach, below_hand),
    ];
    let moment = |lever: fn(&(f64, f64, f64)) -> f64| -G * links.iter().map(|link| link.0 * lever(link)).sum::<f64>();
    [
        ("ur10", "torque that holds the stretched arm", moment(|link| link.1)),
        ("ur10", "torque that holds the upright arm", moment(|link| link.2)),
    ]
}

/// The root of a function between two places where its signs differ.
pub fn root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let below = f(low);
    assert!(below * f(high) < 0.0, "no sign changes between {low} and {high}");
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if below * f(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// By elimination with the largest pivots.
fn determinant(mut a: Vec<Vec<f64>>) -> f64 {
    let mut product = 1.0;
    for k in 0..a.len() {
        let pivot = (k..a.len()).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        if pivot != k {
            a.swap(k, pivot);
            product = -product;
        }
        product *= a[k][k];
        for i in k + 1..a.len() {
            let share = a[i][k] / a[k][k];
            for j in k..a.len() {
                a[i][j] -= share * a[k][j];
            }
        }
    }
    product
}
