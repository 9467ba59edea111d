//! Values of rows.

use super::SqlError;
use std::borrow::Cow;
use threshold_dat::{hex_digits, parse_hex};

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// `NULL`.
    Null,
    /// A number, `TRUE` or `FALSE`.
    Number { text: &'a str, negative: bool },
    /// A string, or the digits of a bit literal.
    Text(Cow<'a, str>),
    /// The result of a function, which is never needed.
    Computed,
}

impl Value<'_> {
    fn refuse<T>(&self, line: u32, column: &str, what: &str) -> Result<T, SqlError> {
        let found = match self {
            Value::Null => "NULL".to_owned(),
            Value::Number { text, negative } => format!("{}{text}", if *negative { "-" } else { "" }),
            Value::Text(text) => format!("'{}'", text.chars().take(40).collect::<String>()),
            Value::Computed => "an expression".to_owned(),
        };
        Err(SqlError::new(line, format!("{column} is {found}, not {what}")))
    }

    /// A whole number without sign, hexadecimal or decimal. Negative ones are taken for the 32 bits they stand for.
    pub(crate) fn id(&self, line: u32, column: &str) -> Result<u32, SqlError> {
        let parsed = match self {
            Value::Number { text, negative } => {
                let is_hex = hex_digits(text).len() < text.len();
                match (is_hex, negative) {
                    (true, false) => parse_hex(text).ok(),
                    (true, true) => None,
                    (false, true) => {
                        text.parse::<i64>().ok().and_then(|v| i32::try_from(-v).ok()).map(|v| v as u32)
                    }
                    (false, false) => text.parse().ok(),
                }
            }
            _ => None,
        };
        match parsed {
            Some(id) => Ok(id),
            None => self.refuse(line, column, "a number of 32 bits"),
        }
    }

    /// A finite number.
    pub(crate) fn float(&self, line: u32, column: &str) -> Result<f32, SqlError> {
        let parsed = match self {
            Value::Number { text, negative } => {
                let is_decimal = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
                let value = text.parse::<f32>().ok().filter(|value| is_decimal && value.is_finite());
                value.map(|value| if *negative { -value } else { value })
            }
            _ => None,
        };
        match parsed {
            Some(value) => Ok(value),
            None => self.refuse(line, column, "a number"),
        }
    }

    /// Yes or no: `True`, `1`, `b'1'`.
    pub(crate) fn flag(&self, line: u32, column: &str) -> Result<bool, SqlError> {
        let text = match self {
            Value::Number { text, negative: false } => *text,
            Value::Text(text) => text,
            _ => return self.refuse(line, column, "yes or no"),
        };
        match text {
            "1" => Ok(true),
            "0" => Ok(false),
            text if text.eq_ignore_ascii_case("true") => Ok(true),
            text if text.eq_ignore_ascii_case("false") => Ok(false),
            // A dump may write a bit as the byte itself.
            "\u{1}" => Ok(true),
            "\0" => Ok(false),
            _ => self.refuse(line, column, "yes or no"),
        }
    }

    /// A string.
    pub(crate) fn text(&self, line: u32, column: &str) -> Result<String, SqlError> {
        match self {
            Value::Text(text) => Ok(text.clone().into_owned()),
            _ => self.refuse(line, column, "a string"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Value<'_> {
        match text.strip_prefix('-') {
            Some(text) => Value::Number { text, negative: true },
            None => Value::Number { text, negative: false },
        }
    }

    #[test]
    fn ids_are_hexadecimal_or_decimal() {
        for (text, id) in
            [("0x7A9B4015", 0x7A9B_4015), ("900", 900), ("4294967295", u32::MAX), ("-1", u32::MAX)]
        {
            assert_eq!(number(text).id(1, "guid"), Ok(id), "{text}");
        }
        for text in ["0x1FFFFFFFF", "4294967296", "1.5", "abc", "-0x1", "", "1e3"] {
            assert_eq!(number(text).id(7, "guid").unwrap_err().line, 7, "{text}");
        }
    }

    #[test]
    fn floats_are_finite() {
        for (text, value) in
            [("24.5", 24.5), ("-0.382683", -0.382_683), ("1", 1.0), ("1e-3", 0.001), (".5", 0.5)]
        {
            assert_eq!(number(text).float(1, "origin_X"), Ok(value), "{text}");
        }
        for text in ["inf", "nan", "NaN", "1e99", "x", "0x10", "-inf", ""] {
            assert!(number(text).float(1, "origin_X").is_err(), "{text}");
        }
        assert!(Value::Null.float(1, "x").is_err() && Value::Computed.float(1, "x").is_err());
    }

    #[test]
    fn flags_are_written_in_many_ways() {
        for text in ["True", "1", "TRUE"] {
            assert_eq!(number(text).flag(1, "flag"), Ok(true));
        }
        for text in ["False", "0", "false"] {
            assert_eq!(number(text).flag(1, "flag"), Ok(false));
        }
        assert_eq!(Value::Text("1".into()).flag(1, "flag"), Ok(true));
        assert_eq!(Value::Text("\0".into()).flag(1, "flag"), Ok(false));
        assert!(number("2").flag(1, "flag").is_err() && Value::Null.flag(1, "flag").is_err());
    }
}
