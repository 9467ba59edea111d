//! Every link of the documentation to a file of the repository leads to one, and to a heading of it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The Markdown files of the repository; of the folder, where it is not a checkout.
fn pages(root: &Path) -> Vec<PathBuf> {
    fn collect(dir: &Path, pages: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name());
            let is_ours = !["target", "node_modules"].iter().any(|other| name == *other);
            if entry.file_type().unwrap().is_dir() && is_ours && !name.to_string_lossy().starts_with('.') {
                collect(&path, pages);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    let listed = Command::new("git").args(["ls-files", "*.md"]).current_dir(root).output();
    if let Ok(listed) = listed
        && listed.status.success()
        && !listed.stdout.is_empty()
    {
        return String::from_utf8(listed.stdout).unwrap().lines().map(|name| root.join(name)).collect();
    }
    let mut pages = Vec::new();
    collect(root, &mut pages);
    pages
}

/// Lines outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Targets of the links in a line; what looks like one inside code is not.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let in_code: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
    let links = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    links.map(|(target, _)| target).filter(move |target| !in_code.iter().any(|code| code.contains(target)))
}

/// The name that a forge gives a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let root = root();
    let (mut followed, mut broken) = (0, Vec::new());
    for page in pages(&root) {
        let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        for target in prose(&text).flat_map(targets) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, heading) = target.split_once('#').map_or((target, None), |(f, h)| (f, Some(h)));
            let path = if file.is_empty() { page.clone() } else { page.parent().unwrap_or(&root).join(file) };
            let leads = path.exists()
                && heading.is_none_or(|heading| {
                    fs::read_to_string(&path).is_ok_and(|text| anchors(&text).iter().any(|a| a == heading))
                });
            followed += 1;
            if !leads {
                broken.push(format!("{}: {target}", page.strip_prefix(&root).unwrap_or(&page).display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    assert!(followed > 50, "only {followed} links were found");
}

#[test]
fn every_page_of_the_documentation_is_in_the_book() {
    let docs = root().join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: Vec<&str> = prose(&summary).flat_map(targets).collect();
    for page in pages(&root()).iter().filter_map(|page| page.strip_prefix(&docs).ok()) {
        let name = page.to_string_lossy().replace('\\', "/");
        assert!(
            name == "SUMMARY.md" || listed.contains(&name.as_str()),
            "docs/SUMMARY.md does not list {name}"
        );
    }
}

#[test]
fn links_and_headings_are_read_as_a_forge_reads_them() {
    let line = "see [a](b.md), [`c`](d.md#e) and `[not](one.md)`";
    assert_eq!(targets(line).collect::<Vec<_>>(), ["b.md", "d.md#e"]);
    assert_eq!(anchor(" 3.5 What a cell's portals reach"), "35-what-a-cells-portals-reach");
    assert_eq!(prose("a\n```\nb\n```\nc").collect::<Vec<_>>(), ["a", "c"]);
}
