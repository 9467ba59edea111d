//! The explorer as a page: what its address says.
//!
//! `?at=PLACE` is where to begin, `?session=FILE` a recorded session to play, `?script=FILE` does what a file says,
//! `?backend=cpu|gpu|auto` chooses what draws, `?own` waits for data files of one's own. Files lie beside the page.

use super::{browser, dats, said, settings_path};
use crate::{data::Data, explorer::Explorer, script::Script, settings::Settings, window};
use anyhow::{Context, Result, anyhow, ensure};
use std::{io::Cursor, process::ExitCode, sync::Arc};
use wasm_bindgen::{JsCast, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Response, Url, UrlSearchParams};

#[wasm_bindgen]
extern "C" {
    /// The page shows the picture instead of the progress.
    #[wasm_bindgen(js_namespace = thresholdPage)]
    pub(super) fn ready();
    /// The page says what is being done.
    #[wasm_bindgen(js_namespace = thresholdPage)]
    fn doing(text: &str);
    /// The page says what went wrong.
    #[wasm_bindgen(js_namespace = thresholdPage)]
    pub(super) fn failed(text: &str);
}

/// Runs the page. In a worker there is nothing to run: it is asked.
pub fn main() -> ExitCode {
    console_error_panic_hook::set_once();
    if browser().is_err() {
        return ExitCode::SUCCESS;
    }
    wasm_bindgen_futures::spawn_local(async {
        if let Err(error) = start().await {
            failed(&format!("{error:#}"));
        }
    });
    ExitCode::SUCCESS
}

async fn start() -> Result<()> {
    let script = script().await?;
    let path = Some(settings_path()).filter(|_| script.is_none());
    if asked("own")?.is_some() {
        doing("waiting for your files");
        return window::run(dats::first().await, path, None);
    }
    let settings = settings(script.is_some())?;
    doing("building the world");
    let data = Arc::new(Data::sample()?);
    let explorer = match asked("session")? {
        Some(name) => {
            let bytes = fetch(&name).await?;
            Explorer::film(data, &name, Cursor::new(bytes), settings, script)?
        }
        None => {
            let at = asked("at")?.map(|place| data.find(&place)).transpose()?;
            Explorer::new(data, at, settings, script)?
        }
    };
    window::run(explorer, path, None)
}

/// What the page's address says about something.
pub(super) fn asked(name: &str) -> Result<Option<String>> {
    let address = browser()?.location().search().map_err(said)?;
    Ok(UrlSearchParams::new_with_str(&address).map_err(said)?.get(name))
}

/// The script that the address names.
pub(super) async fn script() -> Result<Option<Script>> {
    let Some(name) = asked("script")? else { return Ok(None) };
    let text = String::from_utf8(fetch(&name).await?).with_context(|| name.clone())?;
    Script::parse(&text).map(Some).with_context(|| name.clone())
}

/// Settings as they were kept, or those that every script begins with; the address may choose what draws.
pub(super) fn settings(scripted: bool) -> Result<Settings> {
    // Settings that cannot be read are as good as none.
    let kept = Some(settings_path()).filter(|_| !scripted).and_then(|path| Settings::load(&path).ok());
    let mut settings = kept.unwrap_or_default();
    if let Some(backend) = asked("backend")? {
        settings.backend = backend.parse().context("backend")?;
    }
    Ok(settings)
}

/// A file that lies beside the page.
async fn fetch(name: &str) -> Result<Vec<u8>> {
    let browser = browser()?;
    let page = browser.location().href().map_err(said)?;
    let address = Url::new_with_base(name, &page).map_err(said).with_context(|| name.to_owned())?;
    let origin = browser.location().origin().map_err(said)?;
    ensure!(address.origin() == origin, "{name}: only files of {origin} are loaded");
    let answer = JsFuture::from(browser.fetch_with_str(&address.href())).await.map_err(said);
    let answer: Response = answer
        .with_context(|| name.to_owned())?
        .dyn_into()
        .map_err(|_| anyhow!("{name}: the server did not respond"))?;
    ensure!(answer.ok(), "{name}: the server responded with {} {}", answer.status(), answer.status_text());
    let bytes = answer.array_buffer().map_err(said)?;
    let bytes = JsFuture::from(bytes).await.map_err(said).with_context(|| name.to_owned())?;
    Ok(js_sys::Uint8Array::new(&bytes).to_vec())
}
