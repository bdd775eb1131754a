//! Pages of the studies of control, of the patent's orders and of conjugate gradients: what they show is what the command prints.

use crate::run_support::{Folder, repository, runs};
use std::collections::BTreeMap;
use std::fs;

/// Rows of a study by case and quantity, now and in its page.
fn rows(study: &str, rest: &str) -> BTreeMap<(String, String), [f64; 2]> {
    let command = format!("study {study} --format csv{rest}");
    let folder = Folder::new();
    let arguments: Vec<&str> = command.split(' ').chain(["--svg", "picture.svg"]).collect();
    let told = runs(&folder, &arguments);
    let page = fs::read_to_string(repository(&format!("docs/studies/{study}.md"))).unwrap();
    let (_, block) = page.split_once("```text\n").unwrap();
    let shown = block.split_once("```").unwrap().0;
    assert_eq!(told.lines().count(), shown.lines().count(), "run `supple {command}` and put its rows into the page");
    let picture = fs::read_to_string(folder.path("picture.svg")).unwrap();
    crate::pictures::assert_is_kept(&picture, &format!("{study}.svg"));
    let number = |line: &str| line.rsplit_once(',').unwrap().1.parse::<f64>().unwrap();
    let pair = |(now, then): (&str, &str)| {
        let cells: Vec<&str> = now.split(',').collect();
        ((cells[0].to_owned(), cells[4].to_owned()), [number(now), number(then)])
    };
    told.lines().zip(shown.lines()).skip(1).map(pair).collect()
}

/// The iteration comes to the answer of hybrid dynamics and costs more; both meet what is desired to 1e-9.
#[test]
fn page_of_the_correction_is_that_of_the_study() {
    let rows = rows("correction", " --case two-links");
    for ((_, quantity), [now, then]) in &rows {
        // Errors near rounding differ between machines.
        assert!(now.max(*then) < 1e-8 || (now / then - 1.0).abs() < 1e-3, "{quantity}: {now:e}, in the page {then:e}");
    }
    let value = |quantity: &str| rows[&("two-links".to_owned(), quantity.to_owned())][0];
    for law in ["exact", "iteration", "gradient"] {
        assert!(value(&format!("{law}_left")) < 1e-9, "{law}");
    }
    assert!(value("iteration_force_difference") < 1e-11);
    let operations = ["exact", "gradient", "iteration"].map(|law| value(&format!("{law}_operations")));
    assert!(operations[0] < operations[1] && operations[1] < operations[2], "{operations:?}");
    // Every correction divides the error by about the same number.
    let errors: Vec<f64> = (1..20).map(|step| value(&format!("iteration_error_{step}"))).collect();
    assert!(errors.windows(2).all(|pair| (3.0..5.0).contains(&(pair[0] / pair[1]))), "{errors:?}");
    assert!((value("lag_order") - 1.0).abs() < 0.1);
}

#[test]
fn page_of_the_passivity_is_that_of_the_study() {
    let rows = rows("passivity", "");
    for ((case, quantity), [now, then]) in &rows {
        assert!((now - then).abs() <= 1e-3 * then.abs(), "{case} {quantity}: {now:e}, in the page {then:e}");
    }
    let bound = |case: &str| rows[&(case.to_owned(), "mu_bound".to_owned())][0];
    let bounds = ["payload-0.15t", "payload-15t", "payload-150t", "payload-1500t"].map(bound);
    assert!(bounds.windows(2).all(|pair| pair[0] < pair[1]) && bounds[3] < 1.0, "{bounds:?}");
    for case in ["payload-15t", "payload-150t", "payload-1500t"] {
        let negative = |mu: &str| rows[&(case.to_owned(), format!("negative_part_at_{mu}"))][0];
        assert!(negative("0.5") == 0.0 && negative("1") > 0.1 && negative("1.1") > 0.1, "{case}");
    }
}

/// What is left out falls with the power of the deflection that its order says.
#[test]
fn page_of_the_orders_is_that_of_the_study() {
    let rows = rows("orders", "");
    for ((_, quantity), [now, then]) in &rows {
        assert!((now - then).abs() <= 1e-6 * then.abs(), "{quantity}: {now:e}, in the page {then:e}");
    }
    for (name, orders) in [("mass", 2), ("coriolis", 3), ("gyroscopic", 3)] {
        for kept in 0..orders {
            let power = rows[&("one-body".to_owned(), format!("{name}_to_order_{kept}_falls_by"))][0];
            assert!((power - f64::from(kept) - 1.0).abs() < 0.01, "{name}, order {kept}: {power}");
        }
    }
}

/// Conjugate gradients end, and cost more than the recursion unless their preconditioner is the answer.
#[test]
fn page_of_conjugate_gradients_is_that_of_the_study() {
    let rows = rows("conjugate-gradients", "");
    for ((_, quantity), [now, then]) in &rows {
        // Rounding may move the end of an iteration by a step or two.
        let near = if quantity.ends_with("_left") { *now < 1e-9 } else { (now / then - 1.0).abs() < 0.1 };
        assert!(near, "{quantity}: {now:e}, in the page {then:e}");
        let cheap = quantity == "turned_by_0_over_recursion";
        assert!(!quantity.ends_with("_over_recursion") || cheap == (*now < 1.0), "{quantity}: {now}");
    }
}
