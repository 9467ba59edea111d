//! What several Python objects share: used by one thread at a time, and closed once.

use crate::error::Fault;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, TryLockError};

pub(crate) struct Shared<T> {
    kind: &'static str,
    content: Mutex<Option<T>>,
}

impl<T> Shared<T> {
    pub(crate) fn new(kind: &'static str, value: T) -> Shared<T> {
        Shared { kind, content: Mutex::new(Some(value)) }
    }

    fn lock(&self) -> Result<MutexGuard<'_, Option<T>>, Fault> {
        self.content.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Fault::Busy(self.kind),
            TryLockError::Poisoned(_) => Fault::Broken(self.kind),
        })
    }

    /// A short call, which keeps the interpreter.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> Result<R, Fault>) -> PyResult<R> {
        let mut content = self.lock()?;
        Ok(work(content.as_mut().ok_or(Fault::Closed(self.kind))?)?)
    }

    pub(crate) fn close(&self) -> PyResult<()> {
        let mut content = match self.content.try_lock() {
            Ok(content) => content,
            Err(TryLockError::WouldBlock) => return Err(Fault::Busy(self.kind).into()),
            Err(TryLockError::Poisoned(poisoned)) => {
                self.content.clear_poison();
                poisoned.into_inner()
            }
        };
        let value = content.take();
        drop(content);
        drop(value);
        Ok(())
    }
}

impl<T: Send> Shared<T> {
    /// A call that may take long: other Python threads run meanwhile.
    pub(crate) fn run<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> Result<R, Fault> + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            let mut content = self.lock()?;
            work(content.as_mut().ok_or(Fault::Closed(self.kind))?)
        })
        .map_err(PyErr::from)
    }
}
