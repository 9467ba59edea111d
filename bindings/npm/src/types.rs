//! Types that TypeScript sees. Values are plain objects: what comes in is read by `argument`, what goes out is made by
//! `value`.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// A Rust name for each type of `types.d.ts` that methods take or return.
macro_rules! types {
    ($($name:ident = $type:tt;)*) => {
        #[wasm_bindgen]
        extern "C" {
            $(
                #[wasm_bindgen(typescript_type = $type)]
                pub type $name;
            )*
        }
    };
}

types! {
    JsBlockers = "Blockers";
    JsBody = "Body";
    JsBytes = "Uint8Array | ArrayBuffer";
    JsDatFiles = "DatFiles";
    JsDoor = "\"open\" | \"closed\"";
    JsDoorChange = "\"open\" | \"closed\" | \"blocked\"";
    JsFound = "number | string";
    JsHit = "Hit";
    JsHits = "Hits";
    JsJumpOptions = "JumpOptions";
    JsJumpReport = "JumpReport";
    JsKeys = "Keys";
    JsLoad = "number | Place";
    JsNumbers = "ArrayLike<number>";
    JsNumberOrNumbers = "number | ArrayLike<number>";
    JsApplied = "\"done\" | \"stale\" | \"queued\" | \"nothing\"";
    JsPathOptions = "PathOptions";
    JsPathReport = "PathReport";
    JsPathReports = "PathReport[]";
    JsPaths = "readonly Places[]";
    JsPicture = "Picture";
    JsPlace = "Place";
    JsPlaced = "\"placed\" | \"no room\" | \"no cell\" | \"collided\"";
    JsPlaces = "Places";
    JsPlan = "Plan";
    JsPlanOptions = "PlanOptions";
    JsPortals = "Portal[]";
    JsPosition = "Position";
    JsPositions = "Positions";
    JsRenderOptions = "RenderOptions";
    JsResidency = "Residency";
    JsRoute = "Route";
    JsSaid = "Update | Uint8Array";
    JsSessionEvents = "SessionEvent[]";
    JsSkills = "Skills";
    JsSpawnOptions = "SpawnOptions";
    JsSphereKind = "SphereKind";
    JsSpot = "Spot";
    JsStrings = "string[]";
    JsSweeps = "Sweeps";
    JsSwept = "Swept";
    JsText = "string";
    JsTileOptions = "TileOptions";
    JsVector = "Vector";
    JsView = "View";
    JsWorldEvents = "WorldEvent[]";
}
