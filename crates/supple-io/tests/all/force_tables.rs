//! Tables `[[force]]` of model files: numbers, defaults, and what is refused at which line.

use supple::force::{Bushing, ConstantForce, ForceElement, HingeCoupling, PointMassField, Port, SpringDamper};
use supple::{BodyIndex, NodeIndex};
use supple_io::model_file::{self, ModelFile};
use supple_io::source::{FileError, Rule};

const BODIES: &str = r#"format = "supple-model-1"
[[body]]
name = "upper"
hinge = { kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 1, mass_centre = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }
nodes = [{ name = "tip", position = [1, 0, 0], mass = 0 }]
[[body]]
name = "lower"
parent = "upper"
at = "tip"
hinge = { kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 1, mass_centre = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }
[[force]]
"#;
/// The first line of the table.
const LINE: i64 = 14;

fn read(force: &str) -> Result<ModelFile, FileError> {
    model_file::from_text("arm.toml", &format!("{BODIES}{force}\n"), None)
}

#[track_caller]
fn sound(force: &str) -> ForceElement {
    let file = read(force).unwrap_or_else(|error| panic!("{error}"));
    let [element] = &file.system.forces[..] else { panic!("{:?}", file.system.forces) };
    element.clone()
}

#[test]
fn numbers_and_defaults() {
    let (upper, lower) = (BodyIndex(0), BodyIndex(1));
    let tip = Port::node(upper, NodeIndex(1));
    let coupling = HingeCoupling { ratio: 1.0, offset: 0.0, stiffness: 5.0, damping: 0.0 };
    assert_eq!(
        sound(
            "kind = \"coupling\"\nname = \"belt\"\nfrom = { body = \"upper\" }\nto = { body = \"lower\", speed = 0 }\nstiffness = 5"
        ),
        ForceElement::new(coupling, [Port::hinge(upper), Port::hinge(lower)]).named("belt")
    );
    let cable = SpringDamper { length: 0.5, stiffness: 20.0, damping: 0.0, preload: 1.5 };
    assert_eq!(
        sound(
            "kind = \"spring-damper\"\nfrom = { ground = [0, 0, 2] }\nto = { body = \"upper\", node = \"tip\" }\nlength = 0.5\nstiffness = 20\npreload = 1.5"
        ),
        ForceElement::new(cable, [Port::Ground { position: [0.0, 0.0, 2.0] }, tip])
    );
    let bushing = Bushing {
        stiffness: [7.0; 3],
        angular_stiffness: [1.0, 2.0, 3.0],
        damping: [0.0; 3],
        angular_damping: [0.0; 3],
    };
    // A body with one node needs not name it.
    assert_eq!(
        sound(
            "kind = \"bushing\"\nfrom = { body = \"upper\", node = 1 }\nto = { body = \"lower\" }\nstiffness = 7\nangular_stiffness = [1, 2, 3]"
        ),
        ForceElement::new(bushing, [tip, Port::node(lower, NodeIndex(0))])
    );
    let push = ConstantForce { force: [0.0, 0.0, 3.0], moment: [0.0; 3] };
    assert_eq!(
        sound("kind = \"constant\"\nat = { body = \"lower\" }\nforce = [0, 0, 3]"),
        ForceElement::new(push, [Port::node(lower, NodeIndex(0))])
    );
    let field = PointMassField { mu: 3.986e14, position: [0.0, 0.0, -6.7e6] };
    assert_eq!(
        sound("kind = \"point-mass-field\"\nmu = 3.986e14\nposition = [0, 0, -6.7e6]"),
        ForceElement::new(field, [Port::EveryBody])
    );
}

#[test]
fn mistakes_are_told_where_they_are() {
    let only = |force: &str| {
        let error = read(force).expect_err("the text is broken");
        assert_eq!(error.findings().len(), 1, "{error}");
        (error.findings()[0].place.line as i64 - LINE, error.findings()[0].rule.clone(), error.to_string())
    };
    let (line, rule, _) = only("kind = \"constant\"\nat = { body = \"hand\" }");
    assert!(line == 1 && matches!(rule, Rule::UnknownName { kind: "body", .. }), "{line} {rule:?}");
    let (line, rule, _) = only("kind = \"constant\"\nat = { body = \"upper\" }");
    assert!(line == 1 && matches!(rule, Rule::MissingNode { .. }), "{line} {rule:?}");
    let (line, rule, _) = only("kind = \"constant\"\nat = { body = \"upper\", node = \"elbow\" }");
    assert!(line == 1 && matches!(rule, Rule::UnknownName { kind: "node", .. }), "{line} {rule:?}");
    let (line, rule, _) = only("kind = \"constant\"\nat = { body = \"lower\" }\nstiffness = 3");
    assert!(line == 2 && matches!(rule, Rule::Useless { .. }), "{line} {rule:?}");
    let (_, rule, _) = only("kind = \"constant\"");
    assert!(matches!(rule, Rule::MissingKey { key: "at", .. }), "{rule:?}");
    let (_, rule, _) = only("kind = \"point-mass-field\"");
    assert!(matches!(rule, Rule::MissingKey { key: "mu", .. }), "{rule:?}");
    let (line, rule, _) =
        only("kind = \"bushing\"\nfrom = { body = \"lower\" }\nto = { ground = [0, 0, 0] }\nstiffness = [1, 2]");
    assert!(line == 3 && matches!(rule, Rule::Length { found: 2, expected: 3, .. }), "{line} {rule:?}");
    // Rules of the engine.
    let (_, rule, told) = only("kind = \"hinge-damping\"\nat = { body = \"lower\" }\ndamping = -1");
    assert!(
        matches!(&rule, Rule::Model(supple::Problem::ForceParameter { element, .. }) if element.index == Some(0)),
        "{rule:?}"
    );
    assert!(told.contains("must not be negative"), "{told}");
    let (_, rule, _) = only("kind = \"hinge-damping\"\nat = { body = \"lower\", speed = 1 }\ndamping = 1");
    assert!(matches!(rule, Rule::Model(supple::Problem::ForcePort { .. })), "{rule:?}");
    let (line, rule, _) = only("kind = \"magnet\"");
    assert!(line == 0 && matches!(rule, Rule::UnknownWord { .. }), "{rule:?}");
}
