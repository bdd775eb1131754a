//! Writing standard input data.

use super::{Sid, Structure, Taylor};
use std::fmt::Write as _;

impl Sid {
    /// The body as a text that [`read`](Self::read) turns into the same numbers, bit for bit.
    ///
    /// Zeros are left out, and so are line breaks in names. A block whose entries do not have the structure it states is written as full.
    pub fn write(&self) -> String {
        let mut out = Text { text: String::new() };
        let title = one_line(&self.title);
        out.line(0, &format!("{:5}{:5}    :No. nodes, No. modes: {title}", self.nodes.len(), self.modes.len()));
        out.line(1, "part");
        out.pair(6, "new modal", &one_line(&self.name));
        out.line(11, "refmod");
        out.pair(16, "mass", &format!("{:e}", self.mass));
        out.pair(16, "nelastq", &self.modes.len().to_string());
        if self.modes.iter().any(|name| !name.is_empty()) {
            for (i, name) in self.modes.iter().enumerate() {
                out.pair(16, &format!("ielastq ({:4})", i + 1), &one_line(name));
            }
        }
        out.line(11, "end refmod");
        out.line(11, "frame");
        for node in &self.nodes {
            out.pair(16, "new node", &node.number.to_string());
            out.pair(21, "rframe", &one_line(&node.frame));
            out.taylor(21, "origin", Some(&node.origin));
            out.taylor(21, "phi", Some(&node.translation));
            out.taylor(21, "psi", Some(&node.rotation));
            out.taylor(21, "AP", Some(&node.axes));
            out.taylor(21, "sigma", node.stress.as_ref());
            out.line(16, "end node");
        }
        out.line(11, "end frame");
        let blocks = [
            ("mdCM", Some(&self.mass_moment)),
            ("J", Some(&self.inertia)),
            ("Ct", Some(&self.linear_coupling)),
            ("Cr", Some(&self.angular_coupling)),
            ("Me", Some(&self.modal_mass)),
            ("Gr", self.angular_gyroscopic.as_ref()),
            ("Ge", self.modal_gyroscopic.as_ref()),
            ("Oe", self.centrifugal.as_ref()),
            ("ksigma", self.rest_force.as_ref()),
            ("Ke", Some(&self.stiffness)),
            ("De", self.damping.as_ref()),
        ];
        blocks.into_iter().for_each(|(name, block)| out.taylor(11, name, block));
        out.line(6, "end modal");
        out.line(1, "end part");
        out.text
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ").trim().to_owned()
}

struct Text {
    text: String,
}

/// Column of the equals signs.
const EQUALS: usize = 48;

impl Text {
    fn line(&mut self, indent: usize, text: &str) {
        // Writing into a string does not fail.
        let _ = writeln!(self.text, "{:indent$}{}", "", text.trim_end());
    }

    fn pair(&mut self, indent: usize, key: &str, value: &str) {
        self.line(indent, &format!("{key:<width$}= {value}", width = EQUALS - indent));
    }

    fn taylor(&mut self, indent: usize, name: &str, block: Option<&Taylor>) {
        let Some(t) = block else { return };
        let structure = if t.fits(t.structure) { t.structure } else { Structure::Full };
        self.line(indent, name);
        let head = [t.order, t.rows, t.columns, t.modes, t.higher, structure.code()];
        for (key, size) in ["order", "nrow", "ncol", "nq", "nqn", "structure"].into_iter().zip(head) {
            self.pair(26, key, &size.to_string());
        }
        if !matches!(structure, Structure::Zero | Structure::Unit) {
            // Of a symmetric matrix the lower triangle is enough.
            let written =
                |i: usize, j: usize, x: f64| x.to_bits() != 0 && (structure != Structure::Symmetric || j <= i);
            let places = || (0..t.rows).flat_map(|i| (0..t.columns).map(move |j| (i, j)));
            for (i, j) in places().filter(|&(i, j)| written(i, j, t.at(i, j))) {
                self.pair(26, &format!("m0({:2},{:2})", i + 1, j + 1), &format!("{:e}", t.at(i, j)));
            }
            for (i, j) in places() {
                for k in (0..t.modes * t.order).filter(|&k| written(i, j, t.change(i, k, j))) {
                    let key = format!("m1({:2},{:2},{:2})", i + 1, k + 1, j + 1);
                    self.pair(26, &key, &format!("{:e}", t.change(i, k, j)));
                }
            }
        }
        self.line(indent, &format!("end {name}"));
    }
}
