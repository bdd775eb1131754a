//! `supple design pid`: gains of a controller at one hinge.

use crate::status::Status;
use std::f64::consts::TAU;
use std::io::{self, Write};

use serde::Serialize;
use supple::{DenseWorkspace, Workspace, mass_matrix};
use supple_linear::{
    Margins, Matrix, OperatingPoint, Selection, Signal, StateSpace, close_loops, margins, open_loop, poles,
};

use super::answer::{OfLoop, Pole, pairs, write_json, write_margins, write_poles};
use super::page::{PageOptions, Shown};
use crate::linear::{PointOptions, Refusal};
use crate::operating::Operating;
use crate::options::{FileOptions, Format, FormatOptions, TextOrJson};
use crate::output::{UNSUPPORTED, fail, print};

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// Hinge with one degree of freedom.
    #[arg(long)]
    hinge: String,
    /// Natural frequency of the rigid arm with the controller, in Hz.
    #[arg(long, value_name = "HZ")]
    bandwidth: f64,
    /// Damping ratio of the rigid arm with the controller.
    #[arg(long, value_name = "RATIO", default_value_t = 0.7)]
    damping: f64,
    /// Add integral action with a tenth of the bandwidth.
    #[arg(long)]
    integral: bool,
    #[command(flatten)]
    point: PointOptions,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
    #[command(flatten)]
    page: PageOptions,
}

#[derive(Serialize)]
struct Answer {
    hinge: String,
    inertia: f64,
    p: f64,
    i: f64,
    d: f64,
    poles: Vec<Pole>,
    margins: Vec<OfLoop>,
}

/// Prints gains.
pub fn run(options: &Options) -> Status {
    let operating = match Operating::read(&options.file, &options.point.at) {
        Ok(operating) => operating,
        Err(status) => return status,
    };
    for (name, value) in [("--bandwidth", options.bandwidth), ("--damping", options.damping)] {
        if !(value > 0.0 && value.is_finite()) {
            return fail(UNSUPPORTED, "design pid", &format!("{name}: {value}; give a finite number above zero"));
        }
    }
    let inertia = match inertia(&options.hinge, &operating) {
        Ok(inertia) => inertia,
        Err(told) => return fail(UNSUPPORTED, &operating.source, &told),
    };
    let Designed { answer, open, open_poles, margins } = match design(options, &operating, inertia) {
        Ok(designed) => designed,
        Err(refusal) => return refusal.tell(&operating.source),
    };
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_text(&mut text, &answer);
    let shown = Shown {
        title: format!("PID at {} of {}", options.hinge, operating.source),
        text: String::from_utf8_lossy(&text).into_owned(),
        open_poles: &open_poles,
        poles: &answer.poles,
        open: &open,
        margins: &margins,
    };
    if let Err(status) = options.page.write(&shown) {
        return status;
    }
    match options.format.or(Format::Table) {
        Format::Json => print(|out| write_json(out, &answer)),
        _ => print(|out| out.write_all(&text)),
    }
}

/// Gains, with the loop that they make.
struct Designed {
    answer: Answer,
    open: StateSpace,
    open_poles: Vec<Pole>,
    margins: Vec<Margins>,
}

/// What the hinge turns or moves while nothing bends and all other hinges hold.
fn inertia(hinge: &str, operating: &Operating) -> Result<f64, String> {
    let model = &operating.loaded.model;
    let found = model.hinge(hinge).map_err(|error| error.to_string())?;
    if found.speeds().len() != 1 {
        return Err(format!("the hinge '{hinge}' does not have exactly one degree of freedom; choose another"));
    }
    let (n, i) = (model.speed_count(), found.speeds().start);
    let mut out = vec![0.0; n * n];
    let (mut workspace, mut dense) = (Workspace::new(model), DenseWorkspace::new(model));
    mass_matrix(model, &operating.state, &mut workspace, &mut dense, &mut out).map_err(|error| error.to_string())?;
    Ok(out[i * n + i])
}

fn design(options: &Options, operating: &Operating, inertia: f64) -> Result<Designed, Refusal> {
    let w = TAU * options.bandwidth;
    let (p, d) = (inertia * w * w, 2.0 * options.damping * w * inertia);
    let i = if options.integral { 0.1 * w * p } else { 0.0 };
    let hinge = &options.hinge;
    let selection = Selection::new([format!("force.{hinge}")], [format!("hinge.{hinge}"), format!("speed.{hinge}")]);
    // All other hinges hold, unless they are freed.
    let mut operating_inputs = operating.inputs.clone();
    let own = operating.loaded.model.hinge(hinge).map(|found| found.body().0);
    for (body, flag) in operating_inputs.prescribed.iter_mut().enumerate() {
        *flag = own.as_ref().is_ok_and(|own| *own != body);
    }
    let free = &options.point.hinges.free;
    if !free.is_empty() {
        let mut freed = operating.inputs.clone();
        let names: Vec<&str> = free.iter().map(|name| if name == "all" { "*" } else { name.as_str() }).collect();
        supple_linear::free(&operating.loaded.model, &mut freed, &names)?;
        operating_inputs.prescribed.iter_mut().zip(&freed.prescribed).for_each(|(flag, held)| *flag &= *held);
    }
    let plant = supple_linear::linearize(&operating.loaded.model, &operating.state, &operating_inputs, &selection)?;
    let open = open_loop(&plant, &controller(&plant, [p, i, d]))?;
    let margins = margins(&open)?;
    let answer = Answer {
        hinge: hinge.clone(),
        inertia,
        p,
        i,
        d,
        poles: pairs(&poles(&close_loops(&open, &[])?)?),
        margins: margins.iter().map(OfLoop::from).collect(),
    };
    Ok(Designed { answer, open_poles: pairs(&poles(&plant)?), open, margins })
}

/// From coordinate and speed to the effort: `-p θ - i ∫θ - d θ̇`.
fn controller(plant: &StateSpace, [p, i, d]: [f64; 3]) -> StateSpace {
    let states = usize::from(i != 0.0);
    StateSpace {
        a: Matrix::zeros(states, states),
        b: Matrix::from_fn(states, 2, |_, j| if j == 0 { 1.0 } else { 0.0 }),
        c: Matrix::from_fn(1, states, |_, _| -i),
        d: Matrix::from_fn(1, 2, |_, j| if j == 0 { -p } else { -d }),
        dt: None,
        states: vec![Signal { name: "integral".into(), unit: "1".into() }; states],
        inputs: plant.outputs.clone(),
        outputs: plant.inputs.clone(),
        operating_point: OperatingPoint { x: vec![0.0; states], u: vec![0.0; 2], y: vec![0.0] },
    }
}

fn write_text(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    writeln!(out, "{}: inertia {:.6e}", answer.hinge, answer.inertia)?;
    writeln!(out, "p = {:?}\ni = {:?}\nd = {:?}", answer.p, answer.i, answer.d)?;
    write_poles(out, "poles of the closed loop", &answer.poles, None)?;
    write_margins(out, &answer.margins)
}
