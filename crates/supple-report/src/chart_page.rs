//! A page of charts with what a command prints: Bode plots, poles, frequency maps.

use supple_io::drawing::Drawing;

use crate::page::escaped;

/// Colours and widths are those of reports. Charts are drawn on white, in dark pages as well.
const STYLE: &str = "\
:root{--paper:#f5f7fa;--card:#fff;--ink:#1b2430;--quiet:#5a6675;--line:#dde3ea;--accent:#1f6fd0;color-scheme:light dark}\
@media (prefers-color-scheme:dark){:root{--paper:#10151d;--card:#18202b;--ink:#e6ebf2;--quiet:#9fadbf;--line:#2b3646;--accent:#6aaeff}}\
body{font:15px/1.45 system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif;max-width:1080px;margin:0 auto;padding:14px 18px 24px;background:var(--paper);color:var(--ink)}\
h1{font-size:1.3rem;font-weight:650;margin:0 0 12px}h1 span{color:var(--accent);font-weight:700;border-right:1px solid var(--line);padding-right:12px;margin-right:12px}\
figure{margin:0 0 14px;padding:10px;background:#fff;border:1px solid var(--line);border-radius:12px}svg{display:block;max-width:100%;height:auto;margin:auto}\
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:12px 16px}h2{font-size:1.02rem;margin:0 0 8px}\
pre{overflow-x:auto;margin:0;font:.86rem/1.45 ui-monospace,Menlo,Consolas,monospace}footer{margin-top:14px;font-size:.84rem;color:var(--quiet)}";

/// One file, no script, nothing loaded.
pub fn html(title: &str, charts: &[Drawing], text: &str) -> String {
    let pictures: String = charts.iter().map(|chart| format!("<figure>{}</figure>\n", chart.svg())).collect();
    let title = escaped(title);
    let numbers = if text.is_empty() {
        String::new()
    } else {
        format!("<section><h2>Numbers</h2><pre>{}</pre></section>\n", escaped(text))
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<h1><span>Supple</span>{title}</h1>\n{pictures}{numbers}\
         <footer>Made by Supple {}. One self-contained file that needs no network.</footer>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    )
}
