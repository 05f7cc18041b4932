// Strands as ribbons that face the eye. Follows eye.wgsl, hair.wgsl and cover_mask.wgsl or
// cover_alpha.wgsl.

// Whether light is found by pixel, for what is wide; else by corner.
override WIDE: bool = false;

// Least width in pixels: a line as wide meets some sample of almost every pixel that it passes.
const THIN = 0.4;

struct Corner {
    @builtin(position) clip: vec4f,
    // Light if it is found by corner, else the colour.
    @location(0) color: vec3f,
    // x: -1 to 1 across; y: coverage; z: value.
    @location(1) across: vec3f,
    @location(2) world: vec3f,
    @location(3) tangent: vec3f,
    @location(4) @interpolate(flat, either) number: u32,
    // Length from the root, in radii.
    @location(5) reach: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, strand: Strand) -> Corner {
    let named = strand.named;
    let share = f32(index >> 1u) / fibre.numbers.z;
    let at = along(named, share);
    let side = f32(index & 1u) * 2.0 - 1.0;
    let to_eye = unit(globals.eye.xyz - at.place);
    let across = across_sight(at.tangent, to_eye);
    let root = point(named.x).xyz;
    let thick = thickening(named, 2.0 * max(fibre.root.w, fibre.tip.w) / pixel_size(root));
    let pixel = pixel_size(at.place);
    let wide = radius(share) * thick / pixel;
    // Never thinner than samples are apart: it covers less of them instead.
    let drawn = max(wide, 0.5 * THIN);
    var corner: Corner;
    let world = at.place + across * (side * drawn * pixel);
    corner.clip = globals.clip_from_world * vec4f(world, 1.0);
    if thick == 0.0 {
        corner.clip = vec4f(2.0, 2.0, 0.0, 1.0);
    }
    corner.across = vec3f(side, wide / drawn, at.value);
    corner.world = world;
    corner.tangent = at.tangent;
    corner.number = named.z;
    let edge = length(point(named.x + 1u).xyz - root);
    corner.reach = share * edge * f32(named.y - 1u) / max(fibre.root.w, 1e-9);
    corner.color = strand_color(named.z, share);
    if !WIDE {
        let lit = Lit(at.place, at.tangent, unit(to_eye - at.tangent * dot(at.tangent, to_eye)),
            to_eye, 0.0, corner.color);
        if fibre.numbers.w > 0.0 {
            corner.color = value_light(at.value, lit);
        } else {
            corner.color = hair_light(lit);
        }
    }
    return corner;
}

@fragment
fn fragment(corner: Corner) -> Shade {
    var color = corner.color;
    if WIDE {
        let tangent = unit(corner.tangent);
        let to_eye = unit(globals.eye.xyz - corner.world);
        let aside = across_sight(tangent, to_eye);
        let off = clamp(corner.across.x, -1.0, 1.0);
        let ahead = unit(to_eye - tangent * dot(tangent, to_eye));
        var normal = aside * off + ahead * sqrt(1.0 - off * off);
        if fibre.rope.x > 0.0 {
            let twisted = twist(asin(off), corner.reach);
            normal = unit(normal + tangent * twisted.x);
            color *= twisted.y;
        }
        // Pixels of its width tell whether it is round.
        let wide = 2.0 / max(fwidth(corner.across.x), 1e-5);
        let lit = Lit(corner.world, tangent, normal, to_eye, smoothstep(1.5, 5.0, wide), color);
        if fibre.numbers.w > 0.0 {
            color = value_light(corner.across.z, lit);
        } else {
            color = hair_light(lit);
        }
    }
    return shade(color, corner.across.y, corner.clip.xy, corner.number);
}

// Yarns wind about a rope: how much the normal leans along it, and how dark the groove between
// them is.
fn twist(angle: f32, reach: f32) -> vec2f {
    // A turn in seven radii.
    let turn = fibre.rope.x * (reach / 7.0 - angle / (2.0 * PI));
    let pixel = fwidth(turn);
    let off = fract(turn) * 2.0 - 1.0;
    let shown = 1.0 - smoothstep(0.3, 0.8, pixel);
    let groove = off * off;
    return vec2f(0.7 * off * shown, 1.0 - 0.65 * groove * groove * groove * shown);
}
