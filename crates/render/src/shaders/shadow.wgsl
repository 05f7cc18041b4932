// Depth as a light sees it.

struct Layer {
    clip_from_world: mat4x4f,
}

struct Surface {
    world_from_local: mat4x4f,
}

@group(0) @binding(0) var<uniform> layer: Layer;
@group(1) @binding(0) var<uniform> surface: Surface;

@vertex
fn vertex(@location(0) position: vec3f) -> @builtin(position) vec4f {
    return layer.clip_from_world * (surface.world_from_local * vec4f(position, 1.0));
}
