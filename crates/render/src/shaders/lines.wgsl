// Segments as quads of a width in pixels. Follows stroke.wgsl.

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
}

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) first: vec3f,
    @location(1) second: vec3f,
    @location(2) color: vec4f,
) -> Corner {
    let clip_from_local = globals.clip_from_world * stroke.world_from_local;
    var a = clip_from_local * vec4f(first, 1.0);
    var b = clip_from_local * vec4f(second, 1.0);
    // Depth 1 is the near plane: z = near there and everywhere, w grows with distance.
    let near = max(a.z, 1e-6);
    var corner: Corner;
    if a.w < near && b.w < near {
        corner.clip = vec4f(2.0, 2.0, 0.0, 1.0);
        return corner;
    }
    if a.w < near {
        a = mix(a, b, (near - a.w) / (b.w - a.w));
    } else if b.w < near {
        b = mix(b, a, (near - b.w) / (a.w - b.w));
    }

    let half_size = globals.viewport.xy * 0.5;
    let from_a = a.xy / a.w * half_size;
    let from_b = b.xy / b.w * half_size;
    let along = from_b - from_a;
    let length_px = length(along);
    let ahead = select(vec2f(1.0, 0.0), along / max(length_px, 1e-6), length_px > 1e-6);
    let aside = vec2f(-ahead.y, ahead.x);

    let width = max(stroke.size.x, 1.0);
    let side = f32(index & 1u) * 2.0 - 1.0;
    let at_b = index >= 2u;
    let end = select(a, b, at_b);
    // Ends reach out by half a width, so that joined segments leave no notch.
    let reach = select(-ahead, ahead, at_b);
    let shift = (aside * side + reach * 0.5) * (width * 0.5);
    corner.clip = end;
    corner.clip += vec4f(shift / half_size * end.w, 0.0, 0.0);
    corner.clip.z *= stroke.size.z;

    corner.color = stroke_color(color);
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    return corner.color;
}
