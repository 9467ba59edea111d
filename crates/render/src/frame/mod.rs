//! From a frame plan to a draw list: what each step means in triangles, textures and light.
//!
//! The order is the plan's. Only the two lists of transparent surfaces are deferred, until the plan's flushes
//! empty them. Spec: visibility §8–12, render-data §3.4.

mod bounds;
mod cells;
mod ground;
mod lights;
mod sky;

use crate::{
    assets::{Assets, Material, MaterialIndex, MeshIndex},
    draw::{Draw, DrawKind, DrawList, Fog, Instance, Item, Lighting, Transform},
    light::INTERIOR_AMBIENT,
    material::List,
    raster::{Depth, Rect},
    sky::{Daylight, Moment},
    stage::{PartDraw, Stage},
    texture::pack,
};
use bounds::{CellBounds, of_views};
use cells::Cells;
use glam::{Vec2, Vec3};
use ground::Grounds;
use lights::KeptLights;
use threshold_dat::records::{Color, DayGroup, Region};
use threshold_view::{FloodSource, FramePlan, LightSet, Part, Projection, Step};
use threshold_world::{CellId, Position, World, coords::block_offset, geometry::Sphere};

/// Entries of a deferred list; what comes after is dropped. Spec: visibility §1.
const DEFERRED_MAX: usize = 3000;

/// Sky, light and fog of a moment.
#[derive(Clone, Debug)]
pub struct Atmosphere {
    /// The moment.
    pub moment: Moment,
    /// Light and fog.
    pub daylight: Daylight,
    /// Number of the day group.
    pub group: usize,
    /// Seconds, for moving sky objects.
    pub seconds: f64,
}

impl Atmosphere {
    /// The sky at a moment, given in seconds of game time.
    pub fn at(region: Option<&Region>, ticks: f64) -> Atmosphere {
        let moment = match region {
            Some(region) => Moment::at(ticks, &region.time),
            None => Moment { year: 0, day: 0, fraction: 0.5 },
        };
        Atmosphere::of(region, moment, ticks)
    }

    /// The same for a moment of the calendar.
    pub fn of(region: Option<&Region>, moment: Moment, seconds: f64) -> Atmosphere {
        let days = region.map_or(360, |region| region.time.days_per_year);
        let count = region.and_then(|region| region.sky.as_ref()).map_or(0, |sky| sky.day_groups.len());
        let mut atmosphere = Atmosphere {
            moment,
            daylight: Daylight::default(),
            group: moment.day_group(days, count),
            seconds,
        };
        let keys = atmosphere.day_group(region).and_then(|g| crate::sky::Keyframes::at(g, moment.fraction));
        if let Some(keys) = keys {
            atmosphere.daylight = keys.daylight();
        }
        atmosphere
    }

    fn day_group<'a>(&self, region: Option<&'a Region>) -> Option<&'a DayGroup> {
        region?.sky.as_ref()?.day_groups.get(self.group)
    }
}

/// The input of a frame.
#[derive(Clone, Copy)]
pub struct FrameInput<'a> {
    /// The frame plan.
    pub plan: &'a FramePlan,
    /// The cells.
    pub world: &'a World,
    /// The objects in them.
    pub stage: &'a Stage,
    /// Sky, light and fog.
    pub atmosphere: &'a Atmosphere,
    /// Where the player is: decides the ambient light, and carries the lamp.
    pub player: Position,
}

/// Makes draw lists, and keeps data that frames can share.
#[derive(Default)]
pub struct FrameBuilder {
    list: DrawList,
    cells: Cells,
    grounds: Grounds,
    lights: KeptLights,
    bounds: CellBounds,
    clip: Vec<Draw>,
    alpha: Vec<Draw>,
}

/// A packed opaque colour.
fn packed(color: Color) -> u32 {
    pack(color.red, color.green, color.blue, 255)
}

impl FrameBuilder {
    /// A builder without memory of earlier frames.
    pub fn new() -> FrameBuilder {
        FrameBuilder::default()
    }

    /// The draw list of a frame.
    pub fn build(&mut self, scene: &FrameInput, assets: &mut Assets) -> &DrawList {
        self.list.clear();
        self.clip.clear();
        self.alpha.clear();
        assets.retry();
        self.cells.begin_frame(assets);
        let under_sky = sees_sky(scene.world, scene.player.cell);
        let daylight = &scene.atmosphere.daylight;
        self.list.projection = scene.plan.projection;
        self.list.fog_color = packed(daylight.fog_color);
        // Where the landscape is not kept there is neither fog nor anything but darkness behind the walls.
        self.list.background = if under_sky { self.list.fog_color } else { pack(0, 0, 0, 255) };
        self.list.fog = daylight.fog.filter(|_| under_sky).map(|(begin, end)| Fog { begin, end });
        if let Some(projection) = scene.plan.projection {
            let viewer = projection.block.cell(0);
            self.lights.collect(scene, viewer);
            self.bounds.survey(scene.plan);
            let mut pass = Pass::new(self, scene, assets, projection, under_sky);
            scene.plan.steps.iter().for_each(|step| pass.step(step));
        }
        &self.list
    }

    /// The last draw list.
    pub fn list(&self) -> &DrawList {
        &self.list
    }
}

/// Whether the landscape is kept while the player is in a cell. Spec: render-data §12.2, visibility §13.
fn sees_sky(world: &World, cell: CellId) -> bool {
    cell.is_outdoor() || world.env_cell(cell).is_none_or(|cell| cell.seen_outside)
}

/// One walk over the steps of a plan.
struct Pass<'a> {
    builder: &'a mut FrameBuilder,
    scene: &'a FrameInput<'a>,
    assets: &'a mut Assets,
    projection: Projection,
    /// Ambient light of meshes.
    ambient: Vec3,
    set: LightSet,
    /// Entry of the list for meshes under the sun.
    sun: u32,
    /// Whether the resolutions of all blocks are known.
    surveyed: bool,
    /// Pixels that what is drawn now can show in.
    bounds: Rect,
    /// The cells that are drawn now were reached from the viewer's own.
    from_viewer: bool,
}

impl<'a> Pass<'a> {
    fn new(
        builder: &'a mut FrameBuilder,
        scene: &'a FrameInput<'a>,
        assets: &'a mut Assets,
        projection: Projection,
        under_sky: bool,
    ) -> Pass<'a> {
        let daylight = &scene.atmosphere.daylight;
        let ambient = if under_sky { daylight.mesh_ambient() } else { Vec3::splat(INTERIOR_AMBIENT) };
        let sun = Lighting::Sun { ambient, sun: daylight.sun, sun_color: daylight.sun_color };
        builder.list.lightings.push(sun);
        Pass {
            builder,
            scene,
            assets,
            projection,
            ambient,
            set: LightSet::Sun,
            sun: 0,
            surveyed: false,
            bounds: Rect::ALL,
            from_viewer: false,
        }
    }

    fn step(&mut self, step: &Step) {
        let plan = self.scene.plan;
        match *step {
            Step::Lights { set } => self.set = set,
            // Seen from inside, the landscape shows in the exits only: the rest is covered by walls.
            Step::Landscape { views } => self.bounds = of_views(plan, views),
            Step::AdvanceStamp => self.bounds = Rect::ALL,
            Step::FloodBegin { flood } => {
                let flood = plan.floods.get(flood as usize);
                self.from_viewer = flood.is_some_and(|flood| flood.source == FloodSource::Viewer);
            }
            Step::FloodEnd => self.from_viewer = false,
            Step::Sky => self.sky(false),
            Step::Weather => self.sky(true),
            Step::Terrain { block, side, cell, triangles } => self.terrain(block, side, cell, triangles),
            Step::Punch { aperture } => {
                let corners = self.corners(aperture);
                self.builder.list.items.push(Item::Punch(corners));
            }
            Step::Seal { aperture } => {
                let corners = self.corners(aperture);
                self.builder.list.items.push(Item::Seal(corners));
            }
            Step::Cell { id, .. } => self.cell(id),
            Step::Objects { parts, .. } => {
                for part in &plan.parts[parts.range()] {
                    self.part(part);
                }
            }
            Step::BuildingShell { building } => self.shell(building),
            Step::FlushAlpha { threshold } => self.flush(threshold),
            Step::ClearDepth => self.builder.list.items.push(Item::ClearDepth),
            Step::BeginFrame | Step::BuildingBegin { .. } | Step::EndFrame => {}
        }
    }

    /// From a block's coordinates to the viewer's.
    fn offset_of(&self, cell: CellId) -> Vec3 {
        block_offset(self.projection.block.cell(0), cell)
    }

    fn corners(&mut self, aperture: u32) -> std::ops::Range<u32> {
        let corners = &mut self.builder.list.corners;
        let start = corners.len() as u32;
        if let Some(aperture) = self.scene.plan.apertures.get(aperture as usize) {
            let clipped = &self.scene.plan.clipped[aperture.clipped.range()];
            corners.extend(clipped.iter().map(|c| Vec3::new(c.x, c.y, c.w)));
        }
        start..corners.len() as u32
    }

    fn instance(&mut self, instance: Instance) -> u32 {
        self.builder.list.instances.push(instance);
        self.builder.list.instances.len() as u32 - 1
    }

    fn lighting(&mut self, lighting: Lighting) -> u32 {
        self.builder.list.lightings.push(lighting);
        self.builder.list.lightings.len() as u32 - 1
    }

    /// Draws a deferred list when one is full enough. Retail: `D3DPolyRender::FlushAlphaList`.
    fn flush(&mut self, threshold: f32) {
        let FrameBuilder { list, clip, alpha, .. } = &mut *self.builder;
        let enough = |len: usize| len as f32 >= threshold * DEFERRED_MAX as f32;
        if enough(clip.len()) || enough(alpha.len()) {
            list.items.extend(clip.drain(..).map(Item::Draw));
            list.items.extend(alpha.drain(..).map(Item::Draw));
        }
    }

    fn submit(&mut self, mut draw: Draw, list: List) {
        draw.bounds = draw.bounds.within(self.bounds);
        let deferred = match list {
            List::Now => return self.builder.list.items.push(Item::Draw(draw)),
            List::Clip => &mut self.builder.clip,
            List::Alpha => &mut self.builder.alpha,
        };
        if deferred.len() < DEFERRED_MAX {
            deferred.push(draw);
        }
    }

    /// The subsets of a mesh, each with its material, at one place.
    fn subsets(&mut self, mesh: MeshIndex, materials: Option<&[MaterialIndex]>, look: &SubsetStyle) {
        let mut plain = None;
        for i in 0..self.assets.mesh(mesh).mesh.subsets.len() {
            let asset = self.assets.mesh(mesh);
            let subset = &asset.mesh.subsets[i];
            let list = materials.unwrap_or(&asset.materials);
            let Some(&index) = list.get(usize::from(subset.surface)) else { continue };
            let (vertices, indices) = (subset.vertices.clone(), subset.indices.clone());
            let address = subset.address;
            let material: Material = *self.assets.material(index);
            if look.textured_only && !material.textured {
                continue;
            }
            let style = match look.translucency {
                Some(translucency) => material.style.faded(translucency),
                None => Some(material.style),
            };
            let Some(style) = style else { continue };
            let emissive = if !look.takes_luminosity {
                0.0
            } else if material.luminosity > 0.0 {
                material.luminosity
            } else {
                look.luminosity
            };
            // Most subsets share the instance.
            let instance = match plain {
                Some((instance, e)) if e == emissive => instance,
                _ => {
                    let instance = self.instance(Instance {
                        transform: look.transform,
                        lighting: look.lighting,
                        emissive,
                        diffuse: look.diffuse,
                        uv_scale: 1.0,
                        uv_offset: look.uv_offset,
                    });
                    plain = Some((instance, emissive));
                    instance
                }
            };
            let mut state = style.state;
            state.address = address;
            let mut when = style.list;
            if look.what == DrawKind::Sky {
                state.depth = Depth::Ignore;
                state.fog = false;
                when = List::Now;
            }
            let texture = material.texture;
            let (bounds, what) = (look.bounds, look.what);
            self.submit(Draw { mesh, vertices, indices, instance, texture, state, bounds, what }, when);
        }
    }

    /// The light on something indoors: the lights that reach its sphere.
    fn points(&mut self, sphere: &Sphere) -> u32 {
        let FrameBuilder { list, lights, .. } = &mut *self.builder;
        let start = list.lights.len() as u32;
        list.lights.extend(lights.reaching(sphere));
        let end = list.lights.len() as u32;
        self.lighting(Lighting::Points { ambient: self.ambient, lights: start..end })
    }

    fn part(&mut self, part: &Part) {
        let stage = self.scene.stage;
        let Some(draw) = stage.part(part.object, part.part) else { return };
        let Some(mesh) = draw.level.mesh else { return };
        let offset = self.offset_of(draw.cell);
        let PartDraw { frame, scale, translucency, luminosity, diffuse, uv_offset, materials, .. } = draw;
        let lighting = match self.set {
            LightSet::Sun => self.sun,
            LightSet::Cells => {
                let largest = scale.abs().max_element();
                let sphere = draw.level.sphere;
                let center = frame.apply(sphere.center * largest) + offset;
                self.points(&Sphere { center, radius: sphere.radius * largest })
            }
        };
        let look = SubsetStyle {
            translucency: (translucency > 0.0).then_some(translucency),
            luminosity: luminosity.unwrap_or(0.0),
            diffuse: diffuse.unwrap_or(1.0),
            uv_offset,
            ..SubsetStyle::new(Transform::new(&frame, scale, offset), lighting)
        };
        self.subsets(mesh, materials, &look);
    }

    /// The shell of a building: its first part, without what has no texture. Spec: render-data §3.6, §7.
    fn shell(&mut self, building: u32) {
        let Some(seen) = self.scene.plan.buildings.get(building as usize) else { return };
        let block = self.scene.world.landscape(seen.cell.block());
        let Some(building) = block.and_then(|b| b.buildings.get(usize::from(seen.index))) else { return };
        let Some(mesh) = self.assets.model_mesh(seen.mesh) else { return };
        let part = building.model.as_ref().and_then(|model| model.parts.first());
        let frame = building.position.frame;
        let frame = part.map_or(frame, |part| frame.compose(&part.frame));
        let scale = part.map_or(Vec3::ONE, |part| part.scale);
        let offset = self.offset_of(building.position.cell);
        let look = SubsetStyle {
            textured_only: true,
            what: DrawKind::Shell,
            ..SubsetStyle::new(Transform::new(&frame, scale, offset), self.sun)
        };
        self.subsets(mesh, None, &look);
    }
}

/// How the subsets of one mesh are drawn.
struct SubsetStyle {
    transform: Transform,
    lighting: u32,
    translucency: Option<f32>,
    luminosity: f32,
    diffuse: f32,
    uv_offset: Vec2,
    takes_luminosity: bool,
    textured_only: bool,
    bounds: Rect,
    what: DrawKind,
}

impl SubsetStyle {
    fn new(transform: Transform, lighting: u32) -> SubsetStyle {
        SubsetStyle {
            transform,
            lighting,
            translucency: None,
            luminosity: 0.0,
            diffuse: 1.0,
            uv_offset: Vec2::ZERO,
            takes_luminosity: true,
            textured_only: false,
            bounds: Rect::ALL,
            what: DrawKind::Object,
        }
    }
}
