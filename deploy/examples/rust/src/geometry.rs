//! Points on the globe in millionths of a degree, distances, and an index of what is near.

use std::collections::{HashMap, HashSet};
use std::f64::consts::PI;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    pub latitude: i64,
    pub longitude: i64,
}

const TURN: i64 = 360_000_000;

impl Point {
    pub fn new(latitude: i64, longitude: i64) -> Option<Point> {
        let is_on_globe =
            (-90_000_000..=90_000_000).contains(&latitude) && (-180_000_000..=180_000_000).contains(&longitude);
        is_on_globe.then(|| Point { latitude, longitude })
    }

    /// On the flat earth of the rules.
    pub fn metres(self, other: Point) -> f64 {
        let radians = PI / 180e6;
        let apart = (self.longitude - other.longitude).abs();
        let middle = (self.latitude + other.latitude) as f64 / 2.0 * radians;
        let east = apart.min(TURN - apart) as f64 * radians * middle.cos();
        let north = (other.latitude - self.latitude) as f64 * radians;
        6_371_008.8 * north.hypot(east)
    }
}

/// Things by where they are, in cells of 0.005 by 0.02 degrees.
#[derive(Default)]
pub struct Grid {
    cells: HashMap<(i64, i64), HashSet<String>>,
    points: HashMap<String, Point>,
}

const HEIGHT: i64 = 5_000;
const WIDTH: i64 = 20_000;
const COLUMNS: i64 = TURN / WIDTH;

impl Grid {
    fn cell(point: Point) -> (i64, i64) {
        (
            point.latitude.div_euclid(HEIGHT),
            ((point.longitude + TURN / 2) / WIDTH) % COLUMNS,
        )
    }

    pub fn put(&mut self, thing: &str, point: Point) {
        self.remove(thing);
        self.cells.entry(Grid::cell(point)).or_default().insert(thing.into());
        self.points.insert(thing.into(), point);
    }

    pub fn remove(&mut self, thing: &str) {
        if let Some(point) = self.points.remove(thing) {
            let cell = Grid::cell(point);
            if let Some(things) = self.cells.get_mut(&cell) {
                things.remove(thing);
                if things.is_empty() {
                    self.cells.remove(&cell);
                }
            }
        }
    }

    /// All within the radius, of less than 500 m, nearest first.
    pub fn near(&self, point: Point, radius: f64) -> Vec<(f64, String)> {
        let (row, column) = Grid::cell(point);
        let reach = radius / 0.111 + 1.0; // millionths of a degree to the north
        let narrow = (((point.latitude.abs() as f64 + reach) / 1e6).min(90.0) * PI / 180.0)
            .cos()
            .max(1e-9);
        let columns = (reach / narrow / WIDTH as f64).ceil().min(COLUMNS as f64) as i64;
        let span = if columns * 2 + 1 >= COLUMNS {
            0..COLUMNS
        } else {
            column - columns..column + columns + 1
        };
        let mut found: Vec<(f64, String)> = (row - 1..=row + 1)
            .flat_map(|row| span.clone().map(move |column| (row, column.rem_euclid(COLUMNS))))
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .map(|thing| (point.metres(self.points[thing]), thing.clone()))
            .filter(|(away, _)| *away <= radius)
            .collect();
        found.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        found
    }
}
