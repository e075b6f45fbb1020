//! Files that would take more memory than there is.

use crate::folder::Folder;

fn refused(folder: &Folder, line: &str) -> String {
    let output = folder.output(line);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    said
}

/// Three GiB that take no place on the disk.
#[test]
fn a_file_with_holes_is_refused_whatever_it_is_said_to_be() {
    let folder = Folder::new();
    std::fs::File::create(folder.path("holes")).unwrap().set_len(3 << 30).unwrap();
    for from in ["bioc-json", "bioc-xml", "label-studio", "hipe", "conllu", "parquet"] {
        let line = format!("karat validate holes --from {from} --max-memory 1G");
        let said = refused(&folder, &line);
        assert!(said.contains("holes") && said.contains("help"), "{from}: {said}");
    }
}

#[test]
fn memory_has_a_unit_and_a_least_size() {
    let folder = Folder::with(&[("gold.tsv", "d\t0\t3\tQ1\n")]);
    for (size, message) in [
        ("5", "expected a size with its unit, such as 500M or 4G"),
        ("1.5M", "expected a whole number with a unit, such as 500M or 4G"),
        ("1M", "karat itself needs 64M"),
    ] {
        let said = refused(&folder, &format!("karat validate gold.tsv --max-memory {size}"));
        assert!(said.contains(message), "{said}");
    }
    for size in ["900M", "2GiB", "1t"] {
        let output = folder.output(&format!("karat validate gold.tsv --max-memory {size}"));
        assert!(output.status.success(), "{size}");
    }
}
