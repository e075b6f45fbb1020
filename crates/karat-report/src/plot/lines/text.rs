//! Lines as text.

use super::{AxisSide, LinePlot, LineStyle};
use crate::plot::axis::{Ruler, number};
use crate::plot::terminal::{self, Canvas, Glyphs, label_columns};

pub(super) fn text(plot: &LinePlot, width: u16, glyphs: Glyphs) -> String {
    let width = terminal::usable(width);
    let rows = (width / 5).clamp(8, 18);
    let y = Ruler::new(&plot.y, plot.y_values(), rows / 3);
    let left = (y.widest_label(label_columns) as usize).min(width / 3);
    let columns = width - left - 2;
    let x = Ruler::along(&plot.x_axis(), plot.x_values(), columns as f64, label_columns);
    let mut canvas = Canvas::new(columns, rows, glyphs);
    for (index, series) in plot.series.iter().enumerate() {
        let letter = terminal::letter(index);
        for (low, high) in series.edges(&x, &y) {
            for edge in [low, high] {
                stroke(&mut canvas, &edge, 3, '.');
            }
        }
        for run in series.runs(&x, &y) {
            match series.style {
                LineStyle::Points => {
                    for point in run.iter().filter(|point| is_inside(point)) {
                        canvas.put(canvas.cell(*point), letter);
                    }
                }
                _ => stroke(&mut canvas, &run, 1, letter),
            }
        }
    }
    // Braille dots have no colour, so letters on the lines tell them apart.
    if plot.series.len() > 1 {
        put_letters(plot, &mut canvas, (&x, &y));
    }
    put_marks(plot, &mut canvas, (&x, &y));
    if plot.is_empty() {
        for (column, letter) in "no data".chars().enumerate() {
            canvas.put(((columns / 2).saturating_sub(3) + column, rows / 2), letter);
        }
    }
    terminal::title(&plot.title, width, glyphs)
        + &terminal::framed(&canvas, left, (&x, &y), (&plot.x, &plot.y))
        + &terminal::legend(&entries(plot, glyphs), width, glyphs)
}

fn is_inside(point: &(f64, f64)) -> bool {
    (0.0..=1.0).contains(&point.0) && (0.0..=1.0).contains(&point.1)
}

fn stroke(canvas: &mut Canvas, run: &[(f64, f64)], every: usize, letter: char) {
    if let [only] = run
        && is_inside(only)
    {
        canvas.put(canvas.cell(*only), letter);
    }
    for pair in run.windows(2) {
        if let [from, to] = pair {
            canvas.stroke(*from, *to, every, letter);
        }
    }
}

/// Writes the letter of each line upon it, at a few places of its own.
fn put_letters(plot: &LinePlot, canvas: &mut Canvas, (x, y): (&Ruler, &Ruler)) {
    let count = plot.series.len();
    for (index, series) in plot.series.iter().enumerate() {
        let letter = terminal::letter(index);
        let runs = series.runs(x, y);
        let shift = index as f64 / count as f64;
        for part in 0..4 {
            // Shifted by series, so that letters of lines that run together do not cover each
            // other.
            let wished = (f64::from(part) + 0.3 + 0.7 * shift) / 4.0;
            let point = runs.iter().find_map(|run| at(run, wished)).filter(is_inside);
            if let Some(point) = point {
                canvas.put(canvas.cell(point), letter);
            }
        }
        if runs.iter().all(|run| run.len() < 3) {
            let ends = runs.iter().flat_map(|run| run.last()).filter(|point| is_inside(point));
            ends.for_each(|point| canvas.put(canvas.cell(*point), letter));
        }
    }
}

/// Where a line is at this fraction of the horizontal axis.
fn at(run: &[(f64, f64)], x: f64) -> Option<(f64, f64)> {
    run.windows(2).find_map(|pair| match pair {
        [from, to] if from.0 <= x && x < to.0 => {
            Some((x, from.1 + (x - from.0) / (to.0 - from.0) * (to.1 - from.1)))
        }
        _ => None,
    })
}

fn put_marks(plot: &LinePlot, canvas: &mut Canvas, (x, y): (&Ruler, &Ruler)) {
    let sign = signs(canvas.glyphs());
    for mark in &plot.marks {
        let ruler = if mark.on == AxisSide::X { x } else { y };
        let Some(place) = ruler.fraction(mark.at).filter(|place| (0.0..=1.0).contains(place))
        else {
            continue;
        };
        let cells: Vec<(usize, usize)> = match mark.on {
            AxisSide::X => (0..canvas.rows).map(|row| (canvas.cell((place, 0.0)).0, row)).collect(),
            AxisSide::Y => {
                (0..canvas.columns).map(|column| (column, canvas.cell((0.0, place)).1)).collect()
            }
        };
        for cell in cells {
            if canvas.is_free(cell) {
                canvas.put(cell, if mark.on == AxisSide::X { sign.0 } else { sign.1 });
            }
        }
    }
}

fn signs(glyphs: Glyphs) -> (char, char) {
    glyphs.choose(('┊', '┄'), (':', '-'))
}

fn entries(plot: &LinePlot, glyphs: Glyphs) -> Vec<(String, String)> {
    let named = plot.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
    let alone = plot.series.len() == 1
        && plot.series.iter().all(|series| series.style != LineStyle::Points);
    let sign = |index| match (alone, glyphs) {
        (true, Glyphs::Unicode) => '⠤',
        _ => terminal::letter(index),
    };
    let series = named.map(|(index, series)| (sign(index).to_string(), series.name.clone()));
    let labelled = plot.marks.iter().filter(|mark| !mark.label.is_empty());
    let marks = labelled.map(|mark| {
        let sign = if mark.on == AxisSide::X { signs(glyphs).0 } else { signs(glyphs).1 };
        let value = glyphs.spelled(&number(mark.at));
        (sign.to_string(), format!("{} ({value})", mark.label))
    });
    series.chain(marks).collect()
}
