//! Films of a run: GIF built in, MP4 and WebM by `ffmpeg` where it is installed.

use std::fs;
use std::fs::File;
use std::io::BufReader;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::picture::{refused, results};
use crate::run_support::{Folder, run, runs, signal, supple};

/// A GIF, frame by frame as it is seen.
struct Gif {
    size: [usize; 2],
    palette: Vec<[u8; 3]>,
    /// Hundredths of a second.
    delays: Vec<u16>,
    frames: Vec<Vec<[u8; 3]>>,
    /// Pixels that the file has of each frame.
    stored: Vec<usize>,
}

fn gif(folder: &Folder, name: &str) -> Gif {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(BufReader::new(File::open(folder.path(name)).unwrap())).unwrap();
    let size = [decoder.width(), decoder.height()].map(usize::from);
    let palette: Vec<[u8; 3]> =
        decoder.global_palette().unwrap().chunks_exact(3).map(|c| c.try_into().unwrap()).collect();
    let mut found = Gif { size, palette, delays: Vec::new(), frames: Vec::new(), stored: Vec::new() };
    let mut seen = vec![[0; 3]; size[0] * size[1]];
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let width = usize::from(frame.width);
        for (i, number) in frame.buffer.iter().enumerate().filter(|(_, number)| Some(**number) != frame.transparent) {
            let (x, y) = (usize::from(frame.left) + i % width, usize::from(frame.top) + i / width);
            seen[y * size[0] + x] = found.palette[usize::from(*number)];
        }
        found.delays.push(frame.delay);
        found.stored.push(frame.buffer.len());
        found.frames.push(seen.clone());
    }
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    found
}

/// Pixels of a PNG.
fn png(folder: &Folder, name: &str) -> Vec<[u8; 3]> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(folder.path(name)).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    let channels = info.color_type.samples();
    bytes[..info.buffer_size()].chunks_exact(channels).map(|p| [p[0], p[1], p[2]]).collect()
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    (0..3).map(|i| u32::from(a[i].abs_diff(b[i])).pow(2)).sum()
}

const LOOK: [&str; 6] = ["--size", "320x240", "--exaggeration", "20", "--bare", "--paths"];

#[test]
fn gif_shows_the_run_frame_by_frame() {
    let folder = results();
    let film = |name: &str| {
        let told =
            runs(&folder, &[&["picture", "out", "--film", name, "--fps", "8", "--seconds", "1.5"], &LOOK[..]].concat());
        assert_eq!(told.trim(), name, "the file is named");
    };
    film("a.gif");
    let found = gif(&folder, "a.gif");
    assert_eq!((found.size, found.frames.len()), ([320, 240], 13));
    // 12 or 13 hundredths each, without drift.
    let delays: u32 = found.delays.iter().map(|delay| u32::from(*delay)).sum();
    assert_eq!(delays, 163, "{:?}", found.delays);
    assert!(found.frames.windows(2).all(|pair| pair[0] != pair[1]), "all frames differ");
    assert!(found.stored[1..].iter().all(|count| *count < 320 * 240), "{:?}", found.stored);
    // The first and the last frame are the pictures of these times, in the nearest colours of the palette.
    for (time, frame) in [("0", &found.frames[0]), ("1", &found.frames[12])] {
        runs(
            &folder,
            &[&["picture", "out", "--frame", time, "--fit", "motion", "-o", "still.png", "--force"], &LOOK[..]]
                .concat(),
        );
        let still = png(&folder, "still.png");
        assert_eq!(still.len(), frame.len());
        let (mut furthest, mut squares) = (0, 0.0);
        for (wanted, seen) in still.iter().zip(frame) {
            let nearest = found.palette.iter().map(|colour| distance(*colour, *wanted)).min().unwrap();
            assert_eq!(distance(*wanted, *seen), nearest, "{wanted:?} {seen:?} at {time} s");
            furthest = furthest.max(nearest);
            squares += f64::from(nearest);
        }
        let mean = (squares / still.len() as f64).sqrt();
        assert!(mean < 2.0 && furthest < 48 * 48, "a palette that has the colours: {mean} {furthest}");
    }
    film("b.gif");
    assert_eq!(fs::read(folder.path("a.gif")).unwrap(), fs::read(folder.path("b.gif")).unwrap(), "the same bytes");
}

#[test]
fn usual_films_pass_in_real_time_and_have_their_options() {
    let folder = results();
    // A second of motion in three, 20 frames each.
    runs(&folder, &["picture", "out", "--film", "usual.gif", "--size", "280x200"]);
    let usual = gif(&folder, "usual.gif");
    assert_eq!((usual.frames.len(), usual.delays.iter().all(|delay| *delay == 5)), (61, true));
    let arguments = ["--film", "part.gif", "--from", "0.25", "--to", "0.5", "--speed", "0.5", "--fps", "4"];
    let look = [
        "--size",
        "280x200",
        "--zoom",
        "1.5",
        "--dark",
        "--view",
        "iso",
        "--colour",
        "curvature",
        "--names",
        "--ghost",
    ];
    runs(&folder, &[&["picture", "out"], &arguments[..], &look].concat());
    let part = gif(&folder, "part.gif");
    assert_eq!((part.frames.len(), part.size), (3, [420, 300]));
    assert_eq!(part.frames[0][0], [0x10, 0x15, 0x1d], "the dark background is exact");
}

/// A mode of the system swings once in two seconds, and begins where it ends.
#[test]
fn modes_are_filmed() {
    let folder = results();
    let film = |rest: &[&str]| {
        let start = ["modes", "arm.toml", "--system", "--film", "mode.gif", "--force", "--size", "320x240"];
        let told = runs(&folder, &[&start[..], rest].concat());
        assert_eq!(told.trim(), "mode.gif");
        gif(&folder, "mode.gif")
    };
    let first = film(&[]);
    // The first frame is not there a second time.
    assert_eq!((first.size, first.frames.len()), ([320, 240], 40));
    assert!(first.frames.windows(2).filter(|pair| pair[0] != pair[1]).count() > 30);
    let apart = |a: usize, b: usize| first.frames[a].iter().zip(&first.frames[b]).filter(|(p, q)| p != q).count();
    assert!(apart(0, 39) < apart(10, 30), "{} {}", apart(0, 39), apart(10, 30));
    let second = film(&["--mode", "2", "--view", "z", "--dark", "--seconds", "1", "--fps", "8"]);
    assert_eq!(second.frames.len(), 8);
    assert_eq!(second.frames[0][0], [0x10, 0x15, 0x1d]);
    for (arguments, words) in [
        (&["modes", "arm.toml", "--film", "a.gif"][..], "--system"),
        (&["modes", "arm.toml", "--system", "--mode", "2"], "--film"),
        (
            &["modes", "arm.toml", "--system", "--film", "a.gif", "--mode", "999"],
            "there is no mode 999; choose one from 1 to",
        ),
        (&["modes", "arm.toml", "--system", "--film", "a.avi"], ".gif"),
        (&["modes", "arm.toml", "--system", "--film", "mode.gif"], "already exists"),
        (&["modes", "arm.toml", "--system", "--film", "a.gif", "--fps", "0"], "from 1 to 50"),
    ] {
        let (code, told) = refused(&folder, arguments);
        assert!(code != Some(0) && told.contains(words), "{arguments:?}: {told}");
        assert!(!folder.path("a.gif").exists());
    }
}

/// A scenario is simulated for its film, and leaves nothing but that.
#[test]
fn scenarios_are_filmed_without_results() {
    let folder = results();
    let film = |of: &str, name: &str| {
        runs(&folder, &["picture", of, "--film", name, "--size", "280x200", "--fps", "4", "--seconds", "1"]);
        fs::read(folder.path(name)).unwrap()
    };
    let before: Vec<_> = fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(film("fast.toml", "scenario.gif"), film("out", "results.gif"));
    let after = fs::read_dir(folder.root()).unwrap().count();
    assert_eq!(after, before.len() + 2, "two films more");
    folder.write("bad.toml", "format = \"supple-scenario-1\"\nmodel = \"arm.toml\"\nduration = -1\n");
    let (code, told) = refused(&folder, &["picture", "bad.toml", "--film", "bad.gif"]);
    assert!(code == Some(1) && told.contains("`duration` is -1"), "{told}");
}

#[test]
fn mistakes_are_told_with_what_to_do() {
    let folder = results();
    for (rest, words) in [
        (&["--film", "a.avi"][..], "a.avi: films end in .gif, or with ffmpeg installed in .mp4 or .webm"),
        (&["--film", "a"], "films end in .gif"),
        (&["-o", "a.gif"], "a.gif: for a film use --film a.gif"),
        (&["--fps", "10", "-o", "a.png"], "--fps, --seconds and --speed apply to --film only; leave them out"),
        (&["--speed", "2"], "apply to --film only"),
        (&["--film", "a.gif", "--fps", "0"], "--fps: 0 frames per second; choose from 1 to 50"),
        (&["--film", "a.gif", "--fps", "60"], "choose from 1 to 50"),
        (&["--film", "a.mp4", "--fps", "100"], "choose from 1 to 60"),
        (&["--film", "a.gif", "--fps", "NaN"], "must be finite"),
        (&["--film", "a.gif", "--seconds", "0"], "--seconds, --speed: a film of 0 s"),
        (&["--film", "a.gif", "--seconds", "1e9"], "at most 600 s"),
        (&["--film", "a.gif", "--speed", "-2"], "--seconds, --speed: a film of -0.5 s"),
        (&["--film", "a.gif", "--speed", "1e-6"], "choose a speed of at least 0.0016"),
        (&["--film", "a.gif", "--seconds", "1", "--speed", "1"], "cannot be used with"),
        (&["--film", "a.gif", "--frame", "0"], "cannot be used with"),
        (&["--film", "a.gif", "--plot", "energy"], "cannot be used with"),
        (&["--film", "a.gif", "-o", "b.gif"], "cannot be used with"),
        (&["--film", "a.gif", "--from", "2"], "--from, --to: nothing was recorded at 2 s; choose a time from 0 to 1 s"),
        (&["--film", "a.gif", "--from", "0.5", "--to", "0.1"], "--from, --to: from 0.5 to 0.1 s is backwards"),
        (&["--film", "a.gif", "--size", "100x100"], "--size: 100 by 100 is too small"),
        (&["--film", "a.gif", "--size", "9000x600"], "--size, --zoom: 9000 by 600 pixels; films have at most 8192"),
        (&["--film", "a.gif", "--colour", "strain"], "--colour: no flexible body has a strain"),
    ] {
        let (code, told) = refused(&folder, &[&["picture", "out"], rest].concat());
        assert!(code == Some(2) && told.contains(words), "{rest:?}: {code:?} {told}");
    }
    for (rest, words) in [
        (&["picture", "nowhere", "--film", "a.gif"][..], "nowhere: there is no such file or folder; check the path"),
        (&["picture", "out", "--film", "missing/a.gif"], "create the folder first"),
    ] {
        let (code, told) = refused(&folder, rest);
        assert!(code == Some(1) && told.contains(words), "{rest:?}: {code:?} {told}");
    }
    folder.write("mine.gif", "mine");
    let (code, told) = refused(&folder, &["picture", "out", "--film", "mine.gif"]);
    assert!(code == Some(1) && told.contains("use --force to overwrite it"), "{told}");
    assert_eq!(folder.text("mine.gif"), "mine");
    assert!(no_film(&folder), "nothing is left");
}

/// Whether a folder has no film but `mine.gif`, and no part of one.
fn no_film(folder: &Folder) -> bool {
    let names = fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let film = |name: &String| [".gif", ".mp4", ".webm", ".partial"].iter().any(|ending| name.ends_with(ending));
    names.filter(film).all(|name| name == "mine.gif")
}

/// Runs the command where programs are looked for in one folder only.
fn with_programs(folder: &Folder, programs: &str, arguments: &[&str]) -> Output {
    supple(folder, arguments).env("PATH", folder.path(programs)).output().unwrap()
}

/// Other films need another program; without it, or where it fails, nothing is left.
#[test]
fn ffmpeg_that_is_missing_or_fails_is_told() {
    let folder = results();
    let film = ["picture", "out", "--film", "a.mp4", "--size", "280x200"];
    let told = |output: Output| (output.status.code(), String::from_utf8(output.stderr).unwrap());
    let (code, words) = told(with_programs(&folder, "empty", &film));
    let missing =
        "supple: a.mp4: films other than .gif need the program ffmpeg, which was not found; install it, or choose .gif";
    assert_eq!((code, words.trim()), (Some(1), missing));
    assert!(no_film(&folder));
    if cfg!(unix) {
        let script = "#!/bin/sh\necho 'what it says first' >&2\necho 'Unknown encoder' >&2\necho >&2\nexit 3\n";
        folder.write("programs/ffmpeg", script);
        Command::new("chmod").args(["+x", folder.path("programs/ffmpeg").to_str().unwrap()]).status().unwrap();
        let (code, words) = told(with_programs(&folder, "programs", &film));
        let failed = "supple: a.mp4: ffmpeg failed: Unknown encoder; see which encoders it has, or choose .gif";
        assert_eq!((code, words.trim()), (Some(1), failed));
        assert!(no_film(&folder));
    }
}

/// What a program prints; none where it is not installed.
fn printed(program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
    let output = Command::new(program).args(arguments).output().ok()?;
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

#[test]
fn videos_play_everywhere() {
    let folder = results();
    let Some(encoders) = printed("ffmpeg", &["-hide_banner", "-encoders"]) else {
        println!("skipped: ffmpeg is not installed");
        return;
    };
    let encoders = String::from_utf8(encoders).unwrap();
    // Odd sizes become even.
    let look = ["--size", "321x241", "--exaggeration", "20", "--bare"];
    runs(&folder, &[&["picture", "out", "--frame", "0", "--fit", "motion", "-o", "still.png"], &look[..]].concat());
    let still = png(&folder, "still.png");
    for (name, encoder, codec) in [("a.mp4", "libx264", "h264"), ("a.webm", "libvpx-vp9", "vp9")] {
        if !encoders.contains(encoder) {
            println!("skipped: this ffmpeg has no {encoder}");
            continue;
        }
        runs(&folder, &[&["picture", "out", "--film", name, "--seconds", "1"], &look[..]].concat());
        let path = folder.path(name);
        let entries = "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames";
        let arguments = ["-v", "error", "-count_frames", "-show_entries", entries, "-of", "default=nk=1:nw=1"];
        let facts = printed("ffprobe", &[&arguments[..], &[path.to_str().unwrap()]].concat()).unwrap();
        let facts = String::from_utf8(facts).unwrap();
        assert_eq!(facts.split_whitespace().collect::<Vec<_>>(), [codec, "322", "242", "yuv420p", "25/1", "26"]);
        let raw = ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
        let first = printed("ffmpeg", &[&["-v", "error", "-i", path.to_str().unwrap()], &raw[..]].concat()).unwrap();
        let row = |y: usize| first[3 * 322 * y..][..3 * 321].chunks_exact(3).map(|p| [p[0], p[1], p[2]]);
        let off: f64 = (0..241).flat_map(row).zip(&still).map(|(a, b)| f64::from(distance(a, *b))).sum();
        let off = (off / still.len() as f64).sqrt();
        assert!(off < 8.0, "{name}: colours are {off} off");
    }
    let bytes = fs::read(folder.path("a.mp4")).unwrap_or_default();
    let place = |what: &[u8]| bytes.windows(4).position(|word| word == what);
    assert!(place(b"moov") <= place(b"mdat"), "it plays while it loads");
}

/// Ctrl-C ends it soon and leaves nothing.
#[test]
fn interrupted_films_leave_no_file() {
    let folder = results();
    let film = ["picture", "out", "--film", "long.gif", "--seconds", "600"];
    let child = supple(&folder, &film).spawn().unwrap();
    let started = Instant::now();
    while !folder.path(".long.gif.partial").exists() {
        assert!(started.elapsed() < Duration::from_secs(120), "it does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(child.id(), "INT");
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.trim()), (Some(130), "supple: interrupted; no film was written"));
    assert!(no_film(&folder));
    assert_eq!(run(&folder, &["picture", "out"]).status.code(), Some(0));
}
