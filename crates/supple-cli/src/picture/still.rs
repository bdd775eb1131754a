//! A model, robot or the start of a scenario as a picture, without a run.

use super::{Options, Refusal, finish, frames};
use crate::output::print;
use crate::status::Status;

/// Draws what a file describes, in the state of `--at`.
pub fn draw(options: &Options) -> Result<Status, Refusal> {
    let of_runs = [
        ("--plot", !options.plot.is_empty()),
        ("--frame", !options.frame.is_empty()),
        ("--frames", options.frames.is_some()),
        ("--from", options.from.is_some()),
        ("--to", options.to.is_some()),
        ("--paths", options.paths),
    ];
    if let Some((option, _)) = of_runs.iter().find(|(_, given)| *given) {
        let told = format!(
            "{option} needs the results folder of a run, and {} is a file: leave it out, or run it first",
            options.folder.display()
        );
        return Err(Refusal::Asked(told));
    }
    let run = options.pose.read(&options.folder, &options.set, "picture", false).map_err(Refusal::Told)?;
    let Some(place) = options.output.place() else {
        let name = &run.label;
        return Ok(print(|out| {
            writeln!(out, "{name}, without a run: {} bodies", run.recording.scene.bodies.len())?;
            run.summary.warnings.iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
            writeln!(out, "draw it with -o picture.svg, in another pose with --at HINGE=VALUE")
        }));
    };
    let format = options.format(place).map_err(Refusal::Asked)?;
    finish(options, (place, format), || frames(options, &run))
}
