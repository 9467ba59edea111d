//! Vertices and polygons, as models and structures share them. Spec: dat-portal §1, §2.

use super::Vec3;
use crate::codec::{Reader, Result, Wire, Writer};
#[cfg(feature = "serde")]
use serde::Serialize;

/// Finds an element by its stored key; the first one counts when a key occurs twice.
///
/// Takes time in proportion to the list; to look up many, use a [`KeyIndex`].
pub fn find_by_key<T>(list: &[(u16, T)], key: u16) -> Option<&T> {
    list.iter().find(|(stored, _)| *stored == key).map(|(_, element)| element)
}

/// Positions by stored key, for looking up many.
#[derive(Debug, Clone)]
pub enum KeyIndex {
    /// Keys are positions, as they normally are; holds the number of elements.
    Positions(usize),
    /// Keys with their positions, ascending, each key once.
    Sorted(Vec<(u16, u32)>),
}

impl KeyIndex {
    /// Indexes a list; the first element counts when a key occurs twice.
    pub fn new<T>(list: &[(u16, T)]) -> Self {
        if list.iter().enumerate().all(|(position, (key, _))| position == usize::from(*key)) {
            return KeyIndex::Positions(list.len());
        }
        let mut keys: Vec<(u16, u32)> =
            list.iter().zip(0..).map(|((key, _), position)| (*key, position)).collect();
        keys.sort_unstable();
        keys.dedup_by_key(|(key, _)| *key);
        KeyIndex::Sorted(keys)
    }

    /// Where in the list the element with this key is.
    pub fn position(&self, key: u16) -> Option<usize> {
        match self {
            KeyIndex::Positions(len) => Some(usize::from(key)).filter(|position| position < len),
            KeyIndex::Sorted(keys) => {
                let found = keys.binary_search_by_key(&key, |(key, _)| *key).ok()?;
                keys.get(found).map(|(_, position)| *position as usize)
            }
        }
    }
}

/// A corner, with the texture coordinates its polygons choose from.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Vertex {
    /// Where it is.
    pub origin: Vec3,
    /// For lighting; as stored, possibly zero or not finite.
    pub normal: Vec3,
    /// (u, v) pairs; empty on vertices that only collision uses.
    pub uvs: Vec<[f32; 2]>,
}

impl Wire for Vertex {
    const MIN: usize = 26;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let uv_count: u16 = r.read("vertex uv count")?;
        let origin = r.finite("vertex origin")?;
        let normal_at = r.pos();
        let normal: Vec3 = r.floats("vertex normal")?;
        if normal == [0.0; 3] || !normal.iter().all(|value| value.is_finite()) {
            r.repair("vertex normal", normal_at, || {
                format!("{normal:?} is no direction; straight up is used")
            })?;
        }
        let uvs_at = r.pos();
        let stored = r.slice(8 * usize::from(uv_count), "vertex uvs")?.as_chunks().0;
        let float = |bytes: [u8; 4]| f32::from_le_bytes(bytes);
        let uvs: Vec<[f32; 2]> = stored
            .iter()
            .map(|&[a, b, c, d, e, f, g, h]| [float([a, b, c, d]), float([e, f, g, h])])
            .collect();
        if !uvs.as_flattened().iter().all(|value| value.is_finite()) {
            r.repair("vertex uvs", uvs_at, || "not all are finite numbers; 0 is used for others".to_owned())?;
        }
        Ok(Vertex { origin, normal, uvs })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.count_as::<u16>(self.uvs.len(), "vertex uv count")?;
        w.write(&self.origin, "vertex origin")?;
        w.write(&self.normal, "vertex normal")?;
        w.elements(&self.uvs, "vertex uv")
    }
}

/// Vertices under their keys, in stored order.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct VertexArray {
    /// Keys normally run 0, 1, 2 …, but need not.
    pub vertices: Vec<(u16, Vertex)>,
}

impl VertexArray {
    /// The only vertex type there is.
    const TYPE: i32 = 1;
    /// Keys are 16 bits wide.
    const MAX: usize = 1 << 16;

    /// The vertex stored under a key, by a search through all; see [`KeyIndex`] for many.
    pub fn get(&self, key: u16) -> Option<&Vertex> {
        find_by_key(&self.vertices, key)
    }
}

impl Wire for VertexArray {
    const MIN: usize = 8;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let vertex_type: i32 = r.read("vertex type")?;
        if vertex_type != VertexArray::TYPE {
            return Err(r.error("vertex type", offset, format!("is {vertex_type}, only 1 is known")));
        }
        let count = r.count(<(u16, Vertex)>::MIN, "vertex count")?;
        if count > VertexArray::MAX {
            return Err(r.error("vertex count", offset + 4, format!("{count} are more than there are keys")));
        }
        let vertices: Vec<(u16, Vertex)> = r.elements(count, |r| r.read("vertex"))?;
        r.note_duplicates("vertex key", offset, vertices.iter().map(|(key, _)| *key));
        Ok(VertexArray { vertices })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        if self.vertices.len() > VertexArray::MAX {
            return Err(
                w.error("vertex count", format!("{} are more than there are keys", self.vertices.len()))
            );
        }
        w.write(&VertexArray::TYPE, "vertex type")?;
        w.write(&self.vertices, "vertices")
    }
}

/// A convex face; counter-clockwise seen from its positive side.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Polygon {
    /// Bits, see the constants.
    pub stippling: u8,
    /// 0 one-sided, 1 two-sided with one surface, 2 two-sided with two surfaces.
    pub sides: i32,
    /// Position in the owner's surface list; negative for none.
    pub pos_surface: i16,
    /// The same for the other side.
    pub neg_surface: i16,
    /// Vertex keys.
    pub vertices: Vec<u16>,
    /// For each vertex which of its texture coordinates; empty with [`Polygon::NO_POS_UVS`].
    pub pos_uvs: Vec<u8>,
    /// The same for the other side; stored only with `sides` = 2 and without [`Polygon::NO_NEG_UVS`].
    pub neg_uvs: Vec<u8>,
}

impl Polygon {
    /// The positive side has no texture coordinates.
    pub const NO_POS_UVS: u8 = 4;
    /// The negative side has no texture coordinates.
    pub const NO_NEG_UVS: u8 = 8;

    fn has_pos_uvs(&self) -> bool {
        self.stippling & Self::NO_POS_UVS == 0
    }

    fn has_neg_uvs(&self) -> bool {
        self.sides == 2 && self.stippling & Self::NO_NEG_UVS == 0
    }

    fn write_uvs(&self, uvs: &[u8], stored: bool, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        let expected = if stored { self.vertices.len() } else { 0 };
        if uvs.len() != expected {
            return Err(w.error(field, format!("{} indices where {expected} are stored", uvs.len())));
        }
        w.raw(uvs);
        Ok(())
    }
}

impl Wire for Polygon {
    const MIN: usize = 10;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let [vertex_count, stippling] = r.chunk("polygon vertex count")?;
        let sides_at = r.pos();
        let mut polygon = Polygon {
            stippling,
            sides: r.read("polygon sides")?,
            pos_surface: r.read("polygon surface")?,
            neg_surface: r.read("polygon surface")?,
            ..Polygon::default()
        };
        if !(0..=3).contains(&polygon.sides) {
            r.note("polygon sides", sides_at, || format!("{} is unknown, drawn as one-sided", polygon.sides));
        }
        let count = usize::from(vertex_count);
        let keys = r.slice(2 * count, "polygon vertices")?;
        polygon.vertices = keys.as_chunks().0.iter().map(|key| u16::from_le_bytes(*key)).collect();
        if polygon.has_pos_uvs() {
            polygon.pos_uvs = r.slice(count, "polygon uv indices")?.to_vec();
        }
        if polygon.has_neg_uvs() {
            polygon.neg_uvs = r.slice(count, "polygon uv indices")?.to_vec();
        }
        Ok(polygon)
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.count_as::<u8>(self.vertices.len(), "polygon vertex count")?;
        w.write(&self.stippling, "polygon stippling")?;
        w.write(&self.sides, "polygon sides")?;
        w.write(&self.pos_surface, "polygon surface")?;
        w.write(&self.neg_surface, "polygon surface")?;
        w.elements(&self.vertices, "polygon vertices")?;
        self.write_uvs(&self.pos_uvs, self.has_pos_uvs(), w, "polygon uv indices")?;
        self.write_uvs(&self.neg_uvs, self.has_neg_uvs(), w, "polygon uv indices")
    }
}

/// Reads `count` polygons with their ids; each should use vertices that exist.
pub(crate) fn read_polygons(
    r: &mut Reader<'_>,
    count: usize,
    vertices: &VertexArray,
    field: &'static str,
) -> Result<Vec<(u16, Polygon)>> {
    let start = r.pos();
    let known = r.examines().then(|| KeyIndex::new(&vertices.vertices));
    let polygons = r.elements(count, |r| {
        let offset = r.pos();
        let (id, polygon): (u16, Polygon) = r.read(field)?;
        if let Some(known) = &known
            && let Some(missing) = polygon.vertices.iter().find(|key| known.position(**key).is_none())
        {
            r.repair(field, offset, || {
                format!(
                    "polygon {id} uses vertex {missing}, which does not exist; the polygon cannot be used"
                )
            })?;
        }
        Ok((id, polygon))
    })?;
    r.note_duplicates("polygon id", start, polygons.iter().map(|(id, _)| *id));
    Ok(polygons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::testing::wire;

    #[test]
    fn a_vertex_has_its_documented_bytes() {
        let (key, vertex): (u16, Vertex) = wire(
            "00 00 01 00 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00
             00 00 80 3F",
        );
        assert_eq!(key, 0);
        let expected = Vertex { origin: [1.0, 0.0, 0.0], normal: [0.0, 0.0, 1.0], uvs: vec![[0.0, 1.0]] };
        assert_eq!(vertex, expected);
    }

    #[test]
    fn polygons_store_uvs_only_where_they_have_them() {
        let triangle = "00 00 03 00 00 00 00 00 00 00 FF FF 00 00 01 00 02 00 00 00 00";
        let expected = Polygon {
            pos_surface: 0,
            neg_surface: -1,
            vertices: vec![0, 1, 2],
            pos_uvs: vec![0, 0, 0],
            ..Polygon::default()
        };
        assert_eq!(wire::<(u16, Polygon)>(triangle), (0, expected));

        let portal = "05 00 04 04 00 00 00 00 FF FF FF FF 04 00 05 00 06 00 07 00";
        let expected = Polygon {
            stippling: Polygon::NO_POS_UVS,
            pos_surface: -1,
            neg_surface: -1,
            vertices: vec![4, 5, 6, 7],
            ..Polygon::default()
        };
        assert_eq!(wire::<(u16, Polygon)>(portal), (5, expected));

        let two_sided = "07 00 03 00 02 00 00 00 01 00 02 00 00 00 01 00 02 00 00 01 00 02 02 02";
        let expected = Polygon {
            sides: 2,
            pos_surface: 1,
            neg_surface: 2,
            vertices: vec![0, 1, 2],
            pos_uvs: vec![0, 1, 0],
            neg_uvs: vec![2, 2, 2],
            ..Polygon::default()
        };
        assert_eq!(wire::<(u16, Polygon)>(two_sided), (7, expected));
    }

    #[test]
    fn the_first_of_two_equal_keys_counts() {
        let list = [(1, 'a'), (1, 'b'), (0, 'c')];
        assert_eq!(find_by_key(&list, 1), Some(&'a'));
        let index = KeyIndex::new(&list);
        assert_eq!([0, 1, 2].map(|key| index.position(key)), [Some(2), Some(0), None]);
        let index = KeyIndex::new(&[(0, 'a'), (1, 'b')]);
        assert_eq!([0, 1, 2].map(|key| index.position(key)), [Some(0), Some(1), None]);
    }
}
