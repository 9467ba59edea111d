//! The ground, cell by cell.

use super::Pass;
use crate::{
    assets::{Assets, GroundStyle, MeshIndex},
    draw::{Draw, DrawKind, Instance, Item, Lighting, Transform},
    mesh::Mesh,
    raster::{DrawState, TextureIndex},
    terrain::{CellCode, Corners, INDICES_PER_CELL, Neighbours, VERTICES_PER_CELL, block_mesh},
};
use std::{
    collections::{HashMap, HashSet},
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
    /// How each cell is textured, once it was drawn and everything that its texture needs could be read.
    styles: Box<[Option<GroundStyle>]>,
    /// The block it was made from; another one may come to live in its place.
    from: Weak<Landblock>,
    /// Entry in this frame's list of instances for each repetition that occurs, newest last.
    instances: Vec<(f32, u32)>,
    frame: u64,
}

/// Blocks that were drawn lately, as far as memory goes.
pub(super) struct Grounds {
    grounds: HashMap<Key, Ground>,
    /// Meshes of blocks that are gone.
    spare: Vec<MeshIndex>,
    limits: Limits,
    /// How much there may be until the next time that what is not drawn any more is dropped.
    allowed: Limits,
    /// Resolution of each block of this frame.
    sides: HashMap<BlockId, u8>,
    lighting: u32,
    frame: u64,
}

/// What may be kept although nothing shows it.
#[derive(Clone, Copy)]
struct Limits {
    blocks: usize,
    merged_bytes: usize,
    /// Frames since something was shown.
    frames: u64,
}

const LIMITS: Limits = Limits { blocks: 2048, merged_bytes: 256 << 20, frames: 600 };

impl Default for Grounds {
    fn default() -> Self {
        Grounds {
            grounds: HashMap::new(),
            spare: Vec::new(),
            limits: LIMITS,
            allowed: LIMITS,
            sides: HashMap::new(),
            lighting: 0,
            frame: 0,
        }
    }
}

impl Grounds {
    /// Lets go of blocks that have not been drawn for a while, and of the textures that only they had.
    fn tidy(&mut self, assets: &mut Assets) {
        assets.tick_ground();
        let Limits { blocks, merged_bytes, frames } = self.allowed;
        if self.grounds.len() <= blocks && assets.merged_ground_bytes() <= merged_bytes {
            return;
        }
        let (since, spare) = (self.frame.saturating_sub(frames), &mut self.spare);
        self.grounds.retain(|_, ground| {
            let is_kept = ground.frame >= since && ground.from.strong_count() > 0;
            if !is_kept {
                assets.replace_mesh(ground.mesh, Mesh::default());
                spare.push(ground.mesh);
            }
            is_kept
        });
        let shown = self.grounds.values().flat_map(|ground| ground.styles.iter().flatten());
        let shown: HashSet<TextureIndex> = shown.map(|style| style.texture).collect();
        assets.forget_ground(|texture| shown.contains(&texture));
        // What is in use now may grow by half before it is looked through again.
        let room = |limit: usize, used: usize| limit.max(used + used / 2);
        self.allowed.blocks = room(self.limits.blocks, self.grounds.len());
        self.allowed.merged_bytes = room(self.limits.merged_bytes, assets.merged_ground_bytes());
    }
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
        let cells = usize::from(key.side) * usize::from(key.side);
        Ground {
            mesh,
            styles: vec![None; cells].into(),
            from: Arc::downgrade(block),
            instances: Vec::new(),
            frame: 0,
        }
    }

    /// Whether it is the ground of a block.
    fn is_of(&self, block: &Arc<Landblock>) -> bool {
        std::ptr::eq(self.from.as_ptr(), Arc::as_ptr(block))
    }

    /// How a cell is textured in this frame; `None` when there is no such cell.
    fn style(&mut self, assets: &mut Assets, block: &Landblock, side: u8, cell: u8) -> Option<GroundStyle> {
        let known = self.styles.get_mut(usize::from(cell))?;
        if known.is_none() {
            let (side, cell) = (usize::from(side), usize::from(cell));
            let code = cell_code(block, side, cell / side, cell % side);
            let (style, is_sure) = assets.surely(|assets| assets.ground_style_now(code));
            if !is_sure {
                return Some(style);
            }
            *known = Some(style);
        }
        *known
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
        grounds.tidy(self.assets);
        self.texture_nearest_first();
        let daylight = &self.scene.atmosphere.daylight;
        let lighting = Lighting::Ground {
            ambient: daylight.ambient_color * daylight.ambient_level,
            sun: daylight.sun,
            sun_color: daylight.sun_color,
        };
        let lighting = self.lighting(lighting);
        self.builder.grounds.lighting = lighting;
    }

    /// Makes textures of the ground from near to far while the frame has time; plans draw from far to near. What everything is
    /// drawn with until then comes first.
    fn texture_nearest_first(&mut self) {
        if !self.assets.is_hasty() {
            return;
        }
        let world = self.scene.world;
        let codes = self.scene.plan.steps.iter().rev().filter_map(|step| {
            let Step::Terrain { block, side, cell, .. } = *step else { return None };
            let (block, side, cell) = (world.block_data(block)?, usize::from(side), usize::from(cell));
            Some(cell_code(block, side, cell / side, cell % side))
        });
        let assets = &mut *self.assets;
        if codes.clone().all(|code| assets.load_plain_style(code)) && assets.load_masks() {
            codes.take_while(|&code| assets.surely(|assets| assets.ground_style_now(code)).1).for_each(drop);
        }
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
        if !known.is_some_and(|ground| ground.is_of(block)) {
            let mesh = known.map(|ground| ground.mesh).or_else(|| grounds.spare.pop());
            let ground = Ground::new(self.assets, block, key, mesh);
            grounds.grounds.insert(key, ground);
        }
        let Some(ground) = grounds.grounds.get_mut(&key) else { return };
        let Some(style) = ground.style(self.assets, block, side, cell) else { return };
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
            what: DrawKind::Ground,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cpu::CpuRenderer,
        frame::{Atmosphere, FrameBuilder, FrameInput},
        stage::Stage,
    };
    use glam::Vec3;
    use threshold_view::{FramePlan, Lens, Options, Planner, Viewer, camera::orientation};
    use threshold_world::{Frame, Library, Position, World, load_all};

    const SIZE: (u32, u32) = (96, 54);

    struct Land {
        world: World,
        assets: Assets,
        builder: FrameBuilder,
        renderer: CpuRenderer,
    }

    impl Land {
        fn new(limits: Limits) -> Land {
            let sample = threshold_sample::build().unwrap();
            let files = sample.source().unwrap();
            let library = Arc::new(Library::new(Arc::new(files)));
            let (world, _) = load_all(&library).unwrap();
            let mut builder = FrameBuilder::new();
            (builder.grounds.limits, builder.grounds.allowed) = (limits, limits);
            let renderer = CpuRenderer::new(SIZE.0, SIZE.1);
            Land { world, assets: Assets::new(library), builder, renderer }
        }

        /// A picture from above a block, without anything that stands there.
        fn look(&mut self, block: BlockId) -> Vec<u8> {
            let (position, stage) = (eye(block), Stage::new());
            let plan = self.plan(block);
            let atmosphere = Atmosphere::at(None, 0.0);
            let scene = FrameInput {
                plan: &plan,
                world: &self.world,
                stage: &stage,
                atmosphere: &atmosphere,
                player: position,
            };
            let list = self.builder.build(&scene, &mut self.assets);
            self.renderer.draw(list, &self.assets);
            let mut rgba = Vec::new();
            self.renderer.picture().copy_rgba(&mut rgba);
            rgba
        }

        fn plan(&self, block: BlockId) -> FramePlan {
            let position = eye(block);
            let lens = Lens::new(1.0, SIZE.0, SIZE.1).unwrap();
            let viewer = Viewer { position, lens, player_cell: position.cell };
            let mut plan = FramePlan::default();
            Planner::new(Options::default()).plan(&self.world, &Stage::new(), &viewer, &mut plan);
            plan
        }
    }

    /// Above a block.
    fn eye(block: BlockId) -> Position {
        let frame = Frame::new(Vec3::new(100.0, 100.0, 45.0), orientation(70.0, -15.0));
        Position::new(block.cell(0x25), frame)
    }

    #[test]
    fn a_frame_without_time_merges_a_slice_of_one_texture() {
        let block = BlockId::new(0x80, 0x80);
        let expected = Land::new(LIMITS).look(block);
        let mut hasty = Land::new(LIMITS);
        hasty.assets.make_while(|_| false);
        let (mut textures, mut pictures) = (0, Vec::new());
        while pictures.last() != Some(&expected) {
            pictures.push(hasty.look(block));
            let merged = hasty.assets.terrain.merged_count();
            assert!(merged <= textures + 1, "{merged} after {textures}");
            textures = merged;
            assert!(pictures.len() < 5000, "it never gets there");
        }
        assert!(pictures.len() > 5 * textures && pictures[0] != expected, "{} pictures", pictures.len());
        assert_eq!(hasty.look(block), expected, "nothing is left to be done");
    }

    #[test]
    fn the_nearest_ground_is_textured_first() {
        let block = BlockId::new(0x80, 0x80);
        let mut land = Land::new(LIMITS);
        let plan = land.plan(block);
        let nearest_first = plan.steps.iter().rev().filter_map(|step| match *step {
            Step::Terrain { block, side, cell, .. } => {
                let (block, side) = (land.world.block_data(block)?, usize::from(side));
                Some(cell_code(block, side, usize::from(cell) / side, usize::from(cell) % side))
            }
            _ => None,
        });
        let codes: Vec<CellCode> = nearest_first.collect();
        land.assets.make_while(|_| false);
        let mut frames = 0..500;
        while land.assets.terrain.merged_count() == 0 && frames.next().is_some() {
            land.look(block);
        }
        let is_made: Vec<bool> = codes.iter().map(|code| land.assets.terrain.knows(code)).collect();
        assert!(is_made[0], "the nearest cell");
        assert!(!is_made.iter().all(|&made| made), "not all of them");
        let first_missing = is_made.iter().position(|&made| !made).unwrap();
        let codes_before: HashSet<CellCode> = codes[..first_missing].iter().copied().collect();
        assert!(codes.iter().zip(&is_made).all(|(code, &made)| made == codes_before.contains(code)));
    }

    #[test]
    fn what_is_forgotten_comes_back_as_it_was() {
        let away = [BlockId::new(0x80, 0x80), BlockId::new(0x81, 0x81), BlockId::new(0x7F, 0x7F)];
        let mut plenty = Land::new(LIMITS);
        let mut nothing = Land::new(Limits { blocks: 0, merged_bytes: 0, frames: 0 });
        let mut most = 0;
        for block in [away; 4].into_iter().flatten() {
            let expected = plenty.look(block);
            assert!(nothing.look(block) == expected, "{block}");
            most = most.max(nothing.assets.merged_ground_bytes());
            // As if the eye had stayed for long.
            (0..2000).for_each(|_| nothing.assets.tick_ground());
        }
        let all = plenty.assets.merged_ground_bytes();
        assert!(most < all, "{most} bytes at once, {all} together");
        assert!(nothing.builder.grounds.grounds.len() < plenty.builder.grounds.grounds.len());
    }
}
