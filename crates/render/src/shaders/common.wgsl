// What every pass knows of the picture. Mirrors `Globals` in passes/globals.rs.

const MAX_LIGHTS = 8u;
const MAX_SHADOW_LAYERS = 24u;
const PI = 3.14159265;

struct Light {
    // Unit vector to the sun, or place of the lamp; w: 0 sun, 1 lamp.
    place: vec4f,
    // Colour; w: 1 / half_distance².
    diffuse: vec4f,
    // Colour.
    specular: vec4f,
}

struct Globals {
    clip_from_world: mat4x4f,
    // w: distance to what the eye looks at.
    eye: vec4f,
    // Width and height in pixels, and one over them.
    viewport: vec4f,
    // Sum over the lights.
    ambient: vec4f,
    // w: 1 if there is a sky.
    sky_top: vec4f,
    sky_horizon: vec4f,
    // w: one over the pixels in a side of a shadow layer.
    sky_ground: vec4f,
    // Half the width and height of the view at distance 1, and the sight.
    right: vec4f,
    up: vec4f,
    forward: vec4f,
    lights: array<Light, MAX_LIGHTS>,
    shadow_from_world: array<mat4x4f, MAX_SHADOW_LAYERS>,
    // x: width of a texel in metres, per metre of distance for a lamp.
    shadow_texel: array<vec4f, MAX_SHADOW_LAYERS>,
    // The veil of hair before a light: world to its maps; depth along the light, 0 to 1 within the
    // hair; where layers end, from the first hair on.
    veil_from_world: mat4x4f,
    veil_depth: vec4f,
    veil_ends: vec4f,
}

@group(0) @binding(0) var<uniform> globals: Globals;

// Light of the sky from a direction, without suns.
fn sky_gradient(direction: vec3f) -> vec3f {
    if globals.sky_top.w == 0.0 {
        return globals.sky_horizon.rgb;
    }
    // Air is thicker toward the horizon: the colour changes fastest there.
    let below = direction.y < 0.0;
    let share = exp(-abs(direction.y) * select(3.2, 5.0, below));
    let away = select(globals.sky_top.rgb, globals.sky_ground.rgb, below);
    return mix(away, globals.sky_horizon.rgb, share);
}
