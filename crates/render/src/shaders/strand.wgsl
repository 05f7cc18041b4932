// Strands: curves through points that are read from a texture. Stands alone.

// Mirrors `StrandUniform` in passes/strand_uniform.rs.
struct Fibre {
    // Linear light; w: radius at the root.
    root: vec4f,
    // Linear light; w: radius at the tip.
    tip: vec4f,
    // Ambient, diffuse, specular; w: shininess.
    reflects: vec4f,
    // x: variation; y: row of the colour map; z: steps along a strand; w: 1 if values colour.
    numbers: vec4f,
    // x: pixels that a strand is wide if none is left out; y: least part that is kept;
    // z: half the width of a strip; w: hairs on it.
    detail: vec4f,
    // x: distance of hairs on the ground; y: layers; z: strands that a strip stands for; w: length of
    // strands.
    ground: vec4f,
}

@group(1) @binding(0) var<uniform> fibre: Fibre;
// Points, with their value in w.
@group(2) @binding(0) var points: texture_2d<f32>;

// Texels in a row of `points`, as a power of two. Mirrors `ROW` in passes/strand_arrays.rs.
const ROW = 10u;

// A strand as it is drawn.
struct Strand {
    // First point, number of points, number of the strand, rank among all as bits of a float from
    // 0 to 1: of the least ranks, any number is spread over all.
    @location(0) named: vec4u,
}

// A place on a strand.
struct Along {
    place: vec3f,
    // Unit vector.
    tangent: vec3f,
    value: f32,
}

fn point(i: u32) -> vec4f {
    return textureLoad(points, vec2u(i & ((1u << ROW) - 1u), i >> ROW), 0);
}

// A Catmull–Rom curve through a strand's points; `share` goes from 0 at the root to 1 at the tip.
fn along(named: vec4u, share: f32) -> Along {
    let last = named.y - 1u;
    let at = saturate(share) * f32(last);
    let i = min(u32(at), last - 1u);
    let t = at - f32(i);
    let b = point(named.x + i);
    let c = point(named.x + i + 1u);
    var a = 2.0 * b - c;
    if i > 0u { a = point(named.x + i - 1u); }
    var d = 2.0 * c - b;
    if i + 2u <= last { d = point(named.x + i + 2u); }
    let slope = 0.5 * (c - a).xyz;
    let next = 0.5 * (d - b).xyz;
    let edge = (c - b).xyz;
    let quadratic = 3.0 * edge - 2.0 * slope - next;
    let cubic = slope + next - 2.0 * edge;
    let place = b.xyz + t * (slope + t * (quadratic + t * cubic));
    var ahead = slope + t * (2.0 * quadratic + t * 3.0 * cubic);
    if dot(ahead, ahead) < 1e-6 * dot(edge, edge) { ahead = edge; }
    let size = dot(ahead, ahead);
    let tangent = select(vec3f(0.0, 1.0, 0.0), ahead * inverseSqrt(size), size > 0.0);
    return Along(place, tangent, mix(b.w, c.w, t));
}

fn radius(share: f32) -> f32 {
    return mix(fibre.root.w, fibre.tip.w, share);
}

// A number from 0 to 1 that looks random.
fn chance(seed: u32) -> f32 {
    var h = seed * 747796405u + 2891336453u;
    h = ((h >> ((h >> 28u) + 4u)) ^ h) * 277803737u;
    return f32(((h >> 22u) ^ h) & 0xffffffu) / 16777216.0;
}

// Colour of a strand before light.
fn strand_color(number: u32, share: f32) -> vec3f {
    let base = mix(fibre.root.rgb, fibre.tip.rgb, share);
    let shade = 1.0 + fibre.numbers.x * (2.0 * chance(number) - 1.0);
    // A little warmer or cooler too.
    let warm = 0.25 * fibre.numbers.x * (2.0 * chance(number + 0x9e3779b9u) - 1.0);
    return base * max(shade, 0.0) * vec3f(1.0 + warm, 1.0, 1.0 - warm);
}

// How far a strand is drawn thicker since others are left out; 0 if it is left out itself. `pixels`
// is how wide it is.
fn thickening(named: vec4u, pixels: f32) -> f32 {
    let kept = clamp(pixels / fibre.detail.x, fibre.detail.y, 1.0);
    if kept >= 1.0 {
        return 1.0;
    }
    // It comes and goes by its thickness, so that nothing pops.
    let rank = bitcast<f32>(named.w);
    return saturate((kept - rank) / (0.2 * kept)) / (0.9 * kept);
}
