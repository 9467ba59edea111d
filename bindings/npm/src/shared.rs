//! What several JavaScript objects share: used by one call at a time, and closed once.

use crate::error::Fault;
use std::cell::RefCell;

pub(crate) struct Shared<T>(RefCell<Option<T>>);

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Shared<T> {
        Shared(RefCell::new(Some(value)))
    }

    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> Result<R, Fault>) -> Result<R, Fault> {
        let mut content = self.0.try_borrow_mut().map_err(|_| Fault::Busy)?;
        work(content.as_mut().ok_or(Fault::Closed)?)
    }

    pub(crate) fn close(&self) -> Result<(), Fault> {
        let value = self.0.try_borrow_mut().map_err(|_| Fault::Busy)?.take();
        drop(value);
        Ok(())
    }
}
