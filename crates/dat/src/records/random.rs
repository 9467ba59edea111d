//! Random records for tests.

use super::*;
use crate::DatId;

/// A source of choices; the same seed gives the same record.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        // Spreads consecutive states over all bits (the finalizer of SplitMix64).
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn roll<T: Random>(&mut self) -> T {
        T::random(self)
    }

    fn list<T>(&mut self, len: usize, mut element: impl FnMut(&mut Dice) -> T) -> Vec<T> {
        (0..len).map(|_| element(self)).collect()
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Dice) -> T) -> Option<T> {
        if self.roll() { Some(value(self)) } else { None }
    }
}

/// Something that can be made up.
pub(crate) trait Random {
    fn random(dice: &mut Dice) -> Self;
}

macro_rules! random_integer {
    ($($type:ty),*) => {$(
        impl Random for $type {
            fn random(dice: &mut Dice) -> Self {
                match dice.below(4) {
                    0 => [0, 1, <$type>::MAX, <$type>::MIN][dice.below(4)],
                    1 => dice.below(16) as $type,
                    _ => dice.next() as $type,
                }
            }
        }
    )*};
}
random_integer!(u8, u16, u32, i16, i32);

impl Random for f32 {
    fn random(dice: &mut Dice) -> Self {
        match dice.below(3) {
            0 => [0.0, -0.0, 1.0, f32::MIN_POSITIVE / 2.0, f32::MAX][dice.below(5)],
            1 => dice.below(1000) as f32 / 8.0 - 50.0,
            _ => Some(f32::from_bits(dice.next() as u32)).filter(|value| value.is_finite()).unwrap_or(0.5),
        }
    }
}

impl Random for f64 {
    fn random(dice: &mut Dice) -> Self {
        f64::from(dice.roll::<f32>()) * 1.1
    }
}

impl Random for bool {
    fn random(dice: &mut Dice) -> Self {
        dice.below(2) == 1
    }
}

impl Random for DatId {
    fn random(dice: &mut Dice) -> Self {
        DatId(dice.roll())
    }
}

impl<T: Random, const N: usize> Random for [T; N] {
    fn random(dice: &mut Dice) -> Self {
        std::array::from_fn(|_| dice.roll())
    }
}

impl<A: Random, B: Random> Random for (A, B) {
    fn random(dice: &mut Dice) -> Self {
        (dice.roll(), dice.roll())
    }
}

impl<T: Random> Random for Vec<T> {
    fn random(dice: &mut Dice) -> Self {
        let len = dice.below(4);
        dice.list(len, Dice::roll)
    }
}

impl<T: Random> Random for Option<T> {
    fn random(dice: &mut Dice) -> Self {
        dice.maybe(Dice::roll)
    }
}

impl Random for Blob {
    fn random(dice: &mut Dice) -> Self {
        Blob(dice.roll())
    }
}

impl Random for Text {
    fn random(dice: &mut Dice) -> Self {
        let len = dice.below(9);
        Text(dice.list(len, Dice::roll))
    }
}

impl<K: Random, V: Random> Random for PackedTable<K, V> {
    fn random(dice: &mut Dice) -> Self {
        PackedTable { buckets: dice.roll(), entries: dice.roll() }
    }
}

impl Random for Frame {
    fn random(dice: &mut Dice) -> Self {
        Frame { origin: dice.roll(), rotation: dice.roll() }
    }
}

impl Random for PlacedObject {
    fn random(dice: &mut Dice) -> Self {
        PlacedObject { model: dice.roll(), frame: dice.roll() }
    }
}

impl Random for Plane {
    fn random(dice: &mut Dice) -> Self {
        Plane { normal: dice.roll(), d: dice.roll() }
    }
}

impl Random for Color {
    fn random(dice: &mut Dice) -> Self {
        Color { blue: dice.roll(), green: dice.roll(), red: dice.roll(), alpha: dice.roll() }
    }
}

impl Random for PortalFlags {
    fn random(dice: &mut Dice) -> Self {
        PortalFlags(dice.roll())
    }
}

impl Random for LandBlock {
    fn random(dice: &mut Dice) -> Self {
        LandBlock {
            has_info: dice.roll(),
            terrain: std::array::from_fn(|_| TerrainWord(dice.roll())),
            heights: dice.roll(),
        }
    }
}

impl Random for LandBlockInfo {
    fn random(dice: &mut Dice) -> Self {
        let restrictions: Option<_> = dice.roll();
        LandBlockInfo {
            cell_count: dice.below(0xFEFF) as u32,
            objects: dice.roll(),
            buildings: dice.roll(),
            pack_mask: dice.roll::<u16>() & !3 | u16::from(restrictions.is_some()),
            restrictions,
        }
    }
}

impl Random for Building {
    fn random(dice: &mut Dice) -> Self {
        Building { model: dice.roll(), frame: dice.roll(), leaf_count: dice.roll(), portals: dice.roll() }
    }
}

impl Random for BuildingPortal {
    fn random(dice: &mut Dice) -> Self {
        BuildingPortal {
            flags: dice.roll(),
            other_cell: dice.roll(),
            other_portal: dice.roll(),
            visible_cells: dice.roll(),
        }
    }
}

impl Random for EnvCell {
    fn random(dice: &mut Dice) -> Self {
        let (statics, restriction): (Vec<_>, Option<_>) = (dice.roll(), dice.roll());
        let present = u32::from(!statics.is_empty()) << 1 | u32::from(restriction.is_some()) << 3;
        EnvCell {
            flags: dice.roll::<u32>() & !0xC | present,
            surfaces: dice.roll(),
            environment: dice.roll(),
            structure: dice.roll(),
            frame: dice.roll(),
            portals: dice.roll(),
            visible_cells: dice.roll(),
            statics,
            restriction,
        }
    }
}

impl Random for Vertex {
    fn random(dice: &mut Dice) -> Self {
        Vertex { origin: dice.roll(), normal: dice.roll(), uvs: dice.roll() }
    }
}

impl Random for VertexArray {
    fn random(dice: &mut Dice) -> Self {
        VertexArray { vertices: dice.roll() }
    }
}

impl Random for Polygon {
    fn random(dice: &mut Dice) -> Self {
        let mut polygon = Polygon {
            stippling: dice.roll(),
            sides: dice.roll(),
            pos_surface: dice.roll(),
            neg_surface: dice.roll(),
            vertices: dice.roll(),
            ..Polygon::default()
        };
        let count = polygon.vertices.len();
        if polygon.stippling & Polygon::NO_POS_UVS == 0 {
            polygon.pos_uvs = dice.list(count, Dice::roll);
        }
        if polygon.sides == 2 && polygon.stippling & Polygon::NO_NEG_UVS == 0 {
            polygon.neg_uvs = dice.list(count, Dice::roll);
        }
        polygon
    }
}

fn sphere(dice: &mut Dice) -> Sphere {
    Sphere { center: dice.roll(), radius: dice.roll::<f32>().abs() }
}

/// A tree as the reader would build it: nodes before their children, lists in the order they are stored.
fn tree(dice: &mut Dice, kind: BspKind) -> BspTree {
    let mut tree = BspTree::default();
    grow(dice, kind, &mut tree, 5);
    tree
}

fn grow(dice: &mut Dice, kind: BspKind, tree: &mut BspTree, levels: usize) -> u32 {
    let index = tree.nodes.len();
    if levels == 0 || dice.below(3) == 0 {
        let mut leaf = BspLeaf { index: dice.roll(), ..BspLeaf::default() };
        if kind == BspKind::Physics {
            leaf.solid = dice.roll();
            leaf.sphere = sphere(dice);
            leaf.polygons = polygons(dice, tree);
        }
        tree.nodes.push(BspNode::Leaf(leaf));
        return index as u32;
    }
    let tag = BspTag::ALL[dice.below(BspTag::ALL.len())];
    let mut inner = BspInner { tag, plane: dice.roll(), ..BspInner::default() };
    tree.nodes.push(BspNode::Inner(inner));
    inner.positive = tag.has_positive().then(|| grow(dice, kind, tree, levels - 1));
    inner.negative = tag.has_negative().then(|| grow(dice, kind, tree, levels - 1));
    if kind == BspKind::Drawing || (kind == BspKind::Physics && tag != BspTag::Port) {
        inner.sphere = sphere(dice);
    }
    if kind == BspKind::Drawing {
        inner.polygons = polygons(dice, tree);
        let len = if tag == BspTag::Port { dice.below(3) } else { 0 };
        inner.portals = Span { start: tree.portals.len() as u32, len: len as u32 };
        tree.portals.extend(dice.list(len, Dice::roll::<BspPortal>));
    }
    tree.nodes[index] = BspNode::Inner(inner);
    index as u32
}

fn polygons(dice: &mut Dice, tree: &mut BspTree) -> Span {
    let ids: Vec<u16> = dice.roll();
    let span = Span { start: tree.polygons.len() as u32, len: ids.len() as u32 };
    tree.polygons.extend(ids);
    span
}

impl Random for CellStruct {
    fn random(dice: &mut Dice) -> Self {
        CellStruct {
            vertices: dice.roll(),
            polygons: dice.roll(),
            portals: dice.roll(),
            cell_bsp: tree(dice, BspKind::Cell),
            physics_polygons: dice.roll(),
            physics_bsp: tree(dice, BspKind::Physics),
            drawing_bsp: dice.maybe(|dice| tree(dice, BspKind::Drawing)),
        }
    }
}

impl Random for Environment {
    fn random(dice: &mut Dice) -> Self {
        Environment { structures: dice.roll() }
    }
}

impl Random for GfxObj {
    fn random(dice: &mut Dice) -> Self {
        let part = |dice: &mut Dice, kind| {
            dice.maybe(|dice| PolygonTree { polygons: dice.roll(), bsp: tree(dice, kind) })
        };
        let (physics, drawing) = (part(dice, BspKind::Physics), part(dice, BspKind::Drawing));
        let degrade: Option<DatId> = dice.roll();
        let present = u32::from(physics.is_some())
            | u32::from(drawing.is_some()) << 1
            | u32::from(degrade.is_some()) << 3;
        let surface_count = [0, 1, 5, 200][dice.below(4)];
        GfxObj {
            flags: dice.roll::<u32>() & !0xB | present,
            surfaces: dice.list(surface_count, Dice::roll),
            vertices: dice.roll(),
            physics,
            sort_center: dice.roll(),
            drawing,
            degrade,
        }
    }
}

impl Random for Hook {
    fn random(dice: &mut Dice) -> Self {
        Hook { direction: dice.roll(), action: dice.roll() }
    }
}

fn animation_frame(dice: &mut Dice, parts: usize) -> AnimationFrame {
    AnimationFrame { parts: dice.list(parts, Dice::roll), hooks: dice.roll() }
}

impl Random for Animation {
    fn random(dice: &mut Dice) -> Self {
        let (parts, frames) = (dice.below(4), dice.below(4));
        let root_frames = dice.maybe(|dice| dice.list(frames, Dice::roll));
        Animation {
            flags: dice.roll::<u32>() & !1 | u32::from(root_frames.is_some()),
            part_count: parts as u32,
            root_frames,
            frames: dice.list(frames, |dice| animation_frame(dice, parts)),
        }
    }
}

impl Random for Setup {
    fn random(dice: &mut Dice) -> Self {
        let parts = dice.below(4);
        let parents = dice.maybe(|dice| dice.list(parts, Dice::roll));
        let scales = dice.maybe(|dice| dice.list(parts, Dice::roll));
        let present = u32::from(parents.is_some()) | u32::from(scales.is_some()) << 1;
        Setup {
            flags: dice.roll::<u32>() & !3 | present,
            parts: dice.list(parts, Dice::roll),
            parents,
            scales,
            holding_locations: dice.roll(),
            connection_points: dice.roll(),
            placements: dice.list(2, |dice| (dice.roll(), animation_frame(dice, parts))),
            cylinders: dice.roll(),
            spheres: dice.roll(),
            height: dice.roll(),
            radius: dice.roll(),
            step_up: dice.roll(),
            step_down: dice.roll(),
            sorting_sphere: dice.roll(),
            selection_sphere: dice.roll(),
            lights: dice.roll(),
            defaults: dice.roll(),
        }
    }
}

impl Random for Surface {
    fn random(dice: &mut Dice) -> Self {
        let flags: u32 = dice.roll();
        let base = if flags & 6 != 0 {
            SurfaceBase::Image { texture: dice.roll(), palette: dice.roll() }
        } else {
            SurfaceBase::Solid(dice.roll())
        };
        Surface { flags, base, translucency: dice.roll(), luminosity: dice.roll(), diffuse: dice.roll() }
    }
}

impl Random for RenderSurface {
    fn random(dice: &mut Dice) -> Self {
        let known = [
            PixelFormat::A8R8G8B8,
            PixelFormat::INDEX16,
            PixelFormat::P8,
            PixelFormat::JPEG,
            PixelFormat::DXT1,
        ];
        let format = if dice.roll() { known[dice.below(known.len())] } else { PixelFormat(dice.roll()) };
        RenderSurface {
            category: dice.roll(),
            width: 1 + dice.below(8192) as i32,
            height: 1 + dice.below(8192) as i32,
            format,
            pixels: dice.roll(),
            palette: format.has_palette().then(|| dice.roll()),
        }
    }
}

impl Random for Motion {
    fn random(dice: &mut Dice) -> Self {
        let (velocity, omega): (Option<_>, Option<_>) = (dice.roll(), dice.roll());
        let present = u8::from(velocity.is_some()) | u8::from(omega.is_some()) << 1;
        Motion {
            bits: dice.roll(),
            flags: dice.roll::<u8>() & !3 | present,
            animations: dice.roll(),
            velocity,
            omega,
        }
    }
}

impl Random for MotionTable {
    fn random(dice: &mut Dice) -> Self {
        MotionTable {
            default_style: dice.roll(),
            style_defaults: dice.roll(),
            cycles: dice.roll(),
            modifiers: dice.roll(),
            links: dice.roll(),
        }
    }
}

impl Random for LandDefs {
    fn random(dice: &mut Dice) -> Self {
        LandDefs {
            blocks: [1 + dice.below(256) as i32, 1 + dice.below(256) as i32],
            square_length: 0.5 + dice.below(100) as f32,
            squares_per_block: dice.roll(),
            vertices_per_cell: dice.roll(),
            max_object_height: dice.roll(),
            sky_height: dice.roll(),
            road_width: dice.roll(),
            heights: LandHeights(Box::new(dice.roll())),
        }
    }
}

impl Random for Region {
    fn random(dice: &mut Dice) -> Self {
        let mut region = Region {
            number: dice.roll(),
            name: dice.roll(),
            land: dice.roll(),
            time: dice.roll(),
            sky: dice.roll(),
            sounds: dice.roll(),
            scene_types: dice.roll(),
            terrain_types: dice.roll(),
            textures: dice.roll(),
            misc: dice.roll(),
            parts_mask: dice.roll(),
        };
        let present = [
            (0x10, region.sky.is_some()),
            (0x1, region.sounds.is_some()),
            (0x2, region.scene_types.is_some()),
            (0x200, region.misc.is_some()),
        ];
        region.parts_mask &= !0x213;
        region.parts_mask |= present.iter().map(|(bit, there)| if *there { *bit } else { 0 }).sum::<u32>();
        region
    }
}

impl Random for Wave {
    fn random(dice: &mut Dice) -> Self {
        let len = 16 + dice.below(20);
        Wave { header: Blob(dice.list(len, Dice::roll)), data: dice.roll() }
    }
}

impl Random for SoundTable {
    fn random(dice: &mut Dice) -> Self {
        fn node(dice: &mut Dice, levels: usize) -> SoundNode {
            let count = if levels > 0 { dice.below(3) } else { 0 };
            let (key, sounds) = (dice.roll(), dice.roll());
            SoundNode { key, sounds, children: dice.list(count, |dice| node(dice, levels - 1)) }
        }
        SoundTable { root: node(dice, 4) }
    }
}

impl Random for Iteration {
    fn random(dice: &mut Dice) -> Self {
        let len = dice.below(40);
        Iteration::from_numbers(dice.list(len, |dice| dice.below(100) as i32))
    }
}
