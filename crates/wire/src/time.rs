//! Times of arrival.

use std::{fmt, str::FromStr};

/// Microseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(pub u64);

impl Time {
    const UNIT: u64 = 1_000_000;

    /// Seconds since 1970.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / Self::UNIT as f64
    }

    /// Seconds since `start`, 0 when that is later.
    pub fn since(self, start: Time) -> f64 {
        Time(self.0.saturating_sub(start.0)).seconds()
    }
}

impl fmt::Display for Time {
    /// Seconds with six decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / Self::UNIT, self.0 % Self::UNIT)
    }
}

/// A text that is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time in seconds such as 1420070400.25")]
pub struct TimeError(String);

impl FromStr for Time {
    type Err = TimeError;

    /// Accepts seconds with up to six decimals.
    fn from_str(s: &str) -> Result<Self, TimeError> {
        let refused = || TimeError(s.to_owned());
        let (whole, part) = s.split_once('.').unwrap_or((s, "0"));
        if part.len() > 6 || ![whole, part].iter().all(|digits| digits.bytes().all(|b| b.is_ascii_digit())) {
            return Err(refused());
        }
        let whole: u64 = whole.parse().map_err(|_| refused())?;
        let part: u64 = format!("{part:0<6}").parse().map_err(|_| refused())?;
        whole.checked_mul(Self::UNIT).and_then(|whole| whole.checked_add(part)).map(Time).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_printed_so_that_they_read_back() {
        for (text, micros) in [("1420070400.25", 1_420_070_400_250_000), ("0", 0), ("7.000001", 7_000_001)] {
            assert_eq!(text.parse(), Ok(Time(micros)));
            assert_eq!(Time(micros).to_string().parse(), Ok(Time(micros)));
        }
        for text in ["", ".5", "-1", "1.0000001", "1e9", "99999999999999999999"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
