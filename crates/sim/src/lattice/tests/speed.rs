//! How long it takes.

use super::*;

/// `cargo test -p tkanina-sim lattice::tests::speed -- --ignored --nocapture`
#[test]
#[ignore = "prints times"]
fn of_goals_and_damping() {
    let best = |mut work: Box<dyn FnMut()>| {
        let mut best = f64::INFINITY;
        for _ in 0..300 {
            let start = std::time::Instant::now();
            work();
            best = best.min(start.elapsed().as_secs_f64());
        }
        1e3 * best
    };
    let mut rng = Rng::new(1);
    for (name, n, cracked) in [("20³", 20, false), ("21³", 21, false), ("20³ cracked", 20, true)]
    {
        let mut lattice = Lattice::block([n; 3], 0.05);
        for v in 0..lattice.len() {
            let [x, y, _] = lattice.place(v);
            if cracked && x == 9 && y < 10 {
                lattice.cut(v, 0);
            }
        }
        let m = vec![1.0; lattice.len()];
        let x = shaken(&mut rng, &lattice, 0.01);
        for half in [1, 2, 3, 5] {
            let built = std::time::Instant::now();
            let regions = Arc::new(Regions::new(lattice.clone(), half));
            let built = 1e3 * built.elapsed().as_secs_f64();
            let (a, b) = (x.clone(), x.clone());
            let mut matching = ShapeMatching::new(regions.clone(), &m);
            let mut goals = Soa3::zeros(x.len());
            let goals_ms = best(Box::new(move || {
                crate::parallel::without_threads(|| matching.goals(&a, &mut goals))
            }));
            let mut damping = RegionDamping::new(regions.clone(), &m);
            let mut v = b.clone();
            let damp_ms = best(Box::new(move || {
                crate::parallel::without_threads(|| damping.damp(&b, &mut v, 0.01))
            }));
            println!(
                "{name} w = {half}: goals {goals_ms:.3} ms, damping {damp_ms:.3} ms, \
                 {} incomplete, regions found in {built:.1} ms",
                regions.incomplete()
            );
        }
    }
}
