//! The layouts of single values, and the macro for fields that simply follow each other.

use super::{Codec, Layout, Result};
use crate::{Guid, error::Reason};
use threshold_dat::{DatId, records::Text};
use threshold_world::CellId;

/// Defines a struct whose fields are sent one after the other in the order of declaration.
macro_rules! layout_struct {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::codec::Layout for $name {
            const MIN: usize = 0 $(+ <$type as $crate::codec::Layout>::MIN)*;

            #[inline]
            fn layout<C: $crate::codec::Codec>(&mut self, c: &mut C, _: &'static str) -> $crate::codec::Result<()> {
                $(c.value(&mut self.$field, stringify!($field))?;)*
                Ok(())
            }
        }
    )*};
}
pub(crate) use layout_struct;

macro_rules! number {
    ($($type:ty: $valid:expr,)*) => {$(
        impl Layout for $type {
            const MIN: usize = size_of::<$type>();

            #[inline]
            fn layout<C: Codec>(&mut self, c: &mut C, field: &'static str) -> Result<()> {
                let mut bytes = self.to_le_bytes();
                c.raw(&mut bytes, field)?;
                *self = <$type>::from_le_bytes(bytes);
                let valid: fn(&$type) -> bool = $valid;
                if valid(self) { Ok(()) } else { Err(c.fault(Reason::Value, field)) }
            }
        }
    )*};
}
number! {
    u8: |_| true,
    u16: |_| true,
    u32: |_| true,
    u64: |_| true,
    f32: |number| number.is_finite(),
    f64: |number| number.is_finite(),
}

macro_rules! newtype {
    ($($type:ty),*) => {$(
        impl Layout for $type {
            const MIN: usize = 4;

            #[inline]
            fn layout<C: Codec>(&mut self, c: &mut C, field: &'static str) -> Result<()> {
                c.value(&mut self.0, field)
            }
        }
    )*};
}
newtype!(Guid, DatId, CellId);

impl<const N: usize> Layout for [f32; N]
where
    [f32; N]: Default,
{
    const MIN: usize = 4 * N;

    #[inline]
    fn layout<C: Codec>(&mut self, c: &mut C, field: &'static str) -> Result<()> {
        self.iter_mut().try_for_each(|number| c.value(number, field))
    }
}

impl Layout for Text {
    const MIN: usize = 2;

    fn layout<C: Codec>(&mut self, c: &mut C, field: &'static str) -> Result<()> {
        c.text(self, field)
    }
}
