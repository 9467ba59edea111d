//! Outlines of rooms that are not convex, and how they fall into convex parts.

use glam::DVec2;

/// Why an outline cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutlineError {
    /// Fewer than three corners, or no area.
    #[error("the outline encloses nothing")]
    Empty,
    /// It runs clockwise seen from above.
    #[error("the outline runs clockwise; it must run counter-clockwise seen from above")]
    Clockwise,
    /// Two of its sides cross or touch.
    #[error("sides {0} and {1} of the outline meet")]
    Crossing(usize, usize),
}

fn cross(o: DVec2, a: DVec2, b: DVec2) -> f64 {
    (a - o).perp_dot(b - o)
}

/// Cuts a simple outline (counter-clockwise) into convex ones whose sides meet whole: ear clipping, then joining
/// neighbours across every diagonal that is not needed (Hertel and Mehlhorn).
pub fn convex_parts(outline: &[DVec2]) -> Result<Vec<Vec<DVec2>>, OutlineError> {
    check(outline)?;
    let mut parts = triangles(outline);
    'join: loop {
        for i in 0..parts.len() {
            for j in i + 1..parts.len() {
                if let Some(joined) = join(&parts[i], &parts[j], outline) {
                    parts[i] = joined;
                    parts.remove(j);
                    continue 'join;
                }
            }
        }
        break;
    }
    Ok(parts.into_iter().map(|part| part.into_iter().map(|k| outline[k]).collect()).collect())
}

fn check(outline: &[DVec2]) -> Result<(), OutlineError> {
    let n = outline.len();
    if n < 3 {
        return Err(OutlineError::Empty);
    }
    let area: f64 = (1..n - 1).map(|i| cross(outline[0], outline[i], outline[i + 1])).sum();
    if area.abs() < 1e-6 || !area.is_finite() {
        return Err(OutlineError::Empty);
    }
    if area < 0.0 {
        return Err(OutlineError::Clockwise);
    }
    for i in 0..n {
        for j in i + 1..n {
            let (a, b, c, d) = (outline[i], outline[(i + 1) % n], outline[j], outline[(j + 1) % n]);
            let neighbours = j == i + 1 || (i == 0 && j == n - 1);
            if !neighbours && segments_meet(a, b, c, d) {
                return Err(OutlineError::Crossing(i, j));
            }
        }
    }
    Ok(())
}

fn segments_meet(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let opposite = |p: f64, q: f64| p <= 0.0 && q >= 0.0 || p >= 0.0 && q <= 0.0;
    opposite(cross(a, b, c), cross(a, b, d))
        && opposite(cross(c, d, a), cross(c, d, b))
        && a.min(b).cmple(c.max(d)).all()
        && c.min(d).cmple(a.max(b)).all()
}

/// Corner numbers of the triangles that ear clipping finds.
fn triangles(outline: &[DVec2]) -> Vec<Vec<usize>> {
    let mut ring: Vec<usize> = (0..outline.len()).collect();
    let mut parts = Vec::new();
    while ring.len() > 3 {
        let n = ring.len();
        let corner = |k: usize| (ring[(k + n - 1) % n], ring[k % n], ring[(k + 1) % n]);
        let ear = (0..n).filter(|&k| is_ear(outline, &ring, corner(k))).max_by(|&a, &b| {
            let size = |k| {
                let (p, q, r) = corner(k);
                cross(outline[p], outline[q], outline[r])
            };
            size(a).total_cmp(&size(b))
        });
        // A simple outline always has an ear; a corner without area stands in when rounding hides it.
        let k = ear.unwrap_or(0);
        let (p, q, r) = corner(k);
        if ear.is_some() {
            parts.push(vec![p, q, r]);
        }
        ring.remove(k);
    }
    parts.push(ring);
    parts
}

fn is_ear(outline: &[DVec2], ring: &[usize], (p, q, r): (usize, usize, usize)) -> bool {
    let (a, b, c) = (outline[p], outline[q], outline[r]);
    cross(a, b, c) > 1e-12
        && !ring.iter().any(|&k| {
            let x = outline[k];
            k != p
                && k != q
                && k != r
                && cross(a, b, x) >= 0.0
                && cross(b, c, x) >= 0.0
                && cross(c, a, x) >= 0.0
        })
}

/// Both parts as one, if they share a side and the result is convex.
fn join(a: &[usize], b: &[usize], outline: &[DVec2]) -> Option<Vec<usize>> {
    let (n, m) = (a.len(), b.len());
    for i in 0..n {
        for j in 0..m {
            if a[i] != b[(j + 1) % m] || a[(i + 1) % n] != b[j] {
                continue;
            }
            let mut ring: Vec<usize> = (1..=n).map(|k| a[(i + k) % n]).collect();
            ring.extend((2..m).map(|k| b[(j + k) % m]));
            let len = ring.len();
            let at = |k: usize| outline[ring[k % len]];
            let convex = (0..len).all(|k| cross(at(k), at(k + 1), at(k + 2)) > -1e-12);
            return convex.then_some(ring);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(f64, f64)]) -> Vec<DVec2> {
        list.iter().map(|&p| DVec2::from(p)).collect()
    }

    #[test]
    fn a_convex_outline_stays_whole() {
        let square = points(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]);
        assert_eq!(convex_parts(&square).unwrap().len(), 1);
    }

    #[test]
    fn an_l_falls_into_two_parts_with_the_same_area() {
        let l = points(&[(0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 6.0), (0.0, 6.0)]);
        let parts = convex_parts(&l).unwrap();
        assert_eq!(parts.len(), 2);
        let area = |p: &[DVec2]| (1..p.len() - 1).map(|i| cross(p[0], p[i], p[i + 1])).sum::<f64>() / 2.0;
        assert_eq!(parts.iter().map(|p| area(p)).sum::<f64>(), 20.0);
    }

    #[test]
    fn a_clockwise_or_crossing_outline_is_refused() {
        let clockwise = points(&[(0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 0.0)]);
        assert_eq!(convex_parts(&clockwise), Err(OutlineError::Clockwise));
        let bow = points(&[(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (3.0, 3.0)]);
        assert!(matches!(convex_parts(&bow), Err(OutlineError::Crossing(..))));
    }
}
