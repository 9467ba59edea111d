//! What the figures were taken on.

use serde::Serialize;
use std::{env::consts, fmt, fs, thread};

/// The machine and the program.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) system: String,
    pub(crate) version: &'static str,
    pub(crate) profile: &'static str,
}

impl Machine {
    /// This one; what the system does not tell is called unknown.
    pub(crate) fn this() -> Machine {
        let read = |path: &str| fs::read_to_string(path).ok();
        let cpu = read("/proc/cpuinfo").and_then(|text| model_name(&text));
        let kernel = read("/proc/sys/kernel/osrelease").unwrap_or_default();
        Machine {
            cpu: cpu.unwrap_or_else(|| "unknown".to_owned()),
            cores: thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {} {}", consts::OS, consts::ARCH, kernel.trim()).trim().to_owned(),
            version: env!("CARGO_PKG_VERSION"),
            profile: if cfg!(debug_assertions) { "debug" } else { "release" },
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { cpu, cores, system, version, profile } = self;
        write!(f, "threshold {version} ({profile}), {cpu}, {cores} cores, {system}")
    }
}

fn model_name(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start().strip_prefix(':')?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_named() {
        let text = "processor\t: 0\nmodel name\t: A Processor @ 2 GHz\nmodel name\t: A Processor @ 2 GHz\n";
        assert_eq!(model_name(text).as_deref(), Some("A Processor @ 2 GHz"));
        assert_eq!(model_name("vendor_id : x"), None);
    }
}
