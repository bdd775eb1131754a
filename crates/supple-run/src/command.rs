//! Runs as commands that can be pasted into a shell.

use std::ffi::OsStr;
use std::path::Path;

use crate::{Formulation, Options, Output};

/// The command that makes the same results again, in place of those that are there.
pub fn run_command(scenario: &Path, options: &Options) -> String {
    format!("supple run --force {}{}{}", path_word(scenario), of_motion(options), of_places(options))
}

/// The command that goes on with a run: all that its results depend on, and where they are.
pub fn resume_command(scenario: &Path, options: &Options) -> String {
    let mut command =
        format!("supple run --resume {}{}{}", path_word(scenario), of_motion(options), of_places(options));
    if !options.plot.is_empty() {
        command += &format!(" --plot {}", word(OsStr::new(&options.plot.join(","))));
    }
    if !options.report {
        command += " --no-report";
    }
    command
}

/// The command that repeats one run of a study in full; `changes` are those that the study was read with.
pub fn repeat_command(study: &Path, changes: &[crate::Change], formulation: &Formulation, run: u64) -> String {
    format!("supple sweep {}{}{} --run {run}", path_word(study), of_changes(changes), formulation.options())
}

fn of_changes(changes: &[crate::Change]) -> String {
    let set = |change: &crate::Change| format!(" {} {}", change.option(), word(OsStr::new(&change.to_string())));
    changes.iter().map(set).collect()
}

fn of_motion(options: &Options) -> String {
    format!("{}{}", of_changes(&options.changes), options.formulation.options())
}

/// Folders that are read and written.
fn of_places(options: &Options) -> String {
    let meshes: String =
        options.meshes.paths().iter().map(|folder| format!(" --meshes {}", path_word(folder))).collect();
    match &options.output {
        Output::Folder(folder) => format!("{meshes} -o {}", path_word(folder)),
        _ => meshes,
    }
}

/// A path that is no option, whatever its first letter is.
pub fn path_word(path: &Path) -> String {
    let name = path.as_os_str();
    if name.as_encoded_bytes().starts_with(b"-") { word(Path::new(".").join(path).as_os_str()) } else { word(name) }
}

/// A text as one word of a shell.
pub fn word(text: &OsStr) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./=:,@%+".contains(byte);
    let bytes = text.as_encoded_bytes();
    if !bytes.is_empty() && bytes.iter().all(|byte| plain(byte) || (cfg!(windows) && *byte == b'\\')) {
        return text.to_string_lossy().into_owned();
    }
    if cfg!(windows) {
        return format!("\"{}\"", text.to_string_lossy());
    }
    match text.to_str() {
        Some(text) if !text.contains(char::is_control) => format!("'{}'", text.replace('\'', "'\\''")),
        // Letters of no alphabet by their codes.
        _ => format!("$'{}'", bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect::<String>()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    /// The command that makes results again replaces those that are there, in the folder where they are.
    #[test]
    fn results_are_made_again_where_they_are() {
        let scenario = Path::new("arm/slew.toml");
        assert_eq!(run_command(scenario, &Options::default()), "supple run --force arm/slew.toml");
        let options = Options::into_folder("out put");
        assert_eq!(run_command(scenario, &options), "supple run --force arm/slew.toml -o 'out put'");
    }

    /// A shell gives every word back as it was.
    #[test]
    fn shells_read_words_back() {
        let words: [&[u8]; 8] =
            [b"plain-1.toml", b"two words", b"it's", b"a\"b$c`d\\", b"", b"*?[x]~#!", b"line\nbreak", b"\xff\xfe'"];
        for bytes in words {
            let script = format!("printf %s {}", word(OsStr::from_bytes(bytes)));
            let Ok(shell) = Command::new("bash").args(["-c", &script]).output() else { return };
            assert_eq!(shell.stdout, bytes, "{script}");
        }
        assert_eq!(path_word(Path::new("-x y")), "'./-x y'");
    }
}
