//! Sides that go, laws that fail, and what a long run takes.

use super::*;
use supple_control::realtime::{Flags, FrameKind, Header, encode};

/// A controller that is gone, and a plant that is gone.
#[test]
fn the_side_that_is_left_ends_safely() {
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(1000);
    for _ in 0..10 {
        rig.controller.compute();
    }
    assert_eq!((rig.is_safe()[0], &rig.faults()[0]), (true, &vec![Fault::Lost]));
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(1000);
    // What was on its way still arrives.
    rig.drives.receive(&rig.down[..rig.pending], 1000);
    let cycles = (1000..2000).take_while(|cycle| rig.drives.settle(*cycle, true).is_some()).count();
    assert_eq!((cycles, &rig.faults()[1]), (10, &vec![Fault::Lost]));
}

/// A fault right after the safe state was left leads both back into it: what the controller sends there acknowledges nothing.
#[test]
fn a_fault_after_an_acknowledgement_stays() {
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(1000);
    let nonsense = Trouble { extra_up: Some(b"nonsense"), ..Trouble::default() };
    rig.cycle(nonsense);
    rig.run(200);
    rig.controller.acknowledge();
    rig.run(4);
    assert_eq!(rig.is_safe(), [false; 2]);
    rig.cycle(nonsense);
    for _ in 0..30 {
        rig.run(1);
        assert_eq!(rig.is_safe(), [true; 2]);
    }
    // An effort in a frame of a controller in its safe state is none.
    let flags = Flags::SAFE.with(Flags::ACKNOWLEDGED, true);
    let header = Header { kind: FrameKind::Command, flags, session: 9, sequence: 5, time: 0, answers: 0 };
    let (mut drives, mut bytes) = (Drives::new(plan(DeadlinePolicy::Hold), KEY, 9), [0; MOST_BYTES]);
    for sequence in 5..9 {
        let length = encode(&Header { sequence, ..header }, &[1e6], &KEY, &mut bytes).unwrap();
        drives.receive(&bytes[..length], sequence);
        assert_eq!(drives.settle(sequence, true), None);
        assert_eq!(drives.commands(), [0.0]);
    }
}

/// A law that gives no number is the controller's own fault: it is not called again, and no acknowledgement helps.
#[test]
fn a_law_that_fails_ends_safely() {
    let mut rig = Rig::failing(DeadlinePolicy::Hold, 0.5);
    rig.run(250);
    assert_eq!(rig.is_safe(), [false; 2]);
    rig.run(3);
    assert_eq!((rig.is_safe(), rig.faults()), ([true; 2], [vec![Fault::Law], vec![Fault::Peer]]));
    rig.controller.acknowledge();
    rig.run(2000);
    assert_eq!((rig.is_safe(), rig.faults()), ([true; 2], [vec![Fault::Law], vec![Fault::Peer]]));
    assert!(rig.speed.abs() < 1e-6 && rig.effort.abs() < 1e-4, "{}", rig.speed);
}

/// A command that is no number is never taken.
#[test]
fn a_command_that_is_no_number_is_never_taken() {
    let mut drives = Drives::new(plan(DeadlinePolicy::Hold), KEY, 9);
    let mut watch = SignalWatch::new(plan(DeadlinePolicy::Hold).command_bounds(), PERIOD);
    assert_eq!(watch.check(&[f64::NAN], 1).unwrap().0, Fault::NotFinite);
    assert_eq!(watch.check(&[61.0], 1).unwrap().0, Fault::OutOfRange);
    let (kind, flags) = (FrameKind::Command, Flags::default());
    let header = Header { kind, flags, session: 9, sequence: 0, time: 0, answers: 0 };
    let mut bytes = [0; MOST_BYTES];
    let length = encode(&header, &[f64::NAN], &KEY, &mut bytes).unwrap();
    drives.receive(&bytes[..length], 0);
    assert_eq!(drives.settle(1, true), None);
    assert_eq!(drives.commands(), [0.0]);
    assert_eq!(drives.supervisor().log()[0].fault, Some(Fault::NotFinite));
}

/// A million cycles of both sides, with losses and faults among them, ask for no memory.
#[test]
fn cycles_allocate_nothing() {
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(10);
    let nonsense = [7; 100];
    let requests = allocations(|| {
        for k in 0..1_000_000_u64 {
            let extra_up = (k % 100_000 == 99_999).then_some(nonsense.as_slice());
            rig.cycle(Trouble {
                lose_up: k.is_multiple_of(17),
                late: k.is_multiple_of(1001),
                extra_up,
                ..Trouble::default()
            });
            if k % 100_000 == 50_000 {
                rig.controller.acknowledge();
            }
        }
    });
    assert_eq!(requests, 0);
    assert!(rig.faults()[0].len() >= 9, "{:?}", rig.faults());
}
