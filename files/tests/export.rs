//! Exported files open as the original program.

use lanewise_core::isa::Family;
use lanewise_core::library::BUNDLED;
use lanewise_core::program::Program;
use lanewise_files::{Content, ExportError, FileKind, isa_object, open, sass_code};

fn bytes(program: &Program) -> Vec<Vec<u8>> {
    let encoded = program.instructions.iter().map(|p| p.instruction.encode());
    encoded.map(|e| e.bytes().to_vec()).collect()
}

fn reopened(name: &str, file: &[u8]) -> (FileKind, Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let opened = open(name, file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let function = &opened.functions[0];
    assert_eq!(function.notes, Vec::<String>::new(), "{name}");
    let own = |i: &&lanewise_files::Item| matches!(i.content, Content::Instruction { .. });
    let items = function
        .items
        .iter()
        .filter(own)
        .map(|i| i.bytes.clone())
        .collect();
    (
        opened.kind.clone(),
        items,
        bytes(&Program::parse(&function.scenario())),
    )
}

#[test]
fn bundled_scenarios_round_trip() {
    let mut compared = 0;
    for scenario in BUNDLED {
        let program = Program::parse(scenario.text);
        let (kind, file) = match program.symbols.target.family() {
            Family::Visa => (
                FileKind::VisaObject { major: 4, minor: 1 },
                isa_object(&program),
            ),
            Family::Sass => (FileKind::SassCode, sass_code(&program)),
        };
        let file = file.unwrap_or_else(|error| panic!("{}: {error}", scenario.id));
        let (read, items, again) = reopened(scenario.id, &file);
        assert_eq!(read, kind);
        let mut own = bytes(&program);
        let ret = vec![0x34, 0, 0, 0];
        // An object ends with a ret, which scenarios may leave out.
        if program.symbols.target.family() == Family::Visa && own.last() != Some(&ret) {
            own.push(ret);
        }
        assert_eq!(items, own, "{}", scenario.id);
        assert_eq!(again, items, "{}: symbols differ", scenario.id);
        compared += items.len();
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn symbols_of_every_class_round_trip() {
    let text = "\
.decl V32 v_type=G type=ud num_elts=16 align=GRF
.decl half v_type=G type=uw num_elts=8 align=word alias=<V32, 32>
.decl V34 v_type=G type=q num_elts=4 align=qword
.decl A0 v_type=A num_elts=4
.decl P1 v_type=P num_elts=16
.decl S0 v_type=S num_elts=1
.decl T6 v_type=T num_elts=1
.decl T7 v_type=T num_elts=1
(P1) dword_atomic.add (M1, 8) T7 V32.0 V32.0 %null.0 V32.0
";
    let program = Program::parse(text);
    let file = isa_object(&program).expect("an object");
    let opened = open("x.isa", &file).expect("it opens");
    let declarations = opened.functions[0].declarations.join("\n");
    for line in text.lines().filter(|l| l.starts_with(".decl")) {
        let end = line.find(" align").unwrap_or(line.len());
        assert!(
            declarations.contains(&line[..end]),
            "{line}\n{declarations}"
        );
    }
    assert!(declarations.contains("alias=<V32, 32>"), "{declarations}");
}

#[test]
fn export_errors() {
    let sass = Program::parse(".target sass SM50\nATOM.E.ADD R0, [R2], R4\n");
    assert_eq!(isa_object(&sass), Err(ExportError::WrongFamily));
    assert_eq!(
        sass_code(&Program::parse("")),
        Err(ExportError::WrongFamily)
    );
    assert_eq!(
        isa_object(&Program::parse("foo\n")),
        Err(ExportError::HasErrors)
    );
}
