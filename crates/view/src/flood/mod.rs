//! The traversal of interior cells from one cell through portals, region by region.
//!
//! It ends because every portal is crossed only away from the eye, each hop can only shrink a region, and slivers do
//! not count; ill-formed graphs end because a cell takes a bounded number of regions, the last of which is the whole
//! picture. Spec: visibility §5, §6.

mod enter;
mod order;
mod pass;
mod spread;

use crate::{
    Event, FloodSource, FramePlan, Observer, Options, Projection, SeenCell, SeenFlood, Span, Via, View,
    clip::{Clipper, OnScreen},
};
use glam::{Vec2, Vec3, Vec4};
use threshold_world::{
    BlockId, CellId, World,
    cell::{CellPortal, EnvCell, PortalTarget},
    geometry::{Polygon, PolygonSet},
};

/// Regions of one cell in one traversal; the one after the last is the whole picture.
const VIEWS_PER_CELL: u32 = 64;
/// Regions of one traversal after which each further one is the whole picture.
const VIEWS_PER_FLOOD: u32 = 8192;
/// Marks the absence of a slot or region.
const NONE: u32 = u32::MAX;

/// Whether a cell may be entered, and the slot it then got.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    generation: u32,
    slot: u32,
}

/// A cell in a traversal. Retail: `portal_view_type`.
#[derive(Clone, Copy, Debug)]
struct Slot {
    low: u16,
    /// The portals' states have been set up.
    entered: bool,
    /// It was taken from the queue.
    done: bool,
    /// Its last region is the whole picture.
    widened: bool,
    first_view: u32,
    last_view: u32,
    view_count: u32,
    /// Regions that were handed on (retail: `update_count`), and the last of them.
    passed_count: u32,
    passed_view: u32,
    /// Squared distance of the farthest corner of the portals that are not looked out of.
    distance: f32,
    /// Its first entry in the list of portal states.
    portals: u32,
    /// Its place in the drawing order.
    place: u32,
    /// The repair of the order that moved it last.
    repair: u32,
}

/// A portal in a traversal. Retail: `portal_info`.
#[derive(Clone, Copy, Debug)]
struct PortalState {
    /// The viewer cannot look out of the cell through it.
    inward: bool,
    /// It takes part; on an inward portal: the cell was seen through it.
    seen: bool,
    /// The eye stands in the opening itself: every region passes whole.
    stands_in: bool,
    /// Its outline on the screen, computed on first use.
    screen: Option<PortalScreen>,
    /// The slot of the cell behind it, once known.
    neighbour: u32,
}

/// A portal on the screen.
#[derive(Clone, Copy, Debug)]
struct PortalScreen {
    shape: OnScreen,
    /// Corners in the traversal's list.
    corners: Span,
    /// Bounding box in pixels; meaningful for a polygon.
    min: Vec2,
    max: Vec2,
}

impl PortalScreen {
    /// Whether a box in pixels cannot hold anything of the portal.
    fn misses(&self, (min, max): (Vec2, Vec2)) -> bool {
        self.shape == OnScreen::Polygon && (self.max.cmplt(min).any() || self.min.cmpgt(max).any())
    }
}

/// State of a traversal; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Flood {
    generation: u32,
    marks: Vec<Mark>,
    slots: Vec<Slot>,
    portals: Vec<PortalState>,
    screen: Vec<Vec4>,
    /// For each region of the plan the next one of the same cell.
    next_view: Vec<u32>,
    /// Cells to be taken, the nearest last.
    todo: Vec<(f32, u32)>,
    /// Slots in drawing order, nearest first.
    draw: Vec<u32>,
    spreading: Vec<spread::Visit>,
    moving: Vec<order::Move>,
    repairs: u32,
    shifts: usize,
    pub(crate) outside: Vec<u32>,
    outside_widened: bool,
    appended: u32,
    pub(crate) clipper: Clipper,
    pub(crate) region: Vec<Vec2>,
}

/// What a traversal does where it comes to an exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outdoors {
    /// The landscape is visible through it.
    Seen,
    /// Nothing: the viewer looks in from there.
    Ignored,
}

/// One traversal with everything it reads and writes.
pub(crate) struct Walk<'a, 'w, O> {
    pub(crate) world: &'w World,
    /// All cells of a traversal belong to one block.
    pub(crate) block: BlockId,
    /// Origin of that block in world coordinates.
    pub(crate) offset: Vec3,
    pub(crate) projection: Projection,
    pub(crate) options: &'a Options,
    pub(crate) outdoors: Outdoors,
    pub(crate) flood: &'a mut Flood,
    pub(crate) plan: &'a mut FramePlan,
    pub(crate) observer: &'a mut O,
}

impl Flood {
    /// Starts a traversal that may enter `root` and the cells of a visible list.
    ///
    /// Retail: `CEnvCell::curr_view_push` (0x005A5090), `PView::add_views` (0x005A5210).
    pub(crate) fn admit(&mut self, root: u16, visible: &[u16]) {
        self.slots.clear();
        self.portals.clear();
        self.screen.clear();
        self.todo.clear();
        self.draw.clear();
        self.outside.clear();
        self.outside_widened = false;
        self.appended = 0;
        self.repairs = 0;
        self.shifts = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.marks.fill(Mark::default());
            self.generation = 1;
        }
        for &low in visible.iter().chain([&root]) {
            let Some(index) = low.checked_sub(0x100).map(usize::from) else { continue };
            if index >= self.marks.len() {
                self.marks.resize(index + 1, Mark::default());
            }
            self.marks[index] = Mark { generation: self.generation, slot: NONE };
        }
    }

    fn mark(&mut self, low: u16) -> Option<&mut Mark> {
        let mark = self.marks.get_mut(usize::from(low.checked_sub(0x100)?))?;
        (mark.generation == self.generation).then_some(mark)
    }

    /// The slot of an admitted cell, made on first use.
    fn slot_of(&mut self, low: u16) -> Option<u32> {
        let fresh = self.slots.len() as u32;
        let mark = self.mark(low)?;
        if mark.slot == NONE {
            mark.slot = fresh;
            self.slots.push(Slot {
                low,
                entered: false,
                done: false,
                widened: false,
                first_view: NONE,
                last_view: NONE,
                view_count: 0,
                passed_count: 0,
                passed_view: NONE,
                distance: 0.0,
                portals: 0,
                place: NONE,
                repair: 0,
            });
            return Some(fresh);
        }
        Some(mark.slot)
    }

    /// No cell keeps a slot beyond its traversal. Retail: `PView::remove_views`.
    pub(crate) fn release(&mut self) {
        self.admit(0, &[]);
    }
}

impl<'w, O: Observer> Walk<'_, 'w, O> {
    /// Gives the traversal's first cell the region in `flood.region`. False when the cell already ends there.
    pub(crate) fn give_root(&mut self, root: &EnvCell, parent: Option<u32>, via: Via) -> bool {
        let Some(slot) = self.flood.slot_of(root.id().low()) else { return false };
        let region = std::mem::take(&mut self.flood.region);
        self.append(slot, &region, parent, via);
        self.flood.region = region;
        true
    }

    /// Reaches everything that can be seen from the root, which has its regions, and enters it in the plan.
    /// `entry` is the portal the view comes in by.
    ///
    /// Retail: `PView::ConstructView` (0x005A57B0). Spec: visibility §6.
    pub(crate) fn run(&mut self, root: &EnvCell, entry: Option<u16>, source: FloodSource) {
        self.observer.event(Event::Flood { root: root.id(), source });
        if let Some(slot) = self.flood.slot_of(root.id().low())
            && self.enter(slot, root, entry)
        {
            self.schedule(slot, 0.0);
        }
        while let Some((distance_squared, slot)) = self.flood.todo.pop() {
            let at = self.flood.slots[slot as usize];
            self.observer.event(Event::Taken { cell: self.block.cell(at.low), distance_squared });
            if at.place == NONE {
                self.flood.slots[slot as usize].place = self.flood.draw.len() as u32;
                self.flood.draw.push(slot);
            }
            self.flood.slots[slot as usize].done = true;
            if self.pass_views(slot, at.first_view) {
                self.spread(slot);
            }
        }
        self.enter_in_plan(root, source);
    }

    /// The nearest is taken first, equally near ones in the order they came. Retail: `PView::InsCellTodoList` (0x005A4F50).
    fn schedule(&mut self, slot: u32, distance: f32) {
        let todo = &mut self.flood.todo;
        let at = todo.partition_point(|&(other, _)| other > distance);
        todo.insert(at, (distance, slot));
    }

    fn enter_in_plan(&mut self, root: &EnvCell, source: FloodSource) {
        let (flood, plan) = (&*self.flood, &mut *self.plan);
        let first = plan.cells.len();
        for &slot in &flood.draw {
            let slot = &flood.slots[slot as usize];
            let start = plan.view_refs.len();
            let mut view = slot.first_view;
            while view != NONE {
                plan.view_refs.push(view);
                view = flood.next_view[view as usize];
            }
            let is_root = slot.low == root.id().low();
            plan.cells.push(SeenCell {
                id: self.block.cell(slot.low),
                distance: if is_root { 0.0 } else { slot.distance.sqrt() },
                views: Span::between(start, plan.view_refs.len()),
            });
        }
        plan.floods.push(SeenFlood {
            source,
            root: root.id(),
            cells: Span::between(first, plan.cells.len()),
        });
    }

    /// A loaded cell of this block. Retail: `CEnvCell::GetVisible` (0x0052DC10).
    fn cell(&self, low: u16) -> Option<&'w EnvCell> {
        self.world.env_cell(self.block.cell(low))
    }

    /// Adds a region to a cell; false when it already has it.
    ///
    /// Retail: `Render::copy_view` (0x0054DFC0), its last step. Guards: visibility §6.4. A cell that has all the
    /// regions it may have gets the whole picture instead, so that nothing behind it is lost.
    fn append(&mut self, slot: u32, region: &[Vec2], parent: Option<u32>, via: Via) -> bool {
        let at = &self.flood.slots[slot as usize];
        if at.widened || self.has_region(at, region) {
            self.plan.truncated = true;
            return false;
        }
        let widen = at.view_count >= VIEWS_PER_CELL || self.flood.appended >= VIEWS_PER_FLOOD;
        let view = if widen {
            self.plan.truncated = true;
            push_view(self.plan, &full_screen(self.projection.size), parent, via)
        } else {
            push_view(self.plan, region, parent, via)
        };
        self.flood.next_view.resize(view as usize, NONE);
        self.flood.next_view.push(NONE);
        let at = &mut self.flood.slots[slot as usize];
        at.widened = widen;
        if at.last_view == NONE {
            at.first_view = view;
        } else {
            self.flood.next_view[at.last_view as usize] = view;
        }
        at.last_view = view;
        at.view_count += 1;
        self.flood.appended += 1;
        true
    }

    fn has_region(&self, slot: &Slot, region: &[Vec2]) -> bool {
        let mut view = slot.first_view;
        while view != NONE {
            if is_same_region(self.plan.pixels(&self.plan.views[view as usize]), region) {
                return true;
            }
            view = self.flood.next_view[view as usize];
        }
        false
    }
}

/// The whole picture as a region. Spec: visibility §4.
pub(crate) fn full_screen(size: Vec2) -> [Vec2; 4] {
    [Vec2::new(0.0, size.y), size, Vec2::new(size.x, 0.0), Vec2::ZERO]
}

/// Whether two regions have the same corners, each within a pixel, wherever they start.
fn is_same_region(a: &[Vec2], b: &[Vec2]) -> bool {
    let near = |p: Vec2, q: Vec2| (p - q).abs().max_element() <= 1.0;
    let count = a.len();
    count == b.len()
        && (0..count).any(|shift| {
            (0..count).all(|i| near(a[i], b[if i + shift < count { i + shift } else { i + shift - count }]))
        })
}

/// Adds a region to the plan's pool.
pub(crate) fn push_view(plan: &mut FramePlan, region: &[Vec2], parent: Option<u32>, via: Via) -> u32 {
    let start = plan.points.len();
    plan.points.extend_from_slice(region);
    plan.views.push(View { points: Span::between(start, plan.points.len()), parent, via });
    (plan.views.len() - 1) as u32
}

/// The polygon of a cell's portal; `None` when the portal is not to be used.
pub(crate) fn portal_polygon<'w>(cell: &'w EnvCell, portal: &CellPortal) -> Option<&'w Polygon> {
    if portal.target == PortalTarget::Cell(cell.id()) {
        return None;
    }
    cell.structure.portal_polygons.polygons().get(usize::from(portal.polygon))
}

/// Index of the portal on the other side, when there is such a portal.
fn reciprocal(portal: &CellPortal, neighbour: &EnvCell) -> Option<u16> {
    portal.other_portal.filter(|&other| usize::from(other) < neighbour.portals.len())
}

/// Corners of a polygon in stored order.
pub(crate) fn corners<'w>(
    set: &'w PolygonSet,
    polygon: &Polygon,
) -> impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator + use<'w> {
    let edges = set.edges(polygon);
    let count = edges.len();
    (0..count).map(move |i| edges[if i + 1 == count { 0 } else { i + 1 }].start)
}

/// Corners of a cell's portal polygon in world coordinates.
pub(crate) fn portal_corners<'w>(
    cell: &'w EnvCell,
    polygon: &Polygon,
    offset: Vec3,
) -> impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator + use<'w> {
    let frame = &cell.position.frame;
    corners(&cell.structure.portal_polygons, polygon).map(move |p| frame.apply(p) + offset)
}

/// A cell's id with the number of one of its portals.
pub(crate) fn via_cell(cell: CellId, portal: usize) -> Via {
    Via::Cell { cell, portal: portal as u16 }
}
