//! Beams that were bent too far, and into how many pieces they would have to be cut.

use crate::Observer;
use crate::run::Run;

impl Run<'_> {
    /// Into how many pieces beams would have to be cut that were bent too far: known when all is over. A resumed run counts from where it was resumed.
    pub(crate) fn tell_pieces(&mut self, observer: &mut dyn Observer) {
        /// A beam that is loaded at its tip, or all along, is bent about twice as much at its root as on average; a piece is bent evenly.
        const AT_THE_ROOT: usize = 2;
        /// More are no remedy: something else is wrong.
        const SENSIBLE: usize = 50;
        let model = &self.scenario.model;
        let mut needed = std::collections::BTreeMap::<&str, usize>::new();
        for (body, pieces) in self.engine.pieces() {
            let Some(beam) = model.beams.iter().find(|beam| beam.body == body.0) else { continue };
            let (name, pieces) = match &beam.piece_of {
                None => (model.model.name(body), pieces.saturating_mul(AT_THE_ROOT)),
                Some(cut) => (cut.body.as_str(), pieces.saturating_mul(cut.pieces)),
            };
            let most = needed.entry(name).or_default();
            *most = pieces.max(*most);
        }
        let time = self.engine.state().time;
        for (name, pieces) in needed {
            let remedy = match pieces <= SENSIBLE {
                true => format!("`pieces = {pieces}` would suffice"),
                false => {
                    "no number of pieces is sufficient; look for a load, speed or stiffness in the wrong unit".into()
                }
            };
            let text = format!("at t = {time:.6} s beam '{name}' has been bent beyond small deflections: {remedy}");
            self.warnings.tell(time, text, observer);
        }
    }
}
