//! What the project is made of besides its own code: licences, sources, unsafe code.

use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Licences that may be in the product. `deny.toml` says the same for people who use cargo-deny.
const ALLOWED: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "OFL-1.1",
    "Ubuntu-font-1.0",
    "Unicode-3.0",
    "Zlib",
];
/// How the source of a dependency begins: the public registry and nothing else.
const REGISTRY: &str = "registry+";
/// The only files with unsafe code, each with its reason beside it.
const UNSAFE: [&str; 3] = [
    "crates/app/src/bench/allocations.rs",
    "crates/dat/src/container/image.rs",
    "crates/dat/src/prefetch.rs",
];
/// The C ABI: it takes addresses from its callers, and says beside each block why it may.
const C_ABI: &str = "crates/capi/";
/// Set to write the list of licences anew.
const WRITE: &str = "THRESHOLD_WRITE_LICENSES";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What cargo knows of the workspace, on the platform the list is kept for.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().unwrap()
}

fn text<'a>(package: &'a Value, field: &str) -> &'a str {
    package[field].as_str().unwrap_or_default()
}

/// Whether a licence expression can be met with what is allowed.
fn is_allowed(expression: &str) -> bool {
    let spaced =
        expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ").replace(" WITH ", "+");
    let (mut values, mut operators) = (Vec::new(), Vec::new());
    fn reduce(values: &mut Vec<bool>, operator: &str) {
        let (Some(b), Some(a)) = (values.pop(), values.pop()) else { return };
        values.push(if operator == "AND" { a && b } else { a || b });
    }
    for word in spaced.split_whitespace() {
        match word {
            "(" => operators.push(word),
            "AND" | "OR" => {
                // AND binds closer.
                while let Some(&last) =
                    operators.last().filter(|&&last| last == "AND" || last == word && last != "(")
                {
                    operators.pop();
                    reduce(&mut values, last);
                }
                operators.push(word);
            }
            ")" => {
                while let Some(last) = operators.pop().filter(|&last| last != "(") {
                    reduce(&mut values, last);
                }
            }
            name => values.push(ALLOWED.contains(&name.replace('+', " WITH ").as_str())),
        }
    }
    while let Some(last) = operators.pop() {
        reduce(&mut values, last);
    }
    values == [true]
}

#[test]
fn licence_expressions_are_understood() {
    for good in
        ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(MIT OR GPL-3.0) AND Unicode-3.0", "GPL-3.0 OR MIT AND ISC"]
    {
        assert!(is_allowed(good), "{good}");
    }
    let llvm = "Apache-2.0 WITH LLVM-exception OR GPL-3.0";
    assert!(is_allowed(llvm));
    for bad in ["GPL-3.0", "", "MIT AND GPL-3.0", "(MIT OR ISC) AND GPL-3.0", "GPL-3.0 OR MIT AND GPL-2.0"] {
        assert!(!is_allowed(bad), "{bad}");
    }
}

#[test]
fn every_dependency_has_a_good_licence_and_source_and_is_listed() {
    let metadata = metadata();
    let (own, others): (Vec<&Value>, Vec<&Value>) =
        list(&metadata, "packages").iter().partition(|package| package["source"].is_null());
    let mut names: Vec<&str> = own.iter().map(|package| text(package, "name")).collect();
    names.retain(|name| !name.starts_with("threshold-"));
    assert_eq!(names, [""; 0], "packages without a source that are not ours");
    for package in &own {
        assert_eq!(text(package, "license"), "MIT OR Apache-2.0", "{}", package["name"]);
    }
    let mut listed = BTreeMap::new();
    for package in others {
        let name = text(package, "name");
        assert!(text(package, "source").starts_with(REGISTRY), "{name}");
        let license = text(package, "license");
        assert!(is_allowed(license), "{name}: {license}");
        listed.insert(name, license);
    }
    assert!(listed.len() > 50);
    let mut list = String::from(
        "# Licences of what Threshold is built with\n\n\
         Every package that the workspace, its tests and benchmarks use on Linux. Written by\n\
         `THRESHOLD_WRITE_LICENSES=1 cargo test -p threshold-cli supply_chain`; a test compares it with what is used.\n\n\
         | Package | Licence |\n| --- | --- |\n",
    );
    for (name, license) in listed {
        list += &format!("| {name} | {license} |\n");
    }
    let path = root().join("docs/licenses.md");
    if env::var_os(WRITE).is_some() {
        fs::write(&path, &list).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == list, "docs/licenses.md is not up to date: {WRITE}=1 writes it anew");
}

/// The compiler that a package declares to need, as numbers that can be compared.
fn compiler(package: &Value) -> Vec<u32> {
    text(package, "rust_version").split('.').filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn no_dependency_needs_a_newer_compiler_than_the_crate_declares() {
    let metadata = metadata();
    let by_id = |values: &'static str, root: &Value| -> BTreeMap<String, Value> {
        list(root, values).iter().map(|value| (text(value, "id").to_owned(), value.clone())).collect()
    };
    let (packages, nodes) = (by_id("packages", &metadata), by_id("nodes", &metadata["resolve"]));
    let mut checked = 0;
    for (id, own) in packages.iter().filter(|(_, package)| package["source"].is_null()) {
        let declared = compiler(own);
        assert!(!declared.is_empty(), "{} declares no minimum", own["name"]);
        let (mut open, mut seen) = (vec![id.as_str()], BTreeSet::from([id.as_str()]));
        while let Some(id) = open.pop() {
            let needed = compiler(&packages[id]);
            assert!(
                needed[..needed.len().min(2)] <= declared[..],
                "{} declares Rust {declared:?}, but {id} needs {needed:?}",
                own["name"]
            );
            let is_built = |dep: &&Value| list(dep, "dep_kinds").iter().any(|kind| kind["kind"] != "dev");
            let deps = list(&nodes[id], "deps").iter().filter(is_built).map(|dep| text(dep, "pkg"));
            open.extend(deps.filter(|dep| seen.insert(*dep)));
        }
        checked += seen.len();
    }
    assert!(checked > 500, "{checked}");
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() && !["target", "corpus", "data"].contains(&name.as_str()) {
            sources(&entry, files);
        } else if name.ends_with(".rs") {
            files.push(entry);
        }
    }
}

/// Whether a reason stands right above every block of unsafe code, comments and the start of its statement apart.
fn has_reasons(code: &str) -> bool {
    let lines: Vec<&str> = code.lines().collect();
    let blocks = (0..lines.len()).filter(|&i| lines[i].contains("unsafe {"));
    blocks.into_iter().all(|i| lines[i.saturating_sub(3)..i].iter().any(|line| line.contains("// SAFETY: ")))
}

#[test]
fn unsafe_code_is_where_it_may_be_and_says_why() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    sources(&root().join("fuzz"), &mut files);
    files.sort();
    assert!(files.len() > 200);
    let mut found = Vec::new();
    for file in files {
        let code = fs::read_to_string(&file).unwrap();
        let is_unsafe = |line: &str| {
            let code = line.split("//").next().unwrap_or_default();
            ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "#![allow(unsafe"]
                .iter()
                .any(|form| code.contains(form))
        };
        // This file names the forms.
        if file.ends_with("tests/all/supply_chain.rs") || !code.lines().any(is_unsafe) {
            continue;
        }
        let name = file.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        if name.starts_with(C_ABI) {
            assert!(has_reasons(&code), "{name} has a block of unsafe code without a reason right above it");
            continue;
        }
        let reasons = code.matches("SAFETY").count()
            + code.matches("#[allow(unsafe_code, reason").count()
            + code.matches("#[expect(unsafe_code, reason").count();
        assert!(reasons > 0, "{name} has unsafe code without a reason");
        found.push(name);
    }
    found.sort();
    assert_eq!(found, UNSAFE);
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for manifest in crates.map(|folder| folder.join("Cargo.toml")) {
        let text = fs::read_to_string(&manifest).unwrap();
        assert!(text.contains("[lints]\nworkspace = true"), "{}", manifest.display());
    }
}
