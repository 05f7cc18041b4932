// Phong's light with shadows. Follows common.wgsl.

// How many lights there are, and which of them are lamps and throw shadows, a bit each. Code for
// just these lights is much faster without a graphics card.
override LIGHTS: u32 = 0u;
override LAMPS: u32 = 0u;
override SHADOWED: u32 = 0u;
// Those that have gloss.
override GLINTS: u32 = 0u;
// Taps into a shadow map.
override TAPS: u32 = 4u;

@group(0) @binding(1) var shadow_maps: texture_depth_2d_array;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// A place on a surface that is lit.
struct Shaded {
    place: vec3f,
    // Of the side that is seen, with bumps.
    normal: vec3f,
    to_eye: vec3f,
    // Without bumps: shadows are thrown by the shape.
    smooth_normal: vec3f,
}

// What lights send to a place, but for ambient light.
struct Direct {
    matt: vec3f,
    gloss: vec3f,
}

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

// Lights are told one by one and not in a loop: without a graphics card a uniform at a fixed place
// is read once, but at a place that is computed it is read for each pixel by itself. As many as
// MAX_LIGHTS.
fn direct(at: Shaded, with_shadows: bool) -> Direct {
    var sum = Direct(vec3f(0.0), vec3f(0.0));
    if LIGHTS > 0u { add_light(0u, at, with_shadows, &sum); }
    if LIGHTS > 1u { add_light(1u, at, with_shadows, &sum); }
    if LIGHTS > 2u { add_light(2u, at, with_shadows, &sum); }
    if LIGHTS > 3u { add_light(3u, at, with_shadows, &sum); }
    if LIGHTS > 4u { add_light(4u, at, with_shadows, &sum); }
    if LIGHTS > 5u { add_light(5u, at, with_shadows, &sum); }
    if LIGHTS > 6u { add_light(6u, at, with_shadows, &sum); }
    if LIGHTS > 7u { add_light(7u, at, with_shadows, &sum); }
    return sum;
}

fn add_light(i: u32, at: Shaded, with_shadows: bool, sum: ptr<function, Direct>) {
    let toward = to_light(i, at.place);
    let cosine = dot(at.normal, toward.xyz);
    if cosine <= 0.0 {
        return;
    }
    var strength = toward.w;
    if with_shadows && is_shadowed(i) {
        strength *= visibility(i, at.place, at.smooth_normal, toward.xyz);
    }
    (*sum).matt += globals.lights[i].diffuse.rgb * (strength * cosine);
    if GLOSSY && (GLINTS & (1u << i)) != 0u {
        let mirrored = 2.0 * cosine * at.normal - toward.xyz;
        let gloss = pow(max(dot(mirrored, at.to_eye), 1e-6), surface.front.w);
        (*sum).gloss += globals.lights[i].specular.rgb * (strength * gloss);
    }
}

// Share of the lights' matt light that is not in shadow; one light gives its own visibility.
fn visible_share(at: Shaded) -> f32 {
    // Light that is seen, and all of it.
    var sum = vec2f(0.0);
    if LIGHTS > 0u { sum += seen_and_all(0u, at); }
    if LIGHTS > 1u { sum += seen_and_all(1u, at); }
    if LIGHTS > 2u { sum += seen_and_all(2u, at); }
    if LIGHTS > 3u { sum += seen_and_all(3u, at); }
    if LIGHTS > 4u { sum += seen_and_all(4u, at); }
    if LIGHTS > 5u { sum += seen_and_all(5u, at); }
    if LIGHTS > 6u { sum += seen_and_all(6u, at); }
    if LIGHTS > 7u { sum += seen_and_all(7u, at); }
    if sum.y <= 0.0 {
        return 1.0;
    }
    return sum.x / sum.y;
}

fn seen_and_all(i: u32, at: Shaded) -> vec2f {
    let toward = to_light(i, at.place);
    let cosine = max(dot(at.normal, toward.xyz), 1e-3);
    let all = cosine * toward.w * dot(globals.lights[i].diffuse.rgb, vec3f(1.0));
    if is_shadowed(i) {
        return vec2f(all * visibility(i, at.place, at.normal, toward.xyz), all);
    }
    return vec2f(all);
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
