// Phong's light with shadows. Follows lights.wgsl.

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
    if with_shadows && i == VEILED {
        strength *= exp(-veil(at.place));
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
    var seen = all;
    if is_shadowed(i) {
        seen *= visibility(i, at.place, at.normal, toward.xyz);
    }
    if i == VEILED {
        seen *= exp(-veil(at.place));
    }
    return vec2f(seen, all);
}
