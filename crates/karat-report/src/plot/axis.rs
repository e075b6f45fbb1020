//! Axes: what they show, and the ruler that goes along one.

use crate::plot::lettering;
use crate::plot::svg::trimmed;

/// One direction of a plot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// How values are laid out on it.
    pub scale: Scale,
    /// Where it begins, if not at the smallest value.
    pub low: Option<f64>,
    /// Where it ends, if not at the largest value.
    pub high: Option<f64>,
    /// Whether it counts: there is nothing between two whole numbers.
    pub counts: bool,
}

/// How values are laid out on an axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equal distances.
    #[default]
    Linear,
    /// Equal ratios are equal distances; what is not above zero is left out.
    Logarithmic,
}

impl Axis {
    /// A linear axis from the smallest to the largest value.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// An axis of whole numbers.
    pub fn counting(label: impl Into<String>) -> Axis {
        Axis { counts: true, ..Axis::new(label) }
    }

    /// The same axis between these two values.
    pub fn between(self, low: f64, high: f64) -> Axis {
        Axis { low: Some(low), high: Some(high), ..self }
    }
}

/// An axis that knows where it begins and ends and where its ticks are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ruler {
    scale: Scale,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) ticks: Vec<Tick>,
    decimals: usize,
}

/// A place on a ruler that has a label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// What is larger than this is drawn as this, so that differences stay finite.
const LARGEST: f64 = 1e300;
/// What is smaller than this is drawn as zero.
const SMALLEST: f64 = 1e-300;

impl Ruler {
    /// A ruler over these values with about so many ticks.
    pub(crate) fn new(axis: &Axis, values: impl IntoIterator<Item = f64>, wanted: usize) -> Ruler {
        let usable =
            |value: &f64| value.is_finite() && (axis.scale == Scale::Linear || *value >= SMALLEST);
        let values = values.into_iter().filter(usable).map(bounded);
        let (smallest, largest) = extent(values).unwrap_or_else(|| nothing_to_show(axis));
        let given = [axis.low, axis.high].map(|limit| limit.filter(usable).map(bounded));
        let [low, high] = [given[0].unwrap_or(smallest), given[1].unwrap_or(largest)];
        let (low, high) = widened(low, high, axis.scale);
        // A range of three whole numbers has room for three ticks, whatever was wanted.
        let wanted = match axis.counts {
            true => wanted.min(((high - low).max(1.0)) as usize),
            false => wanted,
        };
        let wanted = wanted.clamp(1, 30);
        let fixed = given.map(|limit| limit.is_some());
        match axis.scale {
            Scale::Linear => {
                let distance = (high - low) / wanted as f64;
                let least = if axis.counts { 1.0 } else { 0.0 };
                Ruler::linear(low, high, fixed, &Step::at_least(distance.max(least)))
            }
            Scale::Logarithmic => Ruler::logarithmic(low, high, fixed, wanted),
        }
    }

    /// A ruler over these values whose labels fit side by side into this length.
    pub(crate) fn along(
        axis: &Axis,
        values: impl IntoIterator<Item = f64>,
        length: f64,
        width_of: impl Fn(&str) -> f64,
    ) -> Ruler {
        let values: Vec<f64> = values.into_iter().collect();
        let most = ((length / width_of("000")) as usize).clamp(1, 10);
        // From many ticks to few: the first ruler whose labels do not touch is the best.
        let rulers =
            (1..=most).rev().map(|wanted| Ruler::new(axis, values.iter().copied(), wanted));
        let fits = |ruler: &Ruler| {
            let places = ruler.ticks.iter().filter_map(|tick| {
                Some((ruler.fraction(tick.value)? * length, width_of(&tick.label)))
            });
            let places: Vec<_> = places.collect();
            places.windows(2).all(|pair| match pair {
                [(left, left_width), (right, right_width)] => {
                    right - left >= (left_width + right_width) / 2.0 + width_of("0")
                }
                _ => true,
            })
        };
        let mut last = None;
        for ruler in rulers {
            if fits(&ruler) {
                return ruler;
            }
            last = Some(ruler);
        }
        let mut ruler = last.unwrap_or_else(|| Ruler::new(axis, values, 1));
        ruler.ticks.truncate(1);
        ruler
    }

    fn linear(low: f64, high: f64, fixed: [bool; 2], step: &Step) -> Ruler {
        let span = high - low;
        let tick_below = step.times((low / step.size() + 1e-9).floor());
        let tick_above = step.times((high / step.size() - 1e-9).ceil());
        // An axis ends at a tick if there is one near, and a little beyond the data
        // otherwise.
        let near = |tick: f64, end: f64| (tick - end).abs() <= 0.15 * span;
        let low = match fixed[0] {
            true => low,
            false if near(tick_below, low) => low.min(tick_below),
            false => low - 0.03 * span,
        };
        let high = match fixed[1] {
            true => high,
            false if near(tick_above, high) => high.max(tick_above),
            false => high + 0.03 * span,
        };
        // A tick that rounding has put beyond the end is on the end.
        let first = (low / step.size() - 1e-9).ceil();
        let last = (high / step.size() + 1e-9).floor();
        // Never more than a hundred, whatever rounding does to the ends.
        let indices = (0..=(last - first).clamp(0.0, 100.0) as i32).map(|i| first + f64::from(i));
        let values: Vec<f64> = indices.map(|index| step.times(index)).collect();
        let decimals = step.decimals();
        let ticks = ticks(&values, decimals);
        Ruler { scale: Scale::Linear, low, high, ticks, decimals }
    }

    fn logarithmic(low: f64, high: f64, fixed: [bool; 2], wanted: usize) -> Ruler {
        let decades = [libm::log10(low).floor() as i32, libm::log10(high).ceil() as i32];
        // Every so many decades, so that labels of a wide range do not touch.
        let apart = (decades[1] - decades[0] + wanted as i32 - 1).div_euclid(wanted as i32).max(1);
        let powers = (decades[0]..=decades[1]).filter(|decade| decade.rem_euclid(apart) == 0);
        let powers: Vec<f64> = powers.map(power_of_ten).collect();
        let rungs = (decades[0]..=decades[1])
            .flat_map(|decade| [1.0, 2.0, 5.0].map(|mantissa| mantissa * power_of_ten(decade)));
        let rungs: Vec<f64> = rungs.take(3 * wanted + 9).collect();
        let inside =
            |ladder: &[f64]| ladder.iter().filter(|value| (low..=high).contains(*value)).count();
        let ladder = if inside(&rungs) <= wanted || inside(&powers) < 2 { rungs } else { powers };
        let below = ladder.iter().copied().rfind(|value| *value <= low).unwrap_or(low);
        let above = ladder.iter().copied().find(|value| *value >= high).unwrap_or(high);
        let low = if fixed[0] { low } else { below };
        let high = if fixed[1] { high } else { above };
        let inside: Vec<f64> =
            ladder.into_iter().filter(|value| (low..=high).contains(value)).collect();
        let inside = if inside.len() < 2 { vec![low, high] } else { inside };
        let decimals = (2 - libm::log10(low).floor() as i32).clamp(0, 12) as usize;
        let ticks = inside.iter().map(|&value| Tick { value, label: number(value) }).collect();
        Ruler { scale: Scale::Logarithmic, low, high, ticks, decimals }
    }

    /// Where a value is: 0 at the beginning of the ruler, 1 at its end. Nowhere
    /// if it is not finite, or not above zero on a logarithmic ruler.
    pub(crate) fn fraction(&self, value: f64) -> Option<f64> {
        if !value.is_finite() {
            return None;
        }
        let value = bounded(value);
        let fraction = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic if value < SMALLEST => return None,
            Scale::Logarithmic => {
                let [value, low, high] = [value, self.low, self.high].map(libm::log10);
                (value - low) / (high - low)
            }
        };
        // A point far outside still gives finite coordinates; clipping removes it later.
        Some(fraction.clamp(-1e6, 1e6))
    }

    /// How many decimals it takes to read values between the ticks.
    pub(crate) fn fine_decimals(&self) -> usize {
        self.decimals + 1
    }

    /// The room that the widest label needs.
    pub(crate) fn widest_label(&self, width_of: impl Fn(&str) -> f64) -> f64 {
        self.ticks.iter().map(|tick| width_of(&tick.label)).fold(0.0, f64::max)
    }
}

/// About so many steps of equal size, 1, 2 or 5 times a power of ten, with all
/// values between the first and the last.
pub(crate) fn steps_around(values: impl Iterator<Item = f64>, wanted: usize) -> Vec<f64> {
    let values = values.filter(|value| value.is_finite()).map(bounded);
    let (low, high) = extent(values).unwrap_or((0.0, 1.0));
    let (low, high) = widened(low, high, Scale::Linear);
    let step = Step::at_least((high - low) / wanted.max(1) as f64);
    let first = (low / step.size() + 1e-9).floor();
    let last = (high / step.size() - 1e-9).ceil();
    let count = (last - first).clamp(1.0, 1000.0) as i32;
    (0..=count).map(|index| step.times(first + f64::from(index))).collect()
}

/// The width of a label of a tick, in pixels.
pub(crate) fn label_width(label: &str) -> f64 {
    lettering::width(label, lettering::SMALL)
}

/// A value with so many decimals; very large and very small ones in scientific
/// notation.
pub(crate) fn decimal(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    if value.abs() >= 1e6 || decimals > 9 {
        return scientific(value);
    }
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|character| matches!(character, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A number as short as three digits after the first allow.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() || size >= 1e6 || (size > 0.0 && size < 1e-4) {
        return if value.is_finite() { scientific(value) } else { decimal(value, 0) };
    }
    let whole_digits = if size < 1.0 { 0 } else { libm::log10(size) as usize };
    let leading_zeros =
        if size > 0.0 && size < 1.0 { -libm::log10(size).floor() as usize } else { 0 };
    trimmed(decimal(value, (3 + leading_zeros).saturating_sub(whole_digits)))
}

fn scientific(value: f64) -> String {
    if value.abs() < SMALLEST {
        return "0".to_owned();
    }
    let text = format!("{value:.3e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa.to_owned())),
        None => text,
    }
}

fn ticks(values: &[f64], decimals: usize) -> Vec<Tick> {
    // One spelling for all ticks of an axis.
    let is_plain = decimals <= 9 && values.iter().all(|value| value.abs() < 1e6);
    let label = |value| if is_plain { decimal(value, decimals) } else { scientific(value) };
    values.iter().map(|&value| Tick { value, label: label(value) }).collect()
}

fn bounded(value: f64) -> f64 {
    if value.abs() < SMALLEST { 0.0 } else { value.clamp(-LARGEST, LARGEST) }
}

fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |extent, value| match extent {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

fn nothing_to_show(axis: &Axis) -> (f64, f64) {
    match (axis.scale, axis.low, axis.high) {
        (Scale::Linear, Some(low), _) if low.is_finite() => (low, low + 1.0),
        (Scale::Linear, _, Some(high)) if high.is_finite() => (high - 1.0, high),
        (Scale::Linear, _, _) => (0.0, 1.0),
        (Scale::Logarithmic, _, _) => (1.0, 10.0),
    }
}

/// A range that has an extent.
fn widened(low: f64, high: f64, scale: Scale) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    // A range this small relative to its values has no digits to put ticks at.
    if high > low && high - low > size * 1e-9 && high - low > SMALLEST * 1e10 {
        return (low, high);
    }
    match scale {
        Scale::Logarithmic => (bounded(low / 2.0).max(SMALLEST), bounded(low * 2.0).max(1e-299)),
        Scale::Linear if size < SMALLEST * 1e10 => (0.0, 1.0),
        Scale::Linear => (low - size / 10.0, low + size / 10.0),
    }
}

/// A step between ticks: 1, 2 or 5 times a power of ten.
struct Step {
    mantissa: f64,
    exponent: i32,
}

impl Step {
    fn at_least(distance: f64) -> Step {
        let exponent = libm::log10(distance).floor() as i32;
        let ratio = distance / power_of_ten(exponent);
        for mantissa in [1.0, 2.0, 5.0] {
            if ratio <= mantissa * (1.0 + 1e-9) {
                return Step { mantissa, exponent };
            }
        }
        Step { mantissa: 1.0, exponent: exponent + 1 }
    }

    fn size(&self) -> f64 {
        self.times(1.0)
    }

    /// Divides by whole powers of ten, so that three tenths are 0.3.
    fn times(&self, index: f64) -> f64 {
        let product = index * self.mantissa;
        if self.exponent < 0 && self.exponent > -300 {
            product / power_of_ten(-self.exponent)
        } else {
            product * power_of_ten(self.exponent)
        }
    }

    fn decimals(&self) -> usize {
        usize::try_from(-self.exponent).unwrap_or(0)
    }
}

fn power_of_ten(exponent: i32) -> f64 {
    // A decimal literal is rounded correctly everywhere; a power need not be.
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], wanted: usize) -> String {
        let ruler = Ruler::new(axis, values.iter().copied(), wanted);
        let labels: Vec<_> = ruler.ticks.iter().map(|tick| tick.label.as_str()).collect();
        labels.join(" ")
    }

    fn logarithmic() -> Axis {
        Axis { scale: Scale::Logarithmic, ..Axis::default() }
    }

    #[test]
    fn ticks_are_one_two_or_five_apart() {
        let axis = Axis::default();
        for (values, wanted, expected) in [
            (vec![0.0, 1.0], 5, "0.0 0.2 0.4 0.6 0.8 1.0"),
            (vec![0.52, 0.79], 6, "0.50 0.55 0.60 0.65 0.70 0.75 0.80"),
            (vec![3.0, 231.0], 5, "0 50 100 150 200 250"),
            (vec![-0.02, 0.051], 4, "-0.02 0.00 0.02 0.04 0.06"),
            (vec![0.0, 3e7], 3, "0 1e7 2e7 3e7"),
            (vec![0.1, 0.3], 2, "0.1 0.2 0.3"),
            (vec![], 5, "0.0 0.2 0.4 0.6 0.8 1.0"),
            (vec![f64::NAN, f64::INFINITY, 2.0], 4, "1.8 1.9 2.0 2.1 2.2"),
            (vec![0.0], 2, "0.0 0.5 1.0"),
            (vec![-1.0], 4, "-1.10 -1.05 -1.00 -0.95 -0.90"),
        ] {
            assert_eq!(labels(&axis, &values, wanted), expected, "{values:?}");
        }
        assert_eq!(labels(&axis.between(0.05, 0.95), &[], 5), "0.2 0.4 0.6 0.8");
        let counting = Axis::counting("categories");
        assert_eq!(labels(&counting.clone().between(1.0, 3.0), &[], 10), "1 2 3");
        assert_eq!(labels(&counting.clone().between(1.0, 99.0), &[], 5), "20 40 60 80");
        for (values, expected) in [(vec![1.0], "1"), (vec![0.0, 1.0], "0 1")] {
            assert_eq!(labels(&counting, &values, 10), expected, "{values:?}");
        }
    }

    #[test]
    fn logarithmic_ticks_are_decades_or_one_two_five() {
        for (values, wanted, expected) in [
            (vec![1.0, 1e4], 6, "1 10 100 1000 10000"),
            (vec![3.0, 150.0], 6, "2 5 10 20 50 100 200"),
            (vec![1e-3, 1e9], 5, "0.001 1 1000 1e6 1e9"),
            (vec![0.0, -5.0], 5, "1 2 5 10"),
            (vec![7.0], 5, "2 5 10 20"),
        ] {
            assert_eq!(labels(&logarithmic(), &values, wanted), expected, "{values:?}");
        }
    }

    #[test]
    fn every_range_has_an_extent_and_finite_fractions() {
        let extremes = [
            0.0,
            -0.0,
            5e-324,
            -5e-324,
            1e-300,
            1.0,
            -1.0,
            1e16,
            1e16 + 2.0,
            f64::MAX,
            f64::MIN,
            f64::NAN,
            f64::INFINITY,
            0.1 + 0.2,
            0.3,
        ];
        for axis in [Axis::default(), logarithmic()] {
            for low in extremes {
                for high in extremes {
                    for axis in [axis.clone(), axis.clone().between(low, high)] {
                        let ruler = Ruler::new(&axis, [low, high], 5);
                        assert!(ruler.low < ruler.high, "{low} {high} {ruler:?}");
                        assert!(!ruler.ticks.is_empty() && ruler.ticks.len() < 40, "{ruler:?}");
                        for value in extremes {
                            let fraction = ruler.fraction(value).unwrap_or(0.0);
                            assert!(fraction.is_finite(), "{low} {high} {value} {ruler:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (0.12345, "0.1235"),
            (0.001, "0.001"),
            (0.00012346, "0.0001235"),
            (12.3456, "12.35"),
            (1234.5678, "1235"),
            (1e-9, "1e-9"),
            (-2.5e8, "-2.5e8"),
            (f64::NAN, "–"),
            (f64::NEG_INFINITY, "-∞"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(decimal(-0.0004, 3), "0.000");
    }
}
