//! How much a reader forgives.

/// What happens where the format's rules leave a choice. Spec: dat §4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// For engines: repair what has a stated substitute and go on.
    #[default]
    Lenient,
    /// For tools and tests: whatever would need a repair is an error.
    Strict,
}
