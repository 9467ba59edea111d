//! Noise that repeats seamlessly over the unit square.

/// A number in 0…1 from three others, the same on every machine.
pub(crate) fn hash(seed: u32, x: u32, y: u32) -> f32 {
    let mut h = seed.wrapping_mul(0x9E37_79B1) ^ x.wrapping_mul(0x85EB_CA77) ^ y.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ h >> 15).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ h >> 12).wrapping_mul(0x297A_2D39);
    h ^= h >> 15;
    (h >> 8) as f32 / (1 << 24) as f32
}

/// Smooth noise on a lattice of `cells` × `cells`.
struct Layer {
    cells: usize,
    values: Vec<f32>,
}

impl Layer {
    fn new(seed: u32, cells: usize) -> Layer {
        let values = (0..cells * cells).map(|i| hash(seed, (i % cells) as u32, (i / cells) as u32));
        Layer { cells, values: values.collect() }
    }

    #[inline]
    fn at(&self, u: f32, v: f32) -> f32 {
        let ((i, x), (j, y)) = (lattice(u, self.cells), lattice(v, self.cells));
        let next = |k: usize| if k + 1 == self.cells { 0 } else { k + 1 };
        let (i1, fx, fy) = (next(i), smooth(x), smooth(y));
        let row = |j: usize| {
            let row = &self.values[j * self.cells..(j + 1) * self.cells];
            row[i] + (row[i1] - row[i]) * fx
        };
        let (low, high) = (row(j), row(next(j)));
        low + (high - low) * fy
    }
}

/// Which of `cells` repeating cells a place lies in, and where in it. Whole numbers only: rounding functions are slow on
/// processors without an instruction for them.
#[inline]
fn lattice(place: f32, cells: usize) -> (usize, f32) {
    let scaled = place * cells as f32;
    let whole = scaled as i32 - i32::from(scaled < 0.0);
    let cell = whole as usize;
    let cell = if cell < cells { cell } else { whole.rem_euclid(cells as i32) as usize };
    (cell, scaled - whole as f32)
}

/// Hermite curve from 0 to 1.
pub(crate) fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// 0 below `from`, 1 above `to`, smooth between.
pub(crate) fn ramp(from: f32, to: f32, value: f32) -> f32 {
    smooth(((value - from) / (to - from)).clamp(0.0, 1.0))
}

/// Octaves of noise, each twice as fine and half as strong; 0…1.
pub(crate) struct Fractal {
    layers: Vec<Layer>,
    scale: f32,
}

impl Fractal {
    pub(crate) fn new(seed: u32, cells: usize, octaves: usize) -> Fractal {
        let layers =
            (0..octaves).map(|o| Layer::new(seed.wrapping_add(o as u32 * 101), cells << o)).collect();
        let total: f32 = (0..octaves).map(|o| 0.5f32.powi(o as i32)).sum();
        Fractal { layers, scale: 1.0 / total }
    }

    pub(crate) fn at(&self, u: f32, v: f32) -> f32 {
        let mut weight = self.scale;
        self.layers.iter().fold(0.0, |sum, layer| {
            let next = sum + weight * layer.at(u, v);
            weight *= 0.5;
            next
        })
    }
}

/// Where a point lies among scattered seeds.
pub(crate) struct Nearest {
    /// Distance to the nearest seed, in cells.
    pub(crate) first: f32,
    /// Distance to the next one.
    pub(crate) second: f32,
    /// A random number that belongs to the nearest seed.
    pub(crate) tone: f32,
}

/// One seed per cell of a lattice, for stones, leaves and scales.
pub(crate) struct Scatter {
    seed: u32,
    cells: (u32, u32),
}

impl Scatter {
    pub(crate) fn new(seed: u32, columns: u32, rows: u32) -> Scatter {
        Scatter { seed, cells: (columns, rows) }
    }

    pub(crate) fn at(&self, u: f32, v: f32) -> Nearest {
        let (columns, rows) = self.cells;
        let ((i, x), (j, y)) = (lattice(u, columns as usize), lattice(v, rows as usize));
        let mut found = Nearest { first: f32::MAX, second: f32::MAX, tone: 0.0 };
        for (dj, cy) in [(rows - 1, -1.0f32), (0, 0.0), (1, 1.0)] {
            for (di, cx) in [(columns - 1, -1.0f32), (0, 0.0), (1, 1.0)] {
                let (i, j) = ((i as u32 + di) % columns, (j as u32 + dj) % rows);
                let sx = cx + 0.15 + 0.7 * hash(self.seed, i, j);
                let sy = cy + 0.15 + 0.7 * hash(self.seed ^ 0x5555, i, j);
                let d = ((x - sx) * (x - sx) + (y - sy) * (y - sy)).sqrt();
                if d < found.first {
                    found = Nearest { first: d, second: found.first, tone: hash(self.seed ^ 0xAAAA, i, j) };
                } else if d < found.second {
                    found.second = d;
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_repeats_without_a_seam() {
        let fractal = Fractal::new(7, 4, 4);
        let scatter = Scatter::new(7, 5, 3);
        for i in 0..50 {
            let t = i as f32 / 50.0;
            assert!((fractal.at(0.0, t) - fractal.at(0.99999, t)).abs() < 0.01);
            assert!((fractal.at(t, 0.0) - fractal.at(t, 0.99999)).abs() < 0.01);
            assert!((scatter.at(0.0, t).first - scatter.at(0.99999, t).first).abs() < 0.01);
        }
    }
}
