//! A map as large as the game's, of hills alone, made up record by record.

use std::{borrow::Cow, ops::RangeInclusive};
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{DatRecord, LandBlock, LandHeights, Region},
};
use threshold_world::{
    REGION,
    source::{Listing, Source},
};

/// Blocks a side of the game's map.
pub(crate) const SIDE: u32 = 255;

/// So many blocks a side, from the south-west corner.
pub(crate) struct Hills {
    pub(crate) side: u32,
}

impl Hills {
    fn has(&self, id: DatId) -> bool {
        id.0 & 0xFFFF == 0xFFFF && id.0 >> 24 < self.side && (id.0 >> 16 & 0xFF) < self.side
    }
}

impl Source for Hills {
    fn record(&self, scheme: IdScheme, id: DatId) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let bytes = match scheme {
            IdScheme::Cell if self.has(id) => {
                let mut block = LandBlock::default();
                block.heights.iter_mut().enumerate().for_each(|(i, h)| *h = (i * i % 7) as u8);
                block.encode(id)?
            }
            IdScheme::Portal if id == REGION => {
                let mut region = Region::default();
                region.land.heights = LandHeights(Box::new(std::array::from_fn(|i| i as f32 * 2.0)));
                region.encode(id)?
            }
            _ => return Ok(None),
        };
        Ok(Some(Cow::Owned(bytes)))
    }

    fn ids(&self, scheme: IdScheme, range: RangeInclusive<DatId>) -> Result<Listing, Error> {
        let (first, last) = (range.start().0 >> 16, range.end().0 >> 16);
        let blocks = (first..=last).map(|block| DatId(block << 16 | 0xFFFF));
        let ids = blocks.filter(|id| scheme == IdScheme::Cell && self.has(*id) && range.contains(id));
        Ok(ids.collect::<Vec<_>>().into())
    }
}
