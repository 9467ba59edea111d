//! Where panels open: beside each other as far as the screen is large enough. Afterwards they are where people move them.

use egui::{Context, InnerResponse, Pos2, Rect, Vec2};
use std::collections::BTreeMap;

/// Points between panels, and from them to the edges of the screen.
const GAP: f32 = 10.0;
/// Points at the bottom that are left free for the status line.
const STATUS: f32 = 34.0;
/// Frames until the size of a new panel is known.
const SETTLED: u32 = 3;

/// The panels that are open.
#[derive(Default)]
pub(super) struct Layout {
    open: BTreeMap<&'static str, Open>,
}

struct Open {
    rect: Rect,
    /// Frames since it was opened.
    age: u32,
    /// It was shown in this frame.
    is_shown: bool,
}

impl Layout {
    /// Forgets panels that were not shown in the frame before.
    pub(super) fn begin_frame(&mut self) {
        self.open.retain(|_, open| std::mem::take(&mut open.is_shown));
    }

    /// A panel that opens near a corner of the screen (0 is left or top, 1 right or bottom), where none is yet.
    pub(super) fn place<'a>(
        &self,
        ctx: &Context,
        name: &'static str,
        corner: Vec2,
        size: Vec2,
        panel: egui::Window<'a>,
    ) -> egui::Window<'a> {
        let known = self.open.get(name);
        if known.is_some_and(|open| open.age >= SETTLED) {
            return panel;
        }
        let size = known.map_or(size, |open| open.rect.size());
        let mut screen = ctx.viewport_rect().shrink(GAP);
        screen.max.y -= STATUS;
        let taken: Vec<Rect> =
            self.open.iter().filter(|(other, _)| **other != name).map(|(_, open)| open.rect).collect();
        panel.current_pos(spot(screen, &taken, corner, size))
    }

    /// A panel was shown.
    pub(super) fn note<R>(&mut self, name: &'static str, shown: Option<&InnerResponse<R>>) {
        let Some(shown) = shown else { return };
        let rect = shown.response.rect;
        let open = self.open.entry(name).or_insert(Open { rect, age: 0, is_shown: true });
        (open.rect, open.is_shown, open.age) = (rect, true, open.age.saturating_add(1));
    }

    #[cfg(test)]
    pub(super) fn rects(&self) -> impl Iterator<Item = (&'static str, Rect)> + '_ {
        self.open.iter().map(|(name, open)| (*name, open.rect))
    }
}

/// Where something of a size covers least of what is there, as near to a corner as can be.
fn spot(screen: Rect, taken: &[Rect], corner: Vec2, size: Vec2) -> Pos2 {
    let last = (screen.max - size).max(screen.min);
    let wanted = screen.min + (last - screen.min) * corner;
    // Whatever is beside something else touches it or an edge.
    let mut xs = vec![wanted.x, screen.min.x, last.x];
    let mut ys = vec![wanted.y, screen.min.y, last.y];
    for rect in taken {
        xs.extend([rect.max.x + GAP, rect.min.x - GAP - size.x]);
        ys.extend([rect.max.y + GAP, rect.min.y - GAP - size.y]);
    }
    let covered = |at: Pos2| -> f32 {
        let own = Rect::from_min_size(at, size);
        taken.iter().map(|rect| own.intersect(*rect)).filter(|r| r.is_positive()).map(|r| r.area()).sum()
    };
    let fits = |at: &Pos2| at.x >= screen.min.x && at.y >= screen.min.y && at.x <= last.x && at.y <= last.y;
    let spots = xs.iter().flat_map(|&x| ys.iter().map(move |&y| Pos2::new(x, y))).filter(fits);
    let worth = |at: &Pos2| (covered(*at), at.distance(wanted));
    let better = |a: &Pos2, b: &Pos2| {
        let (a, b) = (worth(a), worth(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    };
    spots.min_by(better).unwrap_or(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_panel_goes_where_none_is() {
        let screen = Rect::from_min_max(Pos2::ZERO, Pos2::new(1000.0, 600.0));
        let size = Vec2::new(400.0, 280.0);
        let mut taken = Vec::new();
        for expected in [(0.0, 0.0), (0.0, 290.0), (410.0, 0.0), (410.0, 290.0)] {
            let at = spot(screen, &taken, Vec2::ZERO, size);
            assert_eq!((at.x, at.y), expected);
            taken.push(Rect::from_min_size(at, size));
        }
        let crowded = spot(screen, &taken, Vec2::ZERO, size);
        assert_eq!((crowded.x, crowded.y), (600.0, 320.0), "where it covers least");
    }

    #[test]
    fn what_is_larger_than_the_screen_begins_in_its_corner() {
        let screen = Rect::from_min_max(Pos2::new(5.0, 5.0), Pos2::new(100.0, 100.0));
        assert_eq!(spot(screen, &[], Vec2::ONE, Vec2::splat(500.0)), Pos2::new(5.0, 5.0));
    }
}
