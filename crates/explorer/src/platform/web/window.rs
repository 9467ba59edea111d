//! What the window may do when it is a part of a page.

use super::{browser, dats, pace, page, said};
use crate::{explorer::Explorer, inspect::Report};
use anyhow::{Result, anyhow};
use std::{cell::RefCell, future::Future, time::Duration};
use threshold_render::gpu::wgpu;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlCanvasElement;
use winit::{
    application::ApplicationHandler,
    event_loop::{ControlFlow, EventLoop},
    platform::web::{EventLoopExtWebSys, WindowAttributesExtWebSys, WindowExtWebSys},
    window::{Window, WindowAttributes},
};

/// What to do when there is no page to draw on.
pub const NO_DISPLAY: &str = "reload the page";
/// What to do when the browser does not draw.
pub const NO_DRIVER: &str = "this browser offers neither WebGPU nor WebGL 2; allow it to use the graphics card \
     (in Chrome: Settings, System), or use a current Firefox, Chrome or Safari";
/// The browser says when the next picture is drawn.
pub const CONTROL_FLOW: ControlFlow = ControlFlow::Wait;
/// Pages are left by the browser's own means.
pub const CAN_LEAVE: bool = false;

thread_local! {
    /// Who waits to be told how things stand.
    static ASKED: RefCell<Vec<js_sys::Function>> = const { RefCell::new(Vec::new()) };
}

/// Hands what runs over to the browser.
pub fn run_app<A: ApplicationHandler + 'static>(events: EventLoop<()>, app: A) -> Result<Option<A>> {
    events.spawn_app(app);
    Ok(None)
}

/// Has something done that may have to wait.
pub fn spawn(work: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(work);
}

/// Does something as soon as the contents of a buffer can be read.
pub fn when_mapped(
    _: &wgpu::Device,
    buffer: &wgpu::Buffer,
    read: impl FnOnce() -> Result<()> + Send + 'static,
) -> Result<()> {
    buffer.slice(..).map_async(wgpu::MapMode::Read, move |mapped| {
        let read = mapped.map_err(|error| anyhow!("{error}")).and_then(|()| read());
        if let Err(error) = read {
            fail(&error);
        }
    });
    Ok(())
}

/// The browser waits by itself.
pub fn rest(_: Duration) {}

/// The window is the page's canvas; keys that mean nothing here stay with the browser.
pub fn place_window(attributes: WindowAttributes) -> WindowAttributes {
    let canvas = browser().ok().and_then(|browser| browser.document()?.get_element_by_id("world"));
    let canvas = canvas.and_then(|canvas| canvas.dyn_into::<HtmlCanvasElement>().ok());
    let mut attributes = attributes.with_canvas(canvas).with_prevent_default(false);
    // The page says how large it is.
    attributes.inner_size = None;
    attributes
}

/// The window is ready: it gets the keyboard. The page is told when there is a picture.
pub fn show_window(window: &Window) {
    if let Some(canvas) = window.canvas() {
        let _ = canvas.focus();
    }
}

/// Tells how everything stands, at the end of the frame that is being drawn: what the inspector shows, as JSON.
#[wasm_bindgen]
pub async fn state() -> Result<JsValue, JsValue> {
    let answer = js_sys::Promise::new(&mut |resolve, _| ASKED.with_borrow_mut(|asked| asked.push(resolve)));
    JsFuture::from(answer).await
}

/// A frame is over: callers that asked for the state get an answer, and records that are missing are asked for. True when
/// it was the last one of its world, and another has taken its place.
pub fn end_frame(explorer: &mut Explorer) -> bool {
    dats::ask();
    pace::end_frame(explorer);
    answer(explorer);
    match dats::take_next() {
        Some(next) => {
            *explorer = next;
            true
        }
        None => false,
    }
}

fn answer(explorer: &Explorer) {
    let asked = ASKED.take();
    if asked.is_empty() {
        return;
    }
    let report = serde_json::to_string(&Report::new(&explorer.session, &explorer.view)).unwrap_or_default();
    for resolve in asked {
        // A page that does not listen any more is no harm.
        let _ = resolve.call1(&JsValue::NULL, &JsValue::from_str(&report));
    }
}

/// An address that leads to a place.
pub fn link_to(loc: &str) -> Option<String> {
    let location = browser().ok()?.location();
    let page = location.href().ok()?;
    let page = page.split(['?', '#']).next().unwrap_or_default();
    Some(format!("{page}?at={}", js_sys::encode_uri_component(loc)))
}

/// Something went wrong that ends the program: the page says so.
pub fn fail(error: &anyhow::Error) {
    page::failed(&format!("{error:#}"));
}

/// Where other programs find a text.
#[derive(Default)]
pub struct Clipboard;

impl Clipboard {
    /// Puts a text there. A browser that refuses is no reason to stop.
    pub fn set(&mut self, text: &str) {
        if let Ok(browser) = browser() {
            let copied = browser.navigator().clipboard().write_text(text);
            wasm_bindgen_futures::spawn_local(async move {
                let _ = JsFuture::from(copied).await.map_err(said);
            });
        }
    }
}
