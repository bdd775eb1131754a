//! Coriolis and centrifugal acceleration `a_mR` across a hinge: what the acceleration of body `k` keeps when its
//! parent's acceleration, `η̈` and `β̇` are zero [JR92 (25)].
//!
//! Two derivations of the same quantity, each also for a hinge at `F_k` with one axis or a ball, which adds its own terms ([`carried`]; [`carried_unturned`],
//! [`carried_obliquely`]):
//! - [`by_vectors`] with inertial derivatives, for elastic rotations that are rotations [S3];
//! - [`by_components`] with derivatives of components, for any `R_e` with any rate `Ṙ_e`; needed for `None` and
//!   `FirstOrder`, whose angular velocity is not the rate of their `R_e` [S3].
//!
//! | symbol | meaning                                             |
//! |--------|-----------------------------------------------------|
//! | `l`    | lever arm of a node from its `F`                    |
//! | `w`    | elastic angular velocity `E λ η̇` of a node          |
//! | `dv`   | `γ η̇`                                               |
//! | `rho`  | from the node `t` to `O`, parent's axes             |
//! | `C`    | `R(p→k)*`, components in the parent to those in `k` |

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use supple_spatial::{Matrix3, Motion, Scalar, Vector3};

/// A hinge-carrying node and its rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<T> {
    /// Lever arm.
    pub l: Vector3<T>,
    /// Elastic angular velocity and velocity `[w; dv]`.
    pub rate: Motion<T>,
    /// What the angular rate keeps at `η̈ = 0`: `Ė λ η̇`.
    pub change: Vector3<T>,
    /// What the linear rate keeps, where the body has second-order shapes.
    pub second: Option<Vector3<T>>,
}

impl<T: Scalar> Node<T> {
    pub(crate) const GROUND: Self = Self { l: Vector3::ZERO, rate: Motion::ZERO, change: Vector3::ZERO, second: None };
}

/// The link between two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'a, T> {
    /// `V(p)`, parent's axes.
    pub V_p: Motion<T>,
    /// Node `t` of the parent.
    pub t: Node<T>,
    /// Node `d` of the body, where it is not `F_k`.
    pub d: Option<Node<T>>,
    /// `R(p→k)`.
    pub R: &'a Matrix3<T>,
    /// From `t` to `O`, parent's axes.
    pub rho: Vector3<T>,
    /// `H* β`, body's axes.
    pub relative: Motion<T>,
    /// What the hinge's own derivatives keep at `β̇ = 0`, body's axes.
    pub hinge_bias: Motion<T>,
}

/// What the acceleration of `O` keeps of the parent's motion where no mode moves the node, in the axes of the body: `ω_p × (ω_p × ρ)`.
#[inline(always)]
pub(crate) fn carried_rigidly<T: Scalar>(w_p: Vector3<T>, rho: Vector3<T>, R: &Matrix3<T>) -> Motion<T> {
    Motion::new(Vector3::ZERO, R.transpose_mul(w_p.cross(w_p.cross(rho))))
}

/// What the acceleration of `O` keeps of the parent's motion by inertial derivatives, in the parent's axes.
#[inline(always)]
pub(crate) fn carried<T: Scalar>(V_p: Motion<T>, t: &Node<T>, rho: Vector3<T>) -> Motion<T> {
    let (w_p, w_t, dv_t) = (V_p.angular, t.rate.angular, t.rate.linear);
    // Node t: ω_p × w_t + Ė λ η̇;  ω_p × (ω_p × l + 2 γ η̇)                          [JR92 (28)]
    let spin = w_p.cross_add(w_t, t.change);
    let mut lin = w_p.cross(w_p.cross_add(t.l, dv_t + dv_t));
    if let Some(second) = t.second {
        lin += second;
    }
    // O: ω̇ × ρ + ω_t × (ω_t × ρ)
    let omega_t = w_p + w_t;
    lin = omega_t.cross_add(omega_t.cross(rho), spin.cross_add(rho, lin));
    Motion::new(spin, lin)
}

/// The same by derivatives of components, where the axes of the node stay those of the body, `R_e = 1`, although it has an angular rate.
#[inline(always)]
pub(crate) fn carried_unturned<T: Scalar>(V_p: Motion<T>, t: &Node<T>, rho: Vector3<T>) -> Motion<T> {
    let (w_p, omega_t) = (V_p.angular, V_p.angular + t.rate.angular);
    // Node t: v̇_p = - ω_p × v_p when α_p = 0, in axes that turn with ω_t                  [S3]
    let v_t = w_p.cross_add(t.l, V_p.linear) + t.rate.linear;
    let mut lin = omega_t.cross(v_t) - w_p.cross(V_p.linear);
    if let Some(second) = t.second {
        lin += second;
    }
    // O: ω̇_t × ρ + ω_t × (ω_t × ρ)
    let spin = t.change;
    lin = omega_t.cross_add(omega_t.cross(rho), spin.cross_add(rho, lin));
    Motion::new(spin, lin)
}

/// The same where `R_e` is not orthogonal, with the rate `Ṙ_e = w̃`, in the axes of the body: `R = R_e A R_J` turns them into the parent's,
/// and the place of the hinge on its node is `(A R_J, x_O)`, `ρ = R_e x_O`.
#[inline(always)]
pub(crate) fn carried_obliquely<T: Scalar>(
    V_p: Motion<T>,
    t: &Node<T>,
    rho: Vector3<T>,
    R: &Matrix3<T>,
    (mounted, x_O): &(Matrix3<T>, Vector3<T>),
) -> Motion<T> {
    let (w_p, v_p, w_t, dv_t) = (V_p.angular, V_p.linear, t.rate.angular, t.rate.linear);
    // Node t: v̇_p = - ω_p × v_p when α_p = 0;  O: ρ̇ = w × x_O                            [S3]
    let (omega_t, omega_t_dot) = (w_p + w_t, t.change);
    let v_O = omega_t.cross_add(rho, w_p.cross_add(t.l, v_p) + dv_t);
    let mut v_O_dot = omega_t_dot.cross_add(rho, omega_t.cross_add(w_t.cross(*x_O), w_p.cross(dv_t - v_p)));
    if let Some(second) = t.second {
        v_O_dot += second;
    }
    // u = R* y:  u̇ = R* ẏ + (A R_J)* (y × w), and + ω × v of the axes of the body
    let rate = |y: Vector3<T>, y_dot: Vector3<T>| R.transpose_mul(y_dot) + mounted.transpose_mul(y.cross(w_t));
    let centripetal = R.transpose_mul(omega_t).cross(R.transpose_mul(v_O));
    Motion::new(rate(omega_t, omega_t_dot), rate(v_O, v_O_dot) + centripetal)
}

/// `a_mR` by inertial derivatives of vectors.
#[inline(always)]
pub(crate) fn by_vectors<T: Scalar>(link: &Link<'_, T>) -> Motion<T> {
    let Link { V_p, t, d, R, rho, relative, hinge_bias } = *link;
    // Across the hinge, in body axes: + ω_t × Δω, + 2 ω_t × Δv and the hinge's own terms
    let omega_t = R.transpose_mul(V_p.angular + t.rate.angular);
    let turned = carried(V_p, &t, rho).rotate_back(R);
    let ang = omega_t.cross_add(relative.angular, turned.angular) + hinge_bias.angular;
    let lin = omega_t.cross_add(relative.linear + relative.linear, turned.linear) + hinge_bias.linear;
    let Some(d) = d else { return Motion::new(ang, lin) };

    // From O to F_k: - ω_k × w_d - Ė λ η̇;  - ω̇ × l - ω_k × (ω_k × l + 2 γ η̇)
    let (w_d, dv_d) = (d.rate.angular, d.rate.linear);
    let w_k = omega_t + relative.angular - w_d;
    let ang = ang - w_k.cross_add(w_d, d.change);
    let lin = lin - ang.cross_add(d.l, w_k.cross(w_k.cross_add(d.l, dv_d + dv_d)));
    Motion::new(ang, d.second.map_or(lin, |second| lin - second))
}

/// `R_e` of a node, its rate, and the rate of the lever arm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning<T> {
    /// `R_e`.
    pub R_e: Matrix3<T>,
    /// `Ṙ_e`.
    pub R_e_dot: Matrix3<T>,
    /// `l̇`.
    pub l_dot: Vector3<T>,
}

/// The hinge itself, before elastic rotations: in `O` axes unless said otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HingeComponents<T> {
    /// `A R_J`: `O` axes to node axes.
    pub mounted: Matrix3<T>,
    /// `x + A d_J`: from the node to `O`, node axes.
    pub x_O: Vector3<T>,
    /// `H* β`.
    pub relative: Motion<T>,
    /// What its derivatives keep at `β̇ = 0`.
    pub bias: Motion<T>,
}

/// `a_mR` by derivatives of components; of `link` only `V_p` and the nodes are read. The velocities of `O` and
/// `F_k` follow from them, with the lever arms and rates that the nodes have here.
pub(crate) fn by_components<T: Scalar>(
    link: &Link<'_, T>,
    t: Turning<T>,
    d: Turning<T>,
    hinge: &HingeComponents<T>,
) -> Motion<T> {
    let (w_p, v_p) = (link.V_p.angular, link.V_p.linear);
    let node_d = link.d.unwrap_or(Node::GROUND);
    let (h_w, c_w) = (hinge.relative.angular, hinge.bias.angular);
    // d_J rates in node axes
    let (d_dot, d_ddot) = (hinge.mounted * hinge.relative.linear, hinge.mounted * hinge.bias.linear);

    // Node t: v̇_p = - ω_p × v_p when α_p = 0
    let omega_t = w_p + link.t.rate.angular;
    let omega_t_dot = link.t.change;
    let v_t = w_p.cross_add(link.t.l, v_p) + link.t.rate.linear;
    let second = |node: &Node<T>| node.second.unwrap_or(Vector3::ZERO);
    let v_t_dot = w_p.cross_add(t.l_dot - v_p, second(&link.t));

    // O: ρ = R_e x_O
    let rho = t.R_e * hinge.x_O;
    let rho_dot = t.R_e_dot.mul_add(hinge.x_O, t.R_e * d_dot);
    let v_O = omega_t.cross_add(rho, v_t) + t.R_e * d_dot;
    let v_O_dot =
        omega_t_dot.cross_add(rho, omega_t.cross_add(rho_dot, v_t_dot)) + t.R_e_dot.mul_add(d_dot, t.R_e * d_ddot);

    // Q = R_e A R_J takes O axes to the parent's; Q̇* = (Ṙ_e A R_J)* - h̃ Q*
    let Q = t.R_e * hinge.mounted;
    let Q_dot = t.R_e_dot * hinge.mounted;
    let through = |y: Vector3<T>, y_dot: Vector3<T>| {
        let value = Q.transpose_mul(y);
        (value, Q_dot.transpose_mul(y) + Q.transpose_mul(y_dot) - h_w.cross(value))
    };
    let (u, u_dot) = through(omega_t, omega_t_dot);
    let (omega_d, omega_d_dot) = (u + h_w, u_dot + c_w);
    let w_k = d.R_e * omega_d - node_d.rate.angular;
    let omega_k_dot = d.R_e_dot.mul_add(omega_d, d.R_e * omega_d_dot) - node_d.change;
    let (u_v, u_v_dot) = through(v_O, v_O_dot);
    let v_d_dot = d.R_e_dot.mul_add(u_v, d.R_e * u_v_dot);
    let v_k = d.R_e * u_v - w_k.cross_add(node_d.l, node_d.rate.linear);
    let v_k_dot = v_d_dot - omega_k_dot.cross(node_d.l) - w_k.cross_add(d.l_dot, second(&node_d));
    Motion::new(omega_k_dot, v_k_dot + w_k.cross(v_k))
}
