//! Statements, row by row.

use super::{
    SqlError, Value,
    token::{Token, Tokens},
};
use std::{collections::BTreeMap, ops::Range};

/// Most columns a table may have.
const MAX_COLUMNS: usize = 64;
/// Most values a condition may list.
const MAX_LISTED: usize = 100_000;

/// Which rows a DELETE removes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Condition<'a> {
    /// All of them.
    All,
    /// Those whose column has one of some values.
    OneOf { column: &'a str, values: Vec<Value<'a>> },
    /// A condition that is not supported.
    Other,
}

/// What a file says, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event<'a> {
    /// A row for a table; the columns are those of the statement.
    Row { table: &'static str, columns: Vec<&'a str>, row: Row<'a> },
    /// Rows to be removed from a table.
    Delete { table: &'static str, condition: Condition<'a>, line: u32 },
}

/// A row of an INSERT.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Row<'a> {
    /// In the order of the columns.
    pub(crate) values: Vec<Value<'a>>,
    /// Where the values stand in the text.
    pub(crate) spans: Vec<Range<usize>>,
    /// Line of its bracket.
    pub(crate) line: u32,
    /// The comment behind it.
    pub(crate) comment: Option<&'a str>,
}

/// Reads the statements about some tables, and passes over all others.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    tokens: Tokens<'a>,
    tables: &'static [&'static str],
    /// Column names as CREATE TABLE lists them, for INSERTs that do not.
    created: BTreeMap<&'static str, Vec<&'a str>>,
    inserting: Option<(&'static str, Vec<&'a str>)>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, tables: &'static [&'static str]) -> Reader<'a> {
        Reader { tokens: Tokens::new(text), tables, created: BTreeMap::new(), inserting: None }
    }

    /// The next event; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Event<'a>>, SqlError> {
        loop {
            if let Some((table, columns)) = self.inserting.take() {
                let mut row = self.row(columns.len())?;
                self.tokens.forget_comment();
                if self.goes_on()? {
                    self.inserting = Some((table, columns.clone()));
                }
                row.comment = self.tokens.comment();
                return Ok(Some(Event::Row { table, columns, row }));
            }
            let Some((token, line)) = self.tokens.next()? else { return Ok(None) };
            let Token::Word(verb) = token else {
                self.finish(&token)?;
                continue;
            };
            if is(verb, "INSERT") || is(verb, "REPLACE") {
                self.begin_insert()?;
            } else if is(verb, "DELETE") {
                if let Some(event) = self.delete(line)? {
                    return Ok(Some(event));
                }
            } else if is(verb, "CREATE") {
                self.create()?;
            } else {
                self.finish(&token)?;
            }
        }
    }

    fn token(&mut self, wanted: &str) -> Result<(Token<'a>, u32), SqlError> {
        let line = self.tokens.line();
        self.tokens
            .next()?
            .ok_or_else(|| SqlError::new(line, format!("the text ends where {wanted} should be")))
    }

    fn sign(&mut self, sign: u8) -> Result<(), SqlError> {
        let wanted = format!("`{}`", char::from(sign));
        match self.token(&wanted)? {
            (Token::Sign(found), _) if found == sign => Ok(()),
            (found, line) => Err(unexpected(&found, line, &wanted)),
        }
    }

    /// Passes over the rest of a statement whose last token is given.
    fn finish(&mut self, last: &Token<'a>) -> Result<(), SqlError> {
        if *last == Token::Sign(b';') {
            return Ok(());
        }
        while let Some((token, _)) = self.tokens.next()? {
            if token == Token::Sign(b';') {
                break;
            }
        }
        Ok(())
    }

    /// A table's name: one of those looked for, or none.
    fn table(&mut self) -> Result<Option<&'static str>, SqlError> {
        let (mut token, mut line) = self.token("a table")?;
        loop {
            let name = match token {
                Token::Word(name) | Token::Name(name) => name,
                token => return Err(unexpected(&token, line, "a table")),
            };
            // `database`.`table`
            let mut ahead = self.tokens.clone();
            if let Some((Token::Word("."), _)) = ahead.next()? {
                self.tokens = ahead;
                (token, line) = self.token("a table")?;
                continue;
            }
            let name = name.rsplit('.').next().unwrap_or(name);
            return Ok(self.tables.iter().copied().find(|table| is(name, table)));
        }
    }

    fn begin_insert(&mut self) -> Result<(), SqlError> {
        loop {
            match self.token("INTO")? {
                (Token::Word(word), _) if is(word, "INTO") => break,
                (Token::Word(word), _) if is(word, "IGNORE") || is(word, "DELAYED") => {}
                (token, line) => return Err(unexpected(&token, line, "INTO")),
            }
        }
        let Some(table) = self.table()? else { return self.finish(&Token::Sign(b' ')) };
        let (token, line) = self.token("the columns")?;
        let columns = match token {
            Token::Sign(b'(') => {
                let columns = self.columns()?;
                let (token, line) = self.token("VALUES")?;
                if !matches!(token, Token::Word(word) if is(word, "VALUES") || is(word, "VALUE")) {
                    return Err(unexpected(&token, line, "VALUES"));
                }
                columns
            }
            Token::Word(word) if is(word, "VALUES") || is(word, "VALUE") => self
                .created
                .get(table)
                .cloned()
                .ok_or_else(|| SqlError::new(line, format!("the columns of {table} are not listed")))?,
            token => return Err(unexpected(&token, line, "a list of columns")),
        };
        self.inserting = Some((table, columns));
        Ok(())
    }

    /// Names up to the closing bracket.
    fn columns(&mut self) -> Result<Vec<&'a str>, SqlError> {
        let mut columns = Vec::new();
        loop {
            match self.token("a column")? {
                (Token::Word(name) | Token::Name(name), line) => {
                    if columns.len() == MAX_COLUMNS {
                        return Err(SqlError::new(line, format!("more than {MAX_COLUMNS} columns")));
                    }
                    columns.push(name);
                }
                (token, line) => return Err(unexpected(&token, line, "a column")),
            }
            match self.token("`,` or `)`")? {
                (Token::Sign(b','), _) => {}
                (Token::Sign(b')'), _) => return Ok(columns),
                (token, line) => return Err(unexpected(&token, line, "`,` or `)`")),
            }
        }
    }

    /// A bracket with as many values as there are columns.
    fn row(&mut self, columns: usize) -> Result<Row<'a>, SqlError> {
        self.sign(b'(')?;
        let line = self.tokens.line();
        let (values, spans) = self.values(columns)?;
        if values.len() == columns {
            return Ok(Row { values, spans, line, comment: None });
        }
        Err(SqlError::new(line, format!("{} values for {columns} columns", values.len())))
    }

    /// Values up to the closing bracket, and where they stand.
    #[allow(clippy::type_complexity)] // Two lists that belong together, taken apart at once.
    fn values(&mut self, most: usize) -> Result<(Vec<Value<'a>>, Vec<Range<usize>>), SqlError> {
        let (mut values, mut spans) = (Vec::new(), Vec::new());
        loop {
            let line = self.tokens.line();
            if values.len() == most {
                return Err(SqlError::new(line, format!("more than {most} values")));
            }
            let start = self.tokens.start_of_next()?;
            values.push(self.value()?);
            spans.push(start..self.tokens.end_of_last());
            match self.token("`,` or `)`")? {
                (Token::Sign(b','), _) => {}
                (Token::Sign(b')'), _) => return Ok((values, spans)),
                (token, line) => return Err(unexpected(&token, line, "`,` or `)`")),
            }
        }
    }

    fn value(&mut self) -> Result<Value<'a>, SqlError> {
        let (token, line) = self.token("a value")?;
        match token {
            Token::Text(text) => Ok(Value::Text(text)),
            Token::Sign(sign @ (b'-' | b'+')) => match self.token("a number")? {
                (Token::Word(text), _) => {
                    Ok(Value::Number { text: self.with_exponent(text), negative: sign == b'-' })
                }
                (token, line) => Err(unexpected(&token, line, "a number")),
            },
            Token::Word(word) if is(word, "NULL") => Ok(Value::Null),
            // b'1', _binary '…', 0x…, TRUE, a function.
            Token::Word(word) => {
                let mut ahead = self.tokens.clone();
                match ahead.next()? {
                    Some((Token::Text(text), _)) if is(word, "b") || is(word, "_binary") => {
                        self.tokens = ahead;
                        Ok(Value::Text(text))
                    }
                    Some((Token::Sign(b'('), _)) => {
                        self.tokens = ahead;
                        self.skip_brackets(line)?;
                        Ok(Value::Computed)
                    }
                    _ => Ok(Value::Number { text: self.with_exponent(word), negative: false }),
                }
            }
            token => Err(unexpected(&token, line, "a value")),
        }
    }

    /// The sign of an exponent ends a word: 1e-3 comes in three tokens that stand side by side.
    fn with_exponent(&mut self, word: &'a str) -> &'a str {
        let is_cut = word.starts_with(|c: char| c.is_ascii_digit() || c == '.') && word.ends_with(['e', 'E']);
        match self.tokens.clone().rest_of_exponent(word) {
            Some((whole, tokens)) if is_cut => {
                self.tokens = tokens;
                whole
            }
            _ => word,
        }
    }

    /// Passes over everything up to the bracket that closes one that is open already.
    fn skip_brackets(&mut self, line: u32) -> Result<(), SqlError> {
        let mut depth = 1usize;
        while depth > 0 {
            match self.tokens.next()? {
                Some((Token::Sign(b'('), _)) => depth += 1,
                Some((Token::Sign(b')'), _)) => depth -= 1,
                Some((Token::Sign(b';'), line)) => return Err(unexpected(&Token::Sign(b';'), line, "`)`")),
                Some(_) => {}
                None => return Err(SqlError::new(line, "a bracket is not closed")),
            }
        }
        Ok(())
    }

    /// After a row: whether another one follows.
    fn goes_on(&mut self) -> Result<bool, SqlError> {
        match self.tokens.next()? {
            Some((Token::Sign(b','), _)) => Ok(true),
            Some((Token::Sign(b';'), _)) | None => Ok(false),
            // ON DUPLICATE KEY UPDATE …
            Some((token @ Token::Word(_), _)) => {
                self.finish(&token)?;
                Ok(false)
            }
            Some((token, line)) => Err(unexpected(&token, line, "`,` or `;`")),
        }
    }

    fn delete(&mut self, line: u32) -> Result<Option<Event<'a>>, SqlError> {
        match self.token("FROM")? {
            (Token::Word(word), _) if is(word, "FROM") => {}
            (token, line) => return Err(unexpected(&token, line, "FROM")),
        }
        let Some(table) = self.table()? else {
            self.finish(&Token::Sign(b' '))?;
            return Ok(None);
        };
        let condition = self.condition()?;
        Ok(Some(Event::Delete { table, condition, line }))
    }

    /// `WHERE column = value`, `WHERE column IN (…)` or nothing, and the end of the statement.
    fn condition(&mut self) -> Result<Condition<'a>, SqlError> {
        match self.tokens.next()? {
            Some((Token::Sign(b';'), _)) | None => return Ok(Condition::All),
            Some((Token::Word(word), _)) if is(word, "WHERE") => {}
            Some((token, line)) => return Err(unexpected(&token, line, "WHERE")),
        }
        let column = match self.token("a column")? {
            (Token::Word(name) | Token::Name(name), _) => name,
            (token, _) => {
                self.finish(&token)?;
                return Ok(Condition::Other);
            }
        };
        let values = match self.token("a condition")? {
            (Token::Sign(b'='), _) => vec![self.value()?],
            (Token::Word(word), _) if is(word, "IN") => {
                self.sign(b'(')?;
                self.values(MAX_LISTED)?.0
            }
            (token, _) => {
                self.finish(&token)?;
                return Ok(Condition::Other);
            }
        };
        match self.tokens.next()? {
            Some((Token::Sign(b';'), _)) | None => Ok(Condition::OneOf { column, values }),
            Some((token, _)) => {
                self.finish(&token)?;
                Ok(Condition::Other)
            }
        }
    }

    /// Remembers the names of a table's columns.
    fn create(&mut self) -> Result<(), SqlError> {
        match self.token("TABLE")? {
            (Token::Word(word), _) if is(word, "TABLE") => {}
            (token, _) => return self.finish(&token),
        }
        let mut ahead = self.tokens.clone();
        if let Some((Token::Word(word), _)) = ahead.next()?
            && is(word, "IF")
        {
            // IF NOT EXISTS
            ahead.next()?;
            ahead.next()?;
            self.tokens = ahead;
        }
        let Some(table) = self.table()? else { return self.finish(&Token::Sign(b' ')) };
        self.sign(b'(')?;
        let mut columns = Vec::new();
        let mut begins = true;
        loop {
            let (token, line) = self.token("`)`")?;
            match token {
                Token::Name(name) if begins && columns.len() < MAX_COLUMNS => columns.push(name),
                Token::Sign(b'(') => self.skip_brackets(line)?,
                Token::Sign(b')') => break,
                Token::Sign(b';') => return Err(unexpected(&token, line, "`)`")),
                _ => {}
            }
            begins = token == Token::Sign(b',');
        }
        self.created.insert(table, columns);
        self.finish(&Token::Sign(b' '))
    }
}

fn is(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

fn unexpected(found: &Token<'_>, line: u32, wanted: &str) -> SqlError {
    let found = match found {
        Token::Word(word) | Token::Name(word) => format!("`{}`", word.chars().take(40).collect::<String>()),
        Token::Text(_) => "a string".to_owned(),
        Token::Sign(sign) => format!("`{}`", char::from(*sign).escape_default()),
    };
    SqlError::new(line, format!("{found} where {wanted} should be"))
}
