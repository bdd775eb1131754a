//! The table `damping` of models: what can be said, and what is refused with its line and a remedy.

use supple_bodies::damping::relaxing;
use supple_io::model_file::{self, ModelFile};
use supple_io::source::FileError;

fn read(damping: &str, body: &str) -> Result<ModelFile, FileError> {
    let text = format!(
        "format = \"supple-model-1\"\n{damping}\n[[body]]\nname = \"strip\"\nhinge = {{ name = \"root\", kind = \"revolute\", axis = [0, 0, 1] }}\n{body}\n"
    );
    model_file::from_text("x.toml", &text, None)
}

const BEAM: &str = "[body.beam]\nlength = 1.0\nsection = { rectangle = { width = 0.003, height = 0.04 } }\n\
                    material = { E = 7e10, nu = 0.33, density = 2700 }\nmodes = { bending_y = 1 }";

/// Coordinates that relax follow the modes; the band is what the file says, or begins at half of the first frequency, 2.468 Hz, and is two decades wide.
#[test]
fn a_loss_factor_is_read_with_its_band() {
    for (damping, band) in [
        ("loss_factor = 0.02", [1.234, 123.4]),
        ("loss_factor = 0.02, up_to_hz = 40", [1.234, 40.0]),
        ("loss_factor = 0.02, up_to_hz = 1", [0.5, 1.0]),
        ("loss_factor = 0.02, from_hz = 0.1", [0.1, 10.0]),
        ("loss_factor = 0.3, from_hz = 0.1, up_to_hz = 2", [0.1, 2.0]),
    ] {
        let file = read(&format!("damping = {{ {damping} }}"), BEAM).unwrap_or_else(|error| panic!("{error}"));
        let loss = file.damping.as_ref().and_then(|damping| damping.loss).unwrap();
        assert!((0..2).all(|i| (loss.band[i] / band[i] - 1.0).abs() < 0.01), "{damping}: {:?}", loss.band);
        let body = &file.system.bodies[0];
        let branches = loss.relaxation().unwrap().branches();
        assert_eq!((body.modes.count, relaxing::count(body)), (3 * (1 + branches), 3 * branches), "{damping}");
        assert_eq!(file.model.speed_count(), 1 + body.modes.count);
        // What is written reads back equal, and is known for what it is.
        let again = model_file::from_text("again.toml", &model_file::write(&file.system).unwrap(), None).unwrap();
        assert_eq!(again.system, file.system);
    }
}

#[test]
fn mistakes_are_named() {
    for (damping, body, says) in [
        ("ratio = 0.01, loss_factor = 0.02", BEAM, &["ratio", "loss_factor"][..]),
        ("up_to_hz = 3", BEAM, &["ratio", "loss_factor"]),
        ("loss_factor = 0.02, at = { root = 1 }", BEAM, &["`at`", "holds in every pose"]),
        ("loss_factor = 0.02, free = [\"all\"]", BEAM, &["`free`", "holds in every pose"]),
        ("ratio = 0.01, from_hz = 1", BEAM, &["`from_hz`", "applies to `loss_factor`"]),
        ("loss_factor = 2", BEAM, &["a loss factor of 2 ", "up to 0.3"]),
        ("loss_factor = 0", BEAM, &["loss_factor", "above zero"]),
        ("loss_factor = 0.02, from_hz = 5, up_to_hz = 5", BEAM, &["from 5.0000 to 5.0000 Hz", "above its beginning"]),
        ("loss_factor = 0.02, from_hz = 1e-6, up_to_hz = 5", BEAM, &["cannot be reached", "1e6 times"]),
        (
            "loss_factor = 0.02",
            "rigid = { mass = 1, inertia = [1, 1, 1] }",
            &["no body of the system is flexible", "leave the table out"],
        ),
    ] {
        let error = read(&format!("damping = {{ {damping} }}"), body).expect_err(damping).to_string();
        assert!(error.contains("x.toml:2:"), "{damping}: {error}");
        says.iter().for_each(|says| assert!(error.contains(says), "{damping}: `{says}` is missing in {error}"));
    }
}
