//! Words, numbers, strings and signs, with their line numbers.

use super::SqlError;
use std::borrow::Cow;

/// A piece of SQL.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A bare word: a keyword, a number, a name.
    Word(&'a str),
    /// A name in backquotes or double quotes.
    Name(&'a str),
    /// A string without its quotes.
    Text(Cow<'a, str>),
    /// Anything else, one at a time.
    Sign(u8),
}

/// Cuts text into tokens; comments are passed over.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    /// The last comment between slashes and stars that was passed over, since somebody forgot it.
    comment: Option<&'a str>,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0, line: 1, comment: None }
    }

    /// Where the next token begins.
    pub(crate) fn start_of_next(&mut self) -> Result<usize, SqlError> {
        self.skip_blank()?;
        Ok(self.at)
    }

    /// Where the last token ended.
    pub(crate) fn end_of_last(&self) -> usize {
        self.at
    }

    /// Forgets comments that have been passed over.
    pub(crate) fn forget_comment(&mut self) {
        self.comment = None;
    }

    /// A comment that was passed over, or that follows on the same line.
    pub(crate) fn comment(&self) -> Option<&'a str> {
        let follows = || {
            let rest = self.text[self.at..].trim_start_matches([' ', '\t']).strip_prefix("/*")?;
            rest.lines().next()?.split_once("*/").map(|(comment, _)| comment.trim())
        };
        self.comment.or_else(follows)
    }

    /// Line of what comes next, once [`Tokens::next`] has passed over what does not count.
    pub(crate) fn line(&self) -> u32 {
        self.line
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn step(&mut self) {
        if self.peek(0) == Some(b'\n') {
            self.line += 1;
        }
        self.at += 1;
    }

    /// Passes over spaces and comments.
    fn skip_blank(&mut self) -> Result<(), SqlError> {
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b'/', Some(b'*')) => self.skip_comment()?,
                (b'#', _) => self.skip_line(),
                // Two dashes begin a comment only before a blank, as in MySQL: 5--3 is a sum.
                (b'-', Some(b'-')) if self.peek(2).is_none_or(|b| b.is_ascii_whitespace()) => {
                    self.skip_line()
                }
                (byte, _) if byte.is_ascii_whitespace() => self.step(),
                // A byte order mark at the beginning.
                (0xEF, Some(0xBB)) if self.at == 0 => self.at = 3,
                _ => break,
            }
        }
        Ok(())
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn skip_comment(&mut self) -> Result<(), SqlError> {
        let line = self.line;
        self.at += 2;
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            if byte == b'*' && self.peek(1) == Some(b'/') {
                self.comment = Some(self.text[start..self.at].trim());
                self.at += 2;
                return Ok(());
            }
            self.step();
        }
        Err(SqlError::new(line, "a comment has no end"))
    }

    /// The next token and its line; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(Token<'a>, u32)>, SqlError> {
        self.skip_blank()?;
        let line = self.line;
        let Some(byte) = self.peek(0) else { return Ok(None) };
        let token = match byte {
            b'`' | b'"' => Token::Name(self.name(byte)?),
            b'\'' => Token::Text(self.text()?),
            byte if is_word(byte) => Token::Word(self.word()),
            byte => {
                self.at += 1;
                // A sign of more than one byte means nothing here, whatever it is.
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                Token::Sign(byte)
            }
        };
        Ok(Some((token, line)))
    }

    /// A number whose exponent has a sign, when such an exponent stands right behind `word`.
    pub(crate) fn rest_of_exponent(mut self, word: &'a str) -> Option<(&'a str, Tokens<'a>)> {
        let start = self.at - word.len();
        if !(matches!(self.peek(0), Some(b'-' | b'+'))
            && self.peek(1).is_some_and(|byte| byte.is_ascii_digit()))
        {
            return None;
        }
        self.at += 1;
        self.word();
        Some((&self.text[start..self.at], self))
    }

    fn word(&mut self) -> &'a str {
        let start = self.at;
        while self.peek(0).is_some_and(is_word) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn name(&mut self, quote: u8) -> Result<&'a str, SqlError> {
        let line = self.line;
        let start = self.at + 1;
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            if byte == quote {
                self.at += 1;
                return Ok(&self.text[start..self.at - 1]);
            }
            self.step();
        }
        Err(SqlError::new(line, "a quoted name has no end"))
    }

    /// A string; a quote inside it is doubled or has a backslash before it.
    fn text(&mut self) -> Result<Cow<'a, str>, SqlError> {
        let line = self.line;
        self.at += 1;
        let mut start = self.at;
        let mut text = Cow::Borrowed("");
        loop {
            let end = self.at;
            match (self.peek(0), self.peek(1)) {
                (Some(b'\''), Some(b'\'')) => {
                    text += &self.text[start..=end];
                    self.at += 2;
                    start = self.at;
                }
                (Some(b'\''), _) => {
                    text += &self.text[start..end];
                    self.at += 1;
                    return Ok(text);
                }
                (Some(b'\\'), Some(escaped)) => {
                    text += &self.text[start..end];
                    self.at += 1;
                    start = self.at;
                    if let Some(character) = unescape(escaped) {
                        text += character;
                        start += 1;
                    }
                    self.step();
                }
                (Some(_), _) => self.step(),
                (None, _) => return Err(SqlError::new(line, "a string has no end")),
            }
        }
    }
}

/// What an escaped letter stands for; others stand for themselves.
fn unescape(byte: u8) -> Option<&'static str> {
    match byte {
        b'n' => Some("\n"),
        b't' => Some("\t"),
        b'r' => Some("\r"),
        b'0' => Some("\0"),
        _ => None,
    }
}

/// Numbers count as words: their points and exponents are looked at later. Signs stand alone.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@' | b'$')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Token<'_>, u32)> {
        let mut tokens = Tokens::new(text);
        std::iter::from_fn(|| tokens.next().unwrap()).collect()
    }

    #[test]
    fn comments_and_blanks_are_passed_over_and_lines_are_counted() {
        let text = "\u{FEFF}/* one\n two */ a -- b\n# c\nd--e /*!40000 f */ -5";
        let words: Vec<_> = tokens(text);
        assert_eq!(
            words,
            [
                (Token::Word("a"), 2),
                (Token::Word("d"), 4),
                (Token::Sign(b'-'), 4),
                (Token::Sign(b'-'), 4),
                (Token::Word("e"), 4),
                (Token::Sign(b'-'), 4),
                (Token::Word("5"), 4),
            ]
        );
    }

    #[test]
    fn the_comment_of_a_token_is_behind_it_or_was_passed_over() {
        let after = |text: &'static str| {
            let mut tokens = Tokens::new(text);
            while tokens.next().unwrap().is_some_and(|(token, _)| token != Token::Sign(b';')) {}
            tokens.comment()
        };
        assert_eq!(after("a /* one */ ; b"), Some("one"));
        assert_eq!(after("a; \t/* two */ /* three */"), Some("two"));
        assert_eq!(after("a;\n/* four */"), None);
        assert_eq!(after("a; /* fi\nve */"), None);
        assert_eq!(after("a; /*"), None);
    }

    #[test]
    fn strings_end_at_their_own_quote() {
        for (sql, text) in [
            ("'plain'", "plain"),
            ("'it''s'", "it's"),
            (r"'it\'s'", "it's"),
            (r"'a\\'", r"a\"),
            (r"'a\nb'", "a\nb"),
            ("''", ""),
            ("'; -- /* `'", "; -- /* `"),
            ("'ü\\ü'", "üü"),
        ] {
            assert_eq!(tokens(sql), [(Token::Text(text.into()), 1)], "{sql}");
        }
        assert_eq!(tokens("`a b` \"c\""), [(Token::Name("a b"), 1), (Token::Name("c"), 1)]);
    }

    #[test]
    fn what_has_no_end_is_refused_with_the_line_it_begins_on() {
        for (sql, line) in [("\n/* a\n\n", 2), ("a\n'b\n", 2), ("\n\n`c", 3), ("'a\\", 1)] {
            let mut tokens = Tokens::new(sql);
            let error = loop {
                match tokens.next() {
                    Ok(token) => assert!(token.is_some(), "{sql}"),
                    Err(error) => break error,
                }
            };
            assert_eq!(error.line, line, "{sql}");
        }
    }
}
