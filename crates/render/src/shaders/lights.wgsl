// Lights and how much of them is seen. Follows common.wgsl.

// How many lights there are, and which of them are lamps and throw shadows, a bit each. Code for
// just these lights is much faster without a graphics card.
override LIGHTS: u32 = 0u;
override LAMPS: u32 = 0u;
override SHADOWED: u32 = 0u;
// Those that have gloss.
override GLINTS: u32 = 0u;
// Taps into a shadow map.
override TAPS: u32 = 4u;
// The light that hair veils; MAX_LIGHTS if none is.
override VEILED: u32 = 8u;

@group(0) @binding(1) var shadow_maps: texture_depth_2d_array;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
@group(0) @binding(5) var veil_front: texture_2d<f32>;
@group(0) @binding(6) var veil_layers: texture_2d<f32>;
@group(0) @binding(7) var veil_sampler: sampler;

fn unit(v: vec3f) -> vec3f {
    return v * inverseSqrt(max(dot(v, v), 1e-30));
}

fn is_lamp(i: u32) -> bool {
    return (LAMPS & (1u << i)) != 0u;
}

fn is_shadowed(i: u32) -> bool {
    return (SHADOWED & (1u << i)) != 0u;
}

// Unit vector to a light; w: how much of it comes, 1 / (1 + (d / half)²) for a lamp.
fn to_light(i: u32, place: vec3f) -> vec4f {
    if !is_lamp(i) {
        return vec4f(globals.lights[i].place.xyz, 1.0);
    }
    let off = globals.lights[i].place.xyz - place;
    return vec4f(unit(off), 1.0 / (1.0 + dot(off, off) * globals.lights[i].diffuse.w));
}

// First of a light's layers of shadows, which are in the order of the lights: a sun has one, a lamp
// six. Counted from constants, it is one too, and what is read by it is not looked up by pixel.
fn first_layer(i: u32) -> u32 {
    let before = SHADOWED & ((1u << i) - 1u);
    return countOneBits(before & ~LAMPS) + 6u * countOneBits(before & LAMPS);
}

// 0 in shadow, 1 in light, soft between.
fn visibility(i: u32, place: vec3f, normal: vec3f, toward: vec3f) -> f32 {
    var layer = first_layer(i);
    var texel = 0.0;
    if !is_lamp(i) {
        texel = globals.shadow_texel[layer].x;
    } else {
        let off = place - globals.lights[i].place.xyz;
        layer += face(off);
        let size = abs(off);
        texel = globals.shadow_texel[layer].x * max(size.x, max(size.y, size.z));
    }
    // A texel spans some depth where a surface slants: the place is moved off the surface by as
    // much, so that a surface does not shade itself.
    let cosine = clamp(dot(normal, toward), 0.0, 1.0);
    let slant = sqrt(1.0 - cosine * cosine);
    let moved = place + normal * (texel * (0.5 + 2.0 * slant)) + toward * texel;
    let clip = globals.shadow_from_world[layer] * vec4f(moved, 1.0);
    var device = clip.xyz;
    // A sun's rays are parallel: its w is 1.
    if is_lamp(i) {
        if clip.w <= 0.0 {
            return 1.0;
        }
        device /= clip.w;
    }
    let outside = any(abs(device.xy) >= vec2f(1.0)) || device.z < 0.0;
    let uv = device.xy * vec2f(0.5, -0.5) + 0.5;
    let depth = min(device.z, 1.0);
    // Four taps, each a mix of four texels: an edge three texels soft. Software runs both sides of
    // a branch for every pixel but leaves a loop early: no tap is paid for where none is needed.
    let taps = select(TAPS, 0u, outside);
    let share = 1.0 / f32(TAPS);
    var off = select(vec2f(0.0), vec2f(0.5, 1.25) * globals.sky_ground.w, TAPS > 1u);
    var dark = 0.0;
    for (var tap = 0u; tap < taps; tap++) {
        dark += share - share
            * textureSampleCompareLevel(shadow_maps, shadow_sampler, uv + off, layer, depth);
        off = vec2f(-off.y, off.x);
    }
    return 1.0 - dark;
}

// Side of the cube about a lamp, in the order of passes/shadow.rs.
fn face(off: vec3f) -> u32 {
    let size = abs(off);
    if size.x >= size.y && size.x >= size.z {
        return select(1u, 0u, off.x > 0.0);
    }
    if size.y >= size.z {
        return select(3u, 2u, off.y > 0.0);
    }
    return select(5u, 4u, off.z > 0.0);
}

// Hair between the veiled light and a place, as the sum of what each covers: e to the minus that
// comes through. Deep opacity maps: Yuksel and Keyser, 2008.
fn veil(place: vec3f) -> f32 {
    if VEILED >= MAX_LIGHTS {
        return 0.0;
    }
    let clip = globals.veil_from_world * vec4f(place, 1.0);
    if clip.w <= 0.0 || any(abs(clip.xy) >= vec2f(clip.w)) {
        return 0.0;
    }
    let uv = clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5;
    let front = textureSampleLevel(veil_front, veil_sampler, uv, 0.0).x;
    let sums = textureSampleLevel(veil_layers, veil_sampler, uv, 0.0);
    let depth = dot(globals.veil_depth, vec4f(place, 1.0)) - front;
    return veil_at(depth, sums, globals.veil_ends);
}

// Between the ends of layers hair is taken to be even.
fn veil_at(depth: f32, sums: vec4f, ends: vec4f) -> f32 {
    let starts = vec4f(0.0, ends.xyz);
    let parts = saturate((vec4f(depth) - starts) / (ends - starts));
    return dot(parts, sums - vec4f(0.0, sums.xyz));
}
