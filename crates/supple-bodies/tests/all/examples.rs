//! The examples do what they say.

#[path = "../../examples/shuttle_arm.rs"]
#[allow(dead_code)] // Its main function prints; the test takes the numbers.
mod shuttle_arm;

/// Manoeuvre I-s with all terms ends at the angles of `supple study table3`, the booms bend by some centimetres and swing on, and energy is the
/// work done.
#[test]
fn shuttle_arm_ends_where_the_study_does() {
    let (mut peak, mut imbalance, mut bent) = (0.0_f64, 0.0_f64, 0.0_f64);
    let last = shuttle_arm::run(60, |s| {
        peak = peak.max(s.ledger.energy.total());
        imbalance = imbalance.max(s.ledger.balance_error().abs());
        bent = bent.max(s.bent[0]).max(s.bent[1]);
    })
    .unwrap();
    println!("{last:?} peak {peak} imbalance {imbalance:e} bent {bent}");
    assert_eq!(last.time, 60.0);
    for (ours, study) in last.angles.iter().zip([4.065774e-1, 3.144862e-1, 5.924540e-1, 2.532391e-1, 3.832015e-1]) {
        assert!((ours - study).abs() < 1e-6, "{ours} {study}");
    }
    assert!(imbalance < 1e-8 * peak, "{imbalance:e} of {peak}");
    assert!((0.001..0.5).contains(&bent), "{bent}");
}
