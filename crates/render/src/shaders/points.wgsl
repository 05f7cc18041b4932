// Points as little balls of a size in pixels. Follows stroke.wgsl.

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
    // From the centre, in radii.
    @location(1) off: vec2f,
}

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) place: vec3f,
    @location(1) color: vec4f,
) -> Corner {
    let center = globals.clip_from_world * (stroke.world_from_local * vec4f(place, 1.0));
    let side = vec2f(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let radius = max(stroke.size.x, 1.0) * 0.5;
    // Room for the soft rim.
    let grown = (radius + 1.0) / radius;
    var corner: Corner;
    corner.clip = center;
    corner.clip += vec4f(side * (radius + 1.0) * 2.0 * globals.viewport.zw * center.w, 0.0, 0.0);
    corner.clip.z *= stroke.size.z;
    corner.off = side * grown;
    corner.color = stroke_color(color);
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let radius = max(stroke.size.x, 1.0) * 0.5;
    let from_center = length(corner.off);
    let cover = saturate((1.0 - from_center) * radius + 0.5);
    if cover <= 0.0 {
        discard;
    }
    // A ball lit from the upper left; the middle has the colour that was asked for.
    let height = sqrt(max(1.0 - from_center * from_center, 0.0));
    let lit = dot(vec3f(corner.off, height), vec3f(-0.36, 0.48, 0.8));
    let shade = 0.45 + 0.55 * clamp(lit / 0.8, 0.0, 1.0);
    let gloss = 0.35 * pow(max(lit, 0.0), 24.0) * smoothstep(2.0, 5.0, radius);
    return vec4f(corner.color.rgb * shade + gloss, corner.color.a * cover);
}
