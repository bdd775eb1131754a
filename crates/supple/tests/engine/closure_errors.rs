//! Closures that cannot be are reported by name and with a remedy.

use super::build_errors::sound;
use supple::{BodyIndex, Closure, ClosureKind, CoupledHinge, Model, Mount, NodeIndex, Problem};

fn tip() -> Mount {
    Mount::node(BodyIndex(1), NodeIndex(0))
}

#[test]
fn every_mistake_is_found_alone_and_explained() {
    let cases: Vec<(Closure, &[&str])> = vec![
        (
            Closure::joint(ClosureKind::Weld, Mount::ground(), Mount::node(BodyIndex(9), NodeIndex(0))),
            &["closure 0", "frame b", "no body number 9"],
        ),
        (
            Closure::joint(ClosureKind::Weld, Mount::node(BodyIndex(0), NodeIndex(7)), Mount::ground()).named("latch"),
            &["closure 'latch'", "frame a", "no node 7"],
        ),
        (Closure::joint(ClosureKind::Ball, Mount::ground().at([f64::NAN, 0.0, 0.0]), tip()), &["frame a", "NaN"]),
        (
            Closure::joint(
                ClosureKind::Ball,
                Mount::ground().turned([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
                tip(),
            ),
            &["frame a", "rotation matrix"],
        ),
        (Closure::joint(ClosureKind::Revolute { axis: [0.0; 3] }, Mount::ground(), tip()), &["no direction"]),
        (
            Closure::joint(ClosureKind::Screw { axis: [1.0, 0.0, 0.0], pitch: f64::INFINITY }, Mount::ground(), tip()),
            &["pitch is inf"],
        ),
        (Closure::joint(ClosureKind::Distance { length: 0.0 }, Mount::ground(), tip()), &["length is 0"]),
        (Closure::joint(ClosureKind::Weld, tip(), tip().at([1.0, 0.0, 0.0])), &["fixed to each other"]),
        (Closure::coupling([CoupledHinge { body: BodyIndex(0), speed: 0, factor: 0.0 }], 0.0), &["factor is 0"]),
        (Closure::coupling([CoupledHinge { body: BodyIndex(0), speed: 5, factor: 1.0 }], 0.0), &["no speed 5"]),
        (Closure::coupling([CoupledHinge { body: BodyIndex(0), speed: 0, factor: 1.0 }; 2], 0.0), &["twice"]),
        (Closure::coupling([CoupledHinge { body: BodyIndex(0), speed: 0, factor: 1.0 }], f64::NAN), &["offset is NaN"]),
    ];
    for (closure, words) in cases {
        let mut system = sound();
        system.closures.push(closure.clone());
        let error = Model::build(&system).unwrap_err();
        let [problem @ Problem::Closure { index, .. }] = error.problems() else { panic!("{closure:?}: {error}") };
        assert_eq!(*index, 0);
        let text = problem.to_string();
        assert!(words.iter().all(|word| text.contains(word)) && problem.remedy().is_some(), "{closure:?}: {text}");
    }
}
