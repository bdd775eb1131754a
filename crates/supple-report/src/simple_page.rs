//! A page of headings, tables and drawings: one file, no script, nothing loaded.

use std::fmt::Write;

use supple_io::drawing::Drawing;

use crate::page::escaped;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}\
figure{margin:1.2rem 0}svg{max-width:100%;height:auto}table{border-collapse:collapse;margin:.8rem 0;display:block;overflow-x:auto}\
td,th{text-align:right;padding:.2rem .8rem;border-bottom:1px solid #ccd;font-variant-numeric:tabular-nums}\
td:first-child,th:first-child{text-align:left;padding-left:0}code{background:#f2f4f8;padding:.1rem .3rem}";

/// A page that grows from top to bottom.
#[derive(Clone, Debug)]
pub struct SimplePage {
    html: String,
}

impl SimplePage {
    /// With a title.
    pub fn new(title: &str) -> Self {
        let title = escaped(title);
        let head = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
        );
        Self { html: head }
    }

    /// A heading of a section.
    pub fn heading(&mut self, text: &str) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(self.html, "<h2>{}</h2>", escaped(text));
    }

    /// A paragraph.
    pub fn text(&mut self, text: &str) {
        let _ = writeln!(self.html, "<p>{}</p>", escaped(text));
    }

    /// A table; the texts of each row stand below those of its head.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        let names: String = head.iter().map(|name| format!("<th>{}", escaped(name))).collect();
        let _ = write!(self.html, "<table><tr>{names}</tr>");
        for row in rows {
            let cells: String = row.iter().map(|cell| format!("<td>{}", escaped(cell))).collect();
            let _ = write!(self.html, "\n<tr>{cells}</tr>");
        }
        self.html += "</table>\n";
    }

    /// A drawing.
    pub fn drawing(&mut self, drawing: &Drawing) {
        let _ = writeln!(self.html, "<figure>{}</figure>", drawing.svg());
    }

    /// The whole page.
    pub fn finish(mut self) -> String {
        self.html += "</body></html>\n";
        self.html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_break_out() {
        let mut page = SimplePage::new("<script>");
        page.heading("a & b");
        page.table(&["<th>"], &[vec!["</table>".into()]]);
        page.drawing(&Drawing::new(10.0, 10.0, "empty"));
        let html = page.finish();
        assert!(!html.contains("<script>") && html.contains("a &amp; b") && html.contains("<td>&lt;/table&gt;"));
        assert!(html.contains("<figure><svg") && html.ends_with("</html>\n"));
    }
}
