//! Memory follows the text, not the numbers in it.

use crate::measured::{alone, peak_of};
use crate::support::case;
use serde_json::json;
use supple_io::case::Case;
use supple_io::{model_file, urdf};

/// Bytes above those in use now that reading a text takes.
fn peak_of_reading(text: &str) -> usize {
    peak_of(|| drop(Case::from_json(text)))
}

#[test]
fn memory_follows_the_text() {
    let _alone = alone();
    absurd_cases();
    absurd_models();
    absurd_robots();
}

fn absurd_models() {
    let body = "[[body]]\nname = \"b\"\nhinge = { kind = \"free\" }\n";
    let start = "format = \"supple-model-1\"\n";
    let megabyte = 1 << 20;
    let beam = "length = 1, section = { rectangle = { width = 0.1, height = 0.1 } }, material = { E = 1e11, nu = 0.3, density = 1e3 }";
    let many_beams: String = (0..2000)
        .map(|i| {
            format!(
                "[[body]]\nname = \"b{i}\"\nhinge = {{ kind = \"free\" }}\nbeam = {{ {beam}, modes = {{ bending_y = 12, bending_z = 12 }} }}\n"
            )
        })
        .collect();
    let orphans: String = (0..12_000)
        .map(|i| format!("[[body]]\nname = \"b{i}\"\nparent = \"nobody {i}\"\nhinge = {{ kind = \"free\" }}\nrigid = {{ mass = 1 }}\n"))
        .collect();
    let flat: String = (0..12_000)
        .map(|i| format!("[[body]]\nname = \"b{i}\"\nhinge = {{ kind = \"revolute\", axis = [0, 0, 0] }}\nrigid = {{ mass = 1 }}\n"))
        .collect();
    for (what, text, limit) in [
        ("modes", format!("{start}{body}modes = {{ count = 1000000000 }}\n"), megabyte),
        (
            "modes at the limit",
            format!("{start}{body}rigid = {{ mass = 1 }}\nmodes = {{ count = 1000 }}\n"),
            64 * megabyte,
        ),
        ("beam modes", format!("{start}{body}beam = {{ {beam}, modes = {{ twist = 99999999999 }} }}\n"), megabyte),
        ("node index", format!("{start}{body}rigid = {{ mass = 1 }}\ninboard_node = 999999\n"), megabyte),
        (
            "tensor index",
            format!(
                "{start}{body}rigid = {{ mass = 1 }}\nmodes = {{ count = 1, nonlinear = {{ cubic = [[0, 0, 99999999999, 1.0]] }} }}\n"
            ),
            megabyte,
        ),
        ("numbers", format!("{start}gravity = [{}0]\n", "0,".repeat(500_000)), 256 * megabyte),
        ("depth", format!("{start}gravity = {}", "[".repeat(1_000_000)), 256 * megabyte),
        (
            "keys",
            format!("{start}{}", (0..80_000).map(|i| format!("key{i} = {i}\n")).collect::<String>()),
            256 * megabyte,
        ),
        ("errors", "= ] [ }\n".repeat(120_000), 256 * megabyte),
        ("beams", format!("{start}{many_beams}"), 256 * megabyte),
        ("orphans", format!("{start}{orphans}"), 256 * megabyte),
        ("zero axes", format!("{start}{flat}"), 256 * megabyte),
    ] {
        let clock = std::time::Instant::now();
        let peak = peak_of(|| drop(model_file::from_text("x.toml", &text, None)));
        println!("{what}: {} bytes of text, {peak} bytes of memory, {:?}", text.len(), clock.elapsed());
        assert!(peak < limit, "{what}: {peak} bytes");
    }
}

fn absurd_robots() {
    let megabyte = 1 << 20;
    let links: String = (0..20_000).map(|i| format!("<link name='l{i}'/>")).collect();
    let joints: String = (0..12_000)
        .map(|i| format!("<joint name='j{i}' type='fixed'><parent link='x'/><child link='y'/></joint>"))
        .collect();
    for (what, text, limit) in [
        ("entities", "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaaaaaaaa'>]><robot name='&a;'/>".to_owned(), megabyte),
        ("depth", "<a>".repeat(350_000), 8 * megabyte),
        (
            "attributes",
            format!("<robot {}/>", (0..80_000).map(|i| format!("a{i}='' ")).collect::<String>()),
            8 * megabyte,
        ),
        ("links", format!("<robot name='x'>{links}</robot>"), 256 * megabyte),
        ("orphans", format!("<robot name='x'><link name='a'/>{joints}</robot>"), 256 * megabyte),
        ("text", format!("<robot name='x'>{}</robot>", "a".repeat(1_000_000)), 256 * megabyte),
    ] {
        let clock = std::time::Instant::now();
        let peak = peak_of(|| drop(urdf::from_text("x.urdf", &text, None, &urdf::Options::default())));
        println!("{what}: {} bytes of text, {peak} bytes of memory, {:?}", text.len(), clock.elapsed());
        assert!(peak < limit, "{what}: {peak} bytes");
    }
}

fn absurd_cases() {
    let mut many_modes = case("tree_5_flex");
    for body in many_modes["model"]["bodies"].as_array_mut().unwrap() {
        body["nm"] = json!(1_000_000_000);
    }
    let start = "{\"schema\": \"supple-oracle-1\", \"kind\": \"tree\", \"model\": ";
    let megabyte = 1 << 20;
    for (what, text, limit) in [
        ("a sound case", case("tree_5_flex").to_string(), megabyte),
        ("modes", many_modes.to_string(), megabyte),
        ("numbers", format!("{start}{{\"gravity\": [{}0]}}}}", "0,".repeat(500_000)), megabyte),
        ("bodies", format!("{start}{{\"bodies\": [{}0]}}}}", "0,".repeat(500_000)), 64 * megabyte),
        ("members", format!("{start}{{{}\"a\":0}}}}", "\"a\":0,".repeat(170_000)), megabyte),
        ("depth", "[".repeat(1_000_000), 64 * megabyte),
        ("answers", format!("{{\"expected\": [{}0]}}", "0,".repeat(500_000)), 256 * megabyte),
    ] {
        let peak = peak_of_reading(&text);
        println!("{what}: {} bytes of text, {peak} bytes of memory", text.len());
        assert!(peak < limit, "{what}: {peak} bytes");
    }
}
