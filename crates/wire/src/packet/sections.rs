//! The optional sections of a packet. Spec: wire §3.2.

use threshold_dat::records::Text;

/// A part of a packet with one layout.
trait Section<'a>: Sized {
    /// Takes the section off the front; absent when it reaches past the packet.
    fn take(bytes: &mut &'a [u8]) -> Option<Self>;

    fn put(&self, bytes: &mut Vec<u8>);
}

macro_rules! number_section {
    ($($type:ty),*) => {$(
        impl Section<'_> for $type {
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (&number, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(<$type>::from_le_bytes(number))
            }

            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
number_section!(u16, u32, u64, f32, f64);

impl<const N: usize> Section<'_> for [u8; N] {
    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (&array, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        Some(array)
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self);
    }
}

impl<'a, A: Section<'a>, B: Section<'a>> Section<'a> for (A, B) {
    fn take(bytes: &mut &'a [u8]) -> Option<Self> {
        Some((A::take(bytes)?, B::take(bytes)?))
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
        self.1.put(bytes);
    }
}

macro_rules! section_struct {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl Section<'_> for $name {
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some($name { $($field: Section::take(bytes)?,)* })
            }

            fn put(&self, bytes: &mut Vec<u8>) {
                $(self.$field.put(bytes);)*
            }
        }
    )*};
}

section_struct! {
    /// Another server takes over.
    pub struct ServerSwitch {
        /// Number of the switch.
        pub sequence: u32,
        /// Its type.
        pub kind: u32,
    }

    /// Where another server is.
    pub struct Referral {
        /// The cookie to send there.
        pub cookie: u64,
        /// Its socket address.
        pub address: [u8; 16],
        /// Its number.
        pub server: u16,
        /// Not understood.
        pub rest: [u8; 6],
    }

    /// A server answers a login.
    pub struct ConnectRequest {
        /// Seconds.
        pub server_time: f64,
        /// The cookie that the client must return.
        pub cookie: u64,
        /// New number of the client.
        pub client_id: u32,
        /// Seed of the keys of the server's packets.
        pub server_seed: u32,
        /// Seed of the keys of the client's packets.
        pub client_seed: u32,
        /// Zero.
        pub zero: u32,
    }

    /// How much arrived in how long.
    pub struct Flow {
        /// Bytes.
        pub bytes: u32,
        /// Intervals.
        pub interval: u16,
    }
}

/// A counted list of packet numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequences<'a>(&'a [[u8; 4]]);

impl<'a> Sequences<'a> {
    /// A list out of numbers that are already little-endian.
    pub fn new(numbers: &'a [[u8; 4]]) -> Self {
        Sequences(numbers)
    }

    /// The numbers.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|&number| u32::from_le_bytes(number))
    }
}

impl<'a> Section<'a> for Sequences<'a> {
    fn take(bytes: &mut &'a [u8]) -> Option<Self> {
        let count = u32::take(bytes)? as usize;
        let (numbers, rest) = bytes.split_at_checked(count.checked_mul(4)?)?;
        *bytes = rest;
        Some(Sequences(numbers.as_chunks().0))
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        (self.0.len() as u32).put(bytes);
        bytes.extend_from_slice(self.0.as_flattened());
    }
}

/// A client logs in: the rest of the packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Login<'a>(pub &'a [u8]);

impl Login<'_> {
    /// The version of the client.
    pub fn version(self) -> Option<Text> {
        let mut bytes = self.0;
        let len = u16::take(&mut bytes)?;
        Some(Text(bytes.get(..len.into())?.to_vec()))
    }
}

impl<'a> Section<'a> for Login<'a> {
    fn take(bytes: &mut &'a [u8]) -> Option<Self> {
        Some(Login(std::mem::take(bytes)))
    }

    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.0);
    }
}

/// The sections in ascending order of their bits.
macro_rules! sections {
    ($($bit:literal $name:ident: $type:ty, $doc:literal;)*) => {
        /// The optional sections, in the order in which they are sent.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Sections<'a> { $(#[doc = $doc] pub $name: Option<$type>,)* }

        impl<'a> Sections<'a> {
            /// The flags of all sections.
            pub(super) const FLAGS: u32 = 0 $(| $bit)*;

            /// The sections that the flags promise, and what follows; else the bytes left where one did not fit.
            pub(super) fn decode(
                flags: u32,
                mut bytes: &'a [u8],
            ) -> Result<(Sections<'a>, &'a [u8]), (usize, &'static str)> {
                let mut sections = Sections::default();
                if flags & Self::FLAGS == 0 {
                    return Ok((sections, bytes));
                }
                $(if flags & $bit != 0 {
                    let left = bytes.len();
                    let section = Section::take(&mut bytes).ok_or((left, stringify!($name)))?;
                    sections.$name = Some(section);
                })*
                Ok((sections, bytes))
            }

            /// The flags of the sections that are there.
            pub(super) fn flags(&self) -> u32 {
                0 $(| if self.$name.is_some() { $bit } else { 0 })*
            }

            /// Shows the bytes of each section that is there.
            pub(super) fn each(&self, mut show: impl FnMut(&[u8])) {
                let mut bytes = Vec::new();
                $(if let Some(section) = &self.$name {
                    bytes.clear();
                    section.put(&mut bytes);
                    show(&bytes);
                })*
            }
        }
    };
}

sections! {
    0x100 server_switch: ServerSwitch, "Another server takes over.";
    0x200 logon_server: [u8; 16], "Socket address of the logon server.";
    0x800 referral: Referral, "Where another server is.";
    0x1000 resend: Sequences<'a>, "Packets that are missing.";
    0x2000 lost: Sequences<'a>, "Packets that will not be sent again.";
    0x4000 acknowledged: u32, "Everything up to this packet has arrived.";
    0x1_0000 login: Login<'a>, "A client logs in; takes the rest of the packet.";
    0x2_0000 world_login: u64, "A client enters the world.";
    0x4_0000 connect_request: ConnectRequest, "A server answers a login.";
    0x8_0000 connect_response: u64, "The cookie of the connect request.";
    0x10_0000 error: (u32, u32), "String and table of an error.";
    0x20_0000 disconnect: (u32, u32), "String and table of an error that ends the connection.";
    0x40_0000 command: (u32, u32), "A command.";
    0x100_0000 time: f64, "Seconds of the server's clock.";
    0x200_0000 echo_request: f32, "A time to be sent back.";
    0x400_0000 echo_response: (f32, f32), "A time sent back.";
    0x800_0000 flow: Flow, "How much arrived in how long.";
}
