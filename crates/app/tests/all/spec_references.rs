//! Comments refer to the specification by file and section. Every reference must lead somewhere.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Sections of one file of the specification.
#[derive(Default)]
struct Sections {
    /// Numbers in headings, and every number they lie within: `3`, `3.5`, `4.4a`.
    headings: BTreeSet<String>,
    /// Numbered items of a section: `(section, item)`.
    items: BTreeSet<(String, String)>,
}

impl Sections {
    fn read(text: &str) -> Sections {
        let mut sections = Sections::default();
        let mut current = String::new();
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix('#') {
                let heading = heading.trim_start_matches('#').trim_start();
                let named =
                    heading.split("(§").skip(1).map(|rest| rest.split([')', ' ']).next().unwrap_or(""));
                let own = number(heading).into_iter();
                for found in own.chain(named.filter_map(number)) {
                    current.clone_from(&found);
                    sections.headings.insert(found);
                }
            } else if let Some((item, rest)) = line.trim_start_matches([' ', '*']).split_once('.')
                && rest.starts_with([' ', '*'])
                && !item.is_empty()
                && item.len() <= 3
            {
                sections.items.insert((current.clone(), item.to_owned()));
            }
        }
        sections
    }

    /// A number is a heading, the whole of several headings, or an item (of an item) of a section.
    fn contain(&self, section: &str) -> bool {
        let prefix = format!("{section}.");
        if self.headings.contains(section) || self.headings.iter().any(|h| h.starts_with(&prefix)) {
            return true;
        }
        let Some((parent, item)) = section.rsplit_once('.') else { return false };
        let item = item.trim_end_matches(|c: char| c.is_ascii_lowercase());
        self.items.contains(&(parent.to_owned(), item.to_owned()))
            || (self.headings.contains(parent) && section.ends_with(|c: char| c.is_ascii_lowercase()))
    }
}

/// The section number that a text begins with: digits and dots, and perhaps a letter.
fn number(text: &str) -> Option<String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let letter = text[digits..].starts_with(|c: char| c.is_ascii_lowercase())
        && !text[digits..].chars().nth(1).is_some_and(char::is_alphanumeric);
    let found = text[..digits + usize::from(letter && digits > 0)].trim_end_matches('.');
    (!found.is_empty() && found.starts_with(|c: char| c.is_ascii_digit())).then(|| found.to_owned())
}

/// References of a comment: `physics-cells §3.5, §3.6–3.8; dat §3` as pairs of file and section.
fn references(comment: &str, files: &BTreeMap<String, Sections>) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut file: Option<String> = None;
    for word in comment.split_whitespace() {
        let bare = word.trim_matches([',', ';', '.', '(', ')', '`', ':']);
        if let Some(section) = bare.strip_prefix('§') {
            let Some(file) = &file else { continue };
            for end in section.split(['–', '§']).filter(|end| !end.is_empty()) {
                found.push((file.clone(), number(end)));
            }
        } else if files.contains_key(bare) {
            file = Some(bare.to_owned());
            found.push((bare.to_owned(), None));
        } else if file.is_none() {
            // The first word after `Spec:` names a file.
            found.push((bare.to_owned(), None));
            break;
        }
        if word.ends_with('.') {
            break;
        }
    }
    found
}

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn every_reference_to_the_specification_resolves() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(root.join("docs/spec")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        files.insert(name, Sections::read(&fs::read_to_string(&path).unwrap()));
    }
    let mut paths = Vec::new();
    ["crates", "fuzz"].iter().for_each(|dir| sources(&root.join(dir), &mut paths));
    let (mut count, mut dangling) = (0, Vec::new());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        for (index, line) in text.lines().enumerate() {
            // A reference may go on in the next line of the comment.
            let Some((before, first)) = line.split_once("Spec: ") else { continue };
            if !before.contains("//") {
                continue;
            }
            let next = text.lines().nth(index + 1).map_or("", str::trim_start);
            let next = next.strip_prefix("///").or(next.strip_prefix("//!")).or(next.strip_prefix("//"));
            let comment = format!("{first} {}", next.unwrap_or(""));
            for (file, section) in references(&comment, &files) {
                count += 1;
                let resolves = files
                    .get(&file)
                    .is_some_and(|sections| section.as_ref().is_none_or(|section| sections.contain(section)));
                if !resolves {
                    let section = section.unwrap_or_default();
                    dangling.push(format!("{}:{}: {file} §{section}", path.display(), index + 1));
                }
            }
        }
    }
    assert!(dangling.is_empty(), "references that lead nowhere:\n{}", dangling.join("\n"));
    assert!(count > 300, "only {count} references were found");
}

#[test]
fn headings_and_numbered_items_are_sections() {
    let sections =
        Sections::read("# Cells (§3)\n## 3. Cells\n### 3.5 Transit\n1. First\n2. Second\n#### 4.4a Shells\n");
    for section in ["3", "3.5", "3.5.2", "4.4a", "4"] {
        assert!(sections.contain(section), "{section}");
    }
    for section in ["3.6", "3.5.3", "5", "4.4b"] {
        assert!(!sections.contain(section), "{section}");
    }
}
