// Light of fibres. Follows common.wgsl, lights.wgsl and strand.wgsl.

override MARSCHNER: bool = true;

@group(0) @binding(3) var color_maps: texture_2d<f32>;
@group(0) @binding(4) var color_map_sampler: sampler;

// A place on a fibre that is lit.
struct Lit {
    place: vec3f,
    tangent: vec3f,
    // Of its round side, toward the eye.
    normal: vec3f,
    to_eye: vec3f,
    // 0 for a hair, 1 for what is so wide that its round side shows.
    round: f32,
    // Before light.
    color: vec3f,
}

// Part of light from everywhere that comes to the innermost hair.
const INNERMOST = 0.25;

fn hair_light(at: Lit) -> vec3f {
    let covered = veil(at.place);
    let open = mix(INNERMOST, 1.0, exp(-0.6 * covered));
    var sum = at.color * fibre.reflects.x * open * globals.ambient.rgb;
    if LIGHTS > 0u { sum += hair_from(0u, at, covered, open); }
    if LIGHTS > 1u { sum += hair_from(1u, at, covered, open); }
    if LIGHTS > 2u { sum += hair_from(2u, at, covered, open); }
    if LIGHTS > 3u { sum += hair_from(3u, at, covered, open); }
    if LIGHTS > 4u { sum += hair_from(4u, at, covered, open); }
    if LIGHTS > 5u { sum += hair_from(5u, at, covered, open); }
    if LIGHTS > 6u { sum += hair_from(6u, at, covered, open); }
    if LIGHTS > 7u { sum += hair_from(7u, at, covered, open); }
    return sum;
}

fn hair_from(i: u32, at: Lit, covered: f32, open: f32) -> vec3f {
    let toward = to_light(i, at.place);
    var seen = vec3f(toward.w);
    if is_shadowed(i) {
        seen *= visibility(i, at.place, toward.xyz, toward.xyz);
    }
    if i == VEILED {
        // Light goes on through pale hair, and takes its colour.
        seen *= exp(-covered * (1.0 - 0.6 * sqrt(at.color)));
    } else if !is_shadowed(i) {
        seen *= open;
    }
    let parts = hair_lobes(at, toward.xyz);
    return seen * (globals.lights[i].diffuse.rgb * parts.matt
        + globals.lights[i].specular.rgb * parts.gloss);
}

struct Lobes {
    matt: vec3f,
    gloss: vec3f,
}

fn hair_lobes(at: Lit, toward: vec3f) -> Lobes {
    let along_light = dot(at.tangent, toward);
    let along_eye = dot(at.tangent, at.to_eye);
    let across_light = sqrt(max(1.0 - along_light * along_light, 0.0));
    let across_eye = sqrt(max(1.0 - along_eye * along_eye, 0.0));
    let facing = dot(at.normal, toward);
    let matt = mix(across_light, max(facing, 0.0), at.round);
    var lobes: Lobes;
    if !MARSCHNER {
        lobes.matt = at.color * fibre.reflects.y * matt;
        let mirrored = across_light * across_eye - along_light * along_eye;
        let gloss = pow(max(mirrored, 1e-6), fibre.reflects.w);
        let lit = mix(1.0, saturate(4.0 * facing), at.round);
        lobes.gloss = vec3f(fibre.reflects.z * gloss * lit);
        return lobes;
    }
    let from_light = toward - along_light * at.tangent;
    let from_eye = at.to_eye - along_eye * at.tangent;
    let cos_phi = dot(from_light, from_eye)
        * inverseSqrt(dot(from_light, from_light) * dot(from_eye, from_eye) + 1e-4);
    let half_phi = sqrt(saturate(0.5 + 0.5 * cos_phi));
    let cos_d = max(cos(0.5 * abs(asin(along_eye) - asin(along_light))), 0.05);
    let sum = along_light + along_eye;
    let color = clamp(at.color, vec3f(0.002), vec3f(0.98));

    // Reflected at once, toward the root by twice the tilt of scales.
    let tilt = 2.0 * sin(-2.0 * TILT)
        * (cos(-2.0 * TILT) * half_phi * across_eye + sin(-2.0 * TILT) * along_eye);
    let mirror = fresnel(sqrt(saturate(0.5 + 0.5 * dot(at.to_eye, toward))));
    let r = lobe(ROUGH * 1.41 * max(half_phi, 0.05), sum - tilt) * 0.25 * half_phi * mirror;

    // Passed through: bright against the light.
    let bent = 1.0 / (1.19 / cos_d + 0.36 * cos_d);
    let h = half_phi * (1.0 + bent * (0.6 - 0.8 * cos_phi));
    let enters = 1.0 - fresnel(cos_d * sqrt(saturate(1.0 - h * h)));
    let way = 0.5 * sqrt(max(1.0 - h * h * bent * bent, 0.0)) / cos_d;
    let tt = pow(color, vec3f(way)) * (lobe(0.5 * ROUGH, sum - TILT) * enters * enters
        * exp(-3.65 * cos_phi - 3.98));

    // Reflected inside: a second gloss with the hair's colour.
    let inner = fresnel(0.5 * cos_d);
    let trt = pow(color, vec3f(0.8 / cos_d)) * (lobe(2.0 * ROUGH, sum - 4.0 * TILT)
        * (1.0 - inner) * (1.0 - inner) * inner * exp(17.0 * cos_phi - 16.78));

    // Spread by many hairs: as from a round bunch of them.
    let spread = mix(0.75 * across_light * (0.6 + 0.4 * facing), max(facing, 0.0), at.round);
    lobes.matt = fibre.reflects.y * (color * spread + 0.5 * PI * tt * (1.0 - at.round));
    let gloss = PI * (vec3f(r) + trt) * mix(1.0, saturate(4.0 * facing), at.round);
    lobes.gloss = GLOSS * fibre.reflects.z * gloss;
    return lobes;
}

// Lobes are as strong as on a graded photograph. [1]
const GLOSS = 4.5;
// How far scales of the fibre lean from it. [rad]
const TILT = 0.035;
// Width of the first lobe, as a sine.
const ROUGH = 0.09;

fn lobe(width: f32, off: f32) -> f32 {
    return exp(-0.5 * off * off / (width * width)) / (2.5066283 * width);
}

// Part that keratin reflects (Schlick).
fn fresnel(cosine: f32) -> f32 {
    let m = saturate(1.0 - cosine);
    return 0.0465 + 0.9535 * m * m * m * m * m;
}

// Colour of a value, in light that leaves it readable.
fn value_light(value: f32, at: Lit) -> vec3f {
    let u = saturate(value) * (255.0 / 256.0) + 0.5 / 256.0;
    let color = textureSampleLevel(color_maps, color_map_sampler, vec2f(u, fibre.numbers.y), 0.0);
    return color.rgb * (0.65 + 0.35 * exp(-0.5 * veil(at.place)));
}
