//! Names of measures as people list them.

use std::str::FromStr;

/// Names of measures separated by commas; commas in brackets belong to a name.
///
/// ```
/// use karat::scoring::MeasureNames;
///
/// let names: MeasureNames = "link.f1, similarity(of=mention,by=span)".parse()?;
/// assert_eq!(names.0, ["link.f1", "similarity(of=mention,by=span)"]);
/// assert!(" ,".parse::<MeasureNames>().is_err());
/// # Ok::<(), karat::scoring::NoMeasure>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureNames(pub Vec<String>);

/// Text that names no measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no measure is named; `karat measures` lists them")]
pub struct NoMeasure;

impl FromStr for MeasureNames {
    type Err = NoMeasure;

    fn from_str(text: &str) -> Result<MeasureNames, NoMeasure> {
        let mut depth = 0usize;
        let split = text.split(|c: char| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ',' && depth == 0
        });
        let names: Vec<String> =
            split.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
        if names.is_empty() { Err(NoMeasure) } else { Ok(MeasureNames(names)) }
    }
}
