//! Standard input data as text: what is read, what is refused, and that nothing changes on the way.

use crate::seeded::Seeded;
use supple_bodies::sid::{Sid, SidNode, SidRule, Structure, Taylor};

/// A body of two modes and one node, in the spelling of old programs.
const SMALL: &str = "\
    1   2    :No. nodes, No. modes: a small body
 part
      new modal                                 =
           refmod
                mass                            = 2.50000000000D+00
                nelastq                         =     2
                ielastq (   1)                  = Eigen Mode    1 :        9.089 Hz
                ielastq (   2)                  = Eigen Mode    2 :       27.028 Hz
           end refmod
           frame
                new node                        =    7
                     rframe                     = body ref
                     origin
                          order                 =   1
                          nrow                  =   3
                          ncol                  =   1
                          nq                    =   2
                          nqn                   =   0
                          structure             =   3
                          m0( 1, 1)             = 1.50000000000D+00
                          m1( 2, 1, 1)          =-7.50000000000D-02
                     end origin
                     phi
                          order                 =   0
                          nrow                  =   3
                          ncol                  =   2
                          nq                    =   2
                          nqn                   =   0
                          structure             =   3
                          m0( 2, 1)             =-7.50000000000D-02
                     end phi
                     psi
                          order                 =   0
                          nrow                  =   3
                          ncol                  =   2
                          nq                    =   2
                          nqn                   =   0
                          structure             =   0
                     end psi
                     AP
                          order                 =   1
                          nrow                  =   3
                          ncol                  =   3
                          nq                    =   2
                          nqn                   =   0
                          structure             =   4
                     end AP
                end node
           end frame
           mdCM
                          order                 =   0
                          nrow                  =   3
                          ncol                  =   1
                          nq                    =   2
                          nqn                   =   0
                          structure             =   3
                          m0( 1, 1)             = 1.25
           end mdCM
           J
                          order                 =   0
                          nrow                  =   6
                          ncol                  =   1
                          nq                    =   2
                          nqn                   =   0
                          structure             =   3
                          m0( 2, 1)             = 3.0E0
                          m0( 3, 1)             = 3.0E0
           end J
           Ct
                          order                 =   0
                          nrow                  =   2
                          ncol                  =   3
                          nq                    =   2
                          nqn                   =   0
                          structure             =   3
                          m0( 1, 2)             = 0.5
           end Ct
           Cr
                          order                 =   0
                          nrow                  =   2
                          ncol                  =   3
                          nq                    =   2
                          nqn                   =   0
                          structure             =   3
                          m0( 1, 3)             = 0.75
           end Cr
           Me
                          order                 =   0
                          nrow                  =   2
                          ncol                  =   2
                          nq                    =   0
                          nqn                   =   0
                          structure             =   4
           end Me
           Ke
                          order                 =   0
                          nrow                  =   2
                          ncol                  =   2
                          nq                    =   2
                          nqn                   =   0
                          structure             =   2
                          m0( 1, 1)             = 5.0
                          m0( 2, 1)             =-1.0
                          m0( 2, 2)             = 6.0
           end Ke
      end modal
 end part
";

#[test]
fn a_small_body() {
    let sid = Sid::read(SMALL).unwrap();
    assert_eq!((sid.title.as_str(), sid.mass, sid.modes.len()), ("a small body", 2.5, 2));
    assert_eq!(sid.modes[1], "Eigen Mode    2 :       27.028 Hz");
    let node = &sid.nodes[0];
    assert_eq!(
        (node.number, node.frame.as_str(), node.origin.at(0, 0), node.origin.change(1, 0, 0)),
        (7, "body ref", 1.5, -0.075)
    );
    assert_eq!((node.translation.at(1, 0), node.axes.at(2, 2), node.axes.structure), (-0.075, 1.0, Structure::Unit));
    assert_eq!((sid.stiffness.at(0, 1), sid.stiffness.at(1, 0), sid.modal_mass.at(1, 1)), (-1.0, -1.0, 1.0));
    assert!(sid.angular_gyroscopic.is_none() && sid.damping.is_none());
    assert_eq!(Sid::read(&sid.write()).unwrap(), sid);
}

/// Case, line ends, comments, space and the first line do not matter.
#[test]
fn spellings_of_one_body() {
    let sid = Sid::read(SMALL).unwrap();
    let untitled = Sid { title: String::new(), ..sid.clone() };
    let shouted: String = SMALL
        .lines()
        .map(|l| if l.contains("Eigen") || l.contains("rframe") { format!("{l}\n") } else { l.to_uppercase() + "\n" })
        .collect();
    assert_eq!(Sid::read(&shouted).unwrap(), Sid { title: "A SMALL BODY".into(), ..sid.clone() });
    assert_eq!(Sid::read(&SMALL.replace('\n', "\r\n")).unwrap(), sid);
    let commented: String = SMALL.lines().map(|l| format!("\t{l}  \n\n! {l}\n# x = 1\n")).collect();
    assert_eq!(Sid::read(&commented).unwrap(), sid);
    let (_, bare) = SMALL.split_once('\n').unwrap();
    assert_eq!(Sid::read(bare).unwrap(), untitled);
    assert_eq!(
        Sid::read(&SMALL.replace("refmod\n                mass", "new refmod\n                mass")).unwrap(),
        sid
    );
    // Entries of both triangles that differ in the last digits are taken as they stand.
    let both = SMALL.replace("m0( 2, 1)             =-1.0\n", "m0( 2, 1)             =-1.0\n m0( 1, 2) =-1.0000001\n");
    let read = Sid::read(&both).unwrap();
    assert_eq!((read.stiffness.at(0, 1), read.stiffness.at(1, 0)), (-1.0000001, -1.0));
}

/// Line, field and rule of texts with one fault each: `(from, to, line, field, rule)`; the line is that of the fault.
#[test]
fn faults_are_named() {
    use SidRule::*;
    let line = |needle: &str| SMALL.lines().position(|l| l.contains(needle)).unwrap() + 1;
    let last = SMALL.lines().count();
    let faults: &[(&str, &str, usize, &str, SidRule)] = &[
        ("1   2    :No.", " some nodes: No.", 1, "first line", Header),
        ("1   2    :No.", "    3   2    :No.", 1, "first line", Count),
        ("1   2    :No.", "    1   9    :No.", line("nelastq"), "refmod.nelastq", Count),
        ("1   2    :No.", "    1 99999999999    :No.", 1, "first line", Limit),
        ("= 2.50000000000D+00", "= lots", line("mass"), "refmod.mass", FiniteNumber),
        ("= 2.50000000000D+00", "= inf", line("mass"), "refmod.mass", FiniteNumber),
        ("= 2.50000000000D+00", "= 1D+999", line("mass"), "refmod.mass", FiniteNumber),
        ("mass                            = 2.50000000000D+00", "mass", line("mass"), "refmod.mass", HasValue),
        ("mass         ", "weight       ", line("mass"), "refmod", KnownKey),
        ("nelastq                         =     2", "nelastq = 2.5", line("nelastq"), "refmod.nelastq", WholeNumber),
        (
            "nelastq                         =     2",
            "nelastq = 2\nnelastq = 2",
            line("nelastq") + 1,
            "refmod.nelastq",
            Once,
        ),
        ("ielastq (   2)", "ielastq (   3)", line("ielastq (   2)"), "refmod.ielastq", IndexRange),
        ("ielastq (   2)", "ielastq (   1)", line("ielastq (   2)"), "refmod.ielastq", Once),
        ("           end refmod\n", "", line("end refmod"), "refmod", KnownKey),
        ("new node                        =    7", "new node = seven", line("new node"), "frame node", WholeNumber),
        ("                     end origin\n", "", line("end origin"), "frame node 7, origin", KnownKey),
        ("end origin", "end phi", line("end origin"), "origin", Ended),
        (
            "m0( 1, 1)             = 1.50000000000D+00",
            "m0( 4, 1) = 1.5",
            line("1.50000000000D+00"),
            "frame node 7, origin.m0",
            IndexRange,
        ),
        (
            "m0( 1, 1)             = 1.50000000000D+00",
            "m0( 0, 1) = 1.5",
            line("1.50000000000D+00"),
            "frame node 7, origin.m0",
            IndexRange,
        ),
        (
            "m0( 1, 1)             = 1.50000000000D+00",
            "m0( 1) = 1.5",
            line("1.50000000000D+00"),
            "frame node 7, origin.m0",
            IndexCount,
        ),
        (
            "m0( 1, 1)             = 1.50000000000D+00",
            "m0( 1, x) = 1.5",
            line("1.50000000000D+00"),
            "frame node 7, origin.m0",
            WholeNumber,
        ),
        (
            "m0( 1, 1)             = 1.50000000000D+00",
            "m0(1,1) = 1\nm0(1,1) = 1",
            line("1.50000000000D+00") + 1,
            "frame node 7, origin.m0",
            Once,
        ),
        ("m1( 2, 1, 1)", "m1( 2, 3, 1)", line("m1( 2, 1, 1)"), "frame node 7, origin.m1", IndexRange),
        ("m1( 2, 1, 1)", "m2( 2, 1, 1)", line("m1( 2, 1, 1)"), "frame node 7, origin", KnownKey),
        (
            "m0( 2, 1)             =-7.5",
            "m1( 2, 1, 1) =-7.5",
            line("m0( 2, 1)             =-7.5"),
            "frame node 7, phi.m1",
            Order,
        ),
        ("           mdCM\n", "           J\n", line("           mdCM") + 2, "J.nrow", Size),
        ("      end modal\n end part\n", "", last - 2, "modal", Ended),
        (" end part\n", "", last - 1, "part", Ended),
        (" end part\n", " end part\n more\n", last + 1, "after end part", KnownKey),
        ("m0( 1, 2)             = 0.5", "ncol = 3", line("m0( 1, 2)             = 0.5"), "Ct.ncol", Once),
    ];
    for (i, &(from, to, at, field, rule)) in faults.iter().enumerate() {
        assert!(SMALL.contains(from), "fault {i} does not apply");
        let error = Sid::read(&SMALL.replacen(from, to, 1)).expect_err(&format!("fault {i} passed"));
        assert_eq!((error.field.as_str(), error.rule), (field, rule), "fault {i}: {error}");
        assert_eq!(error.line, at, "fault {i}: {error}");
        assert!(error.to_string().contains(rule.text()) && error.to_string().contains(rule.remedy()));
    }
    // Blocks that are missing altogether, and structures that entries contradict.
    let without = |name: &str| -> String {
        let (start, end) =
            (SMALL.find(&format!("           {name}\n")).unwrap(), SMALL.find(&format!("end {name}\n")).unwrap());
        SMALL[..start].to_owned() + &SMALL[end + name.len() + 5..]
    };
    for name in ["mdCM", "J", "Ct", "Cr", "Me", "Ke"] {
        let error = Sid::read(&without(name)).unwrap_err();
        assert_eq!((error.field, error.rule), (format!("modal.{name}"), Present));
    }
    let huge = |text: &str, field: &str| {
        let error = Sid::read(text).unwrap_err();
        assert_eq!(error.field, field, "{error}");
        error.rule
    };
    let of = |from: &str, to: &str| SMALL.replacen(from, to, 1);
    assert_eq!(huge(&of("nrow                  =   6", "nrow = 18446744073709551615"), "J.nrow"), Size);
    assert_eq!(huge(&of("nelastq                         =     2", "nelastq = 1001"), "refmod.nelastq"), Limit);
    assert_eq!(huge(&of("structure             =   4", "structure = 5"), "frame node 7, AP.structure"), StructureCode);
    assert_eq!(huge(&of("structure             =   0", "structure = 1\n m0(1,2) = 1"), "frame node 7, psi.m0"), Fits);
    assert_eq!(huge(&of("structure             =   0", "structure = 0\n m0(1,2) = 1"), "frame node 7, psi.m0"), Fits);
    assert_eq!(huge(&of("order                 =   1", "order = 2"), "frame node 7, origin.order"), Order);
    assert_eq!(huge(&of("nq                    =   2", "nq = 5"), "frame node 7, origin.nq"), Size);
    assert_eq!(huge(&of("m0( 1, 1)             = 1.25", "m0(1,1) = 1\n nrow = 3"), "mdCM.nrow"), SizesFirst);
}

/// Sizes that would not fit in memory are refused before they are allocated.
#[test]
fn many_large_nodes_are_refused() {
    let head = "part\nnew modal\nrefmod\nmass=1\nnelastq=1000\nend refmod\nframe\n";
    let block = |name: &str, columns: usize| {
        format!("{name}\norder=1\nnrow=3\nncol={columns}\nnq=1000\nnqn=0\nstructure=0\nend {name}\n")
    };
    let node = |i: usize| {
        format!(
            "new node={i}\n{}{}{}{}end node\n",
            block("origin", 1),
            block("phi", 1000),
            block("psi", 1000),
            block("AP", 3)
        )
    };
    let text = head.to_owned() + &(0..100).map(node).collect::<String>();
    let error = Sid::read(&text).unwrap_err();
    assert_eq!((error.rule, error.field.as_str()), (SidRule::Limit, "frame node 4, psi"), "{error}");
}

fn random_taylor(g: &mut Seeded, rows: usize, columns: usize, modes: usize) -> Taylor {
    let mut entry = || if g.below(3) == 0 { 0.0 } else { g.extreme() };
    let values: Vec<f64> = (0..rows * columns * (modes + 1)).map(|_| entry()).collect();
    let (m0, m1) = values.split_at(rows * columns);
    match g.below(4) {
        0 => Taylor::constant(rows, columns, modes, |i, j| m0[i * columns + j]),
        1 if rows == columns => Taylor::constant(rows, columns, modes, |i, j| m0[i.min(j) * columns + i.max(j)]),
        2 => Taylor::constant(rows, columns, modes, |i, j| if i == j { m0[i] } else { 0.0 }),
        _ => Taylor::linear(
            rows,
            columns,
            modes,
            |i, j| m0[i * columns + j],
            |i, k, j| m1[(i * modes + k) * columns + j],
        ),
    }
}

fn random_sid(g: &mut Seeded) -> Sid {
    let n = g.below(5);
    let nodes = (0..g.below(4))
        .map(|i| SidNode {
            number: 3 * i as u64 + 1,
            frame: "body ref".into(),
            origin: random_taylor(g, 3, 1, n),
            translation: random_taylor(g, 3, n, n),
            rotation: random_taylor(g, 3, n, n),
            axes: random_taylor(g, 3, 3, n),
            stress: (g.below(2) == 0).then(|| random_taylor(g, 6, 1, n)),
        })
        .collect();
    Sid {
        title: "random : data".into(),
        name: "body".into(),
        mass: g.extreme(),
        modes: (0..n).map(|i| format!("mode  {i}")).collect(),
        nodes,
        mass_moment: random_taylor(g, 3, 1, n),
        inertia: if g.below(2) == 0 { random_taylor(g, 6, 1, n) } else { random_taylor(g, 3, 3, n) },
        linear_coupling: random_taylor(g, n, 3, n),
        angular_coupling: random_taylor(g, n, 3, n),
        modal_mass: random_taylor(g, n, n, n),
        angular_gyroscopic: (g.below(2) == 0).then(|| random_taylor(g, 3, 3 * n, n)),
        modal_gyroscopic: (g.below(2) == 0).then(|| random_taylor(g, n, 3 * n, n)),
        centrifugal: (g.below(2) == 0).then(|| random_taylor(g, n, 6, n)),
        rest_force: (g.below(2) == 0).then(|| random_taylor(g, n, 1, n)),
        stiffness: random_taylor(g, n, n, n),
        damping: (g.below(2) == 0).then(|| random_taylor(g, n, n, n)),
    }
}

fn bits(sid: &Sid) -> Vec<u64> {
    let node = |n: &SidNode| {
        [
            Some(n.origin.clone()),
            Some(n.translation.clone()),
            Some(n.rotation.clone()),
            Some(n.axes.clone()),
            n.stress.clone(),
        ]
    };
    let own =
        [&sid.mass_moment, &sid.inertia, &sid.linear_coupling, &sid.angular_coupling, &sid.modal_mass, &sid.stiffness]
            .map(Clone::clone);
    let more = [&sid.angular_gyroscopic, &sid.modal_gyroscopic, &sid.centrifugal, &sid.rest_force, &sid.damping]
        .map(Clone::clone);
    let all = sid.nodes.iter().flat_map(node).flatten().chain(own).chain(more.into_iter().flatten());
    std::iter::once(sid.mass).chain(all.flat_map(|t| [t.m0, t.m1].concat())).map(f64::to_bits).collect()
}

/// Numbers from the smallest to the largest come back bit for bit, negative zeros included.
#[test]
fn what_is_written_is_read() {
    let mut g = Seeded(7);
    for round in 0..200 {
        let sid = random_sid(&mut g);
        let read = Sid::read(&sid.write()).unwrap_or_else(|e| panic!("round {round}: {e}"));
        assert_eq!(read, sid, "round {round}");
        assert_eq!(bits(&read), bits(&sid), "round {round}");
    }
}

/// What a text of this format is made of, letters of keys apart.
const MARKS: &[u8] = b"0123456789(),=-+.eEdDnN\n\r ";

/// No text makes the reader panic or hang: cut anywhere, or with bytes changed.
#[test]
fn damaged_texts_are_answered() {
    let mut g = Seeded(11);
    let big = random_sid(&mut g).write();
    let (mut refused, mut read) = (0, 0);
    let mut try_one = |text: &str| match Sid::read(text) {
        Ok(_) => read += 1,
        Err(e) => {
            refused += 1;
            assert!(e.line <= text.lines().count().max(1), "{e}");
        }
    };
    for text in [SMALL, big.as_str()] {
        let lines: Vec<&str> = text.lines().collect();
        for cut in 0..lines.len() {
            try_one(&lines[..cut].join("\n"));
            let without: Vec<&str> = lines.iter().enumerate().filter(|(i, _)| *i != cut).map(|(_, l)| *l).collect();
            try_one(&without.join("\n"));
        }
        for _ in 0..4000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=g.below(4) {
                let at = g.below(bytes.len());
                match g.below(4) {
                    0 => bytes[at] = (g.next() & 0xff) as u8,
                    1 => bytes[at] = MARKS[g.below(MARKS.len())],
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, MARKS[g.below(MARKS.len())]),
                }
            }
            try_one(&String::from_utf8_lossy(&bytes));
        }
    }
    println!("damaged texts: {refused} refused, {read} read");
    assert!(refused > 1000 && read > 100);
}
