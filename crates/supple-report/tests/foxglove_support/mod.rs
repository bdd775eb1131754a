//! A client, and a bending system whose rows are told to a server.
#![allow(dead_code, reason = "each test takes what it needs")]

mod client;

pub use client::{ACCEPT, Client, KEY, Said, head, usual};

use std::sync::Arc;

use supple::ElasticRotation;
use supple::testkit::{Prepared, RandomOptions, random_system};
use supple_io::results::{Column, IntegratorSummary, Summary, Table};
use supple_report::live::Broadcast;
use supple_report::{MotionRecorder, Origin, Scene};

/// A random system with flexible bodies, its table and its rows.
pub struct Bending {
    pub at: Prepared,
    pub scene: Scene,
    pub table: Table,
    pub summary: Summary,
    pub recorder: MotionRecorder,
}

impl Bending {
    pub fn new() -> Self {
        // Frames hold rotations: those of a linear elastic rotation are none.
        let elastic_rotation = Some(ElasticRotation::RotationVector);
        let (system, random) = random_system(5, &RandomOptions { elastic_rotation, ..RandomOptions::default() });
        let at = Prepared::new(&system, &random);
        let scene = Scene::new("bending", &system, &at.model, &|_| Vec::new());
        assert!(scene.bodies.len() > 2 && scene.bodies.iter().any(|body| body.modes > 0));
        let mut columns = vec![Column::new("time", "s", "simulated time")];
        columns.extend(["hinge.a", "hinge.b", "energy.total"].map(|name| Column::new(name, "1", "made up")));
        columns
            .extend(["x", "y", "z", "qx", "qy", "qz", "qw"].map(|q| Column::new(format!("node.arm.tip.{q}"), "1", "")));
        let table = Table::new("bending", columns).unwrap();
        let integrator =
            IntegratorSummary { name: "x".into(), relative_tolerance: None, absolute_tolerance: None, step: None };
        let summary = Summary::new("bend", &table, integrator);
        let recorder = MotionRecorder::new(&scene, &at.model);
        Self { at, scene, table, summary, recorder }
    }

    pub fn broadcast(&self) -> Arc<Broadcast> {
        Arc::new(Broadcast::new(self.scene.clone(), Origin::default(), self.summary.clone()))
    }

    /// Row `i`, every hundredth of a second, and its frame: the deformation dies away.
    pub fn row(&mut self, i: usize) -> (Vec<f64>, Vec<f32>) {
        let t = 0.01 * i as f64;
        let mut state = self.at.state.clone();
        state.time = t;
        for body in self.at.model.body_indices() {
            state.coordinates[self.at.model.modal_coordinates(body)].iter_mut().for_each(|q| *q *= (-t).exp());
        }
        self.recorder.take(&self.scene, &self.at.model, &state).unwrap();
        let sum = if i == 1 { f64::NAN } else { 1.0 / (1.0 + t) };
        let row = vec![t, t.sin(), 0.1 + t, sum, t, 2.0, 3.0, 0.0, 0.6, 0.0, 0.8];
        (row, self.recorder.frame().to_vec())
    }
}
