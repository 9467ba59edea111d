//! Builds a world: land, buildings, interiors and their objects.

use crate::{
    error::BuildError,
    land::{Ground, Sample},
    material::Materials,
    mesh::{Mesh, ShellOpening},
    plan::{CompiledPlan, Plan, RoomId},
    source::AuthoredSource,
    store::Store,
};
use glam::{DVec2, DVec3, Vec3};
use std::collections::{BTreeMap, BTreeSet};
use threshold_dat::{
    DatId,
    records::{
        self, BspNode, BuildingPortal, CellPortal, CellStruct, DatRecord, EnvCell, Environment, GfxObj,
        LandBlockInfo, PlacedObject, PortalFlags,
    },
};
use threshold_world::{BlockId, CellId, Frame, Position, Quat, coords::LandCoord};

/// Side of a block in metres.
const BLOCK: f64 = 192.0;

/// A world under construction.
///
/// Places outdoors are given in metres east and north of the south-west corner of the block the builder was made for,
/// so that callers can ignore block borders.
pub struct WorldBuilder {
    /// Records of both files.
    pub store: Store,
    /// Surfaces and textures.
    pub materials: Materials,
    anchor: BlockId,
    blocks: BTreeMap<BlockId, Block>,
}

struct Block {
    ground: Ground,
    objects: Vec<PlacedObject>,
    buildings: Vec<records::Building>,
    owned_cells: BTreeSet<CellId>,
    cells: Vec<EnvCell>,
}

/// Where the structures of a plan are stored.
struct Structures {
    environment: DatId,
    /// Key of each cell's structure in it.
    keys: Vec<u16>,
}

/// A building that can be placed any number of times.
pub struct Blueprint {
    name: String,
    plan: Plan,
    compiled: CompiledPlan,
    structures: Structures,
    model: DatId,
    leaf_count: u32,
}

/// An interior after it was placed.
#[derive(Clone, Debug)]
pub struct PlacedPlan {
    block: BlockId,
    frame: Frame,
    first: u16,
}

impl PlacedPlan {
    /// The cell of a room.
    pub fn cell(&self, room: RoomId) -> CellId {
        self.block.cell(self.first + room.index() as u16)
    }

    /// A place in a room, given in the plan's space, facing `heading` degrees clockwise from the plan's north.
    pub fn position(&self, room: RoomId, at: DVec3, heading: f64) -> Position {
        let inner = Frame::new(at.as_vec3(), Quat::from_heading(heading as f32));
        Position::new(self.cell(room), self.frame.compose(&inner))
    }
}

impl WorldBuilder {
    /// A world whose outdoor coordinates are relative to `anchor`.
    pub fn new(anchor: BlockId) -> WorldBuilder {
        WorldBuilder {
            store: Store::default(),
            materials: Materials::default(),
            anchor,
            blocks: BTreeMap::new(),
        }
    }

    /// Adds the ground of a block; `ground` is a function of the map-wide sample grid.
    pub fn land(&mut self, block: BlockId, ground: impl Fn(u32, u32) -> Sample) {
        let ground = Ground::sample(block, ground);
        self.blocks.insert(
            block,
            Block {
                ground,
                objects: Vec::new(),
                buildings: Vec::new(),
                owned_cells: BTreeSet::new(),
                cells: Vec::new(),
            },
        );
    }

    /// Block and block coordinates of an outdoor place.
    fn in_block(&self, place: DVec2) -> (BlockId, DVec2) {
        let column = f64::from(self.anchor.x()) + (place.x / BLOCK).floor();
        let row = f64::from(self.anchor.y()) + (place.y / BLOCK).floor();
        let local = place - (place / BLOCK).floor() * BLOCK;
        (BlockId::new(column as u8, row as u8), local)
    }

    /// Height of the ground at an outdoor place; 0 where there is none.
    pub fn height(&self, place: DVec2) -> f64 {
        let (block, local) = self.in_block(place);
        let ground = self
            .blocks
            .get(&block)
            .and_then(|b| b.ground.terrain(block).ground_at(Vec3::new(local.x as f32, local.y as f32, 0.0)));
        ground.map_or(0.0, |g| f64::from(g.height))
    }

    /// An outdoor position facing `heading` degrees clockwise from north, `above` the ground.
    pub fn outdoors(&self, place: DVec2, above: f64, heading: f64) -> Position {
        let (block, local) = self.in_block(place);
        let origin = local.extend(self.height(place) + above).as_vec3();
        let cell = LandCoord::under(block.cell(1), origin).and_then(LandCoord::cell).unwrap_or(CellId::NONE);
        Position::new(cell, Frame::new(origin, Quat::from_heading(heading as f32)))
    }

    /// A static object outdoors, `above` the ground.
    pub fn object(&mut self, model: DatId, place: DVec2, above: f64, heading: f64) {
        let position = self.outdoors(place, above, heading);
        self.object_at(model, position.cell.block(), position.frame);
    }

    /// A static object outdoors by its frame in block coordinates.
    pub fn object_at(&mut self, model: DatId, block: BlockId, frame: Frame) {
        if let Some(block) = self.blocks.get_mut(&block) {
            block.objects.push(PlacedObject { model, frame: stored(&frame) });
        }
    }

    /// Adds a mesh; returns its id.
    pub fn mesh(&mut self, mesh: &Mesh) -> Result<DatId, BuildError> {
        let record: GfxObj = mesh.gfx_obj(&self.materials)?;
        Ok(self.store.add(&record)?)
    }

    /// Places an interior without a shell: a dungeon.
    pub fn interior(&mut self, block: BlockId, plan: &Plan, frame: Frame) -> Result<PlacedPlan, BuildError> {
        let compiled = plan.compile(&self.materials)?;
        let structures = self.environment(&compiled)?;
        Ok(self.place(block, plan, &compiled, &structures, frame))
    }

    /// Compiles a building: an interior and the shell around it. Openings of the shell come from the plan's exits.
    pub fn blueprint(&mut self, name: &str, plan: Plan, mut shell: Mesh) -> Result<Blueprint, BuildError> {
        for exit in plan.exits() {
            shell.opening(ShellOpening { polygon: exit.polygon.flipped(), passable: exit.passable });
        }
        let record = shell.gfx_obj(&self.materials)?;
        let nodes = record.drawing.iter().flat_map(|d| &d.bsp.nodes);
        let leaf_count = nodes.filter(|n| matches!(n, BspNode::Leaf(_))).count() as u32;
        let model = self.store.add(&record)?;
        let compiled = plan.compile(&self.materials)?;
        let structures = self.environment(&compiled)?;
        Ok(Blueprint { name: name.to_owned(), plan, compiled, structures, model, leaf_count })
    }

    /// Places a building; the same blueprint may be placed many times.
    ///
    /// `at` is the position of the plan's origin. The land cell under it is the only one from which the shell can be
    /// touched and the building entered, so shells should stay within it.
    pub fn building(&mut self, blueprint: &Blueprint, at: Position) -> Result<PlacedPlan, BuildError> {
        let Blueprint { plan, compiled, structures, .. } = blueprint;
        let placed = self.place(at.cell.block(), plan, compiled, structures, at.frame);
        let portals = compiled.exits.iter().map(|exit| BuildingPortal {
            flags: PortalFlags(PortalFlags::EXACT_MATCH | PortalFlags::POSITIVE_SIDE),
            other_cell: placed.cell(exit.room).low(),
            other_portal: exit.portal as i16,
            visible_cells: exit.sight.rooms.iter().map(|&r| placed.cell(r).low()).collect(),
        });
        let building = records::Building {
            model: blueprint.model,
            frame: stored(&at.frame),
            leaf_count: blueprint.leaf_count,
            portals: portals.collect(),
        };
        if let Some(block) = self.blocks.get_mut(&at.cell.block()) {
            if !block.owned_cells.insert(at.cell) {
                return Err(BuildError::CellTaken(blueprint.name.clone()));
            }
            block.buildings.push(building);
        }
        Ok(placed)
    }

    fn place(
        &mut self,
        block: BlockId,
        plan: &Plan,
        compiled: &CompiledPlan,
        structures: &Structures,
        frame: Frame,
    ) -> PlacedPlan {
        let first = 0x100 + self.blocks.get(&block).map_or(0, |b| b.cells.len()) as u16;
        let placed = PlacedPlan { block, frame, first };
        let mut cells = Vec::new();
        for ((cell, room), &key) in compiled.cells.iter().zip(plan.rooms()).zip(&structures.keys) {
            let portal = |p: &crate::plan::CompiledPortal| CellPortal {
                flags: p.flags,
                polygon: p.polygon,
                other_cell: p.other.map_or(0xFFFF, |(room, _)| placed.cell(room).low()),
                other_portal: p.other.map_or(-1, |(_, n)| n as i16),
            };
            let furniture = room.furniture.iter();
            cells.push(EnvCell {
                flags: if cell.sight.outside { EnvCell::SEEN_OUTSIDE } else { 0 },
                surfaces: cell.skins.iter().map(|s| s.number()).collect(),
                environment: structures.environment.0 as u16,
                structure: key,
                frame: stored(&frame.compose(&Frame::at(cell.origin.as_vec3()))),
                portals: cell.portals.iter().map(portal).collect(),
                visible_cells: cell.sight.rooms.iter().map(|&r| placed.cell(r).low()).collect(),
                statics: furniture
                    .map(|f| PlacedObject { model: f.model, frame: stored(&frame.compose(&f.frame)) })
                    .collect(),
                restriction: None,
            });
        }
        if let Some(block) = self.blocks.get_mut(&block) {
            block.cells.extend(cells);
        }
        placed
    }

    /// Stores the structures of a plan, each once.
    fn environment(&mut self, compiled: &CompiledPlan) -> Result<Structures, BuildError> {
        let mut structures: Vec<(u32, CellStruct)> = Vec::new();
        let mut known: BTreeMap<Vec<u8>, u16> = BTreeMap::new();
        let mut keys = Vec::new();
        for cell in &compiled.cells {
            let alone = Environment { structures: vec![(0, cell.structure.clone())] };
            let next = structures.len() as u16;
            let key = *known.entry(alone.encode(DatId(0x0D00_0000))?).or_insert(next);
            if key == next {
                structures.push((u32::from(key), cell.structure.clone()));
            }
            keys.push(key);
        }
        Ok(Structures { environment: self.store.add(&Environment { structures })?, keys })
    }

    /// Stores land, buildings, cells and textures; hands out all records.
    pub fn finish(mut self) -> Result<Store, BuildError> {
        self.store_blocks()?;
        self.materials.store(&mut self.store)?;
        Ok(self.store)
    }

    /// All records in memory; pictures are painted when they are asked for.
    pub fn into_source(mut self) -> Result<AuthoredSource, BuildError> {
        self.store_blocks()?;
        self.materials.store_unpainted(&mut self.store)?;
        Ok(AuthoredSource::new(self.store, self.materials))
    }

    /// Stores land, buildings and cells.
    fn store_blocks(&mut self) -> Result<(), BuildError> {
        for (id, block) in std::mem::take(&mut self.blocks) {
            let Block { ground, objects, buildings, cells, .. } = block;
            let has_info = !(objects.is_empty() && buildings.is_empty() && cells.is_empty());
            self.store.put(DatId(id.cell(0xFFFF).0), &ground.record(has_info))?;
            if has_info {
                let info = LandBlockInfo {
                    cell_count: cells.len() as u32,
                    objects,
                    buildings,
                    ..Default::default()
                };
                self.store.put(DatId(id.cell(0xFFFE).0), &info)?;
            }
            for (low, cell) in (0x100u16..).zip(&cells) {
                self.store.put(DatId(id.cell(low).0), cell)?;
            }
        }
        Ok(())
    }
}

/// A frame as records store it.
pub(crate) fn stored(frame: &Frame) -> records::Frame {
    records::Frame { origin: frame.origin.to_array(), rotation: frame.rotation().into() }
}
