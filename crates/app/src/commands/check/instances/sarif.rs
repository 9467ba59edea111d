//! Findings as SARIF 2.1.0, which editors and forges show beside the lines.

use super::report::Report;
use anyhow::Result;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    io::{BufWriter, Write, stdout},
    path::{Component, Path},
};
use threshold_ace::{Finding, Problem, Severity};

pub(super) fn print(report: &Report<'_>) -> Result<()> {
    let findings = || report.findings.iter().chain(&report.notes).copied();
    let kinds: BTreeSet<Problem> = findings().map(|finding| finding.problem).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "threshold check",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": kinds.into_iter().map(rule).collect::<Vec<Value>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "results": findings().map(result).collect::<Vec<Value>>(),
        }],
    });
    let mut out = BufWriter::new(stdout().lock());
    serde_json::to_writer_pretty(&mut out, &log)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

fn level(problem: Problem) -> &'static str {
    if problem.severity() == Severity::Note { "note" } else { "warning" }
}

fn rule(problem: Problem) -> Value {
    json!({
        "id": problem.name(),
        "shortDescription": { "text": problem.name().replace('-', " ") },
        "help": { "text": problem.advice() },
        "defaultConfiguration": { "level": level(problem) },
    })
}

fn result(finding: &Finding) -> Value {
    let about = finding.guid.map(|guid| match finding.name.as_str() {
        "" => format!("0x{guid:08X} "),
        name => format!("{name} (0x{guid:08X}) "),
    });
    let mut text = format!("{}{}", about.unwrap_or_default(), finding.message);
    if let Some(fix) = &finding.fix {
        text += &format!("; the correct place is {fix}");
    }
    json!({
        "ruleId": finding.problem.name(),
        "level": level(finding.problem),
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&finding.file) },
            "region": { "startLine": finding.line.max(1) },
        }}],
        "partialFingerprints": { "object/v1": format!(
            "{}:{:08X}:{}",
            finding.problem.name(),
            finding.guid.unwrap_or_default(),
            finding.class.unwrap_or_default(),
        )},
    })
}

/// A file as a relative or absolute address: slashes, and escapes for all that has a meaning in addresses.
fn uri(file: &str) -> String {
    let mut uri = String::new();
    for part in Path::new(file).components() {
        match part {
            Component::RootDir => uri = "file:///".to_owned(),
            Component::CurDir => {}
            part => {
                if !uri.is_empty() && !uri.ends_with('/') {
                    uri.push('/');
                }
                for &byte in part.as_os_str().as_encoded_bytes() {
                    match byte {
                        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                            uri.push(char::from(byte));
                        }
                        byte => uri += &format!("%{byte:02X}"),
                    }
                }
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_become_addresses() {
        assert_eq!(uri("./a b/Ä#.sql"), "a%20b/%C3%84%23.sql");
        assert_eq!(uri("/x/y.sql"), "file:///x/y.sql");
    }
}
