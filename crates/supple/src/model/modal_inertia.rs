//! Inertia of a flexible body as tables of modal integrals, in Lagrange's convention.
//!
//! The kinetic energy `½ V* M(η) V` of a body, with `V = [ω; v; η̇]`, is that of
//!
//! ```text
//! M(η) = | J(η)  c̃(η)  F(η) |     c(η) = c0 + Σ c1(r) η_r
//!        |        m I    E   |     F(η) = F0 + Σ F1(·,s) η_s
//!        | sym           M_ff|     J(η) = J0 + Σ A(r) η_r + ½ Σ 2J2(r,s) η_r η_s
//! ```
//!
//! so these tables are all that the dynamics needs to know of where the mass is [US508 C.2].

use super::description::{Body, Node};
use supple_spatial::{Symmetric3, Vector3};

/// Inertia given by its modal integrals instead of by masses at nodes, as finite-element codes and standard input data have it.
///
/// It adds to the inertia of the nodes, and is read in Lagrange's convention whatever that of the system. Tables run over the modes,
/// then over the [second-order shapes](super::description::Modes::second_order). Sums in the third column are over the mass that the
/// table stands for: masses `m` at `l0`, with mass-centre offsets `p`, inertias `J`, and columns `λ_r`, `γ_r` of the modes.
///
/// | field             | symbol    | what it is                                                        |
/// |-------------------|-----------|-------------------------------------------------------------------|
/// | `moment_change`   | `c1(r)`   | `∂c/∂η_r = Σ m γ_r`                                               |
/// | `coupling`        | `F0, E`   | angular and linear momentum per unit modal speed                  |
/// | `coupling_change` | `F1(r,s)` | `∂F(r)/∂η_s = Σ m γ_s × (γ_r + λ_r × p)`                          |
/// | `inertia_first`   | `A(r)`    | `∂J/∂η_r` at rest                                                 |
/// | `inertia_second`  | `2J2(r,s)`| `∂²J/∂η_r∂η_s`                                                    |
/// | `modal_mass`      | `M_ff`    | `Σ λ_r·J λ_s + m (...)`                                           |
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ModalInertia {
    /// Mass.
    pub mass: f64,
    /// First moment of the mass about `F_k`: mass times mass centre, undeformed.
    pub mass_moment: [f64; 3],
    /// Inertia about `F_k`, undeformed.
    pub inertia: [[f64; 3]; 3],
    /// Change of the first moment per mode.
    pub moment_change: Vec<[f64; 3]>,
    /// Angular momentum about `F_k`, then linear momentum, per unit modal speed of the undeformed body.
    pub coupling: Vec<[f64; 6]>,
    /// Change of the angular momentum of mode `r` (row) with mode `s` (column).
    pub coupling_change: Vec<Vec<[f64; 3]>>,
    /// First derivative of the inertia.
    pub inertia_first: Vec<[[f64; 3]; 3]>,
    /// Second derivative of the inertia, symmetric in its two modes.
    pub inertia_second: Vec<Vec<[[f64; 3]; 3]>>,
    /// Modal mass.
    pub modal_mass: Vec<Vec<f64>>,
}

/// A node with numbers in our types.
pub(super) struct NodeTerms {
    pub m: f64,
    pub p: Vector3<f64>,
    pub j: Symmetric3<f64>,
    pub l0: Vector3<f64>,
    pub lambda: Vec<Vector3<f64>>,
    pub gamma: Vec<Vector3<f64>>,
}

impl NodeTerms {
    /// The nodes that carry inertia, with the columns of the first `shapes` modes and shapes.
    pub fn of(nodes: &[Node], shapes: usize) -> Vec<Self> {
        let part = |column: &[f64; 6], at: usize| Vector3([column[at], column[at + 1], column[at + 2]]);
        let columns = |n: &Node, at: usize| match n.influence.is_empty() {
            true => vec![Vector3::ZERO; shapes],
            false => n.influence[..shapes].iter().map(|c| part(c, at)).collect(),
        };
        let terms = nodes.iter().map(|n| Self {
            m: n.mass,
            p: Vector3(n.mass_centre),
            j: Symmetric3::from_f64(n.inertia),
            l0: Vector3(n.position),
            lambda: columns(n, 0),
            gamma: columns(n, 3),
        });
        terms.filter(|n| n.m != 0.0 || n.j != Symmetric3::ZERO).collect()
    }

    /// Whether shape `r` moves the node along x, if at all, and does not turn it.
    fn is_axial(&self, r: usize) -> bool {
        let [_, y, z] = self.gamma[r].0;
        self.lambda[r] == Vector3::ZERO && y == 0.0 && z == 0.0
    }

    /// `x_r = γ_r + λ_r × p`: velocity of the mass centre per unit modal speed.
    pub fn x(&self, r: usize) -> Vector3<f64> {
        self.gamma[r] + self.lambda[r].cross(self.p)
    }

    pub fn turns(&self) -> bool {
        self.lambda.iter().any(|l| *l != Vector3::ZERO)
    }
}

impl ModalInertia {
    /// Tables of zeros for a number of modes and second-order shapes together.
    pub fn zero(shapes: usize) -> Self {
        Self {
            mass: 0.0,
            mass_moment: [0.0; 3],
            inertia: [[0.0; 3]; 3],
            moment_change: vec![[0.0; 3]; shapes],
            coupling: vec![[0.0; 6]; shapes],
            coupling_change: vec![vec![[0.0; 3]; shapes]; shapes],
            inertia_first: vec![[[0.0; 3]; 3]; shapes],
            inertia_second: vec![vec![[[0.0; 3]; 3]; shapes]; shapes],
            modal_mass: vec![vec![0.0; shapes]; shapes],
        }
    }

    /// The tables of all that `body` carries: sums over its nodes, plus its own [`modal_inertia`](Body::modal_inertia) if it has one.
    ///
    /// A body with these tables and massless nodes moves like `body` in Lagrange's convention.
    ///
    /// # Panics
    /// If tables or influences do not have a column per mode and second-order shape.
    #[track_caller]
    pub fn of(body: &Body) -> Self {
        Self::of_shapes(body, body.modes.count + body.modes.second_order.len())
    }

    /// As [`of`](Self::of), for the first `shapes` modes and shapes.
    pub(super) fn of_shapes(body: &Body, shapes: usize) -> Self {
        let mut sum = Self::of_nodes(&NodeTerms::of(&body.nodes, shapes), shapes);
        if let Some(given) = &body.modal_inertia {
            sum.add(given, shapes);
        }
        sum
    }

    /// Sums over nodes.
    fn of_nodes(nodes: &[NodeTerms], shapes: usize) -> Self {
        let mut sum = Self::zero(shapes);
        let axial: Vec<bool> = (0..shapes).map(|r| nodes.iter().all(|n| n.is_axial(r))).collect();
        for n in nodes {
            let arm = n.l0 + n.p;
            sum.mass += n.m;
            add(&mut sum.mass_moment, (arm * n.m).0);
            // J - m (l̃ l̃ + p̃ l̃ + l̃ p̃)
            let lever = Symmetric3::lever(n.l0, arm) + Symmetric3::lever(n.l0, n.p);
            add_matrix(&mut sum.inertia, n.j + lever * n.m);
            for r in 0..shapes {
                let (lambda, gamma, x) = (n.lambda[r], n.gamma[r], n.x(r));
                if lambda == Vector3::ZERO && gamma == Vector3::ZERO {
                    continue;
                }
                add(&mut sum.moment_change[r], (gamma * n.m).0);
                let angular = n.j * lambda + (n.p.cross(gamma) + n.l0.cross(x)) * n.m;
                let linear = x * n.m;
                let coupling = [angular.0, linear.0].concat();
                sum.coupling[r].iter_mut().zip(coupling).for_each(|(a, b)| *a += b);
                add_matrix(&mut sum.inertia_first[r], Symmetric3::lever(gamma, arm) * (2.0 * n.m));
                for s in (0..shapes).filter(|s| !(axial[r] && axial[*s])) {
                    add(&mut sum.coupling_change[r][s], (n.gamma[s].cross(x) * n.m).0);
                    add_matrix(&mut sum.inertia_second[r][s], Symmetric3::lever(gamma, n.gamma[s]) * (2.0 * n.m));
                    sum.modal_mass[r][s] +=
                        lambda.dot(n.j * n.lambda[s]) + n.m * (lambda.dot(n.p.cross(n.gamma[s])) + gamma.dot(n.x(s)));
                }
            }
        }
        sum.add_axial_pairs(nodes, &axial);
        sum
    }

    /// Pairs of shapes that move along x alone, as the foreshortening of beams does: by far the most pairs of a beam with many modes.
    fn add_axial_pairs(&mut self, nodes: &[NodeTerms], axial: &[bool]) {
        let shapes: Vec<usize> = (0..axial.len()).filter(|r| axial[*r]).collect();
        let along = |r: usize| nodes.iter().map(|n| n.gamma[r].0[0]).collect::<Vec<f64>>();
        let columns: Vec<Vec<f64>> = shapes.iter().map(|r| along(*r)).collect();
        for (i, r) in shapes.iter().enumerate() {
            for (j, s) in shapes.iter().enumerate().take(i + 1) {
                let products = nodes.iter().zip(columns[i].iter().zip(&columns[j])).map(|(n, (a, b))| n.m * (a * b));
                let mass = products.sum::<f64>();
                for (r, s) in [(*r, *s), (*s, *r)] {
                    self.modal_mass[r][s] = mass;
                    let second = &mut self.inertia_second[r][s];
                    (second[1][1], second[2][2]) = (2.0 * mass, 2.0 * mass);
                }
            }
        }
    }

    /// Adds the first `shapes` rows and columns of `other`.
    fn add(&mut self, other: &Self, shapes: usize) {
        self.mass += other.mass;
        add(&mut self.mass_moment, other.mass_moment);
        add_rows(&mut self.inertia, &other.inertia);
        for r in 0..shapes {
            add(&mut self.moment_change[r], other.moment_change[r]);
            add(&mut self.coupling[r], other.coupling[r]);
            add_rows(&mut self.inertia_first[r], &other.inertia_first[r]);
            for s in 0..shapes {
                add(&mut self.coupling_change[r][s], other.coupling_change[r][s]);
                add_rows(&mut self.inertia_second[r][s], &other.inertia_second[r][s]);
                self.modal_mass[r][s] += other.modal_mass[r][s];
            }
        }
    }

    /// Mass matrix of `[ω; v; η̇]` of the undeformed body, by rows.
    pub fn mass_matrix(&self) -> Vec<Vec<f64>> {
        let n = self.modal_mass.len();
        let [x, y, z] = self.mass_moment;
        let skew = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        let mut full = vec![vec![0.0; 6 + n]; 6 + n];
        for i in 0..3 {
            full[3 + i][3 + i] = self.mass;
            for j in 0..3 {
                full[i][j] = self.inertia[i][j];
                full[i][3 + j] = skew[i][j];
                full[3 + j][i] = skew[i][j];
            }
        }
        for r in 0..n {
            for i in 0..6 {
                full[i][6 + r] = self.coupling[r][i];
                full[6 + r][i] = self.coupling[r][i];
            }
            for s in 0..n {
                full[6 + r][6 + s] = self.modal_mass[r][s];
            }
        }
        full
    }
}

fn add<const N: usize>(a: &mut [f64; N], b: [f64; N]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

fn add_rows(a: &mut [[f64; 3]; 3], b: &[[f64; 3]; 3]) {
    a.iter_mut().zip(b).for_each(|(a, b)| add(a, *b));
}

fn add_matrix(a: &mut [[f64; 3]; 3], b: Symmetric3<f64>) {
    add_rows(a, &b.to_matrix().0);
}
