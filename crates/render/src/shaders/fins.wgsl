// Fins on edges at the outline of a surface, with hairs from the side: layers alone would break into
// lines there. Follows ground.wgsl.

struct Corner {
    @builtin(position) clip: vec4f,
    // Light of hair of the mean colour.
    @location(0) light: vec3f,
    // x: along the edge, in distances of hairs; y: height; z: how much of the fin shows; w: part that
    // grows hair.
    @location(1) at: vec4f,
    @location(2) @interpolate(flat, either) number: u32,
}

// Steps up a fin. Mirrors `FIN_STEPS` in passes/strands.rs.
const FIN_STEPS = 8.0;

@vertex
fn vertex(@builtin(vertex_index) index: u32, @location(0) ends: vec2u) -> Corner {
    let share = f32(index >> 1u) / FIN_STEPS;
    let second = (index & 1u) == 1u;
    let at = raised(select(ends.x, ends.y, second), share);
    let a = raised(ends.x, 0.0);
    let b = raised(ends.y, 0.0);
    let to_eye = unit(globals.eye.xyz - at.place);
    let facing = abs(dot(unit(a.normal + b.normal), unit(globals.eye.xyz - 0.5 * (a.place + b.place))));
    var corner: Corner;
    corner.clip = globals.clip_from_world * vec4f(at.place, 1.0);
    let shows = 1.0 - smoothstep(0.15, 0.4, facing);
    if shows <= 0.0 {
        corner.clip = vec4f(2.0, 2.0, 0.0, 1.0);
    }
    let reach = select(0.0, length(b.rest - a.rest) / fibre.ground.x, second);
    corner.at = vec4f(reach, share, shows, at.grown);
    corner.number = ends.x * 7919u + ends.y;
    let mean = mix(fibre.root.rgb, fibre.tip.rgb, share);
    let lit = Lit(at.place, at.tangent, unit(to_eye - at.tangent * dot(at.tangent, to_eye)), to_eye,
        0.0, mean);
    if fibre.numbers.w > 0.0 {
        corner.light = value_light(at.value, lit);
    } else {
        corner.light = hair_light(lit);
    }
    return corner;
}

// Hairs one behind another at the outline.
const BEHIND = 2.0;

@fragment
fn fragment(corner: Corner) -> Shade {
    let share = corner.at.y;
    let across = corner.at.x * BEHIND;
    let pixel = max(fwidth(across), 1e-5);
    let hair = u32(max(across, 0.0));
    let seed = corner.number * 31u + hair;
    let ends = mix(0.7, 1.0, chance(seed + 101u));
    let grows = share <= ends && chance(seed + 55u) < corner.at.w;
    let width = clamp(2.0 * radius(share) / fibre.ground.x * BEHIND, 0.0, 1.0);
    let middle = 0.5 + 0.5 * (1.0 - width) * sin(4.0 * share + 6.28 * chance(seed));
    let sharp = saturate((0.5 * width - abs(across - f32(hair) - middle)) / pixel + 0.5);
    let coverage = mix(sharp, width, smoothstep(0.5, 1.2, pixel)) * corner.at.z;
    let mean = max(mix(fibre.root.rgb, fibre.tip.rgb, share), vec3f(1e-4));
    let color = corner.light * strand_color(seed, share) / mean;
    let shown = select(color, corner.light, fibre.numbers.w > 0.0);
    return shade(shown, select(0.0, coverage, grows), corner.clip.xy, seed);
}
