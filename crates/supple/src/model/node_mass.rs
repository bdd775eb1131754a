//! The mass of a node, moved to where its centre is.

use super::description::Node;

impl Node {
    /// The inertia of this node as a node of its own at the mass centre, moved as a rigid arm from here moves it. Empty of mass, this
    /// node may go on to carry hinges.
    ///
    /// The two ways differ where modes turn the node: an offset mass centre stays where it is in the body's axes, so that slopes do not
    /// move it in the field of gravity; a node there is moved.
    pub fn at_mass_centre(&self) -> Self {
        let p = self.mass_centre;
        let square: f64 = p.iter().map(|x| x * x).sum();
        let mut inertia = self.inertia;
        for i in 0..3 {
            for j in 0..3 {
                let diagonal = if i == j { square } else { 0.0 };
                inertia[i][j] -= self.mass * (diagonal - p[i] * p[j]);
            }
        }
        let moved = |&[a, b, c, x, y, z]: &[f64; 6]| {
            [a, b, c, x + b * p[2] - c * p[1], y + c * p[0] - a * p[2], z + a * p[1] - b * p[0]]
        };
        Self {
            name: None,
            position: std::array::from_fn(|i| self.position[i] + p[i]),
            mass: self.mass,
            mass_centre: [0.0; 3],
            inertia,
            influence: self.influence.iter().map(moved).collect(),
            strain: Vec::new(),
        }
    }

    /// The same node without mass.
    pub fn without_mass(self) -> Self {
        Self { mass: 0.0, mass_centre: [0.0; 3], inertia: [[0.0; 3]; 3], ..self }
    }
}
