// What is painted on a surface, and its bumps. Follows common.wgsl.

@group(0) @binding(3) var color_maps: texture_2d<f32>;
@group(0) @binding(4) var color_map_sampler: sampler;

// Mirrors `SurfaceUniform` in passes/surfaces.rs.
struct Surface {
    world_from_local: mat4x4f,
    // Columns; w of the first: sign of the place's determinant.
    normal_from_local: array<vec4f, 3>,
    // w: shininess.
    front: vec4f,
    // w: row of the colour map.
    back: vec4f,
    // Ambient, diffuse, specular; w: strength of bumps.
    reflects: vec4f,
    // Colour of odd rows, of lines, or between curves; w: count, lines a metre, or frequency.
    paint: vec4f,
    // Colour of curves; w: curvature.
    second: vec4f,
    // Repeat of texture and of bumps; x: thickness of curves.
    repeats: vec4f,
    fade_center: vec4f,
    fade_scale: vec4f,
}

@group(1) @binding(0) var<uniform> surface: Surface;

@group(2) @binding(0) var picture: texture_2d<f32>;
@group(2) @binding(1) var bump_map: texture_2d<f32>;
@group(2) @binding(2) var picture_sampler: sampler;

override SHADING: u32 = 2u;
const FLAT = 0u;
const GOURAUD = 1u;
const PHONG = 2u;

override PAINT: u32 = 0u;
const PLAIN = 0u;
const ROWS = 1u;
const CURVES = 2u;
const TEXTURE = 3u;
const GRID = 4u;
const VALUES = 5u;

override BUMPS: u32 = 0u;
const NO_BUMPS = 0u;
const WEAVE = 1u;
const BUMP_MAP = 2u;

override FADES: bool = false;

override GLOSSY: bool = true;

fn paint(base: vec3f, corner: Corner) -> vec3f {
    if PAINT == ROWS {
        return mix(base, surface.paint.rgb, odd_row(corner.uv.y * surface.paint.w));
    }
    if PAINT == CURVES {
        return mix(surface.paint.rgb, surface.second.rgb, curve(corner.uv));
    }
    if PAINT == TEXTURE {
        // Pictures have their first row on top, texture coordinates grow upward.
        let repeated = corner.uv * surface.repeats.xy;
        let uv = edge(vec2f(repeated.x, 1.0 - repeated.y));
        let texel = textureSample(picture, picture_sampler, uv);
        return mix(base, texel.rgb, texel.a);
    }
    if PAINT == GRID {
        let grid = grid_line(corner.local.xz * surface.paint.w);
        return mix(base, surface.paint.rgb, grid);
    }
    if PAINT == VALUES {
        // Ends of the map are centres of its texels.
        let u = clamp(corner.local.w, 0.0, 1.0) * (255.0 / 256.0) + 0.5 / 256.0;
        return textureSampleLevel(color_maps, color_map_sampler, vec2f(u, surface.back.w), 0.0).rgb;
    }
    return base;
}

// A picture that does not repeat must not bleed over its far edge.
fn edge(uv: vec2f) -> vec2f {
    let half_texel = 0.5 / vec2f(textureDimensions(picture));
    let inside = clamp(uv, half_texel, 1.0 - half_texel);
    return select(uv, inside, surface.repeats.xy <= vec2f(1.0));
}

// 1 in odd rows, with an edge one pixel soft; the mean where rows are finer than pixels.
fn odd_row(row: f32) -> f32 {
    let pixel = max(fwidth(row), 1e-6);
    // Distance into the odd half of a pair of rows, negative outside.
    let inside = 0.5 - 2.0 * abs(fract(row * 0.5 - 0.25) - 0.5);
    return mix(saturate(inside / pixel + 0.5), 0.5, smoothstep(0.5, 1.5, pixel));
}

// Document 000, section 2.5: sin(p (u + v) + c sin(p (u − v))), with p = 2π·frequency. A curve runs
// along each crest and takes `thickness` of the distance between crests.
fn curve(uv: vec2f) -> f32 {
    let p = 2.0 * PI * surface.paint.w;
    let phase = p * (uv.x + uv.y) + surface.second.w * sin(p * (uv.x - uv.y));
    let turn = phase / (2.0 * PI) - 0.25;
    let pixel = max(fwidth(turn), 1e-6);
    let off = abs(fract(turn + 0.5) - 0.5);
    let thickness = surface.repeats.x;
    let sharp = saturate((0.5 * thickness - off) / pixel + 0.5);
    return mix(sharp, thickness, smoothstep(0.4, 1.0, pixel));
}

// Width of grid lines as a share of their distance.
const GRID_WIDTH = 0.018;

// Lines that are never thinner than a pixel: where they would be, they pale in place.
fn grid_line(place: vec2f) -> f32 {
    let pixel = max(fwidth(place), vec2f(1e-6));
    let drawn = clamp(vec2f(GRID_WIDTH), pixel, vec2f(0.5));
    let soft = pixel * 1.5;
    let off = 1.0 - abs(fract(place) * 2.0 - 1.0);
    var lines = 1.0 - smoothstep(drawn - soft, drawn + soft, off);
    lines *= saturate(GRID_WIDTH / drawn);
    lines = mix(lines, vec2f(GRID_WIDTH), saturate(pixel * 2.0 - 1.0));
    return mix(lines.x, 1.0, lines.y);
}

// Normal in the frame of the texture, and how much of the light a hollow keeps.
fn bump(uv: vec2f) -> vec4f {
    let strength = surface.reflects.w;
    let place = uv * surface.repeats.zw;
    if BUMPS == BUMP_MAP {
        let at = vec2f(uv.x, 1.0 - uv.y) * surface.repeats.zw;
        let texel = textureSample(bump_map, picture_sampler, at).xyz * 2.0 - 1.0;
        return vec4f(texel.xy * strength, max(texel.z, 0.05), 1.0);
    }
    return weave(place, strength);
}

// A plain weave: threads go over and under one another in turns.
fn weave(place: vec2f, strength: f32) -> vec4f {
    let thread = place * 2.0;
    let pixel = max(fwidth(thread.x), fwidth(thread.y));
    // Threads finer than pixels would glitter.
    let shown = strength * (1.0 - smoothstep(0.25, 0.9, pixel));
    let cell = floor(thread);
    let off = (thread - cell) * 2.0 - 1.0;
    let over = fract((cell.x + cell.y) * 0.5) < 0.25;
    // Round across a thread, gently arched along it.
    let slope = select(vec2f(0.45, 0.9), vec2f(0.9, 0.45), over) * off;
    let edge = select(abs(off.y), abs(off.x), over);
    let hollow = 1.0 - 0.35 * saturate(shown) * smoothstep(0.55, 1.0, edge);
    return vec4f(slope * shown, 1.0, hollow);
}

// The normal turned by a bump. The frame of the texture comes from how place and uv change over
// the picture.
fn bumped(normal: vec3f, across: vec3f, down: vec3f, uv: vec2f, bump: vec3f) -> vec3f {
    let uv_across = dpdx(uv);
    let uv_down = dpdy(uv);
    let down_normal = cross(down, normal);
    let normal_across = cross(normal, across);
    let turn = select(-1.0, 1.0, dot(across, down_normal) >= 0.0);
    let tangent = (down_normal * uv_across.x + normal_across * uv_down.x) * turn;
    let bitangent = (down_normal * uv_across.y + normal_across * uv_down.y) * turn;
    let longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    if longest <= 1e-24 {
        return normal;
    }
    let scale = inverseSqrt(longest);
    return unit(tangent * (scale * bump.x) + bitangent * (scale * bump.y) + normal * bump.z);
}
