//! Options of the planner.

/// Settings of the planner, including corrections of the original's faults.
///
/// ```
/// # use threshold_view::Options;
/// let dry = Options::RETAIL.weather(false);
/// assert_eq!(dry.window_radius, Options::RETAIL.window_radius);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Blocks on each side of the player's block that belong to the landscape (retail: 3, 5, 8, 11 or 15).
    pub window_radius: u8,
    /// Rings around the player's block that are drawn at full resolution and with objects (retail: 1).
    pub detail_rings: u8,
    /// Rain and snow are wanted; they fall only while the player is outdoors.
    pub weather: bool,
    /// The landscape is culled by the openings through which it is visible, not by the whole picture.
    pub clip_landscape: bool,
    /// Objects of land cells whose ground is out of view are tested individually.
    pub objects_out_of_view: bool,
    /// If the eye is in a portal's plane and within its opening, the whole region passes. The original sees nothing through
    /// it for that frame.
    pub pass_in_plane: bool,
    /// All openings of a building are punched before the first of its interiors is drawn. The original does it region
    /// by region, so that the second region's punch erases the depth that the first one drew.
    pub punch_first: bool,
    /// Depth is cleared if this frame has openings to seal. The original uses the previous frame's count, and so draws the
    /// first such frame wrong.
    pub clear_by_this_frame: bool,
    /// Parts sort by their own centre at any distance. The original lumps them together from 25 m.
    pub sort_by_part: bool,
}

impl Options {
    /// The original's behaviour, with its start-up settings.
    pub const RETAIL: Options = Options {
        window_radius: 8,
        detail_rings: 1,
        weather: true,
        clip_landscape: true,
        objects_out_of_view: true,
        pass_in_plane: false,
        punch_first: false,
        clear_by_this_frame: false,
        sort_by_part: false,
    };

    /// The original without its known faults.
    pub const REPAIRED: Options = Options {
        pass_in_plane: true,
        punch_first: true,
        clear_by_this_frame: true,
        sort_by_part: true,
        ..Options::RETAIL
    };

    /// Sets [`Options::window_radius`].
    pub const fn window_radius(self, window_radius: u8) -> Options {
        Options { window_radius, ..self }
    }

    /// Sets [`Options::detail_rings`].
    pub const fn detail_rings(self, detail_rings: u8) -> Options {
        Options { detail_rings, ..self }
    }

    /// Sets [`Options::weather`].
    pub const fn weather(self, weather: bool) -> Options {
        Options { weather, ..self }
    }

    /// Sets [`Options::clip_landscape`].
    pub const fn clip_landscape(self, clip_landscape: bool) -> Options {
        Options { clip_landscape, ..self }
    }

    /// Sets [`Options::objects_out_of_view`].
    pub const fn objects_out_of_view(self, objects_out_of_view: bool) -> Options {
        Options { objects_out_of_view, ..self }
    }

    /// Sets [`Options::pass_in_plane`].
    pub const fn pass_in_plane(self, pass_in_plane: bool) -> Options {
        Options { pass_in_plane, ..self }
    }

    /// Sets [`Options::punch_first`].
    pub const fn punch_first(self, punch_first: bool) -> Options {
        Options { punch_first, ..self }
    }

    /// Sets [`Options::clear_by_this_frame`].
    pub const fn clear_by_this_frame(self, clear_by_this_frame: bool) -> Options {
        Options { clear_by_this_frame, ..self }
    }

    /// Sets [`Options::sort_by_part`].
    pub const fn sort_by_part(self, sort_by_part: bool) -> Options {
        Options { sort_by_part, ..self }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::REPAIRED
    }
}
