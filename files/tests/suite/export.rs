//! Exported files open as the original program.

use lanewise_core::isa::Family;
use lanewise_core::library::BUNDLED;
use lanewise_core::program::{ElementRange, Program};
use lanewise_core::session::run;
use lanewise_files::{Content, ExportError, FileKind, isa_object, open, sass_code};

fn bytes(program: &Program) -> Vec<Vec<u8>> {
    let encoded = program.instructions.iter().map(|p| p.instruction.encode());
    encoded.map(|e| e.bytes().to_vec()).collect()
}

fn reopened(name: &str, file: &[u8]) -> (FileKind, Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let opened = open(name, file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let function = &opened.functions[0];
    // An exported object has no GEN binary, which would name the platform; SASS
    // code ends with instructions that are comments.
    let is_known =
        |note: &String| note.contains("does not name its target") || note.contains("comment");
    assert!(function.notes.iter().all(is_known), "{:?}", function.notes);
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
            Family::Sass if program.has_warps() => {
                assert_eq!(sass_code(&program), Err(ExportError::TextOnly));
                continue;
            }
            Family::Sass => (FileKind::SassCode, sass_code(&program)),
        };
        let file = file.unwrap_or_else(|error| panic!("{}: {error}", scenario.id));
        let (read, items, again) = reopened(scenario.id, &file);
        assert_eq!(read, kind);
        // A return is appended to vISA that does not end with one.
        let mut wanted = bytes(&program);
        let is_visa = program.symbols.target.family() == Family::Visa;
        if is_visa && wanted.last().is_none_or(|last| last[0] != 0x34) {
            wanted.push(vec![0x34, 0, 0, 0]);
        }
        assert_eq!(items, wanted, "{}", scenario.id);
        // The lines of the source become comments.
        let is_mark = |item: &Vec<u8>| matches!(item.first(), Some(0x51 | 0x52));
        let is_visa_mark = |item: &&Vec<u8>| !is_visa || !is_mark(item);
        let run: Vec<_> = items.iter().filter(is_visa_mark).cloned().collect();
        assert_eq!(again, run, "{}: symbols differ", scenario.id);
        compared += items.len();
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn control_flow_round_trips() {
    let declarations = ".target visa XEHP\n.decl V32 v_type=G type=d num_elts=16 align=GRF\n\
         .decl P1 v_type=P num_elts=16\n.init em = 0xffff\n.init V32 = iota(0, 1)\n";
    for code in [
        // Forward and backward branches, two labels in one place, a subroutine.
        "TOP:\ncmp.lt (M1, 16) P1 V32(0,0)<1;1,0> 20:d\n(!P1) goto (M1, 16) OUT\n\
         call (M1, 16) SUB\ngoto (M1, 16) TOP\nOUT:\nEND:\nret (M1, 1)\n.function \"SUB\"\n\
         add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 3:d\nret (M1, 16)\n",
        // A label at the end, behind a return.
        "cmp.lt (M1, 16) P1 V32(0,0)<1;1,0> 9:d\n(P1) goto (M1, 16) END\n\
         add (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0> 3:d\nret (M1, 1)\nEND:\n",
        // A predicated return does not end the program.
        "cmp.lt (M1, 16) P1 V32(0,0)<1;1,0> 9:d\n(P1) ret (M1, 16)\n",
    ] {
        let program = Program::parse(&format!("{declarations}{code}"));
        assert!(program.can_run(), "{:?}", program.diagnostics);
        let object = isa_object(&program).expect("an object");
        let opened = open("x.isa", &object).expect("it opens");
        let scenario = opened.functions[0].scenario();
        let start = ".init em = 0xffff\n.init V32 = iota(0, 1)\n";
        let again = Program::parse(&format!("{scenario}{start}"));
        assert!(again.can_run(), "{:?}\n{scenario}", again.diagnostics);
        assert!(bytes(&again).starts_with(&bytes(&program)), "{scenario}");
        let v32 = |program: &Program| {
            let end = run(program);
            assert_eq!(end.fault, None);
            let place = ElementRange::named(program, "V32").expect("it is declared");
            (0..16)
                .map(|index| place.load(&end.machine, index))
                .collect::<Vec<_>>()
        };
        assert_eq!(v32(&again), v32(&program), "{scenario}");
    }
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
