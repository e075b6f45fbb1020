//! The diagram as text: a line for each system.

use super::{CriticalDifference, levels};
use crate::plot::axis::decimal;
use crate::plot::lettering::columns;
use crate::plot::terminal::{self, Glyphs, label_columns};

pub(super) fn text(diagram: &CriticalDifference, width: u16, glyphs: Glyphs) -> String {
    let width = terminal::usable(width);
    let ranked = diagram.ranked();
    let bars = diagram.bars(&ranked);
    let levels = levels(&bars);
    let columns_of_bars = levels.iter().max().map_or(0, |level| level + 1).min(width / 6);
    let names = ranked.iter().map(|system| columns(&system.name)).max().unwrap_or(0);
    let ranks = ranked.iter().map(|system| columns(&decimal(system.rank, 2))).max().unwrap_or(0);
    let names = names.min((width / 3).saturating_sub(ranks)).max(4);
    let before = names + 1 + ranks + 1;
    let length = width.saturating_sub(before + 1 + 2 * columns_of_bars).max(4);
    let x = diagram.ruler(length as f64, label_columns);
    let mut text = terminal::title(&diagram.title, width, glyphs);
    for (place, system) in ranked.iter().enumerate() {
        let fraction = x.fraction(system.rank).unwrap_or(0.0).clamp(0.0, 1.0);
        let dot = (fraction * (length as f64 - 1.0)).round() as usize;
        let name = glyphs.padded(&system.name, names);
        let rank = glyphs.right(&decimal(system.rank, 2), ranks);
        let leader = glyphs.choose("·", ".").repeat(dot);
        let rest = " ".repeat(length.saturating_sub(dot + 1));
        let mut line = format!("{name} {rank}  {leader}{}{rest}", glyphs.choose('●', 'o'));
        for level in 0..columns_of_bars {
            let joins = |((first, last), at): (&(usize, usize), &usize)| {
                *at == level && (*first..=*last).contains(&place)
            };
            let is_joined = bars.iter().zip(&levels).any(joins);
            line += if is_joined { glyphs.choose(" ┃", " |") } else { "  " };
        }
        text += &glyphs.shortened(line.trim_end(), width);
        text.push('\n');
    }
    text += &terminal::below(&x, "average rank", before, length, glyphs);
    if let Some(difference) = diagram.difference() {
        text +=
            &glyphs.shortened(&format!("critical difference {}", decimal(difference, 2)), width);
        text.push('\n');
    }
    if !bars.is_empty() {
        text += &glyphs.shortened("systems along one bar are not told apart", width);
        text.push('\n');
    }
    for line in folded(&diagram.note, width) {
        text += &glyphs.shortened(&line, width);
        text.push('\n');
    }
    text
}

/// A text in lines of so many columns, broken between words.
fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                *line += &format!(" {word}");
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
