//! A page of headings, tables and drawings: one file, no script, nothing loaded.

use std::fmt::Write;

use supple_io::drawing::Drawing;

use crate::page::escaped;

/// Colours and widths are those of reports. Parts of a section stand side by side where they have room. In dark pages drawings are inverted and their
/// hues turned back; on narrow ones they keep a size that can be read.
const STYLE: &str = "\
:root{--paper:#f5f7fa;--card:#fff;--ink:#1b2430;--quiet:#5a6675;--line:#dde3ea;--accent:#1f6fd0;color-scheme:light dark}\
body{font:15px/1.45 system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif;max-width:1180px;margin:0 auto;padding:14px 18px 24px;background:var(--paper);color:var(--ink)}\
h1{font-size:1.3rem;font-weight:650;margin:0 0 12px;overflow-wrap:anywhere}h1 span{color:var(--accent);font-weight:700;border-right:1px solid var(--line);padding-right:12px;margin-right:12px}\
section{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,500px),1fr));gap:6px 24px;align-items:start;margin:0 0 14px;padding:12px 16px;background:var(--card);border:1px solid var(--line);border-radius:12px}\
section>*{min-width:0;margin:0}h2,p,pre,.wide{grid-column:1/-1}h2{font-size:1.02rem}p{padding-top:6px}\
.table,figure,pre{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem;margin:6px 0}\
th,td{text-align:left;padding:.22rem 1.2rem .22rem 0;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}th{color:var(--quiet);font-weight:600}.number{text-align:right;white-space:nowrap}\
svg{display:block;max-width:100%;height:auto;margin:auto}svg>rect[width=\"100%\"]{fill:transparent}\
pre{font:.86rem/1.45 ui-monospace,Menlo,Consolas,monospace}footer{font-size:.84rem;color:var(--quiet)}\
@media (prefers-color-scheme:dark){:root{--paper:#10151d;--card:#18202b;--ink:#e6ebf2;--quiet:#9fadbf;--line:#2b3646;--accent:#6aaeff}svg{filter:invert(.9) hue-rotate(180deg)}}\
@media (max-width:600px){body{padding:10px 10px 20px}section{padding:10px 12px}svg{max-width:none;width:560px}}";

/// Columns of a table, letters of a cell, and width of a drawing, that take a line of their own.
const WIDE_TABLE: usize = 5;
const WIDE_CELL: usize = 30;
const WIDE_DRAWING: f64 = 800.0;

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
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1><span>Supple</span>{title}</h1>\n<section>\n"
        );
        Self { html: head }
    }

    /// A heading: the section before it ends.
    pub fn heading(&mut self, text: &str) {
        // An empty section would be an empty card.
        match self.html.strip_suffix("<section>\n").map(str::len) {
            Some(length) => self.html.truncate(length),
            None => self.html += "</section>\n",
        }
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(self.html, "<section>\n<h2>{}</h2>", escaped(text));
    }

    /// A paragraph.
    pub fn text(&mut self, text: &str) {
        let _ = writeln!(self.html, "<p>{}</p>", escaped(text));
    }

    /// A text whose lines and spaces stay as they are.
    pub fn preformatted(&mut self, text: &str) {
        let _ = writeln!(self.html, "<pre>{}</pre>", escaped(text));
    }

    /// A table; the texts of each row stand below those of its head, numbers at the right of their column.
    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        let classes: Vec<&str> = (0..head.len())
            .map(|i| {
                let mut cells = rows.iter().filter_map(|row| row.get(i));
                if cells.clone().all(|cell| is_number(cell)) && cells.any(|cell| !cell.is_empty()) {
                    " class=\"number\""
                } else {
                    ""
                }
            })
            .collect();
        let long = rows.iter().flatten().any(|cell| cell.chars().count() > WIDE_CELL);
        let wide = if head.len() > WIDE_TABLE || long { " wide" } else { "" };
        let names: String =
            head.iter().zip(&classes).map(|(name, class)| format!("<th{class}>{}</th>", escaped(name))).collect();
        let _ = write!(self.html, "<div class=\"table{wide}\"><table>\n<thead><tr>{names}</tr></thead>\n<tbody>");
        for row in rows {
            let cells: String =
                row.iter().zip(&classes).map(|(cell, class)| format!("<td{class}>{}</td>", escaped(cell))).collect();
            let _ = write!(self.html, "\n<tr>{cells}</tr>");
        }
        self.html += "</tbody></table></div>\n";
    }

    /// A drawing.
    pub fn drawing(&mut self, drawing: &Drawing) {
        let wide = if drawing.width > WIDE_DRAWING { " class=\"wide\"" } else { "" };
        let _ = writeln!(self.html, "<figure{wide}>{}</figure>", drawing.svg());
    }

    /// The whole page.
    pub fn finish(mut self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let _ = write!(
            self.html,
            "</section>\n<footer>Made by Supple {version}. One self-contained file that needs no network.</footer>\n</body>\n</html>\n"
        );
        self.html
    }
}

/// Whether a cell is a number, or stands for one that is not there.
fn is_number(cell: &str) -> bool {
    cell.is_empty() || cell == "–" || cell.parse::<f64>().is_ok()
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
        page.preformatted("</pre>");
        let html = page.finish();
        assert!(!html.contains("<script>") && html.contains("a &amp; b") && html.contains("<td>&lt;/table&gt;"));
        assert!(html.contains("<figure><svg") && html.contains("<pre>&lt;/pre&gt;") && html.ends_with("</html>\n"));
    }

    #[test]
    fn sections_are_closed_and_numbers_are_at_the_right() {
        let mut page = SimplePage::new("study");
        page.heading("first");
        page.table(
            &["name", "value", "command"],
            &[vec!["a".into(), "1.5e3".into(), "supple sweep".into()], vec!["b".into(), "–".into(), String::new()]],
        );
        page.heading("second");
        page.table(&["to repeat it"], &[vec!["supple sweep examples/double-pendulum/study.toml --run 5".into()]]);
        page.drawing(&Drawing::new(900.0, 10.0, "wide"));
        let html = page.finish();
        assert_eq!((html.matches("<section>").count(), html.matches("</section>").count()), (2, 2));
        assert!(html.contains("<th>name</th><th class=\"number\">value</th><th>command</th>"), "{html}");
        assert_eq!((html.matches("class=\"table\"").count(), html.matches("class=\"table wide\"").count()), (1, 1));
        assert!(html.contains("<td class=\"number\">–</td>") && html.contains("<figure class=\"wide\"><svg"));
    }
}
