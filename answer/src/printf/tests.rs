use super::*;
use lanewise_core::program::Program;

/// Formats one record; strings lie in the memory at 0x1000.
fn formatted(format: &str, arguments: Vec<Argument>) -> (String, Vec<String>) {
    let program = Program::parse(".region svm 0x1000 64\n.init svm[0x1000] : ud = 0x636261\n");
    let mut reader = Reader {
        machine: &program.start,
        data: &[],
        at: 0,
        end: 0,
        notes: BTreeSet::new(),
    };
    let text = reader.format(format.as_bytes(), arguments);
    let text = String::from_utf8(text).expect("the examples are text");
    (text, reader.notes.into_iter().collect())
}

fn one(value: Value) -> Argument {
    Argument {
        values: vec![value],
        is_vector: false,
    }
}

fn int(value: i32) -> Argument {
    one(Value::Integer(value.cast_unsigned().into(), 4))
}

fn long(value: i64) -> Argument {
    one(Value::Integer(value.cast_unsigned(), 8))
}

fn float(value: f64) -> Argument {
    one(Value::Float(value))
}

fn vector(values: &[f64]) -> Argument {
    Argument {
        values: values.iter().copied().map(Value::Float).collect(),
        is_vector: true,
    }
}

/// The texts are those of glibc.
#[test]
fn numbers_are_formatted_as_in_c() {
    let examples = [
        ("%d", int(-5), "-5"),
        ("%5d|", int(42), "   42|"),
        ("%-5d|", int(42), "42   |"),
        ("%05d", int(42), "00042"),
        ("%+d", int(42), "+42"),
        ("% d", int(42), " 42"),
        ("%.3d", int(7), "007"),
        ("%8.3d|", int(-7), "    -007|"),
        ("%-08d|", int(7), "7       |"),
        ("%.0d|", int(0), "|"),
        ("%08.3d|", int(7), "     007|"),
        ("%i", int(i32::MIN), "-2147483648"),
        ("%u", int(-1), "4294967295"),
        ("%x", int(255), "ff"),
        ("%#x", int(255), "0xff"),
        ("%#X", int(255), "0XFF"),
        ("%#x", int(0), "0"),
        ("%#o", int(8), "010"),
        ("%o", int(0), "0"),
        ("%#.0o", int(0), "0"),
        ("%#010x", int(255), "0x000000ff"),
        ("%.5x", int(255), "000ff"),
        ("%+u", int(3), "3"),
        ("%ld", long(-5_000_000_000), "-5000000000"),
        ("%lx", long(0x0123_4567_89ab_cdef), "123456789abcdef"),
        ("%lu", long(-1), "18446744073709551615"),
        ("%c|", int(65), "A|"),
        ("%3c|", int(65), "  A|"),
        ("100%%", int(1), "100%"),
    ];
    for (format, argument, expected) in examples {
        assert_eq!(formatted(format, vec![argument]).0, expected, "{format}");
    }
}

/// The texts are those of glibc.
#[test]
fn floats_are_formatted_as_in_c() {
    for (format, value, expected) in [
        ("%f", 1.5, "1.500000"),
        ("%.0f", 2.5, "2"),
        ("%.0f", 3.5, "4"),
        ("%#.0f", 2.0, "2."),
        ("%10.2f|", -3.13579, "     -3.14|"),
        ("%-10.2f|", 3.13579, "3.14      |"),
        ("%010.2f|", -3.13579, "-000003.14|"),
        ("%+.1f", 0.05, "+0.1"),
        ("% .1f", 0.25, " 0.2"),
        ("%f", f64::INFINITY, "inf"),
        ("%F", f64::NEG_INFINITY, "-INF"),
        ("%05f|", f64::INFINITY, "  inf|"),
        ("%f", f64::NAN, "nan"),
        ("%e", 12345.678, "1.234568e+04"),
        ("%.2E", 0.000123, "1.23E-04"),
        ("%.0e", 25000.0, "2e+04"),
        ("%#.0e", 1.0, "1.e+00"),
        ("%e", 0.0, "0.000000e+00"),
        ("%g", 100_000.0, "100000"),
        ("%g", 1_000_000.0, "1e+06"),
        ("%g", 0.0001, "0.0001"),
        ("%g", 0.00001, "1e-05"),
        ("%.3g", 1234.5, "1.23e+03"),
        ("%#g", 1.0, "1.00000"),
        ("%G", 1e-10, "1E-10"),
        ("%g", 0.0, "0"),
        ("%.0g", 15.0, "2e+01"),
        ("%a", 1.0, "0x1p+0"),
        ("%a", -0.1, "-0x1.999999999999ap-4"),
        ("%A", 255.5, "0X1.FFP+7"),
        ("%a", 0.0, "0x0p+0"),
        ("%.1f", 1e22, "10000000000000000000000.0"),
        ("%.20f", 0.1, "0.10000000000000000555"),
        ("%f", -0.0, "-0.000000"),
        ("%e", 5e-324, "4.940656e-324"),
        ("%.17g", 0.1, "0.10000000000000001"),
    ] {
        let (text, notes) = formatted(format, vec![float(value)]);
        assert_eq!((&*text, notes), (expected, vec![]), "{format}");
    }
}

#[test]
fn strings_and_vectors_are_formatted_as_in_opencl_c() {
    let string = || one(Value::String(0x1000));
    for (format, argument, expected) in [
        ("%s|", string(), "abc|"),
        ("%5s|", string(), "  abc|"),
        ("%-5.2s|", string(), "ab   |"),
        ("%s", one(Value::String(0)), "(null)"),
        ("%v2hlf", vector(&[1.0, 2.5]), "1.000000,2.500000"),
        (
            "%5.1v4hlf|",
            vector(&[1.0, 2.0, 3.0, 4.0]),
            "  1.0,  2.0,  3.0,  4.0|",
        ),
    ] {
        let (text, notes) = formatted(format, vec![argument]);
        assert_eq!((&*text, notes), (expected, vec![]), "{format}");
    }
}

/// A conversion that does not fit its argument is printed verbatim, with a note that quotes it.
#[test]
fn formats_that_do_not_fit_their_arguments_are_named() {
    for (format, arguments, text, note) in [
        ("%d\n", vec![], "%d\n", "`%d` has no argument"),
        (
            "a",
            vec![int(1)],
            "a",
            "there are more arguments than conversions",
        ),
        (
            "%d",
            vec![long(1)],
            "%d",
            "`%d` takes an integer of 32 bits, found 64",
        ),
        (
            "%ld",
            vec![int(1)],
            "%ld",
            "`%ld` takes an integer of 64 bits, found 32",
        ),
        (
            "%v4hlf",
            vec![vector(&[1.0, 2.0])],
            "%v4hlf",
            "`%v4hlf` takes a vector of 4, found a vector of 2",
        ),
        (
            "%v2hlf",
            vec![float(1.0)],
            "%v2hlf",
            "`%v2hlf` takes a vector of 2, found one value",
        ),
        (
            "%f",
            vec![vector(&[1.0, 2.0])],
            "%f",
            "`%f` takes one value, found a vector of 2",
        ),
        ("%y", vec![int(1)], "%y", "`%y` is not a conversion"),
        (
            "%v4d",
            vec![int(1)],
            "%v4d",
            "`%v4d` is not a conversion; a vector needs the length of its elements, such as `%v4hld`",
        ),
        ("%s", vec![one(Value::String(0x9000))], "%s", "`%s` "),
        ("%d", vec![float(1.0)], "%d", "`%d` "),
    ] {
        let (found, notes) = formatted(format, arguments);
        assert_eq!(found, text, "{format}");
        assert_eq!(notes.len(), 1, "{format}: {notes:?}");
        assert!(
            notes[0].starts_with(&format!("printf({format:?}): {note}")),
            "{notes:?}"
        );
    }
}

#[test]
fn output_beyond_the_buffer_is_said_to_be_missing() {
    let text = ".target visa XEHP\n.launch global=8 local=8\n.simd 8\n\
        .decl V v_type=G type=uq num_elts=1 align=GRF\n.bind V = &printf\n";
    let program = Program::parse(text);
    let launch = program.launch.as_ref().expect("a launch");
    let mut machine = program.start.clone();
    let memory = machine.space_mut(SpaceId::VIRTUAL).expect("memory");
    memory.store(
        launch.printf.expect("a printf buffer"),
        4,
        PRINTF_BYTES + 12,
    );
    let printed = printed(launch, &machine, None).expect("the launch has a buffer");
    let missing = "printf output is missing: the printf buffer of 4 MB lacks 12 bytes";
    assert!(
        printed.notes.iter().any(|note| note == missing),
        "{printed:?}"
    );
}
