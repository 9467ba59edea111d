//! A crate as WebAssembly, with the JavaScript that loads it.

use anyhow::{Context, Result, ensure};
use flate2::{Compression, write::GzEncoder};
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "web";

/// How modules are built.
pub struct Builder<'a> {
    /// The repository.
    pub root: &'a Path,
    /// A command that runs cargo.
    pub through: Option<&'a str>,
    /// Functions keep their names, for profiles.
    pub names: bool,
}

impl Builder<'_> {
    /// Builds a package of the workspace in `workspace`, a folder of the repository, with SIMD128 if `vectors`, and returns
    /// the module `name`.
    pub fn build(&self, workspace: &str, package: &str, name: &str, vectors: bool) -> Result<PathBuf> {
        let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".into());
        let mut command = match self.through {
            // The command may be named from the folder that cargo was called in.
            Some(through) => {
                let mut command = Command::new(fs::canonicalize(through).unwrap_or_else(|_| through.into()));
                command.arg(cargo);
                command
            }
            None => Command::new(cargo),
        };
        let target_dir = self.root.join("target").join(if vectors { "web-build-simd" } else { "web-build" });
        command.args(["build", "--locked", "--profile", PROFILE, "--target", TARGET, "-p", package]);
        command.arg("--target-dir").arg(&target_dir).current_dir(self.root.join(workspace));
        if vectors {
            command.args(["--config", &format!("target.{TARGET}.rustflags=[\"-Ctarget-feature=+simd128\"]")]);
        }
        let status = command.status().with_context(|| format!("{command:?}"))?;
        ensure!(
            status.success(),
            "the build failed; if the target is missing, `rustup target add {TARGET}` installs it"
        );
        Ok(target_dir.join(TARGET).join(PROFILE).join(format!("{name}.wasm")))
    }

    /// Writes a module and its JavaScript into a folder, under a name.
    pub fn bind(&self, module: &Path, out: &Path, name: &str, purpose: Purpose) -> Result<()> {
        fs::create_dir_all(out).with_context(|| out.display().to_string())?;
        let is_package = purpose == Purpose::Package;
        let mut bindgen = Bindgen::new();
        bindgen.web(true)?.typescript(is_package).omit_default_module_path(!is_package);
        bindgen.remove_name_section(!self.names).remove_producers_section(true);
        bindgen.input_path(module).out_name(name).generate(out)
    }
}

/// What a module is bound for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The page says where the module is.
    Page,
    /// The JavaScript finds the module beside itself, and has types.
    Package,
}

/// Prints how large a file is, and returns how large it is packed as servers pack it.
pub fn packed_size(out: &Path, file: &str) -> Result<usize> {
    let bytes = fs::read(out.join(file)).with_context(|| file.to_owned())?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&bytes)?;
    let packed = packed.finish()?.len();
    println!("{:>10} bytes, {packed:>9} packed  {file}", bytes.len());
    Ok(packed)
}
