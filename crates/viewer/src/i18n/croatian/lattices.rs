//! Lattices and shape matching: descriptions, names of fields, words.

/// English and Croatian, sorted by the English.
#[rustfmt::skip]
pub(super) const TEXTS: &[(&str, &str)] = &[
    ("Breaks at stretch", "Puca pri rastezanju"),
    ("Damping per second", "Prigušenje u sekundi"),
    ("Elongation of links beyond which they break, and the body with them; absent: never.", "Produljenje veza nakon kojega pucaju, a s njima i tijelo; ako ga nema: nikada."),
    ("Half width w of regions in cells: 1 takes the nearest neighbours.", "Poluširina w područja u ćelijama: 1 uzima najbliže susjede."),
    ("How fast points are drawn to where the body wants them.", "Koliko se brzo točke vuku onamo gdje ih tijelo želi."),
    ("How fast points are drawn to where their regions want them.", "Koliko se brzo točke vuku onamo gdje ih njihova područja žele."),
    ("Inside", "Unutrašnjost"),
    ("Lattice", "Prostorna rešetka"),
    ("Part of what is not rigid in a region's motion that is lost in a second.", "Dio gibanja područja koji nije krut, a gubi se u sekundi."),
    ("Part of what is not rigid in its motion that is lost in a second.", "Dio njegova gibanja koji nije krut, a gubi se u sekundi."),
    ("Region width", "Širina područja"),
    ("Regions of a lattice that each want to be rigid, overlapping: the wider, the stiffer.", "Područja prostorne rešetke koja se preklapaju i od kojih svako želi biti kruto: što šira, to kruće."),
    ("Shape matching", "Usklađivanje oblika"),
    ("The whole body wants to be a rigid copy of itself.", "Cijelo tijelo želi biti kruta kopija samoga sebe."),
    ("What else is inside, so that it keeps its shape; absent: nothing.", "Što je još unutra da tijelo zadrži oblik; ako ga nema: ništa."),
    ("What fills a soft body so that it keeps its shape.", "Što ispunjava meko tijelo da zadrži oblik."),
    ("Width of its cells; absent: a tenth of the longest side.", "Širina ćelija; ako je nema: desetina najduže stranice."),
];
