//! A world as records in memory.

use crate::{material::Materials, store::Store};
use std::{borrow::Cow, collections::BTreeMap, ops::RangeInclusive, sync::OnceLock};
use threshold_dat::{DatId, Error, IdScheme, RecordError};
use threshold_world::source::{Listing, Source};

/// The records of a picture: its pixels, and its palette if it has one.
pub(crate) type Picture = Vec<(DatId, Vec<u8>)>;

/// The records of a world in memory, the same as in its files. A picture is painted when it is first asked for: that takes
/// longer than everything else, and most programs need few of them or none.
pub struct AuthoredSource {
    store: Store,
    materials: Materials,
    /// Records of pictures, and the texture that each belongs to.
    textures: BTreeMap<DatId, usize>,
    /// The pictures that have been painted, by texture.
    pictures: Box<[OnceLock<Result<Picture, RecordError>>]>,
}

impl AuthoredSource {
    /// Everything but pictures is in `store`.
    pub(crate) fn new(store: Store, materials: Materials) -> AuthoredSource {
        let ids =
            (0..materials.texture_count()).flat_map(|i| materials.picture_ids(i).map(move |id| (id, i)));
        let textures = ids.collect();
        let pictures = (0..materials.texture_count()).map(|_| OnceLock::new()).collect();
        AuthoredSource { store, materials, textures, pictures }
    }

    /// Paints all pictures now, on all processors, for programs in which nothing may be held up by painting one later.
    pub fn paint_all(&self) {
        for (known, picture) in self.pictures.iter().zip(self.materials.paint_all()) {
            known.get_or_init(|| picture);
        }
    }

    fn picture(&self, texture: usize) -> Result<&Picture, Error> {
        let picture = self.pictures[texture].get_or_init(|| self.materials.paint(texture));
        picture.as_ref().map_err(|error| error.clone().into())
    }
}

impl Source for AuthoredSource {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let bytes = match (scheme, self.textures.get(&id)) {
            (IdScheme::Cell, _) => self.store.cell().get(&id),
            (IdScheme::Portal, None) => self.store.portal().get(&id),
            (IdScheme::Portal, Some(&texture)) => {
                self.picture(texture)?.iter().find(|(of, _)| *of == id).map(|(_, bytes)| bytes)
            }
        };
        Ok(bytes.map(|bytes| Cow::Borrowed(bytes.as_slice())))
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        if range.is_empty() {
            return Ok(Listing::default());
        }
        let mut ids: Vec<DatId> = match scheme {
            IdScheme::Cell => self.store.cell().range(range).map(|(&id, _)| id).collect(),
            IdScheme::Portal => {
                let stored = self.store.portal().range(range.clone()).map(|(&id, _)| id);
                stored.chain(self.textures.range(range).map(|(&id, _)| id)).collect()
            }
        };
        ids.sort_unstable();
        Ok(ids.into())
    }
}
