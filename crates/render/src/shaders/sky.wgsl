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

// Radius of the disc; larger than life, as painters do. [rad]
const DISC = 0.022;

@fragment
fn fragment(corner: Corner) -> @location(0) vec4f {
    let ray = normalize(corner.ray);
    var light = sky_gradient(ray);
    if globals.sky_horizon.w > 0.0 {
        for (var i = 0u; i < u32(globals.ambient.w); i++) {
            let sun = globals.lights[i];
            // Light without gloss comes from all over the sky, not from a disc.
            let glint = max(max(sun.specular.r, sun.specular.g), sun.specular.b);
            // Beyond this angle the glow is less than a step of colour.
            let far = dot(ray, sun.place.xyz) < 0.25;
            // Software pays for both sides of a branch, but leaves a loop early.
            let discs = select(1u, 0u, sun.place.w > 0.0 || glint <= 0.0 || far);
            for (var n = 0u; n < discs; n++) {
                light += disc(ray, sun);
            }
        }
    }
    // A sky is smooth: without noise of half a step its steps would show.
    let step = (2.2 / 255.0) * sqrt(max(light, vec3f(0.0)));
    return vec4f(light + step * (noise(corner.clip.xy) - 0.5), 1.0);
}

fn disc(ray: vec3f, sun: Light) -> vec3f {
    let cosine = dot(ray, sun.place.xyz);
    if cosine <= 0.0 {
        return vec3f(0.0);
    }
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
