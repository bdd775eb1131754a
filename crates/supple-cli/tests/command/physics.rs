//! What a new user gets without reading the manual: frequencies, damping and large deflections of beams, by the command alone.

use serde_json::Value;

use crate::run_support::{Folder, runs};

const STRIP: &str = "length = 1.0\nsection = { rectangle = { width = 0.003, height = 0.04 } }\nmaterial = { E = 7e10, nu = 0.33, density = 2700 }\n";

/// Two strips of 1 m, 6.3 N m², 0.324 kg/m, with 0.5 kg at the end.
fn arm(top: &str, modes: usize) -> String {
    let link = |name: &str, parent: &str, hinge: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\n{parent}hinge = {{ name = \"{hinge}\", kind = \"revolute\", axis = [0, 0, 1] }}\n[body.beam]\n{STRIP}\
             modes = {{ bending_y = {modes} }}\n"
        )
    };
    let (upper, lower) = (link("upper", "", "shoulder"), link("lower", "parent = \"upper\"\nat = \"tip\"\n", "elbow"));
    let load = "[[body]]\nname = \"load\"\nparent = \"lower\"\nat = \"tip\"\nhinge = { kind = \"fixed\" }\nrigid = { mass = 0.5 }\n";
    format!("format = \"supple-model-1\"\n{top}\n{upper}{lower}{load}")
}

fn checked(folder: &Folder, file: &str) -> Value {
    serde_json::from_str(&runs(folder, &["check", file, "--json"])).unwrap()
}

/// The first two frequencies of the held arm are those of one cantilever of 2 m with a mass at its end within 0.1 %; `check` says how far they still move
/// with one more mode, and the highest.
#[test]
fn check_has_the_frequencies_of_an_arm() {
    let folder = Folder::new();
    for (modes, fall) in [(1, 2e-3), (2, 1e-3)] {
        folder.write("arm.toml", arm("", modes));
        let told = &checked(&folder, "arm.toml")["frequencies"];
        let locked: Vec<f64> = told["locked"].as_array().unwrap().iter().map(|hz| hz.as_f64().unwrap()).collect();
        for (found, exact) in locked.iter().zip([0.302544, 2.88775]) {
            assert!((found / exact - 1.0).abs() < 1e-3, "{modes} modes: {found}, not {exact}");
        }
        let falls = told["fall_with_one_more_mode"].as_array().unwrap();
        assert!((0..2).all(|i| (0.0..fall).contains(&falls[i].as_f64().unwrap())), "{falls:?}");
        let text = runs(&folder, &["check", "arm.toml"]);
        let stated = text.split("highest ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        let highest = locked.last().unwrap();
        assert!((stated.parse::<f64>().unwrap() / highest - 1.0).abs() < 1e-4, "{highest}: {text}");
        assert!(text.contains("one more mode in every family"), "{text}");
    }
}

/// A loss factor of the material: what it does is said, and every vibration has half of it with hinges locked and free.
#[test]
fn check_says_what_a_loss_factor_does() {
    let folder = Folder::new();
    folder.write("arm.toml", arm("damping = { loss_factor = 0.02 }", 1));
    let told = checked(&folder, "arm.toml");
    assert_eq!((&told["bodies"][0]["modes"], &told["bodies"][0]["relaxing"]), (&3.into(), &12.into()));
    assert!((told["frequencies"]["locked"][0].as_f64().unwrap() / 0.302544 - 1.0).abs() < 1e-3);
    assert!(told["frequencies"]["fall_with_one_more_mode"].is_array());
    for case in told["damping"].as_array().unwrap() {
        for mode in &case["modes"].as_array().unwrap()[..2] {
            let ratio = mode["damping_ratio"].as_f64().unwrap();
            assert!((ratio - 0.01).abs() < 5e-4, "{case}");
        }
    }
    assert_eq!(told["damping"].as_array().unwrap().len(), 2);
    assert_eq!(told["notes"], Value::Array(Vec::new()));
    let text = runs(&folder, &["check", "arm.toml"]);
    for says in
        ["3 modes and 12 coordinates that relax", "loss factor 0.02 from 0.151", "stiffness is as given at rest"]
    {
        assert!(text.contains(says), "{says}: {text}");
    }
}

/// A cantilever at P L² / EI = 3, cut into eight pieces, comes to rest within 0.2 % of the elastica in drop and shortening; `supple equilibrium` finds it.
#[test]
fn equilibrium_of_pieces_is_the_elastica() {
    let folder = Folder::new();
    folder.write(
        "strip.toml",
        format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"strip\"\nhinge = {{ kind = \"fixed\" }}\n[body.beam]\n{STRIP}pieces = 8\n\
             modes = {{ bending_y = 1 }}\n[[force]]\nkind = \"constant\"\nat = {{ body = \"strip\", node = \"tip\" }}\nforce = [0, -18.9, 0]\n"
        ),
    );
    runs(&folder, &["equilibrium", "strip.toml", "-o", "start.toml"]);
    let scenario = "format = \"supple-scenario-1\"\nmodel = \"strip.toml\"\nduration = 0.001\noutput_interval = 0.001\n[results]\nfolder = \"rest\"\n\
                    columns = [\"energy\"]\nnodes = [{ body = \"strip\", node = \"tip\" }]\n";
    folder.write("rest.toml", format!("{scenario}{}", folder.text("start.toml")));
    runs(&folder, &["run", "rest.toml", "--quiet"]);
    let rows = folder.text("rest/results.csv");
    let mut lines = rows.lines();
    let (names, first) = (lines.next().unwrap(), lines.next().unwrap());
    let column = |name: &str| -> f64 {
        let at =
            names.split(',').position(|column| column.starts_with(name)).unwrap_or_else(|| panic!("{name}: {names}"));
        first.split(',').nth(at).unwrap().parse().unwrap()
    };
    let [drop, shortening] = elastica(3.0);
    let (found_drop, found_shortening) = (-column("node.strip.tip.y"), 1.0 - column("node.strip.tip.x"));
    println!("drop {found_drop} for {drop}, shortening {found_shortening} for {shortening}");
    assert!((found_drop / drop - 1.0).abs() < 2e-3, "{found_drop} {drop}");
    assert!((found_shortening / shortening - 1.0).abs() < 2e-3, "{found_shortening} {shortening}");
}

/// Drop and shortening of an elastica of unit length under a load across it, `θ'' = -a cos θ`, `θ(0) = θ'(1) = 0`: the curvature of the clamp is found by
/// bisection.
fn elastica(load: f64) -> [f64; 2] {
    const STEPS: usize = 400;
    let h = 1.0 / STEPS as f64;
    let slope = |[angle, curvature, _, _]: [f64; 4]| [curvature, -load * angle.cos(), angle.cos(), angle.sin()];
    let plus = |y: [f64; 4], k: [f64; 4], by: f64| -> [f64; 4] { std::array::from_fn(|i| y[i] + by * k[i]) };
    let end = |curvature: f64| {
        (0..STEPS).fold([0.0, curvature, 0.0, 0.0], |y, _| {
            let k1 = slope(y);
            let k2 = slope(plus(y, k1, h / 2.0));
            let k3 = slope(plus(y, k2, h / 2.0));
            let k4 = slope(plus(y, k3, h));
            std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
        })
    };
    let (mut low, mut high) = (0.0, 2.0 * load);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if end(middle)[1] > 0.0 { high = middle } else { low = middle }
    }
    let [_, _, x, y] = end(low);
    [y, 1.0 - x]
}

/// A pose that does not stay with free hinges is called unstable, with the time constant by which it diverges; no damping ratio is negative.
#[test]
fn unstable_poses_are_called_so() {
    let folder = Folder::new();
    folder.write("arm.toml", arm("gravity = [-9.81, 0, 0]\ndamping = { ratio = 0.01 }", 1));
    let text = runs(&folder, &["check", "arm.toml"]);
    let free = text.lines().find(|line| line.starts_with("damping ratios, all hinges free")).unwrap();
    assert!(free.contains("unstable there: it diverges with a time constant of 0."), "{free}");
    assert!(!text.contains("-0."), "{text}");
}

/// Beyond its stops a hinge is pressed into them: `check` says so, and calls nothing unstable.
#[test]
fn a_pose_beyond_stops_is_told() {
    let folder = Folder::new();
    let model = arm("gravity = [0, -9.81, 0]\ndamping = { ratio = 0.01 }", 1);
    let stopped = model.replace("axis = [0, 0, 1] }", "axis = [0, 0, 1], stops = { lower = 0.5, upper = 2 } }");
    folder.write("arm.toml", &stopped);
    let text = runs(&folder, &["check", "arm.toml"]);
    assert!(text.contains("hinge `shoulder` is beyond its stops (and 1 more)"), "{text}");
    assert!(!text.contains("unstable"), "{text}");
    folder.write("arm.toml", stopped.replace("ratio = 0.01", "ratio = 0.01, at = { shoulder = 1, elbow = 1 }"));
    assert!(!runs(&folder, &["check", "arm.toml"]).contains("beyond its stops"));
}

/// A vertical hinge that nothing holds: neutral, with its name, and stable once it is locked.
#[test]
fn what_nothing_resists_is_neutral() {
    let folder = Folder::new();
    folder.write("arm.toml", arm("gravity = [0, 0, -9.81]", 1));
    let text = runs(&folder, &["equilibrium", "arm.toml", "--lock", "elbow"]);
    assert!(text.contains("equilibrium, neutral") && text.contains("nothing resists hinge.shoulder"), "{text}");
    let told: Value = serde_json::from_str(&runs(&folder, &["equilibrium", "arm.toml", "--json"])).unwrap();
    assert_eq!((told["stable"].as_bool(), told["neutral"].as_array().unwrap().len()), (Some(true), 2));
    let locked = runs(&folder, &["equilibrium", "arm.toml", "--lock", "all"]);
    assert!(locked.contains("equilibrium, stable"), "{locked}");
}
