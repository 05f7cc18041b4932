//! A T-shirt as panels and seams.

use super::outline::Curve;
use super::{Fault, Pattern, fault};
use crate::check::steps;
use crate::schema::{Panel, PanelSeam, PanelSide, SeamSide, TShirtSize};

/// Half the neck's width, as a part of the shoulders'.
const NECK: f64 = 0.2;
/// Depth of the neck, front and back, as parts of its half width.
const NECK_DEPTH: [f64; 2] = [1.05, 0.25];
/// How far shoulders fall, as a part of half their width.
const FALL: f64 = 0.2;
/// Depth of armholes below the tips of shoulders, as a part of the chest.
const ARMHOLE: f64 = 0.235;
/// Height of a sleeve's cap, as a part of the armhole's depth.
const CAP: f64 = 0.48;
/// A cuff is so much narrower than its sleeve.
const CUFF: f64 = 0.9;
/// How far round the body a panel starts bent, from its middle. [rad]
const ROUND: f64 = 1.3;

/// Lengths that the panels share. [m]
struct Cut {
    half: f64,
    tip: f64,
    neck: f64,
    fall: f64,
    armpit: f64,
    length: f64,
}

/// The panels of a shirt and what is sewn.
pub fn t_shirt(size: &TShirtSize, spacing: f64) -> Result<Pattern, Fault> {
    let TShirtSize { chest_m, hem_m, shoulders_m, sleeve_m, arms_deg } = *size;
    let tip = 0.5 * shoulders_m;
    let fall = FALL * tip;
    let cut = Cut {
        half: 0.25 * chest_m,
        tip,
        neck: NECK * shoulders_m,
        fall,
        armpit: fall + ARMHOLE * chest_m,
        length: hem_m,
    };
    let cap = CAP * ARMHOLE * chest_m;
    let checks = [
        ("shoulders_m", tip <= cut.half, 2.0 * cut.half, "at most half the chest"),
        ("hem_m", hem_m > 1.2 * cut.armpit, 1.5 * cut.armpit, "longer than its armholes"),
        ("sleeve_m", sleeve_m > 1.1 * cap, 1.5 * cap, "longer than their caps are high"),
    ];
    for (field, sound, value, what) in checks {
        if !sound {
            return fault(
                &steps!["size", field],
                format!("must be {what}"),
                &format!("give it {value:.2} m, say"),
            );
        }
    }
    let (front, back) = (body("front", &cut), body("back", &cut));
    let armhole = Curve::of(&front, 2).length();
    let shape = Sleeve { cap, half: half_width(cap, armhole), below: sleeve_m - cap };
    let sleeves = ["left", "right"].map(|name| sleeve(name, &shape, &cut, arms_deg));
    let mut seams = Vec::new();
    for name in ["left", "right"] {
        let sleeve = format!("sleeve-{name}");
        let side = |part: &str| format!("{part}-{name}");
        let mut sew = |a: (&str, String), b: (&str, String)| {
            let of = |(panel, side): (&str, String)| SeamSide { panel: panel.to_owned(), side };
            seams.push(PanelSeam { a: of(a), b: of(b), ease: 0.03 });
        };
        sew(("front", side("side")), ("back", side("side")));
        sew(("front", side("shoulder")), ("back", side("shoulder")));
        sew((&sleeve, "cap-front".into()), ("front", side("armhole")));
        sew((&sleeve, "cap-back".into()), ("back", side("armhole")));
        sew((&sleeve, "under-front".into()), (&sleeve, "under-back".into()));
    }
    let panels = [front, back].into_iter().chain(sleeves).collect();
    Ok(Pattern { panels, seams, spacing })
}

/// Front or back, seen from outside; the wearer's left is on the right in front.
fn body(name: &str, cut: &Cut) -> Panel {
    let &Cut { half, tip, neck, fall, armpit, length } = cut;
    let is_front = name == "front";
    let [first, second] = if is_front { ["left", "right"] } else { ["right", "left"] };
    let deep = neck * NECK_DEPTH[usize::from(!is_front)] * 4.0 / 3.0;
    let rise = armpit - fall;
    // Armholes go in below the shoulder, then out to the side.
    let scoop = [
        [half - 0.55 * (half - 0.8 * tip), -armpit + 0.02 * rise],
        [0.8 * tip, -fall - 0.55 * rise],
    ];
    let mirrored = |[x, y]: [f64; 2]| [-x, y];
    let sides = vec![
        side("hem", [-half, -length], vec![]),
        side(&format!("side-{first}"), [half, -length], vec![]),
        side(&format!("armhole-{first}"), [half, -armpit], scoop.to_vec()),
        side(&format!("shoulder-{first}"), [tip, -fall], vec![]),
        side("neck", [neck, 0.0], vec![[0.9 * neck, -deep], [-0.9 * neck, -deep]]),
        side(&format!("shoulder-{second}"), [-neck, 0.0], vec![]),
        side(
            &format!("armhole-{second}"),
            [-tip, -fall],
            vec![mirrored(scoop[1]), mirrored(scoop[0])],
        ),
        side(&format!("side-{second}"), [-half, -armpit], vec![]),
    ];
    let radius = half / ROUND;
    let depth = radius * (1.0 - libm::cos(ROUND));
    Panel {
        name: name.to_owned(),
        sides,
        position_m: [0.0, 0.0, if is_front { depth } else { -depth }],
        rotation_deg: [0.0, if is_front { 0.0 } else { 180.0 }, 0.0],
        bend_m: Some(radius),
    }
}

struct Sleeve {
    cap: f64,
    half: f64,
    below: f64,
}

/// Half of a cap: from the middle on top down to the arm's underside.
fn cap_handles(half: f64, cap: f64) -> [[f64; 2]; 2] {
    [[0.5 * half, cap], [0.55 * half, 0.0]]
}

/// The half width whose cap is as long as an armhole.
fn half_width(cap: f64, armhole: f64) -> f64 {
    let (mut low, mut high) = (0.0, 2.0 * armhole);
    for _ in 0..60 {
        let half = 0.5 * (low + high);
        let [a, b] = cap_handles(half, cap);
        let panel = Panel {
            name: String::new(),
            sides: vec![side("", [0.0, cap], vec![a, b]), side("", [half, 0.0], vec![])],
            position_m: [0.0; 3],
            rotation_deg: [0.0; 3],
            bend_m: None,
        };
        if Curve::of(&panel, 0).length() < armhole { low = half } else { high = half }
    }
    low
}

/// A sleeve round an arm: up along the arm is y, its middle is on top of it.
fn sleeve(name: &str, shape: &Sleeve, cut: &Cut, arms_deg: f64) -> Panel {
    let &Sleeve { cap, half, below } = shape;
    let sign = if name == "left" { 1.0 } else { -1.0 };
    // On the left what is on the right of the panel comes behind the arm.
    let [right, left] = if name == "left" { ["back", "front"] } else { ["front", "back"] };
    let [a, b] = cap_handles(half, cap);
    let mirrored = |[x, y]: [f64; 2]| [-x, y];
    let sides = vec![
        side("cuff", [-CUFF * half, -below], vec![]),
        side(&format!("under-{right}"), [CUFF * half, -below], vec![]),
        side(&format!("cap-{right}"), [half, 0.0], vec![b, a]),
        side(&format!("cap-{left}"), [0.0, cap], vec![mirrored(a), mirrored(b)]),
        side(&format!("under-{left}"), [-half, 0.0], vec![]),
    ];
    let (sine, cosine) = libm::sincos(arms_deg.to_radians());
    let radius = half / std::f64::consts::PI;
    // The cap's top lies on the tip of the shoulder, its base further out along the arm.
    let out = |along: f64, up: f64| [along * sine + up * cosine, up * sine - along * cosine];
    let [x, y] = out(cap, 0.0);
    Panel {
        name: format!("sleeve-{name}"),
        sides,
        position_m: [sign * (cut.tip + x), -cut.fall + y, 0.0],
        rotation_deg: [0.0, sign * 90.0, sign * arms_deg],
        bend_m: Some(radius),
    }
}

fn side(name: &str, from_m: [f64; 2], handles_m: Vec<[f64; 2]>) -> PanelSide {
    PanelSide { name: Some(name.to_owned()), from_m, handles_m }
}
