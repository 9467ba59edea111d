//! What can go wrong, and how a caller learns of it.

use crate::memory;
use std::{
    any::Any,
    cell::RefCell,
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
};
use threshold_physics::{SceneError, sweep::SweepError};
use threshold_sim::{ErrorKind, SimError};

/// Version of this interface: changes whenever a program built with an older header could break.
pub const TH_ABI: u32 = 1;

/// Result of a call. After anything but TH_STATUS_OK, `th_error` explains it, and nothing was changed or
/// written unless the function says so.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThStatus {
    /// Success.
    Ok = 0,
    /// A required pointer is null.
    NullPointer = 1,
    /// The handle is closed or invalid.
    Closed = 2,
    /// Another thread is using this handle.
    Busy = 3,
    /// The buffer is too small; the required count was written.
    TooSmall = 4,
    /// An argument is invalid: NaN, not on the map, not UTF-8, a wrong length.
    BadArgument = 5,
    /// There is no such object, cell, block, record or name.
    NotFound = 6,
    /// The object cannot do that: it is not a player, cannot walk, or is carried by another.
    NotPossible = 7,
    /// A file cannot be read or written, or its contents cannot be used.
    Data = 8,
    /// Too many handles are open.
    TooMany = 9,
    /// Internal error of the library. The world in use then accepts nothing but being closed.
    Internal = 10,
}

/// A refusal.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) status: ThStatus,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(status: ThStatus, message: impl Into<String>) -> Fault {
        Fault { status, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Fault {
        Fault::new(ThStatus::BadArgument, message)
    }

    pub(crate) fn not_found(what: impl Display) -> Fault {
        Fault::new(ThStatus::NotFound, format!("there is no {what}"))
    }

    /// Says which entry of an array it is about.
    pub(crate) fn of_entry(self, index: usize) -> Fault {
        Fault { message: format!("entry {index}: {}", self.message), ..self }
    }
}

impl From<SimError> for Fault {
    fn from(error: SimError) -> Fault {
        let status = match error.kind() {
            ErrorKind::Argument => ThStatus::BadArgument,
            ErrorKind::NotFound => ThStatus::NotFound,
            ErrorKind::NotPossible => ThStatus::NotPossible,
            ErrorKind::Data => ThStatus::Data,
        };
        Fault::new(status, error.to_string())
    }
}

impl From<SceneError> for Fault {
    fn from(error: SceneError) -> Fault {
        SimError::from(error).into()
    }
}

impl From<SweepError> for Fault {
    fn from(error: SweepError) -> Fault {
        Fault::argument(error.to_string())
    }
}

impl From<threshold_dat::Error> for Fault {
    fn from(error: threshold_dat::Error) -> Fault {
        Fault::new(ThStatus::Data, error.to_string())
    }
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

fn remember(message: String) {
    // A thread that is ending has no memory for messages any more.
    let _ = LAST.try_with(|last| *last.borrow_mut() = message);
}

/// Runs the body of a function: nothing leaves it but a status.
pub(crate) fn guarded(body: impl FnOnce() -> Result<(), Fault>) -> ThStatus {
    let fault = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return ThStatus::Ok,
        Ok(Err(fault)) => fault,
        Err(panic) => Fault::new(ThStatus::Internal, format!("internal error: {}", text_of(&*panic))),
    };
    remember(fault.message);
    fault.status
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}

/// The interface version of this library; compare it with TH_ABI.
#[unsafe(no_mangle)]
pub extern "C" fn th_abi() -> u32 {
    TH_ABI
}

/// Why the last call of this thread that did not return TH_STATUS_OK failed, as UTF-8 with a zero at the end. Writes as
/// much of it as there is room for; returns its length without the zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_error(buffer: *mut u8, capacity: u32) -> u32 {
    let copied = catch_unwind(|| {
        let message = LAST.try_with(|last| last.borrow().clone()).unwrap_or_default();
        // SAFETY: the caller's buffer is null or has room for `capacity` bytes.
        unsafe { memory::copy_text(&message, buffer, capacity) }
    });
    copied.unwrap_or(0)
}
