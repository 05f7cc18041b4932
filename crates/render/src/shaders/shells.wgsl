// Layers of a surface with dots for hairs. Follows ground.wgsl.

struct Corner {
    @builtin(position) clip: vec4f,
    // Light of hair of the mean colour.
    @location(0) light: vec3f,
    @location(1) rest: vec3f,
    @location(2) normal: vec3f,
    @location(3) world: vec3f,
    // x: part that grows hair; y: height of the layer.
    @location(4) at: vec2f,
}

@vertex
fn vertex(@builtin(instance_index) layer: u32, @location(0) number: u32) -> Corner {
    let share = (f32(layer) + 1.0) / fibre.ground.y;
    let at = raised(number, share);
    var corner: Corner;
    corner.clip = globals.clip_from_world * vec4f(at.place, 1.0);
    corner.rest = at.rest;
    corner.normal = at.normal;
    corner.world = at.place;
    corner.at = vec2f(at.grown, share);
    let to_eye = unit(globals.eye.xyz - at.place);
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

@fragment
fn fragment(corner: Corner) -> Shade {
    let share = corner.at.y;
    let hair = hair_at(corner.rest, unit(corner.normal));
    let ends = mix(0.75, 1.0, chance(hair.number + 101u));
    let grows = chance(hair.number + 55u) < corner.at.x && share <= ends;
    // Dots of all layers together cover what hairs seen from the side do: n π R² = 2 r L.
    let size = sqrt(2.0 * radius(share) * fibre.ground.w / (fibre.ground.y * PI)) / fibre.ground.x;
    let dot_size = clamp(size, 0.0, 0.5);
    let pixel = pixel_size(corner.world) / fibre.ground.x;
    let sharp = saturate((dot_size - hair.off) / pixel + 0.5);
    let coverage = mix(sharp, PI * dot_size * dot_size, smoothstep(0.6, 1.5, pixel));
    let mean = max(mix(fibre.root.rgb, fibre.tip.rgb, share), vec3f(1e-4));
    let color = corner.light * strand_color(hair.number, share) / mean;
    let shown = select(color, corner.light, fibre.numbers.w > 0.0);
    return shade(shown, select(0.0, coverage, grows), corner.clip.xy, hair.number);
}
