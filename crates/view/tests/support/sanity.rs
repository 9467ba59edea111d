//! What must be true of every plan, whatever the world.
#![allow(dead_code, unreachable_pub)] // Each test file uses its own part.

use std::collections::BTreeSet;
use threshold_view::{FloodSource, FramePlan, LightSet, Root, Span, Step};

/// Finite numbers, regions on the screen, indices that exist, each cell once per traversal, steps in the right order.
#[track_caller]
pub fn assert_sane(plan: &FramePlan) {
    let Some(projection) = plan.projection else {
        assert_eq!((plan.root, plan.steps.len()), (Root::None, 0));
        return;
    };
    for (index, view) in plan.views.iter().enumerate() {
        let pixels = plan.pixels(view);
        assert!((3..=31).contains(&pixels.len()), "{} corners", pixels.len());
        for p in pixels {
            assert!(p.is_finite() && p.min_element() >= 0.0 && p.cmple(projection.size).all(), "{p}");
        }
        for plane in plan.edge_planes(view) {
            assert!(plane.normal.is_finite() && plane.d.is_finite());
        }
        assert!(
            view.parent.is_none_or(|parent| (parent as usize) < index),
            "a region comes after its parent"
        );
    }
    for flood in &plan.floods {
        let cells = &plan.cells[flood.cells.range()];
        let ids: BTreeSet<_> = cells.iter().map(|cell| cell.id).collect();
        assert_eq!(ids.len(), cells.len(), "each cell once");
        assert!(ids.contains(&flood.root));
        for cell in cells {
            assert!(cell.distance.is_finite() && !cell.views.is_empty());
            assert_views(plan, cell.views);
        }
    }
    assert!(
        plan.corners.iter().all(|p| p.is_finite()) && plan.clipped.iter().all(|p| p.is_finite() && p.w > 0.0)
    );
    for aperture in &plan.apertures {
        assert!(plan.clipped[aperture.clipped.range()].len() >= 3);
        assert!((aperture.view as usize) < plan.views.len());
    }
    for part in &plan.parts {
        assert!(!part.views.is_empty() && part.distance.is_finite());
        assert_views(plan, part.views);
    }
    assert_views(plan, plan.outside);
    Grammar { plan, at: 0 }.frame();
}

#[track_caller]
fn assert_views(plan: &FramePlan, list: Span) {
    assert!(plan.view_refs[list.range()].iter().all(|&view| (view as usize) < plan.views.len()));
}

/// The grammar of a plan's steps. Spec: visibility §12.
struct Grammar<'a> {
    plan: &'a FramePlan,
    at: usize,
}

impl Grammar<'_> {
    fn peek(&self) -> Option<Step> {
        self.plan.steps.get(self.at).copied()
    }

    fn accept(&mut self, wanted: impl Fn(Step) -> bool) -> bool {
        let found = self.peek().is_some_and(wanted);
        self.at += usize::from(found);
        found
    }

    #[track_caller]
    fn expect(&mut self, wanted: impl Fn(Step) -> bool) {
        assert!(self.accept(wanted), "unexpected {:?} at step {}", self.peek(), self.at);
    }

    fn lights(&mut self, wanted: LightSet) {
        self.expect(|s| matches!(s, Step::Lights { set } if set == wanted));
    }

    fn flush(&mut self, wanted: f32) -> bool {
        self.accept(|s| matches!(s, Step::FlushAlpha { threshold } if threshold == wanted))
    }

    fn frame(&mut self) {
        self.expect(|s| s == Step::BeginFrame);
        match self.plan.root {
            Root::Outdoor(_) => {
                self.lights(LightSet::Sun);
                self.landscape();
            }
            Root::Interior(_) => {
                self.expect(|s| matches!(s, Step::FloodBegin { flood: 0 }));
                assert_eq!(self.plan.floods[0].source, FloodSource::Viewer);
                if self.plan.draws_landscape() {
                    self.lights(LightSet::Sun);
                    self.landscape();
                    assert!(self.flush(0.0));
                    self.expect(|s| s == Step::AdvanceStamp);
                    self.accept(|s| s == Step::ClearDepth);
                    while self.accept(|s| matches!(s, Step::Seal { .. })) {}
                }
                self.cells(0);
                self.expect(|s| s == Step::FloodEnd);
            }
            Root::None => panic!("steps without a root"),
        }
        assert!(self.flush(0.0));
        self.expect(|s| s == Step::EndFrame);
        assert_eq!(self.at, self.plan.steps.len());
    }

    fn cells(&mut self, flood: usize) {
        self.lights(LightSet::Cells);
        while self.accept(|s| matches!(s, Step::Cell { .. })) {}
        let cells = &self.plan.cells[self.plan.floods[flood].cells.range()];
        for seen in cells.iter().rev() {
            self.expect(|s| matches!(s, Step::Objects { cell, .. } if cell == seen.id));
        }
        self.lights(LightSet::Sun);
    }

    fn landscape(&mut self) {
        self.expect(|s| matches!(s, Step::Landscape { .. }));
        self.expect(|s| s == Step::Sky);
        loop {
            let ground = self.accept(|s| matches!(s, Step::Terrain { .. }));
            let building = matches!(self.plan.steps.get(self.at + 1), Some(Step::BuildingBegin { .. }));
            if building {
                self.building();
            }
            let objects = self.accept(|s| matches!(s, Step::Objects { cell, .. } if cell.is_outdoor()));
            if building || objects {
                assert!(self.flush(0.75));
            } else if !ground {
                break;
            }
        }
        self.accept(|s| s == Step::Weather);
    }

    fn building(&mut self) {
        assert!(self.flush(0.0));
        self.expect(|s| matches!(s, Step::BuildingBegin { .. }));
        loop {
            if self.accept(|s| matches!(s, Step::Punch { .. })) {
                continue;
            }
            let Some(Step::FloodBegin { flood }) = self.peek() else { break };
            self.at += 1;
            self.cells(flood as usize);
            self.expect(|s| s == Step::FloodEnd);
        }
        self.accept(|s| matches!(s, Step::BuildingShell { .. }));
    }
}
