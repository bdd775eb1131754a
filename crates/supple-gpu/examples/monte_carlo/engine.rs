//! The same slews by the engine: its own model of each case, its own servos, and an integrator of order eight between their updates.

use crate::study::{COLUMNS, Case, Result, Study, UPDATE};
use std::error::Error;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::spatial::{RigidInertia, Symmetric3, Vector3};
use supple::{Inputs, Model, State, Workspace};

const TOLERANCE: Tolerance = Tolerance { relative: 1e-8, absolute: 1e-10 };

/// Largest differences.
pub struct Differences {
    pub vibration: f64,
    pub relative: f64,
    pub position: f64,
}

/// The model of a case, by the engine's own changes.
fn model(study: &Study, case: &Case) -> std::result::Result<Model, Box<dyn Error>> {
    let mut model = study.model.clone();
    let payload = model.body("payload")?;
    let RigidInertia { mass, moment, inertia } = model.rigid_inertia(payload)?;
    let of = |x: f64| x * case.payload;
    let scaled =
        RigidInertia { mass: of(mass), moment: Vector3(moment.0.map(of)), inertia: Symmetric3(inertia.0.map(of)) };
    model = model.with_rigid_inertia(payload, scaled)?;
    for (i, name) in ["link 2", "link 3"].into_iter().enumerate() {
        let boom = model.body(name)?;
        model = model.with_scaled_stiffness(boom, case.stiffness[i])?.with_scaled_damping(boom, case.damping[i])?;
    }
    Ok(model)
}

/// One slew.
fn slew(study: &Study, k: usize) -> std::result::Result<Result, Box<dyn Error>> {
    let case = study.case(k);
    let (model, mut workspace) = (model(study, &case)?, Workspace::new(&study.model));
    let rest = study.rest(&case, &mut workspace)?;
    let mut state = study.state(case.start);
    let (mut vibration, mut position) = (0.0_f64, [0.0; 3]);
    for (update, row) in study.table.chunks(COLUMNS).enumerate() {
        position = study.far_end(&state, &mut workspace)?;
        if row[COLUMNS - 1] > 0.0 {
            let away = position.iter().zip(rest).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            vibration = vibration.max(away.sqrt());
        }
        let mut forces = vec![0.0; model.speed_count()];
        for (i, ((coordinate, speed), [stiffness, damping])) in study.hinges.iter().zip(study.gains).enumerate() {
            let lag = case.start[i] + row[3 * i] - state.coordinates[*coordinate];
            forces[*speed] = row[3 * i + 2] + stiffness * lag + damping * (row[3 * i + 1] - state.speeds[*speed]);
        }
        let held = move |_: &State, inputs: &mut Inputs| inputs.forces.clone_from(&forces);
        let mut simulation = Simulation::new(&model, state, held, Scheme::PrinceDormand8, TOLERANCE)?;
        simulation.advance(UPDATE * (update + 1) as f64)?;
        state = simulation.state().clone();
    }
    Ok(Result { payload: case.payload, vibration, position, failed: false })
}

/// Some slews, on all cores.
pub fn results(study: &Study, instances: Range<usize>) -> std::result::Result<Vec<Result>, Box<dyn Error>> {
    let next = AtomicUsize::new(instances.start);
    let work = || -> std::result::Result<Vec<(usize, Result)>, String> {
        let mut done = Vec::new();
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= instances.end {
                return Ok(done);
            }
            done.push((k, slew(study, k).map_err(|error| error.to_string())?));
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all = Vec::new();
    std::thread::scope(|scope| -> std::result::Result<(), Box<dyn Error>> {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            all.extend(thread.join().map_err(|_| "a thread ended early")??);
        }
        Ok(())
    })?;
    all.sort_by_key(|(k, _)| *k);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

/// How far results are from those expected.
pub fn difference(found: &[Result], expected: &[Result]) -> Differences {
    let mut out = Differences { vibration: 0.0, relative: 0.0, position: 0.0 };
    // A failed slew, or one that is not finite, is infinitely far away.
    let worse = |most: f64, x: f64| if x <= most { most } else { x };
    for (a, b) in found.iter().zip(expected) {
        let apart = if a.failed { f64::INFINITY } else { (a.vibration - b.vibration).abs() };
        out.vibration = worse(out.vibration, apart);
        out.relative = worse(out.relative, apart / b.vibration);
        let away = a.position.iter().zip(b.position).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        out.position = worse(out.position, if a.failed { f64::INFINITY } else { away });
    }
    out
}

/// The first slews again.
pub fn compare(study: &Study, found: &[Result]) -> std::result::Result<Differences, Box<dyn Error>> {
    Ok(difference(found, &results(study, 0..found.len())?))
}
