//! Types that have one byte layout, and the macro that states a layout once for both directions.

use super::{Reader, Result, Writer};
use crate::DatId;
#[cfg(feature = "serde")]
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::fmt;

/// A value with a fixed encoding.
pub trait Wire: Sized {
    /// The fewest bytes a value takes: what a count is checked against.
    const MIN: usize;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self>;

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()>;
}

/// Defines a struct whose fields are stored one after the other in the order of declaration.
macro_rules! wire_struct {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::codec::Wire for $name {
            const MIN: usize = 0 $(+ <$type as $crate::codec::Wire>::MIN)*;

            fn read(r: &mut $crate::codec::Reader<'_>, _: &'static str) -> $crate::codec::Result<Self> {
                Ok($name { $($field: r.read(concat!(stringify!($name), ".", stringify!($field)))?,)* })
            }

            fn write(&self, w: &mut $crate::codec::Writer<'_>, _: &'static str) -> $crate::codec::Result<()> {
                $(w.write(&self.$field, concat!(stringify!($name), ".", stringify!($field)))?;)*
                Ok(())
            }
        }

        #[cfg(test)]
        impl $crate::records::random::Random for $name {
            fn random(dice: &mut $crate::records::random::Dice) -> Self {
                $name { $($field: dice.roll(),)* }
            }
        }
    };
}
pub(crate) use wire_struct;

macro_rules! wire_integer {
    ($($type:ty),*) => {$(
        impl Wire for $type {
            const MIN: usize = size_of::<$type>();

            #[inline]
            fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
                Ok(<$type>::from_le_bytes(r.chunk(field)?))
            }

            fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
                w.raw(&self.to_le_bytes());
                Ok(())
            }
        }
    )*};
}
wire_integer!(u8, u16, u32, i16, i32);

// A float that no geometry depends on: a value that is not finite is kept and reported as to be replaced.
macro_rules! wire_float {
    ($($type:ty),*) => {$(
        impl Wire for $type {
            const MIN: usize = size_of::<$type>();

            #[inline]
            fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
                let offset = r.pos();
                let value = <$type>::from_le_bytes(r.chunk(field)?);
                if !value.is_finite() {
                    r.repair(field, offset, || format!("{value} is not a finite number"))?;
                }
                Ok(value)
            }

            fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
                w.raw(&self.to_le_bytes());
                Ok(())
            }
        }
    )*};
}
wire_float!(f32, f64);

impl Wire for bool {
    const MIN: usize = 4;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        r.bool32(field)
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.bool32(*self);
        Ok(())
    }
}

impl Wire for DatId {
    const MIN: usize = 4;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        r.read(field).map(DatId)
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        self.0.write(w, field)
    }
}

impl<T: Wire + Copy + Default, const N: usize> Wire for [T; N] {
    const MIN: usize = N * T::MIN;

    #[inline]
    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let mut array = [T::default(); N];
        for slot in &mut array {
            *slot = r.read(field)?;
        }
        Ok(array)
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        w.elements(self, field)
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    const MIN: usize = A::MIN + B::MIN;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        Ok((r.read(field)?, r.read(field)?))
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        self.0.write(w, field)?;
        self.1.write(w, field)
    }
}

/// A list: a u32 count and its elements.
impl<T: Wire> Wire for Vec<T> {
    const MIN: usize = 4;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let count = r.count(T::MIN, field)?;
        r.elements(count, |r| r.read(field))
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        w.count_as::<u32>(self.len(), field)?;
        w.elements(self, field)
    }
}

/// An id stored relative to the first id of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KnownId<const BASE: u32>(pub(crate) DatId);

impl<const BASE: u32> Wire for KnownId<BASE> {
    const MIN: usize = 2;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        r.known_id(BASE, field).map(KnownId)
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        w.known_id(self.0, BASE, field)
    }
}

/// A table of the older kind: its bucket count and its entries in stored order.
///
/// The order on disk is by `key mod buckets`, then by age; readers do not depend on it, writers keep it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PackedTable<K, V> {
    /// Number of buckets the original hashed into; only kept.
    pub buckets: u16,
    /// Keys and values as stored.
    pub entries: Vec<(K, V)>,
}

impl<K: Wire, V: Wire> Wire for PackedTable<K, V> {
    const MIN: usize = 4;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let offset = r.pos();
        let count: u16 = r.read(field)?;
        let buckets: u16 = r.read(field)?;
        if buckets == 0 {
            r.note(field, offset + 2, || "a table without buckets".to_owned());
        }
        r.check_count(count.into(), <(K, V)>::MIN as u64, offset, field)?;
        Ok(PackedTable { buckets, entries: r.elements(count.into(), |r| r.read(field))? })
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        w.count_as::<u16>(self.entries.len(), field)?;
        w.write(&self.buckets, field)?;
        w.elements(&self.entries, field)
    }
}

/// Bytes that stay bytes: pixels, samples, records that are only named.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Blob(pub Vec<u8>);

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

#[cfg(feature = "serde")]
impl Serialize for Blob {
    /// The length and the bytes as one hexadecimal string.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut hex = String::with_capacity(self.0.len() * 2);
        for byte in &self.0 {
            for digit in [byte >> 4, byte & 15] {
                hex.push(char::from_digit(digit.into(), 16).unwrap_or('?'));
            }
        }
        let mut blob = serializer.serialize_struct("Blob", 2)?;
        blob.serialize_field("length", &self.0.len())?;
        blob.serialize_field("hex", &hex)?;
        blob.end()
    }
}
