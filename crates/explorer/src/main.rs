//! `threshold-explorer`: a window onto the cell world of Asheron's Call.

use std::process::ExitCode;

fn main() -> ExitCode {
    threshold_explorer::platform::main()
}
