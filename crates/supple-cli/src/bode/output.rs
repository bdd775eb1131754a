//! Frequency responses as tables and pictures.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use serde::Serialize;
use supple_io::drawing::Drawing;
use supple_linear::{AnalysisError, Complex, unwrapped};
use supple_report::picture::{self, Axis, Chart, Curve, Mark, Panel, Scale};

use super::{Plot, Swept};

/// The response from one input to one output.
struct Channel {
    input: String,
    output: String,
    unit: String,
    gains: Vec<Complex>,
    /// Without jumps, degrees.
    phases: Vec<f64>,
}

impl Swept {
    fn hertz(&self) -> Vec<f64> {
        self.responses.iter().map(|response| response.omega / TAU).collect()
    }

    fn channels(&self) -> Vec<Channel> {
        let pairs = (0..self.system.outputs.len()).flat_map(|i| (0..self.system.inputs.len()).map(move |j| (i, j)));
        pairs.map(|(i, j)| self.channel(i, j)).collect()
    }

    fn channel(&self, i: usize, j: usize) -> Channel {
        let (output, input) = (&self.system.outputs[i], &self.system.inputs[j]);
        let gains: Vec<Complex> = self.responses.iter().map(|response| response.gain(i, j)).collect();
        let angles: Vec<f64> = gains.iter().map(|gain| gain.arg()).collect();
        // A gain below zero lags by half a turn.
        let turn = if angles.first().is_some_and(|first| *first > 0.999 * PI) { 360.0 } else { 0.0 };
        let phases = unwrapped(&angles).into_iter().map(|phase| phase.to_degrees() - turn).collect();
        let plain = |unit: &str| if unit.contains(' ') { format!("({unit})") } else { unit.to_owned() };
        let unit = format!("{}/{}", plain(&output.unit), plain(&input.unit));
        Channel { input: input.name.clone(), output: output.name.clone(), unit, gains, phases }
    }

    fn singular_values(&self) -> Result<Vec<Vec<f64>>, AnalysisError> {
        self.responses.iter().map(|response| response.singular_values()).collect()
    }
}

#[derive(Serialize)]
struct JsonSweep<'s> {
    frequency_hz: Vec<f64>,
    responses: Vec<JsonChannel<'s>>,
    /// At each frequency, the greatest first.
    singular_values: Vec<Vec<f64>>,
}

#[derive(Serialize)]
struct JsonChannel<'s> {
    input: &'s str,
    output: &'s str,
    unit: &'s str,
    magnitude: Vec<f64>,
    phase_deg: &'s [f64],
    re: Vec<f64>,
    im: Vec<f64>,
}

/// One JSON object.
pub fn json(swept: &Swept) -> Result<String, AnalysisError> {
    let channels = swept.channels();
    let responses = channels.iter().map(|channel| JsonChannel {
        input: &channel.input,
        output: &channel.output,
        unit: &channel.unit,
        magnitude: channel.gains.iter().map(|gain| gain.abs()).collect(),
        phase_deg: &channel.phases,
        re: channel.gains.iter().map(|gain| gain.re).collect(),
        im: channel.gains.iter().map(|gain| gain.im).collect(),
    });
    let all = JsonSweep {
        frequency_hz: swept.hertz(),
        responses: responses.collect(),
        singular_values: swept.singular_values()?,
    };
    // Lists, numbers and names: nothing here can fail to be written.
    Ok(serde_json::to_string(&all).unwrap_or_default() + "\n")
}

/// Comma-separated values with a header.
pub fn csv(swept: &Swept) -> String {
    let channels = swept.channels();
    let mut heads = vec!["frequency[Hz]".to_owned()];
    for Channel { input, output, unit, .. } in &channels {
        heads.push(format!("\"magnitude {input} to {output}[{unit}]\""));
        heads.push(format!("\"phase {input} to {output}[deg]\""));
    }
    let mut out = heads.join(",") + "\n";
    for (k, hertz) in swept.hertz().iter().enumerate() {
        let mut fields = vec![hertz.to_string()];
        for channel in &channels {
            fields.extend([channel.gains[k].abs(), channel.phases[k]].map(|x| x.to_string()));
        }
        out += &fields.join(",");
        out.push('\n');
    }
    out
}

/// Columns for people.
pub fn table(swept: &Swept) -> String {
    let mut out = String::new();
    let hertz = swept.hertz();
    for Channel { input, output, unit, gains, phases } in swept.channels() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(out, "{input} to {output}\n{:>16} {:>16} {:>10}", "Hz", unit, "deg");
        for ((hertz, gain), phase) in hertz.iter().zip(&gains).zip(&phases) {
            let _ = writeln!(out, "{hertz:>16.6} {:>16.6e} {phase:>10.2}", gain.abs());
        }
    }
    out
}

/// A page with a picture and the resonances in words.
pub fn page(swept: &Swept, drawing: &Drawing) -> String {
    let (mut text, hertz) = (String::new(), swept.hertz());
    for Channel { input, output, unit, gains, .. } in swept.channels() {
        let sizes: Vec<f64> = gains.iter().map(|gain| gain.abs()).collect();
        let _ = writeln!(text, "{input} to {output}: resonances");
        let tops = (1..sizes.len().saturating_sub(1)).filter(|k| sizes[*k] > sizes[k - 1] && sizes[*k] >= sizes[k + 1]);
        for k in tops {
            let _ = writeln!(text, "{:>16.6} Hz {:>16.6e} {unit}", hertz[k], sizes[k]);
        }
    }
    supple_report::chart_page::html(&swept.title, std::slice::from_ref(drawing), &text)
}

/// A picture.
pub fn drawing(swept: &Swept, plot: Plot) -> Result<Drawing, AnalysisError> {
    let hertz = swept.hertz();
    let over = |values: &[f64]| hertz.iter().zip(values).map(|(x, y)| [*x, *y]).collect::<Vec<[f64; 2]>>();
    let frequency = Axis::new("frequency [Hz]", Scale::Logarithmic);
    let channels = swept.channels();
    let label = |channel: &Channel| match (swept.system.inputs.len(), swept.system.outputs.len()) {
        (1, _) => channel.output.clone(),
        (_, 1) => channel.input.clone(),
        _ => format!("{} to {}", channel.input, channel.output),
    };
    let curve = |channel: &Channel, points: Vec<[f64; 2]>| Curve { label: label(channel), points, mark: Mark::Line };
    let title = swept.title.clone();
    Ok(picture::chart(&match plot {
        Plot::Bode => {
            let magnitude = |c: &Channel| curve(c, over(&c.gains.iter().map(|gain| gain.abs()).collect::<Vec<_>>()));
            let phase = |c: &Channel| curve(c, over(&c.phases));
            let mut units: Vec<&str> = channels.iter().map(|channel| channel.unit.as_str()).collect();
            units.dedup();
            let y = Axis::new(format!("magnitude [{}]", units.join(", ")), Scale::Logarithmic);
            let panels = vec![
                Panel { y, curves: channels.iter().map(magnitude).collect() },
                Panel { y: Axis::new("phase [°]", Scale::Degrees), curves: channels.iter().map(phase).collect() },
            ];
            Chart { title, x: frequency, panels, equal: false }
        }
        Plot::Nyquist => {
            let plane = |c: &Channel| curve(c, c.gains.iter().map(|gain| [gain.re, gain.im]).collect());
            let y = Axis::new("imaginary part", Scale::Linear);
            let panels = vec![Panel { y, curves: channels.iter().map(plane).collect() }];
            Chart { title, x: Axis::new("real part", Scale::Linear), panels, equal: true }
        }
        Plot::SingularValues => {
            let values = swept.singular_values()?;
            let count = values.first().map_or(0, Vec::len);
            let line = |k: usize| Curve {
                label: format!("singular value {}", k + 1),
                points: over(&values.iter().map(|row| row[k]).collect::<Vec<_>>()),
                mark: Mark::Line,
            };
            let y = Axis::new("singular values", Scale::Logarithmic);
            Chart {
                title,
                x: frequency,
                panels: vec![Panel { y, curves: (0..count).map(line).collect() }],
                equal: false,
            }
        }
    }))
}
