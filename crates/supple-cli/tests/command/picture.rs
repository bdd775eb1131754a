//! Pictures for papers from the command line: any frame, any plot, as SVG or PNG, and kind words where it cannot be.

use crate::run_support::{Folder, repository, run, runs};
use std::fs;

/// A short run of the Shuttle arm with its results in `out`.
pub fn results() -> Folder {
    let folder = Folder::new();
    let scenario = fs::read_to_string(repository("examples/shuttle-arm/fast.toml")).unwrap();
    let short = scenario.replacen("\nduration = 20\n", "\nduration = 1\n", 1);
    assert_ne!(short, scenario);
    folder.write("arm.toml", fs::read(repository("examples/shuttle-arm/arm.toml")).unwrap());
    folder.write("fast.toml", short);
    runs(&folder, &["run", "fast.toml", "-o", "out", "--no-report", "--quiet"]);
    folder
}

/// Width and height in the head of a PNG, and its length.
fn png(folder: &Folder, name: &str) -> ([u32; 2], usize) {
    let bytes = fs::read(folder.path(name)).unwrap();
    assert_eq!(bytes[..8], [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a], "{name}");
    let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    ([word(16), word(20)], bytes.len())
}

/// What the command says to a mistake, and its status.
pub fn refused(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, arguments);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What is drawn larger than it is shows where it would be, unless nothing but the bodies is wanted.
#[test]
fn exaggeration_brings_the_undeformed_bodies() {
    let folder = results();
    let drawn = |rest: &[&str]| {
        runs(&folder, &[&["picture", "out", "-o", "a.svg", "--force"], rest].concat());
        folder.text("a.svg")
    };
    let exaggerated = drawn(&["--exaggeration", "20"]);
    assert!(exaggerated.contains("ghost-1") && exaggerated.contains("20 times as large, dashed: undeformed"));
    assert!(exaggerated.contains("class=\"scale-bar\""));
    for plain in [&[][..], &["--exaggeration", "20", "--bare"], &["--exaggeration", "20", "--frames", "3"]] {
        assert!(!drawn(plain).contains("ghost-"), "{plain:?}");
    }
}

#[test]
fn frames_and_plots_are_drawn_as_svg_and_png() {
    let folder = results();
    let picture = |rest: &[&str]| {
        let told = runs(&folder, &[&["picture", "out"], rest].concat());
        assert_eq!(told.trim(), rest[rest.len() - 1], "the file is named");
    };
    picture(&[
        "--frame",
        "0.5",
        "--exaggeration",
        "20",
        "--size",
        "600x400",
        "--view",
        "iso",
        "--ghost",
        "-o",
        "frame.svg",
    ]);
    let svg = folder.text("frame.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("width=\"600\" height=\"400\""));
    let caption = "t = 0.5 s, deformation 20 times as large, dashed: undeformed";
    assert!(svg.contains(caption), "{}", &svg[..400]);
    for k in 0..7 {
        assert!(svg.contains(&format!("class=\"frame-0 body-{k}\"")), "body {k}");
        assert!(svg.contains(&format!("class=\"frame-0 ghost-{k}\"")), "ghost {k}");
    }
    assert!(!svg.contains("body-7") && !svg.contains("NaN") && !svg.contains("inf"));
    picture(&["--frames", "4", "--colour", "curvature", "--paths", "--names", "--dark", "-o", "strobe.svg"]);
    let svg = folder.text("strobe.svg");
    assert!(svg.contains("class=\"frame-3 body-0\"") && !svg.contains("frame-4 "));
    assert!(svg.contains("Curvature") && svg.contains("#10151d") && svg.contains(">link 3<"));
    picture(&["--camera", "-60,30", "--size", "320x240", "--zoom", "2", "-o", "frame.png"]);
    let (size, bytes) = png(&folder, "frame.png");
    assert_eq!(size, [640, 480]);
    assert!(bytes > 5000, "{bytes} bytes");
    for (plot, words) in [
        ("energy", "Energy ledger"),
        ("angles", "Hinge angles"),
        ("deflection", "Tip deflection"),
        ("curvature", "Greatest curvature"),
        ("hinge.shoulder yaw,energy.total", "energy.total"),
        ("mode.link 2", "mode.link 2"),
        ("deflection,energy.total", "energy.total"),
        ("deflection,energy.total", "link 3, tip"),
    ] {
        runs(&folder, &["picture", "out", "--plot", plot, "-o", "plot.svg", "--force"]);
        let svg = folder.text("plot.svg");
        assert!(svg.contains(words) && svg.contains("<polyline"), "{plot}");
    }
    picture(&["--plot", "angles,torques", "--from", "0.2", "--to", "0.8", "--size", "700x500", "-o", "plot.png"]);
    assert_eq!(png(&folder, "plot.png").0, [700, 500]);
}

/// A plot is of the recorded numbers: in the window asked for, with the title asked for.
#[test]
fn plots_have_their_window_and_title() {
    let folder = results();
    runs(
        &folder,
        &["picture", "out", "--plot", "angles", "--from", "0.25", "--to", "0.75", "--title", "A < B", "-o", "a.svg"],
    );
    let svg = folder.text("a.svg");
    assert!(svg.contains("A &lt; B"));
    let ticks: Vec<f64> = svg
        .lines()
        .filter(|line| line.starts_with("<text") && line.contains("text-anchor=\"middle\""))
        .filter_map(|line| line.split_once('>')?.1.split_once('<')?.0.parse().ok())
        .collect();
    assert!(ticks.len() > 2 && ticks.iter().all(|t| (0.25..=0.75).contains(t)), "{ticks:?}");
}

#[test]
fn without_a_file_everything_that_can_be_drawn_is_listed() {
    let folder = results();
    let told = runs(&folder, &["picture", "out"]);
    assert!(told.starts_with("frames from 0 to 1 s\nplots:\n"), "{told}");
    for line in [
        "  angles ",
        "  energy ",
        "  deflection ",
        "  curvature ",
        "    hinge.shoulder yaw[rad]",
        "    energy.total[J]",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
}

/// A page has room for 800 columns; a picture can be drawn of any.
#[test]
fn columns_beyond_those_of_the_page_are_drawn() {
    let folder = results();
    let widened = |(row, line): (usize, &str)| {
        let more: Vec<String> = match row {
            0 => (0..900).map(|i| format!("extra.{i}[m]")).collect(),
            _ => (0..900).map(|i| (i + row).to_string()).collect(),
        };
        format!("{line},{}\n", more.join(","))
    };
    let wide: String = folder.text("out/results.csv").lines().enumerate().map(widened).collect();
    folder.write("out/results.csv", wide);
    runs(&folder, &["picture", "out", "--plot", "extra.899", "-o", "last.svg"]);
    let svg = folder.text("last.svg");
    assert!(svg.contains("extra.899") && svg.contains("<polyline"), "{svg}");
    assert!(runs(&folder, &["picture", "out"]).contains("extra.899[m]"), "it is listed");
}

#[test]
fn mistakes_are_told_with_what_to_do() {
    let folder = results();
    for (rest, status, words) in [
        (&["-o", "a.pdf"][..], 2, "a.pdf: the names of pictures end in .svg or .png"),
        (&["-o", "a"], 2, "the names of pictures end in .svg or .png"),
        (&["--frame", "3", "-o", "a.svg"], 2, "--frame: nothing was recorded at 3 s; choose a time from 0 to 1 s"),
        (&["--frame", "-1", "-o", "a.svg"], 2, "choose a time from 0 to 1 s"),
        (&["--from", "0.5", "-o", "a.svg"], 2, "--from and --to apply to --plot and --frames only"),
        (&["--frames", "3", "--to", "7", "-o", "a.svg"], 2, "choose a time from 0 to 1 s"),
        (&["--plot", "enrgy", "-o", "a.svg"], 2, "there is no plot and no column `enrgy`; did you mean `energy`?"),
        (&["--plot", "hinge.shoulder yow", "-o", "a.svg"], 2, "did you mean `hinge.shoulder yaw`?"),
        (&["--plot", "qqqqqqqqqqqq", "-o", "a.svg"], 2, "the plots are: angles, "),
        (&["--plot", "angles", "--from", "8", "-o", "a.svg"], 2, "the run is from 0 to 1 s"),
        (&["--plot", "angles", "--size", "100x100", "-o", "a.svg"], 2, "too small for this plot: at least 420 by 174"),
        (&["--size", "100x100", "-o", "a.svg"], 2, "--size: 100 by 100 is too small; use at least 280 by 200"),
        (&["--size", "100", "-o", "a.svg"], 2, "expected width and height, e.g. 1200x800"),
        (&["--size", "-5x10", "-o", "a.svg"], 2, "expected width and height"),
        (&["--size", "1e9x10", "-o", "a.svg"], 2, "at most 20000 each"),
        (&["--size", "20000x20000", "-o", "a.png"], 2, "too many; use at most 200000000 in total"),
        (&["--zoom", "2", "-o", "a.svg"], 2, "--zoom applies to PNG only"),
        (&["--zoom", "0", "-o", "a.png"], 2, "must be above 0"),
        (&["--camera", "north", "-o", "a.svg"], 2, "expected two angles in degrees, e.g. -60,30"),
        (&["--camera", "0,100", "-o", "a.svg"], 2, "from -90 to 90 degrees"),
        (&["--exaggeration", "-3", "-o", "a.svg"], 2, "from 0 (rigid) to 1e6"),
        (&["--exaggeration", "NaN", "-o", "a.svg"], 2, "must be finite"),
        (&["--plot", "energy", "--ghost", "-o", "a.svg"], 2, "cannot be used with"),
        (&["--colour", "strain", "-o", "a.svg"], 2, "no cross-section is known; give beams a `section`"),
        (&["-o", "missing/folder/a.svg"], 1, "create the folder first"),
    ] {
        let (code, told) = refused(&folder, &[&["picture", "out"], rest].concat());
        assert!(code == Some(status) && told.contains(words), "{rest:?}: {code:?} {told}");
        assert!(!folder.path("a.svg").exists() && !folder.path("a.png").exists(), "{rest:?}");
    }
    let (code, told) = refused(&folder, &["picture", "nowhere", "-o", "a.svg"]);
    assert!(code == Some(1) && told.contains("nowhere: there is no such file or folder"), "{told}");
    folder.write("a.svg", "mine");
    let (code, told) = refused(&folder, &["picture", "out", "-o", "a.svg"]);
    assert!(code == Some(1) && told.contains("use --force to overwrite it"), "{told}");
    assert_eq!(folder.text("a.svg"), "mine");
    folder.write("broken/motion.json", "{");
    assert_eq!(refused(&folder, &["picture", "broken", "-o", "b.svg"]).0, Some(1));
}

/// Rigid systems have no deformation to tell, and say so.
#[test]
fn rigid_systems_are_drawn_plain() {
    let folder = Folder::new();
    folder.write(
        "model.toml",
        r#"format = "supple-model-1"
gravity = [0, -9.81, 0]
[[body]]
name = "a < b & \"c\""
hinge = { kind = "revolute", axis = [0, 0, 1] }
rigid = { mass = 2, mass_centre = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1] }
"#,
    );
    folder.write(
        "s.toml",
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 1\noutput_interval = 0.1\nintegrator = { kind = \"dormand-prince\" }\n",
    );
    runs(&folder, &["run", "s.toml", "-o", "out", "--quiet", "--no-report"]);
    runs(&folder, &["picture", "out", "--names", "-o", "a.svg"]);
    let svg = folder.text("a.svg");
    assert!(
        svg.contains("a &lt; b &amp; &quot;c&quot;")
            && !svg.contains("class=\"legend\"")
            && !svg.contains("deformation")
    );
    let (code, told) = refused(&folder, &["picture", "out", "--colour", "strain", "-o", "b.svg"]);
    assert!(code == Some(2) && told.contains("--colour: no body has a strain to colour"), "{told}");
}

/// The number at the end of the scale of colours, with its unit.
fn legend(folder: &Folder, colour: &str) -> (f64, String) {
    runs(folder, &["picture", "out", "--colour", colour, "-o", "legend.svg", "--force"]);
    let svg = folder.text("legend.svg");
    let end =
        svg.lines().find(|line| line.contains("class=\"legend\"") && line.contains("text-anchor=\"end\"")).unwrap();
    let told = end.split_once('>').unwrap().1.split_once('<').unwrap().0;
    let (number, unit) = told.split_once(' ').unwrap();
    (number.parse().unwrap(), unit.to_owned())
}

/// A cantilever in its first mode: the root's curvature is 3.5160 times the tip's deflection over the square of the length, the strain half the
/// height times that (`β L = 1.8751`, and the shape is 2 at the tip where its curvature is 2 β² at the root).
#[test]
fn strain_of_a_vibrating_cantilever_is_that_of_its_first_mode() {
    let folder = Folder::new();
    folder.write(
        "model.toml",
        r#"format = "supple-model-1"
[[body]]
name = "strip"
hinge = { kind = "fixed" }
[body.beam]
length = 1.5
section = { rectangle = { width = 0.03, height = 0.008 } }
material = { E = 7e10, nu = 0.33, density = 2700 }
modes = { basis = "cantilever", bending_z = 1 }
"#,
    );
    folder.write(
        "s.toml",
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.1\noutput_interval = 0.01\n\
         integrator = { kind = \"dormand-prince\" }\n[initial]\nmodes = { strip = [0.02] }\n",
    );
    runs(&folder, &["run", "s.toml", "-o", "out", "--quiet", "--no-report"]);
    let ((deflection, mm), (curvature, per_metre), (strain, unit)) =
        (legend(&folder, "deflection"), legend(&folder, "curvature"), legend(&folder, "strain"));
    assert_eq!([mm.as_str(), per_metre.as_str(), unit.as_str()], ["mm", "1/m", "µm/m"]);
    let exact = 3.5160 * (1e-3 * deflection) / (1.5 * 1.5);
    assert!((curvature / exact - 1.0).abs() < 1e-3, "{curvature} {exact}");
    assert!((1e-6 * strain / (0.004 * exact) - 1.0).abs() < 1e-3, "{strain} {exact}");
}
