//! The public interface of every library crate is written down in its `api.txt`. A change shows there, on purpose or not:
//! `THRESHOLD_WRITE_API=1 cargo test -p threshold-cli --test public_api` writes the files anew, and their diff says whether the
//! next version breaks anybody.
//!
//! The lint `unreachable_pub` makes every `pub` item reachable, so reading the sources is enough. Impls of foreign traits are not
//! listed, except those that are derived.

use std::{
    fs,
    path::{Path, PathBuf},
};

const WRITE: &str = "THRESHOLD_WRITE_API";
/// Crates whose interface is something else: the C header, the window.
const OTHERS: [&str; 2] = ["capi", "explorer"];

fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut crates: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_other = |path: &Path| OTHERS.iter().any(|other| path.ends_with(other));
    crates.retain(|path| path.join("src/lib.rs").is_file() && !is_other(path));
    crates.sort();
    crates
}

fn sources(dir: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, files);
        } else if name.ends_with(".rs") && name != "tests.rs" && name != "testing.rs" {
            files.push(path);
        }
    }
}

/// What a block at the left margin makes of the lines in it.
#[derive(Clone, Copy, PartialEq)]
enum Block {
    /// `impl` of a type's own: its `pub` items count.
    Impl,
    /// A public enum: every variant counts.
    Enum,
    /// A public trait: every item counts.
    Trait,
    /// Anything else: `pub` items in it count.
    Other,
}

/// The public items of a file as rustfmt lays it out, each on one line.
fn items(text: &str) -> Vec<String> {
    let (mut items, mut block, mut header, mut derived) =
        (Vec::new(), Block::Other, String::new(), String::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        let code = line.trim_start();
        if indent == 0
            && code.starts_with("#[cfg(test)]")
            && lines.peek().is_some_and(|next| next.ends_with('{'))
        {
            break;
        }
        if code.starts_with("//") || code.is_empty() {
            continue;
        }
        if let Some(list) = code.strip_prefix("#[derive(") {
            derived = list.trim_end_matches(")]").to_owned();
            continue;
        }
        if code.starts_with("#[") {
            continue;
        }
        if indent == 0 && code == "}" {
            (block, header) = (Block::Other, String::new());
            continue;
        }
        let is_public = code.starts_with("pub ");
        let is_member = indent == 4
            && match block {
                Block::Enum => code.starts_with(|c: char| c.is_ascii_uppercase()),
                Block::Trait => ["fn ", "type ", "const "].iter().any(|word| code.starts_with(word)),
                Block::Impl | Block::Other => false,
            };
        let opens_impl = indent == 0 && (code.starts_with("impl ") || code.starts_with("impl<"));
        if !(is_public || is_member || opens_impl) {
            if indent == 0 {
                derived.clear();
            }
            continue;
        }
        let whole = statement(code, &mut lines);
        if opens_impl {
            (block, header) = (if whole.contains(" for ") { Block::Other } else { Block::Impl }, whole);
            continue;
        }
        if indent == 0 && line.ends_with('{') || indent == 0 && !whole.ends_with(';') {
            let opened = |word: &str| whole.starts_with(&format!("pub {word} "));
            let next = if opened("enum") {
                Block::Enum
            } else if opened("trait") {
                Block::Trait
            } else {
                Block::Other
            };
            (block, header) = (next, whole.clone());
        }
        let owner = if indent == 0 || header.is_empty() { String::new() } else { format!("{header} :: ") };
        let derive = if derived.is_empty() { String::new() } else { format!(" [{derived}]") };
        derived.clear();
        items.push(format!("{owner}{whole}{derive}"));
        // What was one line is no block.
        if indent == 0 && whole.ends_with(';') {
            (block, header) = (Block::Other, String::new());
        }
    }
    items
}

/// An item up to its body, over as many lines as it takes.
fn statement<'t>(first: &str, lines: &mut impl Iterator<Item = &'t str>) -> String {
    let mut whole = first.to_owned();
    let open = |text: &str| {
        text.matches(['(', '<', '[']).count()
            > text.matches([')', '>', ']']).count() + text.matches("->").count() * 2
    };
    while !(whole.contains('{')
        || whole.ends_with(';')
        || whole.ends_with(',') && !open(&whole)
        || whole.ends_with('}'))
    {
        let Some(next) = lines.next() else { break };
        whole = format!("{whole} {}", next.trim());
    }
    let is_import = whole.starts_with("pub use ");
    while is_import && !whole.ends_with(';') {
        let Some(next) = lines.next() else { break };
        whole = format!("{whole} {}", next.trim());
    }
    let body = if is_import { None } else { whole.find('{') };
    let whole = body.map_or(whole.as_str(), |at| &whole[..at]);
    let value = whole.starts_with("pub const ") || whole.starts_with("pub static ");
    let whole = if value { whole.split_once(" = ").map_or(whole, |(name, _)| name) } else { whole };
    whole.trim().trim_end_matches(',').replace("( ", "(").replace(", )", ")").replace(",)", ")")
}

fn interface(krate: &Path) -> String {
    let mut files = Vec::new();
    sources(&krate.join("src"), &mut files);
    let mut text = String::new();
    for file in files {
        let items = items(&fs::read_to_string(&file).unwrap());
        if !items.is_empty() {
            let name = file.strip_prefix(krate).unwrap().to_string_lossy().replace('\\', "/");
            text += &format!("{name}\n");
            items.iter().for_each(|item| text += &format!("  {item}\n"));
        }
    }
    text
}

#[test]
fn the_interface_is_the_one_that_is_written_down() {
    let mut changed = Vec::new();
    for krate in crates() {
        let (path, found) = (krate.join("api.txt"), interface(&krate));
        if std::env::var_os(WRITE).is_some() {
            fs::write(&path, &found).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        if kept != found {
            let other = found.lines().zip(kept.lines()).find(|(found, kept)| found != kept);
            changed.push(format!("{}: {other:?}", path.display()));
        }
    }
    assert!(changed.is_empty(), "changed; {WRITE}=1 keeps it:\n{}", changed.join("\n"));
}

#[test]
fn items_are_found_over_several_lines_and_inside_of_types() {
    let text = "#[derive(Clone, Debug)]\npub struct A {\n    /// Doc.\n    pub b: u32,\n    c: u32,\n}\n\nimpl A {\n    pub fn new(\n        \
        b: u32,\n    ) -> A {\n        A { b, c: 0 }\n    }\n\n    pub(crate) fn hidden() {}\n}\n\npub enum E {\n    One,\n    Two {\n        x: u8,\n    },\n}\n\n\
        impl Display for A {\n    fn fmt() {}\n}\n\npub trait T {\n    fn ask(&self) -> u8;\n}\n\npub const MAX: u32 = 3;\n\
        pub use a::{\n    B,\n};\n#[cfg(test)]\nmod tests {\n    pub fn not_this() {}\n}\n";
    let expected = [
        "pub struct A [Clone, Debug]",
        "pub struct A :: pub b: u32",
        "impl A :: pub fn new(b: u32) -> A",
        "pub enum E",
        "pub enum E :: One",
        "pub enum E :: Two",
        "pub trait T",
        "pub trait T :: fn ask(&self) -> u8;",
        "pub const MAX: u32",
        "pub use a::{ B, };",
    ];
    assert_eq!(items(text), expected);
}
