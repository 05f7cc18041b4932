//! Whatever is done to a scene's text, loading it answers and never panics.

use tkanina_scene::schema::Scene;

const FULL: &str = include_str!("full.scene.yaml");

/// Small generator with a fixed seed: the same mutations every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Loads and, if it is refused, shows why: both must hold for any text.
fn survives(text: &str) -> bool {
    match Scene::load_text("mutant", text, None, &[]) {
        Ok(_) => true,
        Err(error) => {
            assert!(!error.render().is_empty());
            false
        }
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = vec![String::new()];
    for c in text.chars() {
        let word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let joins = tokens.last().and_then(|t| t.chars().last()).is_some_and(word) && word(c);
        match tokens.last_mut() {
            Some(last) if joins || last.is_empty() => last.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    tokens
}

#[test]
fn mutated_tokens() {
    let original = tokens(FULL);
    let poison = [
        "",
        "~",
        ".nan",
        "-.inf",
        "1e999",
        "-1",
        "0",
        "99999999999999999999",
        "[]",
        "{}",
        "[",
        "}",
        ":",
        "-",
        "\n",
        "\t",
        "&a",
        "*a",
        "!x",
        "!!str",
        "\"",
        "'",
        "|",
        ">",
        "---",
        "%",
        "?",
        "\u{0}",
        "é",
        "\u{feff}",
        "18446744073709551615",
        "4294967295",
        "4294967296",
        "true",
        "<<",
        "kind",
        "#",
    ];
    let mut random = Random(0x9e3779b97f4a7c15);
    let mut right = 0;
    for _ in 0..3000 {
        let mut mutant = original.clone();
        for _ in 0..=random.below(3) {
            let (at, other) = (random.below(mutant.len()), random.below(original.len()));
            match random.below(5) {
                0 => drop(mutant.remove(at)),
                1 => mutant.insert(at, original[other].clone()),
                2 => mutant[at] = original[other].clone(),
                3 => mutant[at] = poison[random.below(poison.len())].to_owned(),
                _ => mutant.truncate(at.max(1)),
            }
        }
        right += usize::from(survives(&mutant.concat()));
    }
    // Some mutants are harmless; if none or all were, the test would be blind.
    assert!((10..2900).contains(&right), "{right} of 3000 mutants are right");
}

#[test]
fn mutated_bytes() {
    let mut random = Random(42);
    for _ in 0..1000 {
        let mut bytes = FULL.as_bytes().to_vec();
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        survives(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn mutated_sets() {
    let mut random = Random(7);
    let argument: Vec<char> = "bodies[0].shape.points=[64, {a: 1}]".chars().collect();
    for _ in 0..500 {
        let mut mutant = argument.clone();
        for _ in 0..=random.below(4) {
            let (at, other) = (random.below(mutant.len()), random.below(argument.len()));
            mutant[at] = argument[other];
        }
        let sets = [mutant.into_iter().collect::<String>()];
        if let Err(error) = Scene::load_text("mutant", FULL, None, &sets) {
            assert!(!error.render().is_empty());
        }
    }
}
