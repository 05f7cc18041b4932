// As cover_mask.wgsl, where code cannot choose samples: the device does, by alpha.

struct Shade {
    @location(0) color: vec4f,
}

fn shade(color: vec3f, coverage: f32, pixel: vec2f, seed: u32) -> Shade {
    let moved = pixel + f32(seed & 1023u) * vec2f(5.588, 7.231);
    let chance = fract(52.9829189 * fract(dot(moved, vec2f(0.06711056, 0.00583715))));
    return Shade(vec4f(color, floor(coverage * 4.0 + chance) * 0.25));
}
