// Phong's light with shadows. Follows common.wgsl.

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

fn to_light(light: Light, place: vec3f) -> vec3f {
    if light.place.w == 0.0 {
        return light.place.xyz;
    }
    return unit(light.place.xyz - place);
}

// 1 / (1 + (d / half)²) for a lamp, 1 for the sun.
fn falloff(light: Light, place: vec3f) -> f32 {
    if light.place.w == 0.0 {
        return 1.0;
    }
    let off = light.place.xyz - place;
    return 1.0 / (1.0 + dot(off, off) * light.diffuse.w);
}

fn direct(at: Shaded, with_shadows: bool) -> Direct {
    var sum = Direct(vec3f(0.0), vec3f(0.0));
    for (var i = 0u; i < u32(globals.ambient.w); i++) {
        let light = globals.lights[i];
        let toward = to_light(light, at.place);
        let cosine = dot(at.normal, toward);
        if cosine <= 0.0 {
            continue;
        }
        var strength = falloff(light, at.place);
        if with_shadows && light.specular.w >= 0.0 {
            strength *= visibility(light, at.place, at.smooth_normal, toward);
        }
        sum.matt += light.diffuse.rgb * (strength * cosine);
        if surface.reflects.z > 0.0 {
            let mirrored = 2.0 * cosine * at.normal - toward;
            let gloss = pow(max(dot(mirrored, at.to_eye), 1e-6), surface.front.w);
            sum.gloss += light.specular.rgb * (strength * gloss);
        }
    }
    return sum;
}

// Share of the lights' matt light that is not in shadow; one light gives its own visibility.
fn visible_share(at: Shaded) -> f32 {
    var all = 0.0;
    var seen = 0.0;
    for (var i = 0u; i < u32(globals.ambient.w); i++) {
        let light = globals.lights[i];
        let toward = to_light(light, at.place);
        let cosine = max(dot(at.normal, toward), 1e-3);
        let weight = cosine * falloff(light, at.place) * dot(light.diffuse.rgb, vec3f(1.0));
        all += weight;
        if light.specular.w >= 0.0 {
            seen += weight * visibility(light, at.place, at.normal, toward);
        } else {
            seen += weight;
        }
    }
    if all <= 0.0 {
        return 1.0;
    }
    return seen / all;
}

// 0 in shadow, 1 in light, soft between.
fn visibility(light: Light, place: vec3f, normal: vec3f, toward: vec3f) -> f32 {
    var layer = u32(light.specular.w);
    var texel = 0.0;
    if light.place.w == 0.0 {
        texel = globals.shadow_texel[layer].x;
    } else {
        let off = place - light.place.xyz;
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
    if clip.w <= 0.0 {
        return 1.0;
    }
    let device = clip.xyz / clip.w;
    if any(abs(device.xy) >= vec2f(1.0)) || device.z < 0.0 {
        return 1.0;
    }
    let uv = device.xy * vec2f(0.5, -0.5) + 0.5;
    let depth = min(device.z, 1.0);
    // Four taps, each a mix of four texels: an edge three texels soft.
    let near = globals.sky_ground.w * 0.5;
    let far = globals.sky_ground.w * 1.25;
    return 0.25 * (tap(uv + vec2f(-near, -far), layer, depth)
        + tap(uv + vec2f(far, -near), layer, depth)
        + tap(uv + vec2f(near, far), layer, depth)
        + tap(uv + vec2f(-far, near), layer, depth));
}

fn tap(uv: vec2f, layer: u32, depth: f32) -> f32 {
    return textureSampleCompareLevel(shadow_maps, shadow_sampler, uv, layer, depth);
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
