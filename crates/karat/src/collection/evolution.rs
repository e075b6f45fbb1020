//! How a test collection would do if it were smaller, or larger.

use karat_report::plot::{Axis, LinePlot, LineStyle, ReferenceLine, Scale, Series};
use karat_report::{Cell, Column, Table};
use karat_stats::collection::{Answers, CollectionResampling, Growth, Size, Unit};
use karat_stats::{Power, Watching, percentile, power_one_sided};
use serde::{Deserialize, Serialize};

/// A collection at several sizes, and what is known of its systems at full size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evolution {
    /// What the collection grows by.
    pub unit: SizeUnit,
    /// How many of them there are.
    pub units: usize,
    /// How systems do on everything there is.
    pub systems: Vec<SystemAtFullSize>,
    /// The sizes in the order given.
    pub in_order: Vec<GrowthStep>,
    /// The sizes over random orders; nothing if there were none.
    pub in_random_orders: Vec<OrdersStep>,
}

/// What a collection grows by, and what is drawn again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SizeUnit {
    /// Queries, each by itself.
    #[default]
    Query,
    /// Documents with all their queries: answers within one document resemble each other.
    Document,
}

/// A system on everything there is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SystemAtFullSize {
    /// What it is called.
    pub name: String,
    /// Its F1.
    pub f1: f64,
    /// The interval in which F1 lies; `None` if there is only one unit to draw.
    pub interval: Option<[f64; 2]>,
    /// By how much the F1 of the best system is higher; `None` for the best itself.
    pub behind: Option<f64>,
    /// The share of samples in which the best system is not better.
    pub p: Option<f64>,
    /// How much the distance to the best varies from sample to sample.
    pub standard_error: Option<f64>,
    /// The share of queries on which exactly one of it and the best is right.
    pub discordant: Option<f64>,
}

/// A collection at one size, in the order given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GrowthStep {
    /// How many units there are.
    pub units: usize,
    /// How many queries these are.
    pub queries: u64,
    /// The F1 of each system.
    pub f1: Vec<f64>,
    /// For each system the share of samples in which the best is not better.
    pub p: Vec<Option<f64>>,
    /// How many systems are not significantly below the best.
    pub not_below: usize,
}

/// A collection at one size, over random orders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OrdersStep {
    /// How many units there are.
    pub units: usize,
    /// How many queries these are in the first of the orders.
    pub queries: u64,
    /// The F1 of each system.
    pub f1: Vec<MedianBand>,
    /// How many systems are not significantly below the best.
    pub not_below: MedianBand,
}

/// A median, and between what 95% lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MedianBand {
    /// The median.
    pub median: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
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
        unit: SizeUnit,
        sizes: &[usize],
        orders: usize,
        resampling: &CollectionResampling,
        watching: &Watching<'_>,
    ) -> Option<Evolution> {
        let growth: Growth = answers.growth(unit.into());
        let best = growth.best().filter(|_| !growth.is_empty())?;
        // Sizes that a smaller collection does not have become its whole size, and then occur once.
        let mut sizes: Vec<usize> = sizes.iter().map(|&size| size.clamp(1, growth.len())).collect();
        sizes.sort_unstable();
        sizes.dedup();
        // The whole is scored apart, whether or not it is among the sizes: all systems are measured
        // against the best of the whole set.
        let whole = growth.in_order(&[growth.len()], best, resampling).pop()?;
        let system = |(at, name): (usize, &&str)| {
            let is_best = at == best;
            let discordant = || answers.discordant(best, at) as f64 / answers.len() as f64;
            let discordant = (!is_best).then(discordant);
            let standing = whole.systems.get(at)?;
            let sampled = standing.sampled;
            Some(SystemAtFullSize {
                name: (*name).to_owned(),
                f1: standing.f1,
                interval: sampled.map(|found| [found.interval.low, found.interval.high]),
                behind: (!is_best).then_some(standing.behind),
                p: sampled.map(|found| found.p).filter(|_| !is_best),
                standard_error: sampled.map(|found| found.standard_error).filter(|e| e.is_finite()),
                discordant,
            })
        };
        let in_order = growth.in_order(&sizes, best, resampling);
        let in_random_orders = growth.in_random_orders(orders, &sizes, best, resampling, watching);
        Some(Evolution {
            unit,
            units: growth.len(),
            systems: names.iter().enumerate().filter_map(system).collect(),
            in_order: in_order.iter().map(|size| GrowthStep::of(size, best)).collect(),
            in_random_orders: (0..sizes.len())
                .filter_map(|at| OrdersStep::of(&in_random_orders, at, best))
                .collect(),
        })
    }

    /// The name of the best system.
    pub fn best(&self) -> &str {
        let best = self.systems.iter().find(|system| system.behind.is_none());
        best.map_or("", |best| best.name.as_str())
    }

    fn units(&self) -> &'static str {
        match self.unit {
            SizeUnit::Query => "queries",
            SizeUnit::Document => "documents",
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
        for system in &self.systems {
            let [low, high] = system.interval.map_or([None; 2], |ends| ends.map(Some));
            let now = low.zip(high).map(|(low, high)| high - low);
            let needed = now.and_then(|now| needed(now, self.units, width));
            let more = needed.map(|needed| needed.saturating_sub(self.units as u64));
            table.row([
                Cell::from(system.name.as_str()),
                Cell::from(system.f1),
                Cell::from(low),
                Cell::from(high),
                Cell::from(now),
                Cell::from(self.units),
                needed.map_or(Cell::Missing, Cell::Count),
                more.map_or(Cell::Missing, Cell::Count),
                Cell::from(system.p),
                Cell::from(system.behind),
                Cell::from(system.discordant),
                self.for_power(system).map_or(Cell::Missing, Cell::Count),
            ]);
        }
        table
    }

    /// How many units it takes to tell a system from the best: the error of the distance between
    /// them shrinks with the root of their number.
    fn for_power(&self, system: &SystemAtFullSize) -> Option<u64> {
        let (behind, error) = system.behind.zip(system.standard_error)?;
        let units = POWER.units(self.units as f64, error, behind)?;
        // A system that is not behind can never be told from the best, however many units there
        // are.
        (behind > 0.0 && units > 0.0).then(|| units.ceil() as u64)
    }

    /// A row for each size: F1 of every system on the first units, and how many are not below the best.
    pub fn growth(&self) -> Table {
        let mut table = self.sizes(|name| Column::number(name, 3), Column::count(NOT_BELOW));
        for step in &self.in_order {
            let scores = step.f1.iter().map(|f1| Cell::from(*f1));
            let head = self.head(step.units, step.queries);
            table.row(head.chain(scores).chain([Cell::from(step.not_below)]));
        }
        table
    }

    /// F1 with a row for each size and system, for programs.
    pub fn f1_in_rows(&self) -> Table {
        let mut table = self.rows_of_sizes();
        for step in &self.in_order {
            for (system, f1) in self.systems.iter().zip(&step.f1) {
                let name = Cell::from(system.name.as_str());
                table.row([step.units.into(), "F1".into(), name, (*f1).into()]);
            }
        }
        table
    }

    /// How many systems are not below the best, with a row for each size, for programs.
    pub fn separation_in_rows(&self) -> Table {
        let mut table = self.rows_of_sizes();
        for step in &self.in_order {
            let left = step.not_below.into();
            table.row([step.units.into(), NOT_BELOW.into(), Cell::Missing, left]);
        }
        table
    }

    fn rows_of_sizes(&self) -> Table {
        let columns = [Column::count(self.units()), Column::text("score"), Column::text("system")];
        Table::new(columns.into_iter().chain([Column::exact("value")]))
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
        for step in &self.in_random_orders {
            let f1 = |MedianBand { median, low, high }: &MedianBand| {
                Cell::from(format!("{median:.3} ({low:.3}–{high:.3})"))
            };
            let MedianBand { median, low, high } = step.not_below;
            let left = Cell::from(format!("{median} ({low}–{high})"));
            let head = self.head(step.units, step.queries);
            table.row(head.chain(step.f1.iter().map(f1)).chain([left]));
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
        for step in &self.in_random_orders {
            let mut row = |score: &str, system: Option<&str>, band: &MedianBand| {
                let head = [Cell::from(step.units), Cell::from(score), Cell::from(system)];
                let band = [band.median, band.low, band.high].map(Cell::from);
                table.row(head.into_iter().chain(band));
            };
            for (system, band) in self.systems.iter().zip(&step.f1) {
                row("F1", Some(&system.name), band);
            }
            row(NOT_BELOW, None, &step.not_below);
        }
        table
    }

    fn sizes(&self, system: impl Fn(String) -> Column, last: Column) -> Table {
        let units = std::iter::once(Column::count(self.units()));
        let queries = (self.unit == SizeUnit::Document).then(|| Column::count("queries"));
        let systems = self.systems.iter().map(|found| system(format!("F1 {}", found.name)));
        Table::new(units.chain(queries).chain(systems).chain([last]))
    }

    fn head(&self, units: usize, queries: u64) -> impl Iterator<Item = Cell> + use<> {
        let queries = (self.unit == SizeUnit::Document).then_some(Cell::Count(queries));
        std::iter::once(Cell::from(units)).chain(queries)
    }

    /// F1 as the set grows: the median over random orders with the band, or without any the order given.
    pub fn f1_plot(&self) -> LinePlot {
        let series = |(at, system): (usize, &SystemAtFullSize)| {
            self.series(&system.name, LineStyle::Line, |step| step.f1_of(at), |step| step.f1_of(at))
        };
        let as_given = |(at, system): (usize, &SystemAtFullSize)| {
            let name = format!("{}, order given", system.name);
            let given = self.as_given(&name, |step| step.f1_of(at))?;
            Some(Series { like: Some(at), ..given })
        };
        let systems = || self.systems.iter().enumerate();
        LinePlot {
            title: format!("F1 as the set grows by {}", self.units()),
            x: self.size_axis(),
            y: Axis::new("F1"),
            series: systems().map(series).chain(systems().filter_map(as_given)).collect(),
            ..LinePlot::default()
        }
    }

    /// How many systems are not significantly below the best as the set grows.
    pub fn separation_plot(&self) -> LinePlot {
        let others = self.systems.len().saturating_sub(1) as f64;
        let left = |step: &GrowthStep| step.not_below as f64;
        let name = if self.in_random_orders.is_empty() { "" } else { "random orders, median" };
        let series = self.series(name, LineStyle::Steps, left, |step| step.not_below);
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
    fn as_given(&self, name: &str, value: impl Fn(&GrowthStep) -> f64) -> Option<Series> {
        let points = self.in_order.iter().map(|step| (step.units as f64, value(step)));
        (!self.in_random_orders.is_empty()).then(|| Series {
            name: name.to_owned(),
            points: points.collect(),
            style: LineStyle::Points,
            ..Series::default()
        })
    }

    fn series(
        &self,
        name: &str,
        style: LineStyle,
        given: impl Fn(&GrowthStep) -> f64,
        band: impl Fn(&OrdersStep) -> MedianBand,
    ) -> Series {
        let name = name.to_owned();
        if self.in_random_orders.is_empty() {
            let points = self.in_order.iter().map(|step| (step.units as f64, given(step)));
            return Series { name, points: points.collect(), style, ..Series::default() };
        }
        let bands = || self.in_random_orders.iter().map(|step| (step.units as f64, band(step)));
        Series {
            name,
            points: bands().map(|(units, band)| (units, band.median)).collect(),
            band: Some(bands().map(|(_, band)| (band.low, band.high)).collect()),
            style,
            ..Series::default()
        }
    }

    /// The chance that the best is told from each system, by the number of units.
    pub fn power_plot(&self) -> LinePlot {
        let all = self.units as f64;
        let others = self.systems.iter().filter_map(|system| Some((system, system.behind?)));
        let series = |(system, behind): (&SystemAtFullSize, f64)| {
            let error = system.standard_error.unwrap_or(f64::NAN);
            let power = |units: f64| {
                // The error of a mean falls with the root of the number of units.
                let power = power_one_sided(behind, error * (all / units).sqrt(), ALPHA);
                (units, power.unwrap_or(f64::NAN))
            };
            let points =
                // Up to twice the present size: how much would be gained by annotating as much
                // again.
                (1..=POINTS).map(|step| power((2.0 * all * step as f64 / POINTS as f64).max(1.0)));
            Series { name: system.name.clone(), points: points.collect(), ..Series::default() }
        };
        LinePlot {
            title: format!("Power to tell systems from {}", self.best()),
            x: Axis::new(self.units()),
            y: Axis::new("power").between(0.0, 1.0),
            series: others.map(series).collect(),
            marks: vec![ReferenceLine::x(all, "now"), ReferenceLine::y(POWER.power, "80%")],
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
fn needed(now: f64, units: usize, width: f64) -> Option<u64> {
    // Widths fall with the root of the number of units, so that numbers grow with the square.
    let needed = (units as f64 * (now / width).powi(2)).ceil();
    (needed.is_finite() && now > 0.0).then_some(needed as u64)
}

impl GrowthStep {
    fn of(size: &Size, best: usize) -> GrowthStep {
        GrowthStep {
            units: size.units,
            queries: size.queries,
            f1: size.systems.iter().map(|system| system.f1).collect(),
            p: size.systems.iter().map(|system| Some(system.sampled?.p)).collect(),
            not_below: size.not_separable(best, ALPHA),
        }
    }

    /// The F1 of a system; no number if a record that was read does not have it.
    fn f1_of(&self, system: usize) -> f64 {
        self.f1.get(system).copied().unwrap_or(f64::NAN)
    }
}

impl OrdersStep {
    /// One of the sizes over all orders; `None` if there are no orders.
    fn of(orders: &[Vec<Size>], at: usize, best: usize) -> Option<OrdersStep> {
        let sizes: Vec<&Size> = orders.iter().filter_map(|sizes| sizes.get(at)).collect();
        let first = sizes.first()?;
        let band =
            |value: &dyn Fn(&Size) -> f64| MedianBand::of(sizes.iter().map(|size| value(size)));
        let f1 = |system: usize| band(&|size: &Size| size.systems[system].f1);
        Some(OrdersStep {
            units: first.units,
            queries: first.queries,
            f1: (0..first.systems.len()).map(f1).collect(),
            not_below: band(&|size: &Size| size.not_separable(best, ALPHA) as f64),
        })
    }

    fn f1_of(&self, system: usize) -> MedianBand {
        let unknown = MedianBand { median: f64::NAN, low: f64::NAN, high: f64::NAN };
        self.f1.get(system).copied().unwrap_or(unknown)
    }
}

impl MedianBand {
    fn of(values: impl Iterator<Item = f64>) -> MedianBand {
        let mut values: Vec<f64> = values.collect();
        values.sort_unstable_by(f64::total_cmp);
        let at = |percent| percentile(&values, percent).unwrap_or(f64::NAN);
        MedianBand { median: at(50.0), low: at(2.5), high: at(97.5) }
    }
}

impl From<SizeUnit> for Unit {
    fn from(unit: SizeUnit) -> Unit {
        match unit {
            SizeUnit::Query => Unit::Query,
            SizeUnit::Document => Unit::Document,
        }
    }
}
