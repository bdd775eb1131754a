//! `<compiler>` and `<option>`: how the rest is to be read.

use super::attributes::{cannot, flag, not_negative, number, numbers, word};
use super::document::Element;
use super::known;
use super::omitted::left_out;
use crate::robot::{MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};

/// Where inertias of bodies come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FromGeoms {
    /// Always from geoms.
    Always,
    /// From geoms where there is no `<inertial>`.
    Missing,
    /// Always from `<inertial>`.
    Never,
}

/// Settings of the compiler, and the parts of the dynamics that are switched on.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) degrees: bool,
    /// Letters of the rotations, lower case for axes that turn.
    pub(super) euler: [u8; 3],
    pub(super) auto_limits: bool,
    pub(super) from_geoms: FromGeoms,
    /// Groups of the geoms that have mass.
    pub(super) groups: [f64; 2],
    pub(super) balance: bool,
    pub(super) least_mass: f64,
    pub(super) least_inertia: f64,
    pub(super) total_mass: Option<f64>,
    pub(super) exact_meshes: bool,
    /// Folder of meshes, with its separator.
    pub(super) mesh_folder: String,
    pub(super) strips_paths: bool,
    pub(super) gravity: [f64; 3],
    pub(super) acts: Acts,
}

/// Which parts of the dynamics are switched on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acts {
    pub(super) springs: bool,
    pub(super) dampers: bool,
    pub(super) limits: bool,
    pub(super) friction: bool,
    pub(super) equalities: bool,
}

impl Settings {
    /// An angle in rad.
    pub(super) fn angle(&self, angle: f64) -> f64 {
        if self.degrees { angle.to_radians() } else { angle }
    }
}

/// Reads all `<compiler>` and `<option>` of a document; later ones go before earlier ones.
pub(super) fn read(root: &Element, reading: &mut Reading<'_>) -> Option<Settings> {
    let acts = Acts { springs: true, dampers: true, limits: true, friction: true, equalities: true };
    let mut settings = Settings {
        degrees: true,
        euler: *b"xyz",
        auto_limits: true,
        from_geoms: FromGeoms::Missing,
        groups: [0.0, 5.0],
        balance: false,
        least_mass: 0.0,
        least_inertia: 0.0,
        total_mass: None,
        exact_meshes: false,
        mesh_folder: String::new(),
        strips_paths: false,
        gravity: [0.0, 0.0, -9.81],
        acts,
    };
    let compilers = root.all("compiler").map(|element| compiler(&mut settings, element, reading)).fold(Some(()), both);
    let options = root.all("option").map(|element| option(&mut settings, element, reading)).fold(Some(()), both);
    both(compilers, options).map(|()| settings)
}

fn both(a: Option<()>, b: Option<()>) -> Option<()> {
    a.and(b)
}

fn compiler(settings: &mut Settings, element: &Element, reading: &mut Reading<'_>) -> Option<()> {
    let of = &element;
    let subject = "compiler";
    known::check(element, subject, reading);
    if element.own("coordinate").is_some_and(|told| told.value == "global") {
        let rule = Rule::UnknownWord { word: "global".into(), known: vec!["local"] };
        reading.error(element.own("coordinate").map_or(0..0, |told| told.span.clone()), subject, rule);
        return None;
    }
    let angle = if settings.degrees { "degree" } else { "radian" };
    settings.degrees = word(of, "angle", (&["degree", "radian"], angle), subject, reading)? == "degree";
    if let Some(told) = element.own("eulerseq") {
        let letters: Option<[u8; 3]> = told.value.as_bytes().try_into().ok();
        let letters = letters.filter(|letters| letters.iter().all(|letter| b"xyzXYZ".contains(letter)));
        let Some(letters) = letters else {
            let what = format!("the sequence `{}` names no three axes", shorten(&told.value, MAX_SHOWN));
            let expected = "three letters of x, y, z (axes that turn) and X, Y, Z (axes that stay)".into();
            reading.error(told.span.clone(), subject, Rule::Mismatch { what, expected });
            return None;
        };
        settings.euler = letters;
    }
    settings.auto_limits = flag(of, "autolimits", settings.auto_limits, subject, reading)?;
    let told = word(of, "inertiafromgeom", (&["true", "false", "auto"], ""), subject, reading)?;
    settings.from_geoms = match told {
        "true" => FromGeoms::Always,
        "false" => FromGeoms::Never,
        "auto" => FromGeoms::Missing,
        _ => settings.from_geoms,
    };
    settings.groups = numbers(of, "inertiagrouprange", settings.groups, subject, reading)?;
    settings.balance = flag(of, "balanceinertia", settings.balance, subject, reading)?;
    settings.least_mass = not_negative(of, "boundmass", settings.least_mass, subject, reading)?;
    settings.least_inertia = not_negative(of, "boundinertia", settings.least_inertia, subject, reading)?;
    let total = number(of, "settotalmass", settings.total_mass.unwrap_or(-1.0), subject, reading)?;
    settings.total_mass = Some(total).filter(|total| *total > 0.0);
    settings.exact_meshes = flag(of, "exactmeshinertia", settings.exact_meshes, subject, reading)?;
    settings.strips_paths = flag(of, "strippath", settings.strips_paths, subject, reading)?;
    if let Some(folder) = element.own("meshdir").or(element.own("assetdir")) {
        settings.mesh_folder = match folder.value.as_str() {
            "" => String::new(),
            ended if ended.ends_with('/') => ended.to_owned(),
            open => format!("{open}/"),
        };
    }
    Some(())
}

fn option(settings: &mut Settings, element: &Element, reading: &mut Reading<'_>) -> Option<()> {
    let of = &element;
    let subject = "option";
    settings.gravity = numbers(of, "gravity", settings.gravity, subject, reading)?;
    for name in ["density", "viscosity"] {
        if not_negative(of, name, 0.0, subject, reading)? > 0.0 {
            cannot(of, name, "forces of a fluid are not computed", subject, reading);
        }
    }
    for name in ["timestep", "integrator"] {
        if let Some(told) = element.own(name) {
            let what = format!("`{name}` is left out: a scenario says how it is integrated");
            left_out(told.name_span.clone(), subject, what, reading);
        }
    }
    for flags in element.all("flag") {
        let mut on = |name: &str, before: bool| {
            let default = if before { "enable" } else { "disable" };
            word(&flags, name, (&["enable", "disable"], default), "flag", reading).map(|word| word == "enable")
        };
        let acts = &mut settings.acts;
        // Older versions of MuJoCo have one flag for springs and dampers.
        let passive = on("passive", true)?;
        acts.springs = on("spring", acts.springs)? && passive;
        acts.dampers = on("damper", acts.dampers)? && passive;
        let constraints = on("constraint", true)?;
        acts.limits = on("limit", acts.limits)? && constraints;
        acts.friction = on("frictionloss", acts.friction)? && constraints;
        acts.equalities = on("equality", acts.equalities)? && constraints;
        if !on("gravity", true)? {
            settings.gravity = [0.0; 3];
        }
    }
    Some(())
}
