//! Memory does not grow with the number of rows.
#![cfg(all(feature = "parquet", feature = "mcap"))]

use crate::measured::{alone, peak_of};
use crate::results_support::{Folder, mcap_layout, row, table};
use supple_io::results::plot::Traces;
use supple_io::results::{CsvWriter, Existing, McapWriter, ParquetWriter, RowSink};

/// Bytes above those in use before that writing so many rows takes, finishing included.
fn peak(make: &dyn Fn(&Folder) -> Box<dyn RowSink>, rows: usize) -> usize {
    let folder = Folder::new("memory");
    peak_of(|| {
        let mut sink = make(&folder);
        for i in 0..rows {
            sink.append(&row(i)).unwrap();
        }
        sink.finish().unwrap();
    })
}

type Maker = Box<dyn Fn(&Folder) -> Box<dyn RowSink>>;

#[test]
fn a_million_rows_take_no_more_memory_than_a_few() {
    let _alone = alone();
    let megabyte = 1 << 20;
    let refuse = Existing::Refuse;
    let makers: [(&str, usize, Maker); 4] = [
        ("csv", megabyte, Box::new(move |f| Box::new(CsvWriter::create(&f.path("a.csv"), &table(), refuse).unwrap()))),
        // 16 MiB of held columns, and pages made of one of them.
        (
            "parquet",
            32 * megabyte,
            Box::new(move |f| Box::new(ParquetWriter::create(&f.path("a.parquet"), &table(), refuse).unwrap())),
        ),
        (
            "mcap",
            4 * megabyte,
            Box::new(move |f| Box::new(McapWriter::create(&f.path("a"), &table(), &mcap_layout(), refuse).unwrap())),
        ),
        ("traces", megabyte, Box::new(|_| Box::new(Traces::new(&table(), &[1, 2, 3], 1000).unwrap()))),
    ];
    for (name, limit, make) in makers {
        let [half, whole, double] = [500_000, 1_000_000, 2_000_000].map(|rows| peak(&*make, rows));
        println!("{name}: {half} bytes for 0.5e6 rows, {whole} for 1e6, {double} for 2e6");
        assert!(whole < limit, "{name}: {whole} bytes");
        // Flat: what is added per row is the index of a log at most.
        assert!(double.saturating_sub(whole) < megabyte / 2, "{name}: {whole}, then {double}");
        assert!(double < limit, "{name}: {double} bytes");
    }
}
