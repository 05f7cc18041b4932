// A surface that strands grow on, raised along them. Follows the same files as ribbons.wgsl.

// Five texels a vertex: position and part that grows hair; normal; place at rest; first points of
// the three strands about it; their shares. The numbers of points are in the other fourth places.
@group(3) @binding(0) var ground: texture_2d<f32>;

struct Raised {
    place: vec3f,
    tangent: vec3f,
    normal: vec3f,
    rest: vec3f,
    grown: f32,
    value: f32,
}

fn ground_texel(i: u32) -> vec4f {
    return textureLoad(ground, vec2u(i & ((1u << ROW) - 1u), i >> ROW), 0);
}

// A vertex of the surface, at a share of the way along the strands about it.
fn raised(vertex: u32, share: f32) -> Raised {
    let position = ground_texel(vertex * 5u);
    let normal = ground_texel(vertex * 5u + 1u);
    let rest = ground_texel(vertex * 5u + 2u);
    let firsts = ground_texel(vertex * 5u + 3u);
    let shares = ground_texel(vertex * 5u + 4u);
    let counts = vec3f(firsts.w, normal.w, rest.w);
    var moved = vec3f(0.0);
    var tangent = vec3f(0.0);
    var value = 0.0;
    for (var i = 0u; i < 3u; i++) {
        if shares[i] > 0.0 && counts[i] >= 2.0 {
            let named = vec4u(u32(firsts[i]), u32(counts[i]), 0u, 0u);
            let at = along(named, share);
            moved += shares[i] * (at.place - point(named.x).xyz);
            tangent += shares[i] * at.tangent;
            value += shares[i] * at.value;
        }
    }
    if dot(tangent, tangent) < 1e-6 { tangent = normal.xyz; }
    return Raised(position.xyz + moved, unit(tangent), normal.xyz, rest.xyz, position.w, value);
}

// A hair of a surface.
struct Hair {
    number: u32,
    // Distance from its middle, in distances of hairs.
    off: f32,
}

// Hairs stand in a lattice that is turned against everything, moved a little each.
fn hair_at(rest: vec3f, normal: vec3f) -> Hair {
    let turned = vec3f(
        dot(rest, vec3f(0.8138, 0.4698, -0.3420)),
        dot(rest, vec3f(-0.5438, 0.8232, -0.1632)),
        dot(rest, vec3f(0.2049, 0.3188, 0.9254)),
    ) / fibre.ground.x;
    let axis = vec3f(
        dot(normal, vec3f(0.8138, 0.4698, -0.3420)),
        dot(normal, vec3f(-0.5438, 0.8232, -0.1632)),
        dot(normal, vec3f(0.2049, 0.3188, 0.9254)),
    );
    let cell = vec3i(floor(turned));
    let number = u32(cell.x * 73856093) ^ u32(cell.y * 19349663) ^ u32(cell.z * 83492791);
    let move_by = vec3f(chance(number), chance(number + 1u), chance(number + 2u)) - 0.5;
    let middle = vec3f(cell) + 0.5 + 0.4 * move_by;
    let away = turned - middle;
    return Hair(number, length(away - axis * dot(away, axis)));
}
