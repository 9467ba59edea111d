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

    fn at(&self, u: f32, v: f32) -> f32 {
        let n = self.cells as f32;
        let (x, y) = ((u - u.floor()) * n, (v - v.floor()) * n);
        let (i, j) = (x as usize % self.cells, y as usize % self.cells);
        let (i1, j1) = ((i + 1) % self.cells, (j + 1) % self.cells);
        let (fx, fy) = (smooth(x.fract()), smooth(y.fract()));
        let row = |j: usize| {
            let (a, b) = (self.values[j * self.cells + i], self.values[j * self.cells + i1]);
            a + (b - a) * fx
        };
        let (low, high) = (row(j), row(j1));
        low + (high - low) * fy
    }
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
        let (x, y) = ((u - u.floor()) * columns as f32, (v - v.floor()) * rows as f32);
        let mut found = Nearest { first: f32::MAX, second: f32::MAX, tone: 0.0 };
        for dy in [-1.0f32, 0.0, 1.0] {
            for dx in [-1.0f32, 0.0, 1.0] {
                let (cx, cy) = (x.floor() + dx, y.floor() + dy);
                let (i, j) = (cx.rem_euclid(columns as f32) as u32, cy.rem_euclid(rows as f32) as u32);
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
