// Triangles with light. Follows common.wgsl, light.wgsl and paint.wgsl.

struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) value: f32,
}

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    // w: value.
    @location(2) local: vec4f,
    @location(3) uv: vec2f,
    // Light at the corners, for Gouraud: matt and gloss, front and back.
    @location(4) matt_front: vec3f,
    @location(5) matt_back: vec3f,
    @location(6) gloss_front: vec3f,
    @location(7) gloss_back: vec3f,
}

@vertex
fn vertex(in: Vertex) -> Corner {
    let world = surface.world_from_local * vec4f(in.position, 1.0);
    var corner: Corner;
    corner.clip = globals.clip_from_world * world;
    corner.world = world.xyz;
    corner.local = vec4f(in.position, in.value);
    corner.uv = in.uv;
    let columns = surface.normal_from_local;
    corner.normal = mat3x3f(columns[0].xyz, columns[1].xyz, columns[2].xyz) * in.normal;
    if SHADING == GOURAUD {
        let normal = unit(corner.normal);
        let to_eye = unit(globals.eye.xyz - world.xyz);
        let front = direct(Shaded(world.xyz, normal, to_eye, normal), false);
        let back = direct(Shaded(world.xyz, -normal, to_eye, -normal), false);
        corner.matt_front = front.matt;
        corner.gloss_front = front.gloss;
        corner.matt_back = back.matt;
        corner.gloss_back = back.gloss;
    }
    return corner;
}

@fragment
fn fragment(corner: Corner, @builtin(front_facing) facing: bool) -> @location(0) vec4f {
    let to_eye = unit(globals.eye.xyz - corner.world);
    // A mirroring place turns the winding round.
    let front = facing == (surface.normal_from_local[0].w >= 0.0);

    // Derivatives are taken before any branch that differs between pixels.
    let across = dpdx(corner.world);
    let down = dpdy(corner.world);
    var normal: vec3f;
    if SHADING == FLAT {
        normal = unit(cross(across, down));
        normal = select(-normal, normal, dot(normal, to_eye) >= 0.0);
    } else {
        normal = unit(corner.normal);
        normal = select(-normal, normal, front);
    }
    let smooth_normal = normal;
    var hollow = 1.0;
    if BUMPS != NO_BUMPS {
        let bump = bump(corner.uv);
        normal = bumped(normal, across, down, corner.uv, bump.xyz);
        hollow = bump.w;
    }

    let base = select(surface.back.rgb, surface.front.rgb, front);
    let color = paint(base, corner) * hollow;

    var light: vec3f;
    if PAINT == VALUES {
        light = color * readable(normal, to_eye, corner.world);
    } else {
        var direct_light: Direct;
        if SHADING == GOURAUD {
            direct_light.matt = select(corner.matt_back, corner.matt_front, front);
            direct_light.gloss = select(corner.gloss_back, corner.gloss_front, front);
            let seen = visible_share(Shaded(corner.world, normal, to_eye, normal));
            direct_light.matt *= seen;
            direct_light.gloss *= seen;
        } else {
            direct_light = direct(Shaded(corner.world, normal, to_eye, smooth_normal), true);
        }
        // Under a sky, what faces up gets all of the ambient light and what faces down less, so
        // that shape shows in shadow too.
        let open = 1.0 - 0.2 * globals.sky_top.w * (1.0 - normal.y);
        light = color * (surface.reflects.x * open * globals.ambient.rgb
            + surface.reflects.y * direct_light.matt)
            + surface.reflects.z * direct_light.gloss;
    }
    if FADES {
        light = mix(light, sky_gradient(-to_eye), fade(corner.local.xyz, dot(to_eye, smooth_normal)));
    }
    return vec4f(light, 1.0);
}

// How much a floor has become horizon: all of it at its rim and where it is seen edge-on.
fn fade(local: vec3f, facing: f32) -> f32 {
    let off = (local - surface.fade_center.xyz) * surface.fade_scale.xyz;
    let rim = smoothstep(0.35, 0.98, length(off));
    let haze = saturate(1.0 - abs(facing) * 9.0);
    return max(rim, haze * haze * haze);
}

// Soft light that shows shape and leaves colours close to those of a legend.
fn readable(normal: vec3f, to_eye: vec3f, world: vec3f) -> f32 {
    let facing = abs(dot(normal, to_eye));
    var from_above = 0.5 + 0.5 * normal.y;
    if LIGHTS > 0u {
        from_above = 0.5 + 0.5 * dot(normal, to_light(0u, world).xyz);
    }
    return 0.55 + 0.25 * facing + 0.20 * from_above;
}
