// The backdrop, drawn last where nothing else is.

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let device = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    var corner: Corner;
    // Depth 0 is infinitely far.
    corner.clip = vec4f(device, 0.0, 1.0);
    corner.ray = globals.forward.xyz + globals.right.xyz * device.x + globals.up.xyz * device.y;
    return corner;
}

// Which lights have discs, a bit each. One by one and not in a loop, as in light.wgsl.
override DISCS: u32 = 0u;

// Radius of the disc; larger than life, as painters do. [rad]
const DISC = 0.022;

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let ray = normalize(corner.ray);
    var light = sky_gradient(ray);
    if has_disc(0u) { light += disc(ray, globals.lights[0]); }
    if has_disc(1u) { light += disc(ray, globals.lights[1]); }
    if has_disc(2u) { light += disc(ray, globals.lights[2]); }
    if has_disc(3u) { light += disc(ray, globals.lights[3]); }
    if has_disc(4u) { light += disc(ray, globals.lights[4]); }
    if has_disc(5u) { light += disc(ray, globals.lights[5]); }
    if has_disc(6u) { light += disc(ray, globals.lights[6]); }
    if has_disc(7u) { light += disc(ray, globals.lights[7]); }
    // A sky is smooth: without noise of half a step its steps would show.
    let step = (2.2 / 255.0) * sqrt(max(light, vec3f(0.0)));
    return vec4f(light + step * (noise(corner.clip.xy) - 0.5), 1.0);
}

fn has_disc(i: u32) -> bool {
    return (DISCS & (1u << i)) != 0u;
}

fn disc(ray: vec3f, sun: Light) -> vec3f {
    // Beyond this angle the glow is less than a step of colour. Software pays for both sides of a
    // branch, but leaves a loop early.
    let near = select(0u, 1u, dot(ray, sun.place.xyz) >= 0.25);
    var light = vec3f(0.0);
    for (var n = 0u; n < near; n++) {
        light += disc_near(ray, sun);
    }
    return light;
}

fn disc_near(ray: vec3f, sun: Light) -> vec3f {
    // The chord is exact for small angles, where the cosine is flat.
    let angle = length(ray - sun.place.xyz);
    let peak = max(max(sun.diffuse.r, sun.diffuse.g), max(sun.diffuse.b, 1e-4));
    let color = sun.diffuse.rgb / peak;
    let body = 1.0 - smoothstep(DISC * 0.9, DISC * 1.1, angle);
    let wide = exp(-angle * 3.5);
    let glow = 0.30 * wide * wide * wide * wide + 0.10 * wide;
    // A sun below the horizon is hidden by the ground.
    let above = smoothstep(-0.03, 0.01, ray.y);
    return color * (body * 1.5 + glow) * above;
}

// Interleaved gradient noise: the same for the same pixel.
fn noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}
