//! What solvers are tried on.

/// A scene of the guide.
pub struct GuideScene {
    /// Name of its plot.
    pub slug: &'static str,
    /// What it is, as a heading.
    pub title: &'static str,
    /// What makes it hard, in a sentence.
    pub about: &'static str,
    /// The built-in scene.
    pub scene: &'static str,
    /// What is changed in it.
    pub sets: &'static [&'static str],
    /// How long it is run: until small differences have grown to folds of their own, no two
    /// solvers need agree. [s]
    pub seconds: f64,
}

/// Six kinds of motion.
pub const SCENES: &[GuideScene] = &[
    GuideScene {
        slug: "stiff-curtain",
        title: "Stiff hanging cloth",
        about: "A curtain that hardly stretches swings down from two corners. Stiff threads are what \
                makes explicit steps short.",
        scene: "hanging-cloth",
        sets: &[
            "materials.curtain.springs.structural.stiffness=20000",
            "materials.curtain.springs.shear.stiffness=1000",
            "materials.curtain.springs.bend.stiffness=1",
            "bodies[0].place.rotation_deg=[70, 0, 0]",
        ],
        seconds: 0.8,
    },
    GuideScene {
        slug: "flag",
        title: "Flag in turbulent wind",
        about: "Wind drives it all the time and folds come and go: the scene forgets errors, and \
                makes new ones.",
        scene: "flag-turbulent",
        sets: &[],
        seconds: 1.0,
    },
    GuideScene {
        slug: "drape",
        title: "Cloth falling on a sphere",
        about: "Contact and friction in the middle of the motion.",
        scene: "cloth-on-sphere",
        sets: &[],
        seconds: 1.0,
    },
    GuideScene {
        slug: "punch",
        title: "A punch and its wave",
        about: "A sharp wave runs over stiff cloth; damping by the solver shows at once.",
        scene: "punch-wave",
        sets: &[],
        seconds: 1.4,
    },
    GuideScene {
        slug: "soft-sheet",
        title: "Very soft sheet",
        about: "Springs so soft that the sheet stretches like slime. Every solver is stable here.",
        scene: "stiffness-2",
        sets: &[],
        seconds: 4.0,
    },
    GuideScene {
        slug: "thesis",
        title: "The hanging cloth of the thesis",
        about: "25 × 25 points with structural, shear and bend springs fall into two pins (002, \
                Slika 6.1), here without its loss of motion.",
        scene: "hanging-default",
        sets: &[],
        seconds: 1.0,
    },
];

#[cfg(test)]
mod tests {
    use tkanina_scene::schema::Scene;

    use super::*;

    #[test]
    fn every_scene_opens() {
        for scene in SCENES {
            let sets: Vec<String> = scene.sets.iter().map(|set| (*set).to_owned()).collect();
            let loaded = Scene::open(scene.scene, &sets);
            let loaded = loaded.unwrap_or_else(|error| panic!("{}", error.render()));
            assert!(loaded.scene.time.duration_s >= scene.seconds, "{}", scene.slug);
        }
    }
}
