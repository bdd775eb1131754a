//! What is told where something is missing.

use crate::stand_in::elsewhere;
use std::process::Command;
use supple_gpu::{Device, GpuError, Place, Plan};

/// No driver: a process that finds no library. Where there is a real driver this says nothing.
#[test]
fn without_a_driver_it_says_so() {
    if std::env::var_os("SUPPLE_STAND_IN_FOLDER").is_some() {
        return;
    }
    match Device::open(0) {
        Err(GpuError::NoDriver) => {
            let said = GpuError::NoDriver.to_string();
            assert!(said.contains("no CUDA driver") && said.contains("install the driver"), "{said}");
        }
        Err(error) => println!("a driver is here: {error}"),
        Ok(device) => println!("a GPU is here: {}", device.facts()),
    }
}

/// A driver without devices, a device that is not there, memory that is not there, a driver without its compiler.
#[test]
fn what_is_missing_is_named() {
    const NAME: &str = "missing::what_is_missing_is_named";
    if ["SUPPLE_STAND_IN_FOLDER", "SUPPLE_DEVICE"].iter().all(|name| std::env::var_os(name).is_none()) {
        for (setting, value, words) in [
            ("SUPPLE_STAND_IN_DEVICES", "0", "finds no GPU; look at CUDA_VISIBLE_DEVICES"),
            ("SUPPLE_STAND_IN_DEVICES", "2", "there is no GPU 7: the driver finds 2, counted from 0"),
            ("SUPPLE_STAND_IN_MEMORY", "1000000", "GB and the device has 0.00 GB free; run them in several batches"),
        ] {
            let Some(told) = elsewhere(NAME, &[(setting, value)]) else { return };
            let said = String::from_utf8_lossy(&told.stdout);
            if !Command::new("c++").arg("--version").output().is_ok_and(|told| told.status.success()) {
                return;
            }
            assert!(said.contains(words), "{setting} {value}: {said}{}", String::from_utf8_lossy(&told.stderr));
        }
        return;
    }
    if let Err(error) = Device::open(0) {
        println!("{error}");
        return;
    }
    println!("{}", Device::open(7).unwrap_err());
    let at = crate::verbs::tree(0);
    let plan = Plan { model: &at.model, state: None, step: &supple_compile::Verb::Rk4Step, parameters: &[], law: None };
    let ready = plan.on(&Place::cuda(0).unwrap()).unwrap();
    match ready.fleet(10_000_000) {
        Err(error) => println!("{error}"),
        Ok(_) => println!("there is memory"),
    }
}

/// A verb that makes no step makes no fleet.
#[test]
fn only_steps_make_fleets() {
    let at = crate::verbs::tree(0);
    let verb = supple_compile::Verb::Energy;
    let plan = Plan { model: &at.model, state: None, step: &verb, parameters: &[], law: None };
    let said = plan.on(&Place::Processor { threads: 1 }).unwrap_err().to_string();
    assert!(said.contains("energy makes no step; take rk4_step or linearly_implicit_step"), "{said}");
}
