//! Surfaces of a frame with their arrays on the GPU.

use std::sync::Arc;

use glam::Vec3;

use crate::buffers::Buffers;
use crate::edges;
use crate::frame::{ColorMap, Frame, Surface};
use crate::memo::{Memo, identity};
use crate::passes::shadow_view::bounds_of;

/// A surface that can be drawn.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    /// What it shows.
    pub surface: &'a Surface,
    /// Its vertices.
    pub positions: wgpu::Buffer,
    /// By vertex; none if missing or not one for each vertex.
    pub normals: Option<wgpu::Buffer>,
    /// By vertex; none if missing or not one for each vertex.
    pub uvs: Option<wgpu::Buffer>,
    /// By vertex; none if missing or not one for each vertex.
    pub values: Option<wgpu::Buffer>,
    /// Corners of its triangles.
    pub indices: wgpu::Buffer,
    /// How many corners.
    pub count: u32,
    /// Box about its vertices, in its own space.
    pub bounds: [Vec3; 2],
    /// Where its numbers are among the uniforms.
    pub offset: u32,
}

type Identity = (usize, usize);
/// The arrays that were read, held so that their addresses name nothing else.
type Held<T, V> = (Arc<[T]>, V);
type Triangles = Arc<[[u32; 3]]>;
type Edges = Arc<[[u32; 2]]>;
type Segments = Arc<[[Vec3; 2]]>;
type Colors = Arc<[[u8; 4]]>;
type Wires = Held<Vec3, (Triangles, Segments)>;
type WireColors = Held<f32, (Triangles, Colors)>;

/// What was learned of arrays, kept while they come back.
#[derive(Debug, Default)]
pub(crate) struct Known {
    bounds: Memo<Identity, Held<Vec3, [Vec3; 2]>>,
    largest: Memo<Identity, Held<[u32; 3], u32>>,
    edges: Memo<Identity, Held<[u32; 3], Edges>>,
    wires: Memo<(Identity, Identity), Wires>,
    wire_colors: Memo<(Identity, Identity, ColorMap), WireColors>,
}

impl Known {
    /// Begins a draw.
    pub fn begin(&mut self) {
        self.bounds.begin();
        self.largest.begin();
        self.edges.begin();
        self.wires.begin();
        self.wire_colors.begin();
    }

    /// The surfaces of a frame that can be drawn. One without triangles, or with a corner that
    /// is no vertex, is left out.
    pub fn prepare<'a>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        buffers: &mut Buffers,
        frame: &'a Frame,
    ) -> Vec<Prepared<'a>> {
        let mut prepared = Vec::with_capacity(frame.surfaces.len());
        for surface in &frame.surfaces {
            let vertices = surface.positions.len();
            if surface.triangles.is_empty() || self.largest(surface) as usize >= vertices {
                continue;
            }
            let bounds = self.bounds(&surface.positions);
            if !bounds[0].cmple(bounds[1]).all() {
                continue;
            }
            let Some(positions) = buffers.get(device, queue, &surface.positions) else { continue };
            let Some(indices) = buffers.get(device, queue, &surface.triangles) else { continue };
            let normals = Some(&surface.normals).filter(|normals| normals.len() == vertices);
            let uvs = Some(&surface.uvs).filter(|uvs| uvs.len() == vertices);
            let values = surface.values.as_ref().filter(|values| values.len() == vertices);
            prepared.push(Prepared {
                surface,
                positions,
                normals: normals.and_then(|normals| buffers.get(device, queue, normals)),
                uvs: uvs.and_then(|uvs| buffers.get(device, queue, uvs)),
                values: values.and_then(|values| buffers.get(device, queue, values)),
                indices,
                count: 3 * surface.triangles.len() as u32,
                bounds,
                offset: 0,
            });
        }
        prepared
    }

    /// Edges of triangles, each once.
    pub fn edges(&mut self, triangles: &Triangles) -> Edges {
        let make = || (triangles.clone(), edges::edges(triangles));
        self.edges.get_or(identity(triangles), make).1
    }

    /// The surface's edges as segments, and their colours if it has values.
    pub fn wires(&mut self, surface: &Surface) -> (Segments, Option<Colors>) {
        let (positions, triangles) = (&surface.positions, &surface.triangles);
        let edges = self.edges(triangles);
        let make = || (positions.clone(), (triangles.clone(), edges::segments(&edges, positions)));
        let key = (identity(positions), identity(triangles));
        let (_, (_, segments)) = self.wires.get_or(key, make);
        let values = surface.values.as_ref().filter(|values| values.len() == positions.len());
        let colors = values.map(|values| {
            let map = surface.look.color_map;
            let key = (identity(values), identity(triangles), map);
            let make = || (values.clone(), (triangles.clone(), edges::colors(&edges, values, map)));
            self.wire_colors.get_or(key, make).1.1
        });
        (segments, colors)
    }

    fn largest(&mut self, surface: &Surface) -> u32 {
        let triangles = &surface.triangles;
        let make = || {
            let largest = triangles.iter().flatten().copied().max().unwrap_or(0);
            (triangles.clone(), largest)
        };
        self.largest.get_or(identity(triangles), make).1
    }

    /// Box about points.
    pub fn bounds(&mut self, positions: &Arc<[Vec3]>) -> [Vec3; 2] {
        let make = || (positions.clone(), bounds_of(positions.iter().copied()));
        self.bounds.get_or(identity(positions), make).1
    }
}
