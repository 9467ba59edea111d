// Everything the GPU backend draws. Colours are bytes, as in the reference: what the reference rounds is rounded here.

// Nearer than this nothing is drawn. Depth is NEAR / w: 1 there, 0 infinitely far away.
const NEAR: f32 = 0.1;

const LIT_GROUND: u32 = 0u;
const LIT_POINTS: u32 = 2u;

const STATE_FOG: u32 = 0x10000u;
const STATE_CLAMP: u32 = 0x20000u;
const STATE_CLIP_MAP: u32 = 0x40000u;

struct Globals {
    eye: vec3f,
    fog_begin: f32,
    right: vec3f,
    fog_end: f32,
    up: vec3f,
    has_fog: u32,
    forward: vec3f,
    // Size of the projection's picture as a multiple of the target's.
    scale: vec2f,
    tangent: vec2f,
    fog_color: vec3f,
}

// Axes of the matrix with the translation in the fourth column, then axes of the rotation with other values.
struct Instance {
    x: vec4f,
    y: vec4f,
    z: vec4f,
    turned_x_emissive: vec4f,
    turned_y_diffuse: vec4f,
    turned_z_uv_scale: vec4f,
    uv_offset: vec2f,
    lighting: u32,
}

struct Lighting {
    ambient: vec3f,
    kind: u32,
    sun: vec3f,
    first: u32,
    sun_color: vec3f,
    end: u32,
}

struct PointLight {
    position: vec3f,
    range: f32,
    color: vec3f,
    intensity: f32,
}

@group(0) @binding(0) var<uniform> globals: Globals;
// Tables: structures one after the other, four words to a texel, ROW texels to a row.
@group(0) @binding(1) var instances: texture_2d<u32>;
@group(0) @binding(2) var lightings: texture_2d<u32>;
@group(0) @binding(3) var lights: texture_2d<u32>;

const ROW: u32 = 1024u;

fn instance_texel(i: u32) -> vec4f {
    return bitcast<vec4f>(textureLoad(instances, vec2u(i % ROW, i / ROW), 0));
}

fn lighting_texel(i: u32) -> vec4u {
    return textureLoad(lightings, vec2u(i % ROW, i / ROW), 0);
}

fn light_texel(i: u32) -> vec4f {
    return bitcast<vec4f>(textureLoad(lights, vec2u(i % ROW, i / ROW), 0));
}

fn instance_at(index: u32) -> Instance {
    let i = index * 7u;
    // The index of the lighting stays a whole number: as a float it would be a denormal one, which devices may flush.
    let last = textureLoad(instances, vec2u((i + 6u) % ROW, (i + 6u) / ROW), 0);
    return Instance(
        instance_texel(i), instance_texel(i + 1u), instance_texel(i + 2u),
        instance_texel(i + 3u), instance_texel(i + 4u), instance_texel(i + 5u),
        bitcast<vec2f>(last.xy), last.z,
    );
}

fn lighting_at(index: u32) -> Lighting {
    let i = index * 3u;
    let ambient = lighting_texel(i);
    let sun = lighting_texel(i + 1u);
    let color = lighting_texel(i + 2u);
    return Lighting(
        bitcast<vec3f>(ambient.xyz), ambient.w, bitcast<vec3f>(sun.xyz), sun.w, bitcast<vec3f>(color.xyz), color.w,
    );
}

fn point_light_at(index: u32) -> PointLight {
    let place = light_texel(index * 2u);
    let color = light_texel(index * 2u + 1u);
    return PointLight(place.xyz, place.w, color.rgb, color.w);
}

// The same array twice: OpenGL knows one sampler per texture.
@group(1) @binding(0) var repeated: texture_2d_array<f32>;
@group(1) @binding(1) var repeating: sampler;
@group(1) @binding(2) var clamped: texture_2d_array<f32>;
@group(1) @binding(3) var clamping: sampler;

struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) glow: vec4f,
    // Instance, layer of the texture array, state: opacity, alpha reference, flags.
    @location(4) draw: vec3u,
}

struct Corner {
    @invariant @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
    @location(1) light: vec3f,
    @location(2) clear: f32,
    @location(3) @interpolate(flat) layer: u32,
    @location(4) @interpolate(flat) state: u32,
}

fn light_at(kind: Lighting, position: vec3f, normal: vec3f, emissive: vec3f, diffuse: f32) -> vec3f {
    var sum = emissive + kind.ambient;
    if kind.kind == LIT_POINTS {
        var shine = vec3f(0.0);
        for (var i = kind.first; i < kind.end; i++) {
            let light = point_light_at(i);
            let towards = light.position - position;
            let squared = dot(towards, towards);
            if squared < light.range * light.range && squared > 0.0 {
                shine += light.color * (light.intensity * max(dot(normal, towards), 0.0) / squared);
            }
        }
        sum += shine * diffuse;
    } else {
        sum += kind.sun_color * (max(dot(normal, kind.sun), 0.0) * diffuse);
    }
    sum = clamp(sum, vec3f(0.0), vec3f(1.0));
    if kind.kind == LIT_GROUND {
        return floor(sum * 255.0) / 255.0;
    }
    return sum;
}

@vertex
fn mesh_vertex(in: Vertex) -> Corner {
    let instance = instance_at(in.draw.x);
    let p = in.position;
    let n = in.normal;
    let position = instance.x.xyz * p.x + instance.y.xyz * p.y + instance.z.xyz * p.z
        + vec3f(instance.x.w, instance.y.w, instance.z.w);
    let normal = instance.turned_x_emissive.xyz * n.x + instance.turned_y_diffuse.xyz * n.y
        + instance.turned_z_uv_scale.xyz * n.z;
    let from_eye = position - globals.eye;
    let w = dot(globals.forward, from_eye);
    let x = dot(globals.right, from_eye) / globals.tangent.x;
    let y = dot(globals.up, from_eye) / globals.tangent.y;
    let scale = globals.scale;

    var out: Corner;
    out.position = vec4f(x * scale.x + w * (scale.x - 1.0), y * scale.y - w * (scale.y - 1.0), NEAR, w);
    out.uv = in.uv * instance.turned_z_uv_scale.w + instance.uv_offset;
    let emissive = in.glow.rgb + instance.turned_x_emissive.w;
    let diffuse = instance.turned_y_diffuse.w;
    out.light = light_at(lighting_at(instance.lighting), position, normal, emissive, diffuse);
    out.clear = 1.0;
    if globals.has_fog != 0u && (in.draw.z & STATE_FOG) != 0u {
        let left = (globals.fog_end - length(from_eye)) / (globals.fog_end - globals.fog_begin);
        out.clear = clamp(left, 0.0, 1.0);
    }
    out.layer = in.draw.y;
    out.state = in.draw.z;
    return out;
}

fn bytes4(fraction: vec4f) -> vec4f {
    return floor(fraction * 255.0 + 0.5);
}

fn bytes3(fraction: vec3f) -> vec3f {
    return floor(clamp(fraction, vec3f(0.0), vec3f(1.0)) * 255.0 + 0.5);
}

// Trilinear; the mip level follows from the longer side of a pixel's footprint, on every driver.
fn sampled(in: Corner) -> vec4f {
    let texels = in.uv * vec2f(textureDimensions(repeated, 0));
    let across = dpdx(texels);
    let down = dpdy(texels);
    let footprint = max(dot(across, across), dot(down, down));
    let level = 0.5 * log2(max(footprint, 1.0));
    if (in.state & STATE_CLAMP) != 0u {
        return textureSampleLevel(clamped, clamping, in.uv, in.layer, level);
    }
    return textureSampleLevel(repeated, repeating, fract(in.uv), in.layer, level);
}

// Colour and alpha as bytes.
fn shaded(in: Corner) -> vec4f {
    let texel = bytes4(sampled(in));
    let own = floor(texel.rgb * bytes3(in.light) / 255.0 + 0.5);
    let clear = floor(clamp(in.clear, 0.0, 1.0) * 255.0 + 0.5);
    let alpha = floor(texel.a * f32(in.state & 0xFFu) / 255.0 + 0.5);
    var haze = 255.0 - clear;
    // What a clip map leaves open takes no fog.
    if (in.state & STATE_CLIP_MAP) != 0u {
        haze = floor(haze * alpha / 255.0 + 0.5);
    }
    let color = floor(own * clear / 255.0 + 0.5) + floor(globals.fog_color * haze / 255.0 + 0.5);
    return vec4f(color, alpha);
}

@fragment
fn mesh_plain(in: Corner) -> @location(0) vec4f {
    return shaded(in) / 255.0;
}

@fragment
fn mesh_tested(in: Corner) -> @location(0) vec4f {
    let color = shaded(in);
    if color.a < f32((in.state >> 8u) & 0xFFu) {
        discard;
    }
    return color / 255.0;
}

// Polygons that only set depth: to a value of their own, or below zero to that of the polygon.
struct PortalCorner {
    @builtin(position) position: vec4f,
    @location(0) w: f32,
    @location(1) @interpolate(flat) depth: f32,
}

@vertex
fn portal_vertex(@location(0) place: vec4f) -> PortalCorner {
    // No depth here, so that only the eye itself cuts the polygon.
    return PortalCorner(vec4f(place.xy, 0.0, place.z), place.z, place.w);
}

@fragment
fn portal_depth(in: PortalCorner) -> @builtin(frag_depth) f32 {
    if in.depth >= 0.0 {
        return in.depth;
    }
    return clamp(NEAR / in.w, 0.0, 1.0);
}
