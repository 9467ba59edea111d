//! The choice of a backend.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What draws a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The graphics card if there is a real one, else the processor.
    #[default]
    Auto,
    /// The processor: the reference, the same pixels everywhere.
    Cpu,
    /// The graphics card, or a driver that imitates one.
    Gpu,
}

impl Backend {
    /// All of them.
    pub const ALL: [Backend; 3] = [Backend::Auto, Backend::Cpu, Backend::Gpu];
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Backend::Auto => "auto",
            Backend::Cpu => "cpu",
            Backend::Gpu => "gpu",
        })
    }
}

/// A text that names no backend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected auto, cpu or gpu")]
pub struct BackendError;

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(text: &str) -> Result<Backend, BackendError> {
        Backend::ALL.into_iter().find(|backend| backend.to_string() == text).ok_or(BackendError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_are_read_as_they_are_printed() {
        for backend in Backend::ALL {
            assert_eq!(backend.to_string().parse(), Ok(backend));
        }
        assert_eq!("GPU".parse::<Backend>(), Err(BackendError));
    }
}
