//! Values with something between them.

use crate::table::{Cell, Column, Table};

/// The table with a heading and a record for each row.
pub(super) fn separated(table: &Table, delimiter: u8) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    let heading = table.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    // Programs want numbers, and a small probability is not none.
    let cell = |(column, cell): (&Column, &Cell)| match cell {
        Cell::Number(number) if column.is_probability => number.to_string(),
        cell => cell.printed(column, ""),
    };
    let printed =
        |row: &[Cell]| -> Vec<String> { table.columns.iter().zip(row).map(cell).collect() };
    let rows = table.rows().map(printed);
    for record in std::iter::once(heading).chain(rows) {
        // Writing to memory does not fail, and all rows have the same length.
        let _ = writer.write_record(&record);
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
