//! Block compression: the two end colours of a block are its darkest and brightest, good enough for textures made of
//! noise.

use super::Image;

/// BC1: eight bytes for each 4 × 4 pixels, opaque.
pub(crate) fn dxt1(image: &Image) -> Vec<u8> {
    blocks(image).flat_map(|block| color_block(&block)).collect()
}

/// BC3: alpha with eight levels, then colour as in BC1.
pub(crate) fn dxt5(image: &Image) -> Vec<u8> {
    blocks(image)
        .flat_map(|block| {
            let [alpha, color] = [alpha_block(&block), color_block(&block)];
            alpha.into_iter().chain(color)
        })
        .collect()
}

type Block = [[u8; 4]; 16];

fn blocks(image: &Image) -> impl Iterator<Item = Block> + '_ {
    let (w, h) = (image.width, image.height);
    let corners = (0..h.div_ceil(4)).flat_map(move |y| (0..w.div_ceil(4)).map(move |x| (x * 4, y * 4)));
    corners.map(move |(x, y)| {
        std::array::from_fn(|i| {
            let (px, py) = ((x + i as u32 % 4).min(w - 1), (y + i as u32 / 4).min(h - 1));
            image.pixels[(py * w + px) as usize]
        })
    })
}

fn brightness(p: &[u8; 4]) -> u32 {
    2 * u32::from(p[0]) + 4 * u32::from(p[1]) + u32::from(p[2])
}

fn to_565(p: &[u8; 4]) -> u16 {
    u16::from(p[0] >> 3) << 11 | u16::from(p[1] >> 2) << 5 | u16::from(p[2] >> 3)
}

fn from_565(v: u16) -> [i32; 3] {
    let (r, g, b) = (i32::from(v >> 11), i32::from(v >> 5 & 63), i32::from(v & 31));
    [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2]
}

fn color_block(block: &Block) -> [u8; 8] {
    let by_brightness = |p: &&[u8; 4]| brightness(p);
    let bright = block.iter().max_by_key(by_brightness).map_or(0, to_565);
    let dark = block.iter().min_by_key(by_brightness).map_or(0, to_565);
    // The larger number first selects four opaque colours.
    let (c0, c1) = (bright.max(dark), bright.min(dark));
    let (a, b) = (from_565(c0), from_565(c1));
    let third = |a: i32, b: i32| (2 * a + b) / 3;
    let table: [[i32; 3]; 4] =
        [a, b, std::array::from_fn(|i| third(a[i], b[i])), std::array::from_fn(|i| third(b[i], a[i]))];
    let mut bits = 0u32;
    if c0 != c1 {
        for (i, p) in block.iter().enumerate() {
            let error = |c: &[i32; 3]| (0..3).map(|k| (c[k] - i32::from(p[k])).pow(2)).sum::<i32>();
            let nearest = (0..4).min_by_key(|&k| error(&table[k])).unwrap_or(0);
            bits |= (nearest as u32) << (2 * i);
        }
    }
    let mut out = [0; 8];
    out[0..2].copy_from_slice(&c0.to_le_bytes());
    out[2..4].copy_from_slice(&c1.to_le_bytes());
    out[4..8].copy_from_slice(&bits.to_le_bytes());
    out
}

fn alpha_block(block: &Block) -> [u8; 8] {
    let high = block.iter().map(|p| p[3]).max().unwrap_or(255);
    let low = block.iter().map(|p| p[3]).min().unwrap_or(255);
    let mut bits = 0u64;
    if high > low {
        for (i, p) in block.iter().enumerate() {
            // Level 0 is the high end, 1 the low end, 2 to 7 run from high to low.
            let step = (u32::from(high - p[3]) * 7 + u32::from(high - low) / 2) / u32::from(high - low);
            let code = match step {
                0 => 0,
                7 => 1,
                k => u64::from(k) + 1,
            };
            bits |= code << (3 * i);
        }
    }
    let mut out = [0; 8];
    out[0] = high;
    out[1] = low;
    out[2..8].copy_from_slice(&bits.to_le_bytes()[..6]);
    out
}
