//! The walls of interior cells.

use super::{Pass, SubsetStyle};
use crate::{
    assets::{Assets, MaterialIndex, MeshIndex},
    draw::{DrawKind, Lighting, Transform},
    light::{PointLight, baked},
    mesh::Mesh,
};
use glam::Vec3;
use std::collections::HashMap;
use threshold_dat::DatId;
use threshold_world::{CellId, Frame, cell::EnvCell};

/// Vertices of cells are rounded to 1/4096 m in the block's space. Neighbouring cells share corners but compute them
/// through different frames; rounded, they are the same to the bit, and no crack opens between their walls.
const GRID: f32 = 4096.0;

/// A cell's mesh in its block's coordinates, dressed and lit.
struct Dressed {
    mesh: MeshIndex,
    materials: Box<[MaterialIndex]>,
    /// What it was made from; another cell may come to live under the same id.
    frame: Frame,
    surfaces: Box<[u16]>,
    structure: (DatId, u32),
    /// Version of the fixed lights that shine on it.
    lit_by: u32,
    /// When it was drawn last.
    drawn: u64,
}

/// Cells that were drawn lately, as far as memory goes.
pub(super) struct Cells {
    /// None for cells whose structure cannot be drawn.
    dressed: HashMap<CellId, Option<Dressed>>,
    /// Meshes of cells that were forgotten.
    spare: Vec<MeshIndex>,
    limits: Limits,
    /// How many there may be until the next time that what is not drawn any more is forgotten.
    allowed: usize,
    /// Frames that were drawn.
    frame: u64,
    lights: Vec<PointLight>,
}

/// What may be kept although nothing shows it.
#[derive(Clone, Copy)]
struct Limits {
    cells: usize,
    /// Frames since a cell was shown.
    frames: u64,
}

const LIMITS: Limits = Limits { cells: 4096, frames: 600 };

impl Default for Cells {
    fn default() -> Self {
        Cells {
            dressed: HashMap::new(),
            spare: Vec::new(),
            limits: LIMITS,
            allowed: LIMITS.cells,
            frame: 0,
            lights: Vec::new(),
        }
    }
}

impl Cells {
    /// Another frame is drawn: forgets cells that have not been drawn for a while when there are too many.
    pub(super) fn begin_frame(&mut self, assets: &mut Assets) {
        self.frame += 1;
        if self.dressed.len() <= self.allowed {
            return;
        }
        let (since, spare) = (self.frame.saturating_sub(self.limits.frames), &mut self.spare);
        self.dressed.retain(|_, dressed| {
            let Some(dressed) = dressed else { return false };
            let is_kept = dressed.drawn >= since;
            if !is_kept {
                assets.replace_mesh(dressed.mesh, Mesh::default());
                spare.push(dressed.mesh);
            }
            is_kept
        });
        // What is in use now may grow by half before it is looked through again.
        self.allowed = self.limits.cells.max(self.dressed.len() + self.dressed.len() / 2);
    }
}

impl Dressed {
    fn new(assets: &mut Assets, cell: &EnvCell, reuse: Option<MeshIndex>) -> Option<Dressed> {
        let structure = (cell.structure.environment, cell.structure.key);
        let shared = assets.structure_mesh(structure.0, structure.1)?;
        let materials =
            cell.surfaces.iter().map(|&low| assets.surface(DatId(0x0800_0000 | u32::from(low)))).collect();
        let placed = place(&assets.mesh(shared).mesh, &cell.position.frame);
        let mesh = match reuse {
            Some(index) => {
                assets.replace_mesh(index, placed);
                index
            }
            None => assets.add_mesh(placed),
        };
        let surfaces = cell.surfaces.clone();
        Some(Dressed {
            mesh,
            materials,
            frame: cell.position.frame,
            surfaces,
            structure,
            lit_by: 0,
            drawn: 0,
        })
    }

    fn is_of(&self, cell: &EnvCell) -> bool {
        self.frame == cell.position.frame
            && self.surfaces == cell.surfaces
            && self.structure == (cell.structure.environment, cell.structure.key)
    }
}

/// A structure's mesh where a cell puts it.
fn place(mesh: &Mesh, frame: &Frame) -> Mesh {
    let snap = |v: f32| libm::rintf(v * GRID) / GRID;
    let mut placed = mesh.clone();
    for vertex in &mut placed.vertices {
        let p = frame.apply(vertex.position);
        vertex.position = Vec3::new(snap(p.x), snap(p.y), snap(p.z));
        vertex.normal = frame.rotate(vertex.normal);
    }
    placed.sphere.center = frame.apply(mesh.sphere.center);
    placed
}

impl Pass<'_> {
    /// The walls of a cell: static lights are in their vertices, the others shine on all of it.
    /// Retail: `RenderDevice::DrawEnvCell`. Spec: render-data §3.5, §12.4.
    pub(super) fn cell(&mut self, id: CellId) {
        let Some(cell) = self.scene.world.env_cell(id) else { return };
        let cells = &mut self.builder.cells;
        let known = cells.dressed.get(&id);
        if !matches!(known, Some(Some(dressed)) if dressed.is_of(cell)) && !matches!(known, Some(None)) {
            let reuse = known.and_then(|d| d.as_ref()).map(|d| d.mesh).or_else(|| cells.spare.pop());
            let (dressed, is_sure) = self.assets.surely(|assets| Dressed::new(assets, cell, reuse));
            if dressed.is_none() {
                cells.spare.extend(reuse);
            }
            if is_sure {
                cells.dressed.insert(id, dressed);
            } else {
                cells.dressed.remove(&id);
            }
        }
        let Some(Some(dressed)) = cells.dressed.get_mut(&id) else { return };
        dressed.drawn = cells.frame;
        let version = self.builder.lights.version;
        if dressed.lit_by != version {
            dressed.lit_by = version;
            cells.lights.clear();
            cells.lights.extend(self.builder.lights.fixed_in(id));
            for vertex in self.assets.mesh_vertices_mut(dressed.mesh) {
                let [r, g, b] = baked(&cells.lights, vertex.position, vertex.normal);
                vertex.glow = [r, g, b, 255];
            }
        }
        let mesh = dressed.mesh;
        let materials = std::mem::take(&mut dressed.materials);
        let list = &mut self.builder.list;
        let start = list.lights.len() as u32;
        list.lights.extend(self.builder.lights.moving());
        let lights = start..list.lights.len() as u32;
        let lighting = self.lighting(Lighting::Points { ambient: self.ambient, lights });
        let look = SubsetStyle {
            takes_luminosity: false,
            textured_only: true,
            bounds: self.builder.bounds.get(id, self.from_viewer),
            what: DrawKind::Cell,
            ..SubsetStyle::new(Transform::at(self.offset_of(id)), lighting)
        };
        self.subsets(mesh, Some(&materials), &look);
        if let Some(Some(dressed)) = self.builder.cells.dressed.get_mut(&id) {
            dressed.materials = materials;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cpu::CpuRenderer,
        frame::{Atmosphere, FrameBuilder, FrameInput},
        mesh::Vertex,
        stage::Stage,
    };
    use std::sync::Arc;
    use threshold_dat::container::DatFile;
    use threshold_view::{FramePlan, Lens, Options, Planner, Viewer};
    use threshold_world::{Library, Position, Quat, World, load_all, source::DatSource};

    /// The sample world's rooms, seen by a builder with some limits.
    struct Rooms {
        world: World,
        assets: Assets,
        builder: FrameBuilder,
    }

    impl Rooms {
        fn new(sample: &threshold_sample::SampleWorld, limits: Limits) -> Rooms {
            let file = |bytes: &Vec<u8>| DatFile::from_bytes(bytes.clone()).unwrap();
            let source = DatSource::new(file(&sample.portal), file(&sample.cell)).unwrap();
            let library = Arc::new(Library::new(Arc::new(source)));
            let (world, _) = load_all(&library).unwrap();
            let mut builder = FrameBuilder::new();
            (builder.cells.limits, builder.cells.allowed) = (limits, limits.cells);
            Rooms { world, assets: Assets::new(library), builder }
        }

        fn look(&mut self, place: &Position) -> Vec<u8> {
            let mut position = *place;
            position.frame.origin.z += 1.5;
            let lens = Lens::new(1.0, 96, 54).unwrap();
            let viewer = Viewer { position, lens, player_cell: position.cell };
            let (stage, mut plan) = (Stage::new(), FramePlan::default());
            Planner::new(Options::default()).plan(&self.world, &stage, &viewer, &mut plan);
            let atmosphere = Atmosphere::at(None, 0.0);
            let (world, stage) = (&self.world, &stage);
            let scene = FrameInput { plan: &plan, world, stage, atmosphere: &atmosphere, player: position };
            let list = self.builder.build(&scene, &mut self.assets);
            let mut renderer = CpuRenderer::new(96, 54);
            renderer.draw(list, &self.assets);
            let mut rgba = Vec::new();
            renderer.picture().copy_rgba(&mut rgba);
            rgba
        }
    }

    #[test]
    fn cells_that_are_forgotten_come_back_as_they_were() {
        let sample = threshold_sample::build().unwrap();
        let indoors: Vec<Position> =
            sample.places.iter().map(|place| place.position).filter(|p| p.cell.is_interior()).collect();
        assert!(indoors.len() > 5);
        let mut plenty = Rooms::new(&sample, LIMITS);
        let mut nothing = Rooms::new(&sample, Limits { cells: 0, frames: 0 });
        for place in indoors.iter().chain(&indoors) {
            assert!(plenty.look(place) == nothing.look(place), "{place}");
        }
        let (all, some) = (plenty.builder.cells.dressed.len(), nothing.builder.cells.dressed.len());
        assert!(some < all, "{some} of {all} cells are kept");
        assert!(nothing.assets.mesh_count() < plenty.assets.mesh_count(), "meshes are used again");
    }

    #[test]
    fn a_corner_that_two_cells_share_is_the_same_to_the_bit() {
        let corner = Vec3::new(37.3, 81.85, 12.05);
        let through = |frame: Frame| {
            let vertex = Vertex { position: frame.apply_inverse(corner), ..Vertex::default() };
            place(&Mesh { vertices: vec![vertex], ..Mesh::default() }, &frame).vertices[0].position
        };
        let straight = through(Frame::at(Vec3::new(30.0, 80.0, 12.0)));
        for heading in [90.0, 180.0, 270.0, 45.0] {
            let turned = through(Frame::new(Vec3::new(41.0, 77.7, 9.3), Quat::from_heading(heading)));
            assert_eq!(turned.to_array().map(f32::to_bits), straight.to_array().map(f32::to_bits));
        }
        assert!((straight - corner).abs().max_element() < 1.0 / GRID);
    }
}
