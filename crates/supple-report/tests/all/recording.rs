//! A motion of any length in few frames, in a file that can be trusted.

use std::fs;
use std::path::PathBuf;

use supple::{Body, BodyIndex, Closure, ClosureKind, Hinge, HingeKind, Model, Mount, NodeIndex, Parent, State, System};
use supple_report::{Motion, MotionRecorder, Origin, Recording, ReportError, Scene};

fn system() -> System {
    let inertia = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.5]];
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    System {
        bodies: vec![Body::rigid("wheel", Parent::Ground, hinge, 1.0, [1.0, 0.0, 0.0], inertia)],
        closures: vec![Closure::joint(
            ClosureKind::Distance { length: 1.0 },
            Mount::node(BodyIndex(0), NodeIndex(0)),
            Mount::ground().at([1.0, 0.0, 0.0]),
        )],
        ..System::default()
    }
}

struct Wheel {
    scene: Scene,
    model: Model,
}

impl Wheel {
    fn new() -> Self {
        let system = system();
        let model = Model::build(&system).unwrap();
        Self { scene: Scene::new("wheel", &system, &model, &|_| Vec::new()), model }
    }

    fn state(&self, row: u64) -> State {
        let mut state = State::new(&self.model);
        state.time = 0.01 * row as f64;
        state.coordinates[0] = 0.001 * row as f64;
        state
    }

    /// Takes rows from a recorder's present one on.
    fn take(&self, recorder: &mut MotionRecorder, rows: std::ops::Range<u64>) {
        rows.for_each(|row| recorder.take(&self.scene, &self.model, &self.state(row)).unwrap());
    }

    fn motion(&self, rows: u64) -> Motion {
        let mut recorder = MotionRecorder::new(&self.scene, &self.model);
        self.take(&mut recorder, 0..rows);
        recorder.motion().clone()
    }
}

#[test]
fn long_motions_keep_evenly_spaced_frames_and_the_last() {
    let wheel = Wheel::new();
    for rows in [1, 2, 1999, 2000, 2001, 2002, 4001, 10_000, 31_234] {
        let motion = wheel.motion(rows);
        let frames = motion.len();
        assert!(frames as u64 <= rows.min(2001) && (rows < 2000 || frames > 1000), "{rows} rows, {frames} frames");
        assert_eq!(motion.frames.0.len(), frames * wheel.scene.frame_length());
        assert_eq!(motion.times.0[0], 0.0);
        assert_eq!(motion.times.0[frames - 1], 0.01 * (rows - 1) as f64, "{rows} rows: the end is there");
        let regular = frames - usize::from(motion.last.is_some());
        for (i, time) in motion.times.0[..regular].iter().enumerate() {
            assert_eq!(*time, 0.01 * (i as u64 * motion.stride) as f64);
        }
    }
}

/// A run that goes on leaves the motion of a run without interruption, wherever it was interrupted and whenever it was written.
#[test]
fn a_motion_that_goes_on_is_the_same() {
    let wheel = Wheel::new();
    for (written, rows, end) in
        [(500, 300, 900), (1999, 1500, 2500), (5000, 3001, 9000), (2500, 2500, 2600), (700, 0, 5000)]
    {
        let mut recorder = MotionRecorder::new(&wheel.scene, &wheel.model);
        recorder.restore(&wheel.motion(written), rows);
        wheel.take(&mut recorder, rows..end);
        assert_eq!(*recorder.motion(), wheel.motion(end), "{written} rows written, {rows} kept, {end} in the end");
    }
    // A motion that is not of this scene is left.
    let mut recorder = MotionRecorder::new(&wheel.scene, &wheel.model);
    recorder.restore(&Motion { stride: 1, ..wheel.motion(3) }, 2);
    let mut other = wheel.motion(3);
    other.frames.0.pop();
    recorder.restore(&other, 2);
    wheel.take(&mut recorder, 2..5);
    assert!(recorder.motion().len() >= 3);
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("supple-report-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn recordings_come_back_and_damaged_ones_are_refused() {
    let (wheel, folder) = (Wheel::new(), Folder::new("recording"));
    assert!(matches!(Recording::read(&folder.0), Err(ReportError::NoMotion { .. })));
    let told = Recording::new(wheel.scene.clone(), wheel.motion(20), Origin::default());
    told.write(&folder.0).unwrap();
    assert_eq!(Recording::read(&folder.0).unwrap(), told);
    let path = folder.0.join("motion.json");
    let text = fs::read_to_string(&path).unwrap();
    for (old, new) in [
        ("supple-motion-1", "supple-motion-9"),
        ("\"modes\":0", "\"modes\":3"),
        ("\"modes\":0", "\"modes\":18446744073709551609"),
        ("\"inboard\":0", "\"inboard\":18446744073709551609"),
        ("\"stride\":1", "\"stride\":0"),
        ("\"parent\":null", "\"parent\":7"),
        ("\"body\":0", "\"body\":1"),
        ("\"node\":0", "\"node\":1"),
        ("\"frames\":\"", "\"frames\":\"AAAAAAAA"),
        ("\"frames\":\"", "\"frames\":\"<"),
        ("}", ""),
    ] {
        let damaged = text.replacen(old, new, 1);
        assert_ne!(damaged, text, "{old}");
        fs::write(&path, damaged).unwrap();
        let error = Recording::read(&folder.0).unwrap_err();
        assert!(matches!(error, ReportError::Damaged { .. }), "{old}: {error}");
        assert!(error.to_string().contains("run the scenario again"), "{error}");
    }
}

/// Between frames numbers are in proportion, and attitudes turn the shorter way; outside the nearest frame stands.
#[test]
fn motions_are_sampled_between_their_frames() {
    let wheel = Wheel::new();
    let motion = wheel.motion(101);
    assert_eq!(motion.span(), Some([0.0, 1.0]));
    let angle = |time: f64| {
        let frame = motion.sample(&wheel.scene, time).unwrap();
        let [x, y, z, w] = [frame[3], frame[4], frame[5], frame[6]].map(f64::from);
        assert!(x == 0.0 && y == 0.0);
        2.0 * z.atan2(w)
    };
    for time in [0.0, 0.005, 0.3333, 0.99, 1.0] {
        assert!((angle(time) - 0.1 * time).abs() < 1e-6, "{time}: {}", angle(time));
    }
    assert_eq!((angle(-5.0), angle(7.0)), (angle(0.0), angle(1.0)));
    // The same attitude by the opposite quaternion.
    let mut flipped = motion.clone();
    flipped.frames.0[7 + 3..7 + 7].iter_mut().for_each(|x| *x = -*x);
    let there = flipped.sample(&wheel.scene, 0.005).unwrap();
    let plain = motion.sample(&wheel.scene, 0.005).unwrap();
    assert!(there.iter().zip(&plain).all(|(a, b)| (a - b).abs() < 1e-6), "{there:?} {plain:?}");
    assert_eq!(wheel.motion(0).sample(&wheel.scene, 0.0), None);
    assert!(wheel.motion(1).sample(&wheel.scene, 3.0).is_some());
}
