//! What came of the cases: a table, JSON lines, JUnit.

use super::{Kind, engine::Fault};
use anyhow::Result;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

/// Longest value that is shown; lists of cells can be long.
const SHOWN: usize = 120;

/// How one case ended.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) case: String,
    /// Its outcome depends on arithmetic noise: it does not count.
    pub(super) fragile: bool,
    /// Where it disagrees first.
    pub(super) first: Option<First>,
}

/// A disagreement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct First {
    pub(super) case: String,
    /// Number of the step of a walk, of the line of a session; 0 for single questions.
    pub(super) step: i64,
    pub(super) field: String,
    pub(super) found: String,
    pub(super) expected: String,
}

impl First {
    pub(super) fn new(
        case: &str,
        step: i64,
        field: &str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> First {
        First {
            case: case.to_owned(),
            step,
            field: field.to_owned(),
            found: shorten(found.into()),
            expected: shorten(expected.into()),
        }
    }

    /// A line that is missing, with what went wrong if anything did.
    pub(super) fn missing(case: &str, step: i64, fault: Option<&Fault>) -> First {
        let found = fault.map_or("nothing: the output has ended".to_owned(), Fault::to_string);
        First::new(case, step, "line", found, "a line")
    }

    fn in_words(&self, kind: Kind) -> String {
        let First { case, step, field, found, expected } = self;
        match kind {
            Kind::Walk => format!("{case}, step {step}: {field} is {found}, expected {expected}"),
            Kind::Wire => format!("{case}, line {step}: {field} is {found}, expected {expected}"),
            Kind::Replay | Kind::View => format!("{case}: {field} is {found}, expected {expected}"),
        }
    }
}

fn shorten(text: String) -> String {
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN - 1).chain(['…']).collect()
}

/// The lines of an output as JSON objects; what is not one is quoted.
pub(super) fn objects(output: &[u8]) -> impl Iterator<Item = Result<serde_json::Map<String, Value>, String>> {
    let lines = output.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.map(|line| {
        serde_json::from_slice(line).map_err(|_| format!("`{}`", String::from_utf8_lossy(line).trim()))
    })
}

/// The cases of one kind in one world.
#[derive(Debug, Serialize)]
struct Row {
    kind: Kind,
    world: &'static str,
    cases: usize,
    agree: usize,
    /// Cases that do not count, as their outcome depends on arithmetic noise. They are among those that agree.
    fragile: usize,
    first: Option<First>,
    #[serde(skip)]
    verdicts: Vec<Verdict>,
}

impl Row {
    fn disagree(&self) -> usize {
        self.cases - self.agree
    }
}

/// Everything that was played.
#[derive(Debug, Default)]
pub(super) struct Report {
    rows: Vec<Row>,
}

impl Report {
    pub(super) fn add(&mut self, kind: Kind, world: &'static str, mut verdicts: Vec<Verdict>) {
        verdicts.iter_mut().filter(|verdict| verdict.fragile).for_each(|verdict| verdict.first = None);
        self.rows.push(Row {
            kind,
            world,
            cases: verdicts.len(),
            agree: verdicts.iter().filter(|verdict| verdict.first.is_none()).count(),
            fragile: verdicts.iter().filter(|verdict| verdict.fragile).count(),
            first: verdicts.iter().find_map(|verdict| verdict.first.clone()),
            verdicts,
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn agrees(&self) -> bool {
        self.rows.iter().all(|row| row.disagree() == 0)
    }

    pub(super) fn json(&self) -> Result<String> {
        let mut text = String::new();
        for row in &self.rows {
            text += &serde_json::to_string(row)?;
            text.push('\n');
        }
        Ok(text)
    }

    pub(super) fn table(&self) -> String {
        let mut text =
            format!("{:<7} {:<9} {:>6} {:>6} {:>9}\n", "kind", "world", "cases", "agree", "disagree");
        for row in &self.rows {
            let kind = name(row.kind);
            let _ = writeln!(
                text,
                "{kind:<7} {:<9} {:>6} {:>6} {:>9}",
                row.world,
                row.cases,
                row.agree,
                row.disagree()
            );
            if let Some(first) = &row.first {
                let _ = writeln!(text, "        first: {}", first.in_words(row.kind));
            }
        }
        let (cases, agree) = self.rows.iter().fold((0, 0), |(c, a), row| (c + row.cases, a + row.agree));
        let _ = writeln!(text, "{:<17} {cases:>6} {agree:>6} {:>9}", "all", cases - agree);
        text
    }

    /// As build servers read it: a suite for each kind and world.
    pub(super) fn junit(&self) -> String {
        let mut text =
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{JUNIT_NAME}\">\n");
        for row in &self.rows {
            let suite = format!("{}.{}", name(row.kind), row.world);
            let _ = writeln!(
                text,
                "  <testsuite name=\"{suite}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
                row.cases,
                row.disagree(),
                row.fragile
            );
            for verdict in &row.verdicts {
                let _ =
                    write!(text, "    <testcase classname=\"{suite}\" name=\"{}\"", escaped(&verdict.case));
                let _ = match &verdict.first {
                    Some(first) => {
                        writeln!(
                            text,
                            "><failure message=\"{}\"/></testcase>",
                            escaped(&first.in_words(row.kind))
                        )
                    }
                    None if verdict.fragile => writeln!(text, "><skipped message=\"fragile\"/></testcase>"),
                    None => writeln!(text, "/>"),
                };
            }
            text += "  </testsuite>\n";
        }
        text + "</testsuites>\n"
    }
}

/// Marks a JUnit report as this command's own.
pub(crate) const JUNIT_NAME: &str = "threshold conform";

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Walk => "walk",
        Kind::Replay => "replay",
        Kind::View => "view",
        Kind::Wire => "wire",
    }
}

/// Text for an attribute; what XML cannot hold becomes a question mark.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => safe.push('?'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let verdict = |case: &str, fragile, first| Verdict { case: case.to_owned(), fragile, first };
        let differs = First::new("b", 3, "cell", "\"<0x1>\"", "\"0x2\"");
        let mut report = Report::default();
        report.add(
            Kind::Walk,
            "plains",
            vec![
                verdict("a", false, None),
                verdict("b", false, Some(differs.clone())),
                verdict("c", true, Some(differs)),
            ],
        );
        report
    }

    #[test]
    fn the_three_forms_say_the_same() {
        let report = report();
        assert!(!report.agrees());
        assert_eq!(
            report.table(),
            "kind    world      cases  agree  disagree\n\
             walk    plains         3      2         1\n        \
             first: b, step 3: cell is \"<0x1>\", expected \"0x2\"\n\
             all                    3      2         1\n"
        );
        let json: Value = serde_json::from_str(&report.json().unwrap()).unwrap();
        assert_eq!((&json["cases"], &json["agree"], &json["fragile"]), (&3.into(), &2.into(), &1.into()));
        assert_eq!(json["first"]["field"], "cell");
        let junit = report.junit();
        assert!(junit.contains("tests=\"3\" failures=\"1\" skipped=\"1\""), "{junit}");
        assert!(
            junit.contains("name=\"b\"><failure message=\"b, step 3: cell is &quot;&lt;0x1&gt;&quot;"),
            "{junit}"
        );
        assert!(junit.contains("name=\"c\"><skipped"), "{junit}");
    }

    #[test]
    fn garbage_is_quoted_and_shortened() {
        let long = "x".repeat(500);
        let output = format!("{{\"a\": 1}}\n\nhello\u{7}\n{long}\n");
        let lines: Vec<_> = objects(output.as_bytes()).collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].is_ok());
        let first = First::new("a", 0, "line", lines[2].clone().unwrap_err(), "an object");
        assert_eq!(first.found.chars().count(), SHOWN);
        assert_eq!(escaped(lines[1].as_ref().unwrap_err()), "`hello?`");
    }
}
