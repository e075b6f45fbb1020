//! Cutting lines and areas at the edges of a plot.
//!
//! Done here and not by the renderer: clip paths have ids, and ids of several
//! plots on one page get into each other's way.

/// A place.
pub(crate) type Point = (f64, f64);

/// An upright rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rectangle {
    /// Whether a place is inside. What rounding has put beyond an edge is on the edge.
    pub(crate) fn contains(&self, (x, y): Point) -> bool {
        const ROUNDING: f64 = 1e-6;
        let within = |low: f64, at: f64, high: f64| at > low - ROUNDING && at < high + ROUNDING;
        within(self.left, x, self.right) && within(self.top, y, self.bottom)
    }

    /// Whether the two share an area.
    pub(crate) fn meets(&self, other: &Rectangle) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The part of a segment that is inside.
    pub(crate) fn segment(&self, from: Point, to: Point) -> Option<(Point, Point)> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        // Liang and Barsky (1984): each edge of the rectangle moves the entry or the exit along the
        // segment.
        for (direction, distance) in [
            (-dx, from.0 - self.left),
            (dx, self.right - from.0),
            (-dy, from.1 - self.top),
            (dy, self.bottom - from.1),
        ] {
            if direction == 0.0 {
                if distance < 0.0 {
                    return None;
                }
            } else if direction < 0.0 {
                enter = enter.max(distance / direction);
            } else {
                leave = leave.min(distance / direction);
            }
        }
        let at = |share: f64| (from.0 + share * dx, from.1 + share * dy);
        (enter <= leave).then(|| (at(enter), at(leave)))
    }

    /// The parts of a line through these points that are inside.
    pub(crate) fn line(&self, points: &[Point]) -> Vec<Vec<Point>> {
        let mut parts: Vec<Vec<Point>> = Vec::new();
        let mut last_end = None;
        for pair in points.windows(2) {
            let [from, to] = pair else { continue };
            let Some((start, end)) = self.segment(*from, *to) else {
                last_end = None;
                continue;
            };
            match parts.last_mut() {
                Some(part) if last_end == Some(start) => part.push(end),
                _ => parts.push(vec![start, end]),
            }
            // Only a segment that ends where it was meant to is continued.
            last_end = (end == *to).then_some(end);
        }
        parts
    }

    /// The part of an area that is inside.
    pub(crate) fn area(&self, corners: &[Point]) -> Vec<Point> {
        let sides: [fn(&Rectangle, Point) -> f64; 4] = [
            |rectangle, point| point.0 - rectangle.left,
            |rectangle, point| rectangle.right - point.0,
            |rectangle, point| point.1 - rectangle.top,
            |rectangle, point| rectangle.bottom - point.1,
        ];
        // Sutherland and Hodgman (1974): the area is cut at one edge after the other.
        sides.iter().fold(corners.to_vec(), |corners, inside| {
            let mut kept = Vec::with_capacity(corners.len());
            let before = corners.last().into_iter().chain(&corners);
            for (&from, &to) in before.zip(&corners) {
                let (start, end) = (inside(self, from), inside(self, to));
                if (start < 0.0) != (end < 0.0) {
                    let share = start / (start - end);
                    kept.push((from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1)));
                }
                if end >= 0.0 {
                    kept.push(to);
                }
            }
            kept
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Rectangle = Rectangle { left: 0.0, top: 0.0, right: 1.0, bottom: 1.0 };

    #[test]
    fn lines_end_at_the_edges_and_come_back() {
        let parts = UNIT.line(&[(-1.0, 0.5), (0.5, 0.5), (2.0, 0.5), (2.0, 0.2), (0.0, 0.2)]);
        assert_eq!(parts, [vec![(0.0, 0.5), (0.5, 0.5), (1.0, 0.5)], vec![(1.0, 0.2), (0.0, 0.2)]]);
        assert!(UNIT.line(&[(-1.0, -1.0), (-1.0, 2.0)]).is_empty());
        assert!(UNIT.line(&[(0.5, 0.5)]).is_empty());
    }

    #[test]
    fn what_rounding_has_put_beyond_an_edge_is_on_it() {
        // The right edge of a panel, and where the end of its ruler comes out.
        let panel = Rectangle { left: 38.6, right: 470.0 - 66.28, ..UNIT };
        let end = panel.left + 1.0 * (panel.right - panel.left);
        assert!(panel.contains((end, 0.5)) && panel.contains((end + 1e-9, 0.5)));
        assert!(!panel.contains((end + 0.01, 0.5)));
    }

    #[test]
    fn areas_are_cut_on_all_sides() {
        let corners = UNIT.area(&[(-1.0, -1.0), (2.0, -1.0), (2.0, 2.0), (-1.0, 2.0)]);
        assert_eq!(corners.len(), 4);
        assert!(corners.iter().all(|corner| UNIT.contains(*corner)));
        assert!(UNIT.area(&[(2.0, 2.0), (3.0, 2.0), (3.0, 3.0)]).is_empty());
        assert!(UNIT.area(&[]).is_empty());
    }
}
