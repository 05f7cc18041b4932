// What lines and points share. Follows common.wgsl.

// Mirrors `StrokeUniform` in passes/strokes.rs.
struct Stroke {
    world_from_local: mat4x4f,
    // Linear light and alpha of all, unless each has its own.
    color: vec4f,
    // x: width or diameter in pixels; y: 1 if each has its own colour; z: how much nearer it is
    // drawn than it is, 1 for not at all.
    size: vec4f,
}

@group(1) @binding(0) var<uniform> stroke: Stroke;

fn stroke_color(own: vec4f) -> vec4f {
    let color = select(stroke.color, vec4f(linear_light(own.rgb), own.a), stroke.size.y > 0.0);
    // Thinner than a pixel is paler.
    return vec4f(color.rgb, color.a * saturate(stroke.size.x));
}

fn linear_light(srgb: vec3f) -> vec3f {
    let high = pow((srgb + 0.055) / 1.055, vec3f(2.4));
    return select(high, srgb / 12.92, srgb <= vec3f(0.04045));
}
