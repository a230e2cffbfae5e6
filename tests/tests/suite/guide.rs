//! Scenarios in the guide are valid and have the results that the text states.
//!
//! Comments after a scenario assert its results:
//! `<!-- ends: PLACE = VALUES -->`, `<!-- says STEP: SUMMARY -->`, `<!-- faults -->`.
//! Bundled scenarios have similar comments.

use lanewise_core::diagnostic::Severity;
use lanewise_core::isa::visa::platform::Platform;
use lanewise_core::library::BUNDLED;
use lanewise_core::program::Program;
use lanewise_core::session::{Session, check_end_claim, end_claims, unmet_claims};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::fs;
use std::path::Path;
use std::rc::Rc;

struct Scenario {
    /// Page, and number of the scenario on the page.
    name: String,
    text: String,
    claims: Vec<String>,
}

fn scenarios() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    let mut all: Vec<Scenario> = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let page = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = fs::read_to_string(&path).unwrap();
        let mut inside = false;
        let mut count = 0;
        for event in Parser::new(&source) {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    inside = info.split(' ').next() == Some("lanewise");
                    if inside {
                        count += 1;
                        all.push(Scenario {
                            name: format!("{page}, scenario {count}"),
                            text: String::new(),
                            claims: Vec::new(),
                        });
                    }
                }
                Event::Text(text) if inside => all.last_mut().unwrap().text.push_str(&text),
                Event::End(TagEnd::CodeBlock) => inside = false,
                Event::Html(html) => {
                    for claim in html.split("<!--").skip(1) {
                        let claim = claim.split("-->").next().unwrap().trim();
                        assert!(count > 0, "{page}: assertion before any scenario");
                        all.last_mut().unwrap().claims.push(claim.to_owned());
                    }
                }
                _ => {}
            }
        }
    }
    all
}

fn check_claim(session: &mut Session, claim: &str) -> Result<(), String> {
    if claim == "faults" {
        return session.fault().map(drop).ok_or("does not fault".to_owned());
    }
    if let Some(claim) = claim.strip_prefix("ends: ") {
        return check_end_claim(session.program(), session.machine(), claim);
    }
    let (step, wanted) = claim
        .strip_prefix("says ")
        .and_then(|rest| rest.split_once(": "))
        .ok_or("unknown assertion")?;
    session.seek(step.parse().map_err(|_| "invalid step")?);
    let said = session.summary();
    session.seek(usize::MAX);
    match said == wanted {
        true => Ok(()),
        false => Err(format!("found: {said}")),
    }
}

#[test]
fn guide_scenarios_match_their_assertions() {
    let all = scenarios();
    let claims: usize = all.iter().map(|one| one.claims.len()).sum();
    println!("{} scenarios in the guide, {claims} assertions", all.len());
    let mut wrong = Vec::new();
    for one in &all {
        let name = &one.name;
        let program = Program::parse(&one.text);
        for found in &program.diagnostics {
            if found.severity() != Severity::Note {
                wrong.push(format!("{name}: {}", found.message()));
            }
        }
        if program.title.is_none() {
            wrong.push(format!("{name} has no title"));
        }
        if one.claims.is_empty() {
            wrong.push(format!("{name} has no assertion"));
        }
        let mut session = Session::new(Rc::new(program));
        session.run_to_end();
        let faults = one.claims.iter().any(|claim| claim == "faults");
        if session.fault().is_some() && !faults {
            wrong.push(format!("{name} faults"));
        }
        for claim in &one.claims {
            if let Err(why) = check_claim(&mut session, claim) {
                wrong.push(format!("{name}: `{claim}`: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() >= 20 && claims >= 40);
}

/// Bundled scenarios assert their results in comments: `// ends: PLACE = VALUES`.
#[test]
fn bundled_scenarios_match_their_assertions() {
    let mut claims = 0;
    let mut wrong = Vec::new();
    for bundled in BUNDLED {
        let mut session = Session::new(Rc::new(Program::parse(bundled.text)));
        session.run_to_end();
        claims += end_claims(bundled.text).count();
        let unmet = unmet_claims(bundled.text, session.program(), session.machine());
        wrong.extend(
            unmet
                .iter()
                .map(|why| format!("{}: {}", bundled.id, why.message())),
        );
    }
    println!("{claims} assertions of bundled scenarios");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(claims > 0, "no assertions found");
}

/// Every instruction has a page with generated facts.
#[test]
fn every_instruction_has_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    for spec in lanewise_core::isa::SPECS {
        let file = spec.name.to_ascii_lowercase().replace('_', "-");
        let page = fs::read_to_string(folder.join(format!("{file}.md"))).unwrap();
        assert!(
            page.contains(&format!("{{{{facts {}}}}}", spec.name)),
            "{file}"
        );
    }
}

/// The table of devices has a row for each platform that ocloc compiles for.
#[test]
fn every_device_is_in_the_guide() {
    let guide = include_str!("../../../docs/guide/run-your-own-kernel.md");
    let rows: Vec<&str> = guide
        .lines()
        .skip_while(|line| !line.starts_with("| Device |"))
        .collect();
    let rows = rows
        .iter()
        .skip(2)
        .map_while(|line| line.strip_prefix("| `"));
    let devices = rows.filter_map(|row| row.split('`').next());
    let platforms = Platform::ALL.map(Platform::features);
    let expected = platforms
        .iter()
        .filter_map(|features| features.devices.first());
    assert_eq!(
        devices.collect::<Vec<_>>(),
        expected.copied().collect::<Vec<_>>()
    );
}
