//! The planner, which a caller keeps from frame to frame.

use crate::{
    Contents, FramePlan, Lens, Observer, Options, Projection,
    drawing::{Drawing, Scratch},
};
use threshold_world::{CellId, Position, World};

/// The viewer of a frame: position, lens and player cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// The eye with its cell, which is the root of visibility; it looks along +Y with +Z up. The cell comes from the
    /// camera's sweep and is used unchanged. [`CellId::NONE`] sees nothing.
    pub position: Position,
    /// Shape of the picture.
    pub lens: Lens,
    /// The player's own cell: centre of the landscape, gate of the weather.
    pub player_cell: CellId,
}

/// Makes frame plans.
///
/// It reuses memory, so that a frame allocates nothing once warm; apart from that its only state is the count of seals
/// that the original's depth gate needs.
#[derive(Debug, Default)]
pub struct Planner {
    /// Settings.
    pub options: Options,
    scratch: Scratch,
}

impl Planner {
    /// A planner with the given settings.
    pub fn new(options: Options) -> Planner {
        Planner { options, scratch: Scratch::default() }
    }

    /// Plans a frame. The same input gives the same plan, bit for bit.
    ///
    /// Retail: `SmartBox::DrawNoBlit` (0x00454C20). Spec: visibility §3, §12.
    pub fn plan(&mut self, world: &World, contents: &impl Contents, viewer: &Viewer, plan: &mut FramePlan) {
        self.plan_observed(world, contents, viewer, plan, &mut ());
    }

    /// Plans a frame and tells `observer` about every step of every traversal.
    pub fn plan_observed(
        &mut self,
        world: &World,
        contents: &impl Contents,
        viewer: &Viewer,
        plan: &mut FramePlan,
        observer: &mut impl Observer,
    ) {
        plan.clear();
        let position = &viewer.position;
        if !position.cell.has_valid_low() || !position.frame.is_finite() {
            return;
        }
        let projection = Projection::new(position, &viewer.lens);
        plan.projection = Some(projection);
        let mut drawing = Drawing {
            world,
            contents,
            projection,
            cell: position.cell,
            player_cell: viewer.player_cell,
            options: self.options,
            scratch: &mut self.scratch,
            plan,
            observer,
        };
        drawing.frame();
    }
}
