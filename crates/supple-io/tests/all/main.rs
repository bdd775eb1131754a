//! Reading and writing: reference cases, models, scenarios, URDF, results.

#[path = "../results_support/mod.rs"]
mod results_support;
#[path = "../support/mod.rs"]
mod support;

mod accepted_inertia;
mod any_order;
mod bad_texts;
mod bad_values;
mod beams;
mod case_derivatives;
mod closures;
mod control;
mod doubts;
mod first_steps;
mod force_tables;
mod hinge_elements;
mod identification_file;
mod kept_inertia;
mod limits;
mod linear_files;
mod meshes;
mod mjcf_dynamics;
mod mjcf_errors;
mod modal_inertia;
mod model_errors;
mod model_round_trip;
mod mutations;
mod profiles;
mod reference_cases;
mod results_errors;
mod results_kill;
mod results_plots;
mod results_tables;
mod round_trip;
mod scenario;
mod schema;
mod sections;
mod standard_input;
mod study;
mod system_damping;
mod unit_templates;
mod units;
mod urdf_and_model;
mod urdf_collection;
mod urdf_errors;
mod visuals;
