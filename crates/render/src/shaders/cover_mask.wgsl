// What covers only part of a pixel covers that part of its samples: in any order, the mean is right.

struct Shade {
    @location(0) color: vec4f,
    @builtin(sample_mask) mask: u32,
}

fn shade(color: vec3f, coverage: f32, pixel: vec2f, seed: u32) -> Shade {
    let count = u32(clamp(coverage * 4.0 + spread(pixel, seed), 0.0, 4.0));
    let bits = (1u << count) - 1u;
    let turn = u32(spread(pixel.yx + 17.0, seed + 3u) * 4.0) & 3u;
    return Shade(vec4f(color, 1.0), ((bits << turn) | (bits >> (4u - turn))) & 15u);
}

// A number from 0 to 1 that is even over neighbouring pixels (Jimenez, 2014), other for each strand.
fn spread(pixel: vec2f, seed: u32) -> f32 {
    let moved = pixel + f32(seed & 1023u) * vec2f(5.588, 7.231);
    return fract(52.9829189 * fract(dot(moved, vec2f(0.06711056, 0.00583715))));
}
