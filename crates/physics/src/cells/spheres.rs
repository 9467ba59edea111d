//! Cell sets of spheres. Spec: physics-cells §3.3, §3.5–3.7.

use super::{CellSet, memo::Slack};
use glam::{Vec3, Vec3A, Vec4};
use threshold_world::{
    Cell, CellId, EPSILON, Position, World,
    bsp::VOLUME_PAD,
    cell::{EnvCell, PortalTarget},
    coords::{CELL_SIDE, LandCoord, block_offset, outside_place, within_cell},
    geometry::{Cylinder, Plane, Sphere},
    landblock::LandCell,
};

/// Cylinders considered when flooding; further ones are ignored without notice, as in the original.
pub const MAX_FLOOD_CYLINDERS: usize = 10;

/// What was found while building a set for spheres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The loaded cell that contains the first sphere's centre: the first interior one, else the last outdoor one.
    pub containing: Option<CellId>,
    /// An interior cell is involved.
    pub inside: bool,
}

/// Builds the set of cells that spheres touch, starting from `position`'s cell.
///
/// The spheres are in block coordinates of that cell. When it is not loaded, only the seed itself is entered and
/// nothing contains anything.
/// Retail: `CObjCell::find_cell_list` (0x0052B4E0). Spec: physics-cells §3.3.
pub fn build(world: &World, set: &mut CellSet, position: &Position, spheres: &[Sphere]) -> Touched {
    match set.recall(world, position.cell, spheres) {
        Some(touched) => touched,
        None => build_anew(world, set, position, spheres),
    }
}

#[inline(never)]
fn build_anew(world: &World, set: &mut CellSet, position: &Position, spheres: &[Sphere]) -> Touched {
    let seed = position.cell;
    if let Some(touched) = set.recall_any(world, seed, spheres) {
        return touched;
    }
    let anchor = world.cell(seed);
    let is_stacked = is_stacked(spheres);
    let (slack, inside) = (Slack::new(), seed.is_interior());
    let mut builder = Builder { world, set, position, spheres, is_stacked, slack, inside };
    if seed.is_interior() {
        builder.set.add(seed, anchor.is_some());
    } else {
        builder.add_ring();
    }
    let Some(anchor) = anchor else {
        builder.set.miss(seed);
        return Touched { containing: None, inside: builder.inside };
    };
    if spheres.is_empty() {
        return Touched { containing: None, inside: builder.inside };
    }
    let containing = builder.grow();
    let (slack, inside) = (builder.slack, builder.inside);
    if let Cell::Env(anchor) = anchor
        && set.no_load
    {
        set.prune(|id| anchor.sees(id));
    }
    let touched = Touched { containing, inside };
    set.remember(world, seed, spheres, slack, touched);
    touched
}

struct Builder<'a> {
    world: &'a World,
    set: &'a mut CellSet,
    position: &'a Position,
    spheres: &'a [Sphere],
    /// Whether the spheres are above each other and of one size, as those of a person who stands.
    is_stacked: bool,
    slack: Slack,
    inside: bool,
}

fn is_stacked(spheres: &[Sphere]) -> bool {
    spheres.windows(2).all(|pair| {
        let [a, b] = [pair[0], pair[1]];
        a.center.truncate() == b.center.truncate() && a.radius == b.radius && b.center.z.abs() < 1e9
    })
}

impl Builder<'_> {
    /// Adds the neighbours of each cell of the set; names the cell that contains the first sphere's centre.
    fn grow(&mut self) -> Option<CellId> {
        let (world, center) = (self.world, self.spheres[0].center);
        let mut containing: Option<CellId> = None;
        let mut i = 0;
        while let Some(entry) = self.set.now.entries.get(i).copied() {
            i += 1;
            let Some(cell) = world.cell(entry.id).filter(|_| entry.loaded) else { continue };
            match cell {
                Cell::Env(cell) => self.transit_env(cell),
                Cell::Land(cell) => self.transit_land(cell),
            }
            if containing.is_none_or(CellId::is_outdoor) {
                let point = center - block_offset(self.position.cell, entry.id);
                if self.is_within(cell, point) {
                    containing = Some(entry.id);
                    self.inside |= entry.id.is_interior();
                }
            }
        }
        containing
    }

    /// Retail: `CEnvCell::find_transit_cells` (0x0052C820). Spec: physics-cells §3.5.
    fn transit_env(&mut self, cell: &EnvCell) {
        let mut needs_outside = false;
        for portal in &cell.portals {
            match portal.target {
                PortalTarget::Outside if needs_outside || self.set.outside_done => {}
                PortalTarget::Outside => needs_outside = self.straddles(cell, &portal.plane),
                PortalTarget::Cell(id) if self.set.contains(id) => {}
                PortalTarget::Cell(id) => match self.world.env_cell(id) {
                    Some(neighbour) => {
                        if self.touches(neighbour) {
                            self.set.push(id, true);
                        }
                    }
                    None => {
                        if self.reaches(cell, &portal.plane, portal.neighbour_is_positive) {
                            self.set.push(id, false);
                        } else {
                            self.set.miss(id);
                        }
                    }
                },
            }
        }
        if needs_outside {
            self.add_ring();
        }
    }

    /// Whether a sphere cuts the plane of an exit.
    fn straddles(&mut self, cell: &EnvCell, plane: &Plane) -> bool {
        for sphere in self.spheres {
            let t = plane.distance(cell.position.frame.apply_inverse(sphere.center));
            let reach = sphere.radius + EPSILON;
            let normal = cell.position.frame.rotate(plane.normal);
            let (is_ahead, is_behind) = (t >= reach, t <= -reach);
            if !is_behind {
                self.slack.narrow(normal, t - reach);
            }
            if !is_ahead {
                self.slack.narrow(normal, t + reach);
            }
            if -reach < t && t < reach {
                return true;
            }
            // Nor does one above it cut a plane that stands upright.
            let is_level = plane.normal.z == 0.0 && cell.position.frame.is_upright();
            if (is_ahead || is_behind) && is_level && self.is_stacked {
                return false;
            }
        }
        false
    }

    /// Whether a sphere reaches an opening whose other side is not loaded.
    fn reaches(&mut self, cell: &EnvCell, plane: &Plane, neighbour_is_positive: bool) -> bool {
        for sphere in self.spheres {
            let t = plane.distance(cell.position.frame.apply_inverse(sphere.center));
            let reach = sphere.radius + EPSILON;
            let normal = cell.position.frame.rotate(plane.normal);
            self.slack.narrow(normal, if neighbour_is_positive { t + reach } else { t - reach });
            if if neighbour_is_positive { t > -reach } else { t < reach } {
                return true;
            }
        }
        false
    }

    /// Whether a sphere touches a cell's volume.
    fn touches(&mut self, cell: &EnvCell) -> bool {
        let is_upright = cell.position.frame.is_upright();
        for sphere in self.spheres {
            let reach = sphere.radius + VOLUME_PAD;
            let (depth, is_beside) = self.depth_in(cell, sphere.center.into(), reach);
            let is_out = depth <= -reach;
            if !is_out {
                return true;
            }
            // So is every sphere above it.
            if is_upright && is_beside && self.is_stacked {
                return false;
            }
        }
        false
    }

    /// How deep in a cell a point is that is asked about because it may be more than `reach` outside, and whether
    /// it is out as much at any height in the cell's space.
    #[inline]
    fn depth_in(&mut self, cell: &EnvCell, point: Vec3A, reach: f32) -> (f32, bool) {
        let (frame, volume) = (&cell.position.frame, &cell.structure.volume);
        let local = frame.apply_inverse(point);
        let depth = volume.depth(local);
        let least = depth.least();
        self.slack.involves(local);
        // Inside, all planes count. Outside, the one that says so most clearly is enough.
        let (low, high) = (-(depth.low + reach), depth.high + reach);
        let by_slanted = least == depth.slanted;
        if least > -reach {
            self.slack.narrow_box(frame, low, high);
            if depth.slanted.is_finite() {
                for (normal, distance) in volume.slanted(local) {
                    self.slack.narrow(frame.rotate(normal), distance + reach);
                }
            }
        } else if least.is_nan() || least == -reach {
            self.slack.end();
        } else if by_slanted {
            if let Some((normal, distance)) = volume.slanted(local).find(|(_, t)| *t <= least) {
                self.slack.narrow(frame.rotate(normal), distance + reach);
            }
        } else {
            let is_least = |distances: Vec3A| distances.cmpeq(Vec3A::splat(least));
            let leaves = Vec3A::select(is_least(depth.low), low, Vec3A::INFINITY);
            let enters = Vec3A::select(is_least(depth.high), high, Vec3A::NEG_INFINITY);
            self.slack.narrow_box(frame, enters, leaves);
            return (least, depth.low.z != least && depth.high.z != least);
        }
        (least, false)
    }

    /// The ring, then the way into a building. No block shift is applied to the interior cell, so a building of
    /// another block is entered only once the mover has been re-homed there.
    /// Retail: `CLandCell::find_transit_cells` (0x00533800), `CBuildingObj::find_building_transit_cells`
    /// (0x006B5230), `CEnvCell::check_building_transit` (0x0052C5D0). Spec: physics-cells §3.6.
    fn transit_land(&mut self, cell: LandCell<'_>) {
        self.add_ring();
        let Some(building) = cell.building() else { return };
        for portal in building.portals.iter().filter(|portal| portal.other_portal.is_some()) {
            match self.world.env_cell(portal.cell) {
                Some(interior) if self.touches(interior) => {
                    self.inside = true;
                    self.set.add(portal.cell, true);
                }
                Some(_) => {}
                None => self.set.miss(portal.cell),
            }
        }
    }

    /// Outdoor cells under the spheres, neighbours included when a sphere hangs over. Once per set.
    /// Retail: `CLandCell::add_all_outside_cells` (0x00533630). Spec: physics-cells §3.7.
    fn add_ring(&mut self) {
        if self.set.outside_done {
            return;
        }
        self.set.outside_done = true;
        if self.spheres.is_empty() {
            if let Some((place, _)) = outside_place(self.position.cell, self.position.frame.origin) {
                self.set.add_outside(self.world, place);
            }
            return;
        }
        // Of spheres above each other, the second adds nothing.
        let spheres = if self.is_stacked { &self.spheres[..1] } else { self.spheres };
        for sphere in spheres {
            let Some((place, p)) = outside_place(self.position.cell, sphere.center) else {
                self.slack.end();
                return;
            };
            let (fx, fy) = (within_cell(p.x), within_cell(p.y));
            let (low, high) = (sphere.radius, CELL_SIDE - sphere.radius);
            let thresholds = Vec4::new(0.0, low, high, CELL_SIDE);
            let room = |distances: Vec4| {
                Vec4::select(distances.cmpge(Vec4::ZERO), distances, Vec4::INFINITY).min_element()
            };
            let (below, above) = (|f: f32| -room(f - thresholds), |f: f32| room(thresholds - f));
            self.slack.narrow_axes(
                Vec3A::new(below(fx), below(fy), f32::NEG_INFINITY),
                Vec3A::new(above(fx), above(fy), f32::INFINITY),
            );
            let mut add = |dx: i32, dy: i32| {
                self.set.add_outside(self.world, LandCoord { x: place.x + dx, y: place.y + dy });
            };
            add(0, 0);
            for (dx, over) in [(1, fx > high), (-1, fx < low)] {
                if over {
                    add(dx, 0);
                    if fy > high {
                        add(dx, 1);
                    }
                    if fy < low {
                        add(dx, -1);
                    }
                }
            }
            if fy > high {
                add(0, 1);
            }
            if fy < low {
                add(0, -1);
            }
        }
    }

    /// Whether a cell contains a point in the coordinates of its block.
    fn is_within(&mut self, cell: Cell<'_>, point: Vec3) -> bool {
        match cell {
            Cell::Env(cell) => {
                let is_out = self.depth_in(cell, point.into(), EPSILON).0 < -EPSILON;
                !cell.portals.is_empty() && !is_out
            }
            Cell::Land(cell) => {
                // The borders are thresholds of the ring already.
                if may_have_gap(cell.index()) {
                    let (x, y) = (within_cell(point.x), within_cell(point.y));
                    if cell.block.terrain.splits_sw_ne(cell.index()) {
                        self.slack.narrow(Vec3::new(1.0, -1.0, 0.0), x - y);
                    } else {
                        self.slack.narrow(Vec3::new(1.0, 1.0, 0.0), x + y - CELL_SIDE);
                    }
                }
                cell.contains(point)
            }
        }
    }
}

/// Whether a point between the triangles of an outdoor cell may be over neither. A point's distances from the sides decide
/// that, and only in the first row and column of a block are they rounded: from twice to half a number, differences are exact.
fn may_have_gap(cell: usize) -> bool {
    let (column, row) = (cell / 8, cell % 8);
    column == 0 || row == 0
}

/// The set of one sphere given in the position's own space. Spec: physics-cells §3.3, overloads.
pub fn flood_sphere(world: &World, set: &mut CellSet, position: &Position, local: &Sphere) {
    let sphere = Sphere { center: position.frame.apply(local.center), radius: local.radius };
    build(world, set, position, &[sphere]);
}

/// The set of cylinders: only their low points count, and only the first ten of them.
/// Spec: physics-cells §3.3, overloads.
pub fn flood_cylinders(world: &World, set: &mut CellSet, position: &Position, cylinders: &[Cylinder]) {
    let mut spheres = [Sphere::default(); MAX_FLOOD_CYLINDERS];
    let count = cylinders.len().min(MAX_FLOOD_CYLINDERS);
    for (sphere, cylinder) in spheres.iter_mut().zip(cylinders) {
        *sphere = Sphere { center: position.frame.apply(cylinder.low), radius: cylinder.radius };
    }
    build(world, set, position, &spheres[..count]);
}
