// Bunches of strands as strips with hairs painted on them. Follows the same files as ribbons.wgsl.

// Whether strips face the eye; else they lie as the hair does.
override FACING: bool = false;

struct Corner {
    @builtin(position) clip: vec4f,
    // Light of hair of the mean colour.
    @location(0) light: vec3f,
    // x: 0 to 1 across; y: 0 to 1 along; z: part of the width that hairs cover.
    @location(1) at: vec3f,
    @location(2) @interpolate(flat, either) number: u32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, strand: Strand) -> Corner {
    let named = strand.named;
    let share = f32(index >> 1u) / fibre.numbers.z;
    let at = along(named, share);
    let side = f32(index & 1u) * 2.0 - 1.0;
    let to_eye = unit(globals.eye.xyz - at.place);
    let half_width = fibre.detail.z;
    var place = at.place;
    var aside: vec3f;
    if FACING {
        aside = across_sight(at.tangent, to_eye);
        // Seen along the hair a strip would have no length: its ends reach out as far as it is
        // wide, so that there are no gaps from above.
        let ahead = cross(aside, to_eye);
        let reach = select(0.0, 1.0, share == 1.0) - select(0.0, 1.0, share == 0.0);
        place += ahead * (reach * half_width * abs(dot(at.tangent, to_eye)));
    } else {
        aside = lying(named, at.tangent);
    }
    let world = place + aside * (side * half_width);
    var corner: Corner;
    corner.clip = globals.clip_from_world * vec4f(world, 1.0);
    corner.at = vec3f(0.5 + 0.5 * side, share, min(fibre.ground.z * radius(share) / half_width, 1.0));
    corner.number = named.z;
    let mean = mix(fibre.root.rgb, fibre.tip.rgb, share);
    let lit = Lit(world, at.tangent, unit(to_eye - at.tangent * dot(at.tangent, to_eye)), to_eye,
        0.0, mean);
    if fibre.numbers.w > 0.0 {
        corner.light = value_light(at.value, lit);
    } else {
        corner.light = hair_light(lit);
    }
    return corner;
}

// Across the plane that the strand bends in: so hair lies on what it falls over. One that is
// straight lies any way.
fn lying(named: vec4u, tangent: vec3f) -> vec3f {
    let root = point(named.x).xyz;
    let chord = point(named.x + named.y - 1u).xyz - root;
    let first = point(named.x + 1u).xyz - root;
    let bent = cross(first, chord);
    let some = vec3f(chance(named.z), chance(named.z + 7u), chance(named.z + 13u)) - 0.5;
    let straight = length(first) * length(chord);
    let wanted = bent + 0.2 * straight * unit(cross(some, chord));
    return unit(wanted - tangent * dot(tangent, wanted));
}

@fragment
fn fragment(corner: Corner) -> Shade {
    let hairs = fibre.detail.w;
    let across = corner.at.x * hairs;
    let pixel = max(fwidth(across), 1e-5);
    let hair = min(u32(max(across, 0.0)), u32(hairs) - 1u);
    let seed = corner.number * 61u + hair;
    // Each hair has a length of its own and sways within its part of the strip.
    let ends = mix(0.7, 1.0, chance(seed + 101u));
    let share = corner.at.y;
    let taper = saturate((ends - share) * 6.0);
    let width = corner.at.z * taper * 1.15;
    let room = 0.5 * (1.0 - min(width, 1.0));
    let sway = sin(share * mix(3.0, 9.0, chance(seed)) + 6.28 * chance(seed + 5u));
    let middle = 0.5 + room * 0.9 * sway;
    let off = abs(across - f32(hair) - middle);
    let sharp = saturate((0.5 * width - off) / pixel + 0.5);
    let coverage = mix(sharp, width, smoothstep(0.5, 1.2, pixel));
    let mean = strand_mean(share);
    let color = corner.light * strand_color(seed, share) / max(mean, vec3f(1e-4));
    let shown = select(color, corner.light, fibre.numbers.w > 0.0);
    return shade(shown, coverage, corner.clip.xy, seed);
}

fn strand_mean(share: f32) -> vec3f {
    return mix(fibre.root.rgb, fibre.tip.rgb, share);
}
