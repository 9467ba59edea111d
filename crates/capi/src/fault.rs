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

/// Version of this interface: changes whenever a program that was built with an older header could go wrong.
pub const TH_ABI: u32 = 1;

/// How a call went. After anything but TH_STATUS_OK `th_error` has a sentence about it, and nothing was changed or
/// written unless the function says so.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThStatus {
    /// Good.
    Ok = 0,
    /// A pointer that must not be null is.
    NullPointer = 1,
    /// The handle is closed, or never was one.
    Closed = 2,
    /// Another thread is in a call with this handle.
    Busy = 3,
    /// The buffer is too small; the count that was written says how large it must be.
    TooSmall = 4,
    /// A number, text or length makes no sense: NaN, not on the map, not UTF-8.
    BadArgument = 5,
    /// There is no such object, cell, block, record or name.
    NotFound = 6,
    /// The object cannot do that: it is no player, has no legs, is carried by another.
    NotPossible = 7,
    /// A file cannot be read or written, or its contents cannot be used.
    Data = 8,
    /// Too many handles are open.
    TooMany = 9,
    /// The library itself is at fault. A world that was in use then refuses everything but being closed.
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

/// The version of the interface that this library has; compare it with TH_ABI.
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
