//! `supple compile` as a user meets it: files, their check, and what is told where something is wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("supple-command-compile-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string()
}

fn compile(file: &str, folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(crate::program());
    command.args(["compile", file, "-o"]).arg(&folder.0).args(arguments);
    command.env("SUPPLE_CACHE", folder.0.with_extension("cache")).output().unwrap()
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// Whether a compiler can be called; continuous integration has it.
fn is_there(compiler: &str) -> bool {
    let found = Command::new(compiler).arg("--version").output().is_ok();
    assert!(found || std::env::var("CI").as_deref() != Ok("true"), "there is no compiler `{compiler}`");
    if !found {
        eprintln!("skipped: there is no compiler `{compiler}`");
    }
    found
}

/// The command that the documentation gives, word for word; the last line of the check is the difference.
fn check(folder: &Folder, command: &str) -> f64 {
    let within = folder.0.parent().unwrap();
    let name = folder.0.file_name().unwrap().to_str().unwrap();
    let line = command
        .replace("FOLDER", name)
        .replace("-o check", &format!("-o {name}/check"))
        .replace("./check", &format!("{name}/check"));
    let ran = Command::new("sh").args(["-c", &line]).current_dir(within).output().unwrap();
    let (status, said, wrong) = told(&ran);
    assert_eq!(status, 0, "{line}\n{said}{wrong}");
    said.lines().last().unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

const C: &str = "cc -O2 -std=c99 FOLDER/*.c -lm -o check && ./check";

/// Several verbs with parameters and lanes; a second call says what is there, and `--force` leaves nothing of the first.
#[test]
fn a_folder_of_c_checks_itself() {
    if !is_there("cc") {
        return;
    }
    let (folder, file) = (Folder::new("c"), example("double-pendulum/pendulum.toml"));
    let verbs = [
        "--verb",
        "forward_dynamics",
        "--verb",
        "energy",
        "--parameters",
        "gravity.y",
        "--lanes",
        "4",
        "--vectors",
        "3",
    ];
    let (status, said, wrong) = told(&compile(&file, &folder, &verbs));
    assert_eq!(status, 0, "{wrong}");
    assert!(
        said.contains("forward_dynamics: 31 inputs, 10 outputs") && said.contains("check: cc -O2 -std=c99"),
        "{said}"
    );
    assert!(check(&folder, C) < 1e-10);
    let header = fs::read_to_string(folder.0.join("forward_dynamics.h")).unwrap();
    assert!(header.contains("gravity.y [m/s²]") && header.contains("FORWARD_DYNAMICS_INPUTS 31"), "{header}");
    let (status, _, wrong) = told(&compile(&file, &folder, &[]));
    assert!(status == 2 && wrong.contains("use --force"), "{wrong}");
    assert_eq!(told(&compile(&file, &folder, &["--force"])).0, 0);
    assert!(!folder.0.join("energy.c").exists() && !folder.0.join("forward_dynamics_x4.c").exists());
    check(&folder, C);
}

/// Vectors of closed systems satisfy their closures, and are those of the equations that count at the start.
#[test]
fn closed_systems_are_checked_on_their_closures() {
    if !is_there("cc") {
        return;
    }
    let folder = Folder::new("closed");
    let (status, _, wrong) = told(&compile(&example("satellite-grapple/stop.toml"), &folder, &["--pivot"]));
    assert_eq!(status, 0, "{wrong}");
    assert!(check(&folder, C) < 1e-8);
}

/// An embedded controller with its observer, equal to the one of the run.
#[test]
fn a_controller_is_one_file() {
    let (folder, file) = (Folder::new("controller"), example("quanser-link/lqg.toml"));
    let (status, said, wrong) = told(&compile(&file, &folder, &["--verb", "controller", "--vectors", "200"]));
    assert_eq!(status, 0, "{wrong}");
    assert!(said.contains("controller: "), "{said}");
    let header = fs::read_to_string(folder.0.join("controller.h")).unwrap();
    assert!(header.contains("int supple_controller_update(struct supple_controller *of"), "{header}");
    if is_there("cc") {
        assert!(check(&folder, C) < 1e-12);
    }
    let folder = Folder::new("no-controller");
    let (status, _, wrong) =
        told(&compile(&example("double-pendulum/pendulum.toml"), &folder, &["--verb", "controller"]));
    assert!(status == 2 && wrong.contains("controllers are in a scenario"), "{wrong}");
    let (status, _, wrong) =
        told(&compile(&example("rest-to-rest/inversion.toml"), &folder, &["--verb", "controller"]));
    assert!(status == 1 && wrong.contains("does not become code"), "{wrong}");
}

#[test]
fn folders_of_rust_and_cuda_check_themselves() {
    let (folder, file) = (Folder::new("other"), example("double-pendulum/pendulum.toml"));
    for (target, compiler, command) in [
        ("rust", "rustc", "rustc --edition 2021 -O FOLDER/check.rs -o check && ./check"),
        ("cuda", "c++", "c++ -O2 -x c++ FOLDER/check.cu -o check && ./check"),
    ] {
        let (status, _, wrong) = told(&compile(&file, &folder, &["--target", target, "--force"]));
        assert_eq!(status, 0, "{wrong}");
        if is_there(compiler) {
            assert!(check(&folder, command) < 1e-10);
        }
    }
}

/// Compiled and checked at once; without a compiler it says so plainly.
#[test]
fn native_code_is_checked_at_once() {
    let (folder, file) = (Folder::new("native"), example("double-pendulum/pendulum.toml"));
    if is_there("cc") {
        let (status, said, wrong) = told(&compile(&file, &folder, &["--target", "native", "--fma"]));
        assert_eq!(status, 0, "{wrong}");
        let difference: f64 = said.lines().last().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
        assert!(difference < 1e-10, "{said}");
    }
    let mut command = Command::new(crate::program());
    command
        .args(["compile", &file, "--target", "native", "--force", "-o"])
        .arg(&folder.0)
        .env("CC", "no-such-compiler");
    let (status, _, wrong) = told(&command.env("SUPPLE_CACHE", &folder.0).output().unwrap());
    assert!(status == 1 && wrong.contains("there is no C compiler (no-such-compiler); install one"), "{wrong}");
    let _ = fs::remove_dir_all(folder.0.with_extension("cache"));
}

#[test]
fn mistakes_are_named() {
    let (folder, file) = (Folder::new("mistakes"), example("double-pendulum/pendulum.toml"));
    for (arguments, expected, part) in [
        (&["--verb", "fly"][..], 2, "there is no verb 'fly'; verbs are forward_dynamics"),
        (&["--verb", "node_pose"], 2, "write node_pose:BODY.NODE"),
        (&["--verb", "node_pose:nobody.tip"], 1, "no body 'nobody'"),
        (&["--parameters", "mass"], 2, "there is no parameter 'mass'"),
        (&["--parameters", "body.nobody.mass"], 1, "no body 'nobody'"),
        (&["--target", "rust", "--lanes", "4"], 2, "--lanes is for --target c and native"),
        (&["--target", "fortran"], 2, "possible values: c, casadi, rust, cuda, native"),
        (&["--lanes", "3"], 2, "possible values: 4, 8"),
    ] {
        let (status, _, wrong) = told(&compile(&file, &folder, arguments));
        assert!(status == expected && wrong.contains(part), "{arguments:?}: {status} {wrong}");
    }
    // A file of the user stays.
    fs::create_dir_all(&folder.0).unwrap();
    fs::write(folder.0.join("check.c"), "int mine;\n").unwrap();
    let (status, _, wrong) = told(&compile(&file, &folder, &["--force"]));
    assert!(status == 2 && wrong.contains("check.c: the file is not one that supple compile wrote"), "{wrong}");
    assert_eq!(fs::read_to_string(folder.0.join("check.c")).unwrap(), "int mine;\n");
    let list = Command::new(crate::program()).args(["compile", &file, "--list"]).output().unwrap();
    let (status, said, _) = told(&list);
    assert!(status == 0 && said.contains("  rk4_step\n") && said.contains("  gravity.y = -9.81 [m/s²]\n"), "{said}");
}
