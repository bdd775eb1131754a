//! A page of charts with what a command prints: Bode plots, poles, frequency maps.

use supple_io::drawing::Drawing;

use crate::simple_page::SimplePage;

/// One file, no script, nothing loaded.
pub fn html(title: &str, charts: &[Drawing], text: &str) -> String {
    let mut page = SimplePage::new(title);
    charts.iter().for_each(|chart| page.drawing(chart));
    if !text.is_empty() {
        page.heading("Numbers");
        page.preformatted(text);
    }
    page.finish()
}
