// How strands lie in the picture. Follows common.wgsl and strand.wgsl.

// Metres in a pixel at a place.
fn pixel_size(place: vec3f) -> f32 {
    let depth = max(dot(place - globals.eye.xyz, globals.forward.xyz), 1e-5);
    return 2.0 * length(globals.up.xyz) * depth * globals.viewport.w;
}

// Unit vector across a strand that lies in the picture.
fn across_sight(tangent: vec3f, to_eye: vec3f) -> vec3f {
    let across = cross(tangent, to_eye);
    let size = dot(across, across);
    return select(normalize(globals.right.xyz), across * inverseSqrt(size), size > 1e-8);
}
