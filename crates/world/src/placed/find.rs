//! Places by name.

use super::NamedPlace;
use crate::loc::{LocError, Place};

/// Names that an error lists when a text may mean several places.
const LISTED: usize = 5;

/// Why a text is not a place.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FindPlaceError {
    /// Neither a name nor coordinates.
    #[error(
        "`{0}` is neither a known place nor a position such as `0xA9B40019 [84 7.1 94]` or `42.1N, 33.6E`"
    )]
    Unknown(String),
    /// Part of the names of several places.
    #[error("`{text}` is ambiguous: {}", names.join(", "))]
    Ambiguous {
        /// What was looked for.
        text: String,
        /// Some of the places.
        names: Vec<String>,
    },
    /// It begins like coordinates, but is invalid.
    #[error(transparent)]
    Loc(#[from] LocError),
}

/// A place by its name, by a part of its name that no other has, by its `/loc` or by its map coordinates.
pub fn find_place(places: &[NamedPlace], text: &str) -> Result<Place, FindPlaceError> {
    let text = text.trim();
    if let Some(place) = places.iter().find(|place| place.name.eq_ignore_ascii_case(text)) {
        return Ok(Place::Exact(place.position));
    }
    let loc = match text.parse() {
        Ok(place) => return Ok(place),
        Err(error) => error,
    };
    match complete_place(places, text)[..] {
        [only] => Ok(Place::Exact(only.position)),
        [] if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => Err(loc.into()),
        [] => Err(FindPlaceError::Unknown(text.to_owned())),
        ref several => Err(FindPlaceError::Ambiguous {
            text: text.to_owned(),
            names: several.iter().take(LISTED).map(|place| place.name.clone()).collect(),
        }),
    }
}

/// Places whose names contain a text, those that begin with it first. An empty text is contained in all names.
pub fn complete_place<'p>(places: &'p [NamedPlace], text: &str) -> Vec<&'p NamedPlace> {
    let text = text.trim().to_lowercase();
    let found = places.iter().filter_map(|place| Some((place.name.to_lowercase().find(&text)?, place)));
    let mut found: Vec<(usize, &NamedPlace)> = found.collect();
    found.sort_by_key(|&(at, _)| at);
    found.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Vec<NamedPlace> {
        ["Tower Door", "Tower Lookout", "Cave Entrance"]
            .map(|name| format!("{name} | outdoors | 0x80800015 [{} 2 3]", name.len()).parse().unwrap())
            .to_vec()
    }

    #[test]
    fn a_name_a_part_of_one_a_loc_and_map_coordinates_are_places() {
        let places = places();
        let x = |text: &str| find_place(&places, text).unwrap().flat().frame.origin.x;
        assert_eq!([x("tower door"), x(" Lookout "), x("0x80800015 [7 2 3]")], [10.0, 13.0, 7.0]);
        assert_eq!(find_place(&places, "42.1N, 33.6E").unwrap().flat().cell.0, 0xA9B4_0019);
    }

    #[test]
    fn what_is_no_place_is_refused_with_what_it_may_be() {
        let refused = |text: &str| find_place(&places(), text).unwrap_err().to_string();
        assert_eq!(refused("tower"), "`tower` is ambiguous: Tower Door, Tower Lookout");
        assert!(refused("Nowhere").contains("`Nowhere` is neither a known place"));
        assert!(refused("0xA9B40019 1 2").contains("3 or 7 numbers"), "{}", refused("0xA9B40019 1 2"));
        assert!(refused("").contains("is ambiguous"));
    }
}
