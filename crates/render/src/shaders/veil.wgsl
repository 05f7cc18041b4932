// Strands as a light sees them: how deep the first is, and how much of them there is before the
// ends of layers behind it. Follows strand.wgsl.

struct Veil {
    clip_from_world: mat4x4f,
    // Depth along the light, 0 to 1.
    depth: vec4f,
    ends: vec4f,
    // The light's place, or the way to it; w: 1 for a place.
    light: vec4f,
    // x: width of a texel, per metre of distance for a lamp; y: how much thicker strands are since
    // others are left out; z: steps along a strand.
    texel: vec4f,
}

@group(0) @binding(0) var<uniform> veil: Veil;
@group(3) @binding(0) var front: texture_2d<f32>;

struct Corner {
    @builtin(position) clip: vec4f,
    // x: depth; y: coverage.
    @location(0) at: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, strand: Strand) -> Corner {
    let share = f32(index >> 1u) / veil.texel.z;
    let at = along(strand.named, share);
    let toward = veil.light.xyz - at.place * veil.light.w;
    let across = cross(at.tangent, toward);
    let size = dot(across, across);
    let aside = select(vec3f(0.0), across * inverseSqrt(size), size > 0.0);
    var texel = veil.texel.x;
    if veil.light.w > 0.0 { texel *= length(toward); }
    let wide = radius(share) * veil.texel.y / texel;
    let drawn = max(wide, 0.7);
    let side = f32(index & 1u) * 2.0 - 1.0;
    let world = at.place + aside * (side * drawn * texel);
    var corner: Corner;
    corner.clip = veil.clip_from_world * vec4f(world, 1.0);
    corner.at = vec2f(dot(veil.depth, vec4f(at.place, 1.0)), wide / drawn);
    return corner;
}

@fragment
fn first(corner: Corner) -> @location(0) vec4f {
    // What covers nothing is not before anything.
    return vec4f(select(1.0, corner.at.x, corner.at.y > 0.0));
}

@fragment
fn layers(corner: Corner) -> @location(0) vec4f {
    let start = textureLoad(front, vec2u(corner.clip.xy), 0).x;
    let depth = corner.at.x - start;
    let ends = vec4f(veil.ends.xyz, 1e9);
    return select(vec4f(0.0), vec4f(corner.at.y), vec4f(depth) < ends);
}
