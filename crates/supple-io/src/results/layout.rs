//! Which columns of a table make which topic of a log or of a live connection.

use super::table::Table;

/// A topic with some columns of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its name, such as `/hinges`.
    pub topic: String,
    /// Indices of its columns.
    pub columns: Vec<usize>,
}

/// A frame whose pose is in seven columns: x, y, z, then the quaternion x, y, z, w.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The reference frame of the pose, such as `world`.
    pub parent: String,
    /// Its own name.
    pub child: String,
    /// Index of the first of its columns.
    pub first_column: usize,
}

/// Which columns go where.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TopicLayout {
    /// Topics of numbers.
    pub channels: Vec<Channel>,
    /// Frames; none gives no topic `/tf`.
    pub frames: Vec<Frame>,
}

/// What follows the name of a node in the names of the columns of its pose.
const POSE: [&str; 7] = ["x", "y", "z", "qx", "qy", "qz", "qw"];

impl TopicLayout {
    /// By the names of the columns of a run: the part before the first dot selects the topic, and columns `node.BODY.NODE.x` to `….qw` are
    /// a frame `BODY/NODE`. The first column is the time and in no topic.
    pub fn of(table: &Table) -> Self {
        let mut own = Self::default();
        let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
        for (index, name) in names.iter().enumerate().skip(1) {
            let topic = topic(name.split_once('.').map_or("", |(first, _)| first));
            match own.channels.iter_mut().find(|channel| channel.topic == topic) {
                Some(channel) => channel.columns.push(index),
                None => own.channels.push(Channel { topic: topic.to_owned(), columns: vec![index] }),
            }
            let Some(node) = name.strip_prefix("node.").and_then(|rest| rest.strip_suffix(".x")) else { continue };
            let is_pose =
                |(i, part): (usize, &&str)| names.get(index + i) == Some(&format!("node.{node}.{part}").as_str());
            if POSE.iter().enumerate().all(is_pose) {
                let child = node.rsplit_once('.').map_or(node.to_owned(), |(body, node)| format!("{body}/{node}"));
                own.frames.push(Frame { parent: "world".to_owned(), child, first_column: index });
            }
        }
        own
    }
}

fn topic(first: &str) -> &'static str {
    match first {
        "hinge" => "/hinges",
        "speed" => "/hinge_speeds",
        "acceleration" => "/hinge_accelerations",
        "force" => "/hinge_forces",
        "mode" => "/modes",
        "mode_speed" => "/mode_speeds",
        "mode_acceleration" => "/mode_accelerations",
        "reaction" => "/reactions",
        "energy" | "work" | "dissipated" => "/energy",
        "momentum" | "angular_momentum" | "centre_of_mass" => "/momentum",
        "steps" => "/steps",
        "deflection" => "/deflections",
        "strain" => "/strains",
        "wrench" => "/node_wrenches",
        "node" => "/nodes",
        _ => "/others",
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Column;
    use super::*;

    #[test]
    fn columns_are_grouped_by_what_they_are() {
        let pose = |node: &str| POSE.map(|part| format!("node.{node}.{part}"));
        let mut names = vec!["time".to_owned(), "hinge.elbow".into(), "energy.total".into(), "work.elbow".into()];
        names.extend(pose("upper.arm.tip"));
        names.extend(["node.upper.arm.tip.vx".into(), "hinge.wrist".into(), "plain".into(), "node.cut.x".into()]);
        let columns = names.iter().map(|name| Column::new(name, "1", "")).collect();
        let found = TopicLayout::of(&Table::new("m", columns).unwrap());
        let channel = |topic: &str, columns: &[usize]| Channel { topic: topic.into(), columns: columns.to_vec() };
        let nodes: Vec<usize> = (4..12).chain([14]).collect();
        let expected = [
            channel("/hinges", &[1, 12]),
            channel("/energy", &[2, 3]),
            channel("/nodes", &nodes),
            channel("/others", &[13]),
        ];
        assert_eq!(found.channels, expected);
        let frame = Frame { parent: "world".into(), child: "upper.arm/tip".into(), first_column: 4 };
        assert_eq!(found.frames, [frame]);
    }
}
