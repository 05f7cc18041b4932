//! `tkanina materials`.

use miette::miette;
use serde::Serialize;
use tkanina_sim::materials::{FABRICS, FIBRES, Fabric, Fibre, STRAND_PRESETS, StrandPreset, Value};

use crate::failure::Failure;
use crate::output;

/// Prints the fabrics and fibres that presets name, with units and sources
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tkanina materials\n  tkanina materials --json")]
pub struct Args {
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Every preset with every number.
    pub fn run(self) -> Result<(), Failure> {
        let fabrics = FABRICS.iter().map(Preset::of_fabric);
        let fibres = FIBRES.iter().map(Preset::of_fibre);
        let strands = STRAND_PRESETS.iter().map(Preset::of_strands);
        let presets: Vec<Preset> = fabrics.chain(fibres).chain(strands).collect();
        if self.json {
            let text = serde_json::to_string_pretty(&presets)
                .map_err(|e| Failure::other(miette!("the table cannot be written: {e}")))?;
            return output::print(&format!("{text}\n"));
        }
        output::print(&presets.iter().map(Preset::text).collect::<Vec<_>>().join("\n"))
    }
}

/// A row of the table.
#[derive(Serialize)]
struct Preset {
    kind: &'static str,
    name: &'static str,
    title: &'static str,
    source: &'static str,
    values: Vec<Entry>,
}

/// A number of a row.
#[derive(Serialize)]
struct Entry {
    what: &'static str,
    value: f32,
    unit: &'static str,
    basis: &'static str,
}

impl Preset {
    fn of_fabric(fabric: &Fabric) -> Self {
        let mut values = vec![entry("area density", fabric.area_density, "kg/m²")];
        values.extend(fabric.thickness.map(|value| entry("thickness", value, "m")));
        values.extend([
            entry("tension, warp", fabric.warp, "N/m"),
            entry("tension, weft", fabric.weft, "N/m"),
            entry("shear", fabric.shear, "N/m"),
            entry("bending", fabric.bending, "N·m"),
        ]);
        let Fabric { name, title, source, .. } = *fabric;
        Self { kind: "fabric", name, title, source, values }
    }

    fn of_fibre(fibre: &Fibre) -> Self {
        let values = vec![
            entry("density", fibre.density, "kg/m³"),
            entry("diameter", fibre.diameter, "m"),
            entry("Young's modulus", fibre.young, "Pa"),
            entry("shear modulus", fibre.shear_modulus, "Pa"),
            entry("bending EI", fibre.bending, "N·m²"),
        ];
        let Fibre { name, title, source, .. } = *fibre;
        Self { kind: "fibre", name, title, source, values }
    }

    fn of_strands(strands: &StrandPreset) -> Self {
        let all = [
            entry("diameter", strands.diameter, "m"),
            entry("Young's modulus", strands.young, "Pa"),
            entry("shear modulus", strands.shear_modulus, "Pa"),
            entry("density", strands.density, "kg/m³"),
            entry("curl, radius", strands.curl_radius, "m"),
            entry("curl, pitch", strands.curl_pitch, "m"),
            entry("inner friction", strands.inner_friction, "s"),
            entry("friction", strands.friction, "1"),
            entry("taper", strands.taper, "1"),
            entry("comes to rest", strands.rest_speed, "m/s"),
        ];
        // Nothing is said of a curl that is not there.
        let values = all.into_iter().filter(|entry| entry.value > 0.0).collect();
        let StrandPreset { name, title, source, .. } = *strands;
        Self { kind: "strands", name, title, source, values }
    }

    fn text(&self) -> String {
        let Self { kind, name, title, source, .. } = self;
        let mut text = format!("{name}: {title} ({kind}; {source})\n");
        for Entry { what, value, unit, basis } in &self.values {
            text += &format!("  {what:16} {:>9} {unit:6} {basis}\n", number(*value));
        }
        text
    }
}

fn entry(what: &'static str, value: Value, unit: &'static str) -> Entry {
    Entry { what, value: value.value, unit, basis: value.basis.word() }
}

/// Four figures; more than any of these is known to.
fn number(value: f32) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(f64::from(value));
    if (1e-3..1e5).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_four_figures() {
        assert_eq!(number(0.150_3), "0.1503");
        assert_eq!(number(8.05e-5), "8.05e-5");
        assert_eq!(number(261.078), "261.1");
        assert_eq!(number(3.89e9), "3.89e9");
    }
}
