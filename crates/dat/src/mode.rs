//! How much a reader forgives.

/// How data is treated that breaks the format's rules. Spec: dat §4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// For engines: use the documented substitute and continue.
    #[default]
    Lenient,
    /// For tools and tests: whatever would need a repair is an error.
    Strict,
}
