//! The ground, cell by cell.

use super::Pass;
use crate::{
    assets::{Assets, GroundStyle, MeshIndex},
    draw::{Draw, Instance, Item, Lighting, Transform, What},
    raster::DrawState,
    terrain::{CellCode, Corners, INDICES_PER_CELL, Neighbours, VERTICES_PER_CELL, block_mesh},
};
use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};
use threshold_view::Step;
use threshold_world::{BlockId, landblock::Landblock};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    block: BlockId,
    side: u8,
    neighbours: Neighbours,
}

/// The ground of a block at one resolution.
struct Ground {
    mesh: MeshIndex,
    styles: Box<[GroundStyle]>,
    /// The block it was made from; another one may come to live in its place.
    from: Weak<Landblock>,
    /// Entry in this frame's list of instances for each repetition that occurs, newest last.
    instances: Vec<(f32, u32)>,
    frame: u64,
}

#[derive(Default)]
pub(super) struct Grounds {
    grounds: HashMap<Key, Ground>,
    /// Resolution of each block of this frame.
    sides: HashMap<BlockId, u8>,
    lighting: u32,
    frame: u64,
}

impl Ground {
    fn new(assets: &mut Assets, block: &Arc<Landblock>, key: Key, reuse: Option<MeshIndex>) -> Ground {
        let mesh = block_mesh(key.block, &block.terrain, key.side, key.neighbours);
        let mesh = match reuse {
            Some(index) => {
                assets.replace_mesh(index, mesh);
                index
            }
            None => assets.add_mesh(mesh),
        };
        let side = usize::from(key.side);
        let styles = (0..side * side)
            .map(|cell| assets.ground_style(cell_code(block, side, cell / side, cell % side)))
            .collect();
        Ground { mesh, styles, from: Arc::downgrade(block), instances: Vec::new(), frame: 0 }
    }
}

fn cell_code(block: &Landblock, side: usize, i: usize, j: usize) -> CellCode {
    let step = 8 / side;
    let at = |di: usize, dj: usize| (i + di) * step * 9 + (j + dj) * step;
    let samples = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
    let terrain = &block.terrain;
    let corners =
        Corners { roads: samples.map(|s| terrain.road(s)), types: samples.map(|s| terrain.terrain_type(s)) };
    CellCode::new(corners, side == 8)
}

impl Pass<'_> {
    /// Notes the resolution of every block of the frame, so that edges can meet.
    fn survey(&mut self) {
        let grounds = &mut self.builder.grounds;
        grounds.sides.clear();
        for step in &self.scene.plan.steps {
            if let Step::Terrain { block, side, .. } = *step {
                grounds.sides.insert(block, side);
            }
        }
        grounds.frame += 1;
        let daylight = &self.scene.atmosphere.daylight;
        let lighting = Lighting::Ground {
            ambient: daylight.ambient_color * daylight.ambient_level,
            sun: daylight.sun,
            sun_color: daylight.sun_color,
        };
        let lighting = self.lighting(lighting);
        self.builder.grounds.lighting = lighting;
    }

    /// Triangles of a terrain cell.
    pub(super) fn terrain(&mut self, id: BlockId, side: u8, cell: u8, triangles: u8) {
        if !self.surveyed {
            self.surveyed = true;
            self.survey();
        }
        let Some(block) = self.scene.world.block_data(id) else { return };
        let grounds = &mut self.builder.grounds;
        let beside = |dx: i32, dy: i32| {
            let (x, y) = (i32::from(id.x()) + dx, i32::from(id.y()) + dy);
            let (Ok(x), Ok(y)) = (u8::try_from(x), u8::try_from(y)) else { return side };
            // Only coarser neighbours matter; a finer one looks after the edge itself.
            grounds.sides.get(&BlockId::new(x, y)).map_or(side, |&other| other.min(side))
        };
        let neighbours = [beside(-1, 0), beside(1, 0), beside(0, -1), beside(0, 1)];
        let key = Key { block: id, side, neighbours };
        let known = grounds.grounds.get(&key);
        if !known.is_some_and(|g| std::ptr::eq(g.from.as_ptr(), Arc::as_ptr(block))) {
            let ground = Ground::new(self.assets, block, key, known.map(|g| g.mesh));
            grounds.grounds.insert(key, ground);
        }
        let Some(ground) = grounds.grounds.get_mut(&key) else { return };
        let Some(&style) = ground.styles.get(usize::from(cell)) else { return };
        if ground.frame != grounds.frame {
            ground.frame = grounds.frame;
            ground.instances.clear();
        }
        let (mesh, lighting) = (ground.mesh, grounds.lighting);
        let instance = match ground.instances.iter().find(|(repeat, _)| *repeat == style.repeat) {
            Some(&(_, instance)) => instance,
            None => {
                let instances = &mut self.builder.list.instances;
                let transform = Transform::at(threshold_world::coords::block_offset(
                    self.projection.block.cell(0),
                    id.cell(0),
                ));
                instances.push(Instance { uv_scale: style.repeat, ..Instance::new(transform, lighting) });
                let instance = instances.len() as u32 - 1;
                ground.instances.push((style.repeat, instance));
                instance
            }
        };
        let first = u32::from(cell) * VERTICES_PER_CELL;
        let start = u32::from(cell) * INDICES_PER_CELL;
        let indices = match triangles & 3 {
            0 => return,
            1 => start..start + 3,
            2 => start + 3..start + 6,
            _ => start..start + 6,
        };
        let state = DrawState { opacity: 255, fog: true, address: style.address, ..DrawState::default() };
        let bounds = self.bounds;
        self.builder.list.items.push(Item::Draw(Draw {
            mesh,
            vertices: first..first + VERTICES_PER_CELL,
            indices,
            instance,
            texture: style.texture,
            state,
            bounds,
            what: What::Ground,
        }));
    }
}
