//! The stand-in for CUDA, for the tests of several crates: compiled once, opened by a process of its own, as libraries are found by the environment that a process starts with.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use supple_compile::package::STAND_INS;

/// The folder of the libraries, where there is a C++ compiler.
fn folder() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = FOLDER.get_or_init(|| {
        Command::new("c++").arg("--version").output().ok()?;
        let folder = std::env::temp_dir().join(format!("supple-gpu-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("cuda_on_cpu.h"), STAND_INS).unwrap();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../supple-gpu/tests/all/stand_in.cpp");
        let library = folder.join("libcuda.so");
        let mut command = Command::new("c++");
        command.args(["-std=c++17", "-O1", "-shared", "-fPIC", source, "-ldl", "-o"]).arg(&library);
        let told = command.output().unwrap();
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        std::fs::copy(&library, folder.join("libnvrtc.so")).unwrap();
        Some(folder)
    });
    built.as_deref()
}

/// Calls the test of this name again, in a process that finds the stand-in. `None` in that process, and where `SUPPLE_DEVICE` is set so that tests
/// meet the device of this machine: the test is to run. Without a C++ compiler an empty success.
pub fn elsewhere(name: &str, settings: &[(&str, &str)]) -> Option<Output> {
    if ["SUPPLE_STAND_IN_FOLDER", "SUPPLE_DEVICE"].iter().any(|name| std::env::var_os(name).is_some()) {
        return None;
    }
    let Some(folder) = folder() else { return Some(Command::new("true").output().unwrap()) };
    let own = folder.join(name.replace(':', "_"));
    std::fs::create_dir_all(&own).unwrap();
    std::fs::copy(folder.join("cuda_on_cpu.h"), own.join("cuda_on_cpu.h")).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", name, "--nocapture", "--include-ignored"]).env("LD_LIBRARY_PATH", folder);
    child.env("SUPPLE_STAND_IN_FOLDER", &own).env("SUPPLE_CACHE", own.join("cache"));
    let told = child.envs(settings.iter().copied()).output().unwrap();
    let _ = std::fs::remove_dir_all(&own);
    Some(told)
}

/// Runs a test where the stand-in is found. Gives whether it is to run here.
pub fn runs_here(name: &str) -> bool {
    match elsewhere(name, &[]) {
        None => true,
        Some(told) => {
            let said = String::from_utf8_lossy(&told.stdout);
            print!("{said}");
            assert!(told.status.success(), "{said}{}", String::from_utf8_lossy(&told.stderr));
            false
        }
    }
}
