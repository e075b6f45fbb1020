//! How a test collection would do if it were smaller, or larger.

use karat_report::plot::{Axis, LinePlot, LineStyle, Mark, Scale, Series};
use karat_report::{Cell, Column, Table};
use karat_stats::collection::{Answers, Growth, Resampling, Sampled, Size, Standing, Unit};
use karat_stats::{Interval, Power, percentile, power_one_sided};

/// A collection at several sizes, and what is known of its systems at full size.
#[derive(Debug, Clone)]
pub struct Evolution {
    names: Vec<String>,
    unit: Unit,
    /// The system with the highest F1.
    best: usize,
    /// Everything there is.
    whole: Size,
    in_order: Vec<Size>,
    orders: Vec<Vec<Size>>,
    /// For each system the share of queries on which exactly one of it and the best is right.
    discordant: Vec<f64>,
}

/// A system is below the best if the best is not better in fewer samples than this share.
const ALPHA: f64 = 0.05;
/// How often the best is to be told from a system. The test is one-sided, so its level is half of that
/// of a two-sided one.
const POWER: Power = Power { alpha: 2.0 * ALPHA, power: 0.8 };

impl Evolution {
    /// The systems at these sizes, in the order given and in so many random ones; `None` if there are
    /// no systems or no queries.
    pub fn new(
        names: &[&str],
        answers: &Answers,
        unit: Unit,
        sizes: &[usize],
        orders: usize,
        resampling: &Resampling,
    ) -> Option<Evolution> {
        let growth: Growth = answers.growth(unit);
        let best = growth.best().filter(|_| !growth.is_empty())?;
        let mut sizes: Vec<usize> = sizes.iter().map(|&size| size.clamp(1, growth.len())).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let all = answers.len() as f64;
        let discordant = |system: usize| answers.discordant(best, system) as f64 / all;
        Some(Evolution {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            unit,
            best,
            whole: growth.in_order(&[growth.len()], best, resampling).pop()?,
            in_order: growth.in_order(&sizes, best, resampling),
            orders: growth.in_random_orders(orders, &sizes, best, resampling),
            discordant: (0..answers.systems()).map(discordant).collect(),
        })
    }

    /// The name of the best system.
    pub fn best(&self) -> &str {
        self.names.get(self.best).map_or("", String::as_str)
    }

    /// Everything there is.
    pub fn whole(&self) -> &Size {
        &self.whole
    }

    /// The sizes in the order given.
    pub fn in_order(&self) -> &[Size] {
        &self.in_order
    }

    /// The sizes in random orders.
    pub fn orders(&self) -> &[Vec<Size>] {
        &self.orders
    }

    fn units(&self) -> &'static str {
        match self.unit {
            Unit::Query => "queries",
            Unit::Document => "documents",
        }
    }

    /// A row for each system: its F1, the interval, how many units an interval of this width takes,
    /// and what it takes to tell it from the best.
    pub fn standings(&self, width: f64) -> Table {
        let units = self.units();
        let mut table = Table::new([
            Column::text("system"),
            Column::number("F1", 3),
            Column::number("low", 3),
            Column::number("high", 3),
            Column::number("width", 4),
            Column::count(units),
            Column::count("needed"),
            Column::count("more"),
            Column::number("p against the best", 3),
            Column::number("behind", 4),
            Column::number("discordant", 4),
            Column::count(format!("{units} for a power of 80%")),
        ]);
        for (at, standing) in self.whole.systems.iter().enumerate() {
            let interval = standing.sampled.map(|found| found.interval);
            let needed = interval.and_then(|found| needed(found, self.whole.units, width));
            let more = needed.map(|needed| needed.saturating_sub(self.whole.units as u64));
            let other = at != self.best;
            let p = standing.sampled.map(|found| found.p).filter(|_| other);
            let power = self.for_power(standing).filter(|_| other);
            table.row([
                Cell::from(self.names[at].as_str()),
                Cell::from(standing.f1),
                Cell::from(interval.map(|found| found.low)),
                Cell::from(interval.map(|found| found.high)),
                Cell::from(interval.map(|found| found.high - found.low)),
                Cell::from(self.whole.units),
                needed.map_or(Cell::Missing, Cell::Count),
                more.map_or(Cell::Missing, Cell::Count),
                Cell::from(p),
                Cell::from(other.then_some(standing.behind)),
                Cell::from(other.then(|| self.discordant[at])),
                power.map_or(Cell::Missing, Cell::Count),
            ]);
        }
        table
    }

    /// How many units it takes to tell a system from the best: the error of the distance between
    /// them shrinks with the root of their number.
    fn for_power(&self, standing: &Standing) -> Option<u64> {
        let Sampled { standard_error, .. } = standing.sampled?;
        let units = POWER.units(self.whole.units as f64, standard_error, standing.behind)?;
        (standing.behind > 0.0 && units > 0.0).then(|| units.ceil() as u64)
    }

    /// A row for each size: F1 of every system on the first units, and how many are not below the best.
    pub fn growth(&self) -> Table {
        let mut table = self.sizes(|name| Column::number(name, 3), Column::count(NOT_BELOW));
        for size in &self.in_order {
            let scores = size.systems.iter().map(|standing| Cell::from(standing.f1));
            let left = self.not_below(size);
            table.row(self.head(size).chain(scores).chain([Cell::from(left)]));
        }
        table
    }

    /// F1 with a row for each size and system, for programs.
    pub fn f1_in_rows(&self) -> Table {
        let mut table = self.rows_of_sizes();
        for size in &self.in_order {
            for (name, standing) in self.names.iter().zip(&size.systems) {
                let system = Cell::from(name.as_str());
                table.row([size.units.into(), "F1".into(), system, standing.f1.into()]);
            }
        }
        table
    }

    /// How many systems are not below the best, with a row for each size, for programs.
    pub fn separation_in_rows(&self) -> Table {
        let mut table = self.rows_of_sizes();
        for size in &self.in_order {
            let left = self.not_below(size).into();
            table.row([size.units.into(), NOT_BELOW.into(), Cell::Missing, left]);
        }
        table
    }

    fn rows_of_sizes(&self) -> Table {
        let columns = [Column::count(self.units()), Column::text("score"), Column::text("system")];
        Table::new(columns.into_iter().chain([Column::exact("value")]))
    }

    /// How many systems are not significantly below the best at a size.
    pub fn not_below(&self, size: &Size) -> usize {
        size.not_separable(self.best, ALPHA)
    }

    /// Everything as one table with a row for each number, for programs.
    pub fn in_rows(&self, width: f64) -> Table {
        let (systems, orders) = (self.standings(width), self.random_orders_in_rows());
        let (f1, left) = (self.f1_in_rows(), self.separation_in_rows());
        let tables =
            [("systems", &systems), ("growth", &f1), ("growth", &left), ("orders", &orders)];
        Table::in_rows(&tables, &[self.units(), "system", "score"])
    }

    /// The same over random orders: the median, and between what 95% lie.
    pub fn random_orders(&self) -> Table {
        let mut table = self.sizes(Column::text, Column::text(NOT_BELOW));
        for (at, size) in self.orders.first().into_iter().flatten().enumerate() {
            let f1 = |system: usize| {
                let [median, low, high] = self.band(|size| size.systems[system].f1, at);
                Cell::from(format!("{median:.3} ({low:.3}–{high:.3})"))
            };
            let [median, low, high] = self.band(|size| self.left(size), at);
            let left = Cell::from(format!("{median} ({low}–{high})"));
            let scores = (0..self.names.len()).map(f1);
            table.row(self.head(size).chain(scores).chain([left]));
        }
        table
    }

    /// The same with a row for each size and system, for programs.
    pub fn random_orders_in_rows(&self) -> Table {
        let mut table = Table::new([
            Column::count(self.units()),
            Column::text("score"),
            Column::text("system"),
            Column::number("median", 6),
            Column::number("low", 6),
            Column::number("high", 6),
        ]);
        for (at, size) in self.orders.first().into_iter().flatten().enumerate() {
            let mut row = |score: &str, system: Option<&str>, band: [f64; 3]| {
                let head = [Cell::from(size.units), Cell::from(score), Cell::from(system)];
                table.row(head.into_iter().chain(band.map(Cell::from)));
            };
            for (system, name) in self.names.iter().enumerate() {
                row("F1", Some(name), self.band(|size| size.systems[system].f1, at));
            }
            row(NOT_BELOW, None, self.band(|size| self.left(size), at));
        }
        table
    }

    fn sizes(&self, system: impl Fn(String) -> Column, last: Column) -> Table {
        let units = std::iter::once(Column::count(self.units()));
        let queries = (self.unit == Unit::Document).then(|| Column::count("queries"));
        let systems = self.names.iter().map(|name| system(format!("F1 {name}")));
        Table::new(units.chain(queries).chain(systems).chain([last]))
    }

    fn head(&self, size: &Size) -> impl Iterator<Item = Cell> + use<> {
        let queries = (self.unit == Unit::Document).then_some(Cell::Count(size.queries));
        std::iter::once(Cell::from(size.units)).chain(queries)
    }

    fn left(&self, size: &Size) -> f64 {
        self.not_below(size) as f64
    }

    /// The median of something over all orders, and between what 95% of them lie.
    fn band(&self, value: impl Fn(&Size) -> f64, at: usize) -> [f64; 3] {
        let mut values: Vec<f64> =
            self.orders.iter().filter_map(|sizes| sizes.get(at)).map(value).collect();
        values.sort_unstable_by(f64::total_cmp);
        [50.0, 2.5, 97.5].map(|percent| percentile(&values, percent).unwrap_or(f64::NAN))
    }

    /// F1 as the set grows: the median over random orders with the band, or without any the order given.
    pub fn f1_plot(&self) -> LinePlot {
        let series = |system: usize| {
            let f1 = |size: &Size| size.systems[system].f1;
            self.series(&self.names[system], LineStyle::Line, f1)
        };
        let as_given = |system: usize| {
            let name = format!("{}, order given", self.names[system]);
            let given = self.as_given(&name, |size| size.systems[system].f1)?;
            Some(Series { like: Some(system), ..given })
        };
        let systems = 0..self.names.len();
        LinePlot {
            title: format!("F1 as the set grows by {}", self.units()),
            x: self.size_axis(),
            y: Axis::new("F1"),
            series: systems.clone().map(series).chain(systems.filter_map(as_given)).collect(),
            ..LinePlot::default()
        }
    }

    /// How many systems are not significantly below the best as the set grows.
    pub fn separation_plot(&self) -> LinePlot {
        let others = self.names.len().saturating_sub(1) as f64;
        let left = |size: &Size| self.left(size);
        let name = if self.orders.is_empty() { "" } else { "random orders, median" };
        let series = self.series(name, LineStyle::Steps, left);
        let as_given = self.as_given("order given", left);
        LinePlot {
            title: format!("Systems not significantly below {}", self.best()),
            x: self.size_axis(),
            y: Axis::counting("systems").between(0.0, others.max(1.0)),
            series: std::iter::once(series).chain(as_given).collect(),
            ..LinePlot::default()
        }
    }

    /// The order given, as points beside the random orders.
    fn as_given(&self, name: &str, value: impl Fn(&Size) -> f64) -> Option<Series> {
        let points = self.in_order.iter().map(|size| (size.units as f64, value(size)));
        (!self.orders.is_empty()).then(|| Series {
            name: name.to_owned(),
            points: points.collect(),
            style: LineStyle::Points,
            ..Series::default()
        })
    }

    fn series(&self, name: &str, style: LineStyle, value: impl Fn(&Size) -> f64) -> Series {
        let units = self.in_order.iter().map(|size| size.units as f64);
        let name = name.to_owned();
        if self.orders.is_empty() {
            let points = units.zip(self.in_order.iter().map(value)).collect();
            return Series { name, points, style, ..Series::default() };
        }
        let bands: Vec<[f64; 3]> =
            (0..self.in_order.len()).map(|at| self.band(&value, at)).collect();
        Series {
            name,
            points: units.zip(&bands).map(|(units, [median, ..])| (units, *median)).collect(),
            band: Some(bands.iter().map(|&[_, low, high]| (low, high)).collect()),
            style,
            ..Series::default()
        }
    }

    /// The chance that the best is told from each system, by the number of units.
    pub fn power_plot(&self) -> LinePlot {
        let all = self.whole.units as f64;
        let others = (0..self.names.len()).filter(|&at| at != self.best);
        let series = |at: usize| {
            let standing = &self.whole.systems[at];
            let error = standing.sampled.map_or(f64::NAN, |found| found.standard_error);
            let power = |units: f64| {
                let power = power_one_sided(standing.behind, error * (all / units).sqrt(), ALPHA);
                (units, power.unwrap_or(f64::NAN))
            };
            let points =
                (1..=POINTS).map(|step| power((2.0 * all * step as f64 / POINTS as f64).max(1.0)));
            Series { name: self.names[at].clone(), points: points.collect(), ..Series::default() }
        };
        LinePlot {
            title: format!("Power to tell systems from {}", self.best()),
            x: Axis::new(self.units()),
            y: Axis::new("power").between(0.0, 1.0),
            series: others.map(series).collect(),
            marks: vec![Mark::x(all, "now"), Mark::y(POWER.power, "80%")],
        }
    }

    fn size_axis(&self) -> Axis {
        Axis { scale: Scale::Logarithmic, ..Axis::new(self.units()) }
    }
}

/// What the last column of the tables of sizes says.
const NOT_BELOW: &str = "not below the best";
/// At how many sizes a power curve is computed.
const POINTS: usize = 100;

/// How many units narrow an interval to a width: it shrinks with their root.
fn needed(interval: Interval, units: usize, width: f64) -> Option<u64> {
    let now = interval.high - interval.low;
    let needed = (units as f64 * (now / width).powi(2)).ceil();
    (needed.is_finite() && now > 0.0).then_some(needed as u64)
}
