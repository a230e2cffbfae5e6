//! A question on a program. The answer is what the program gives when it is
//! run, never what somebody wrote beside it.

use super::State;
use lanewise_core::isa::Unit;
use lanewise_core::number::{ElementType, parse_integer, parse_literal, show, to_f64};
use lanewise_core::program::Place;
use lanewise_core::session::{LaneRow, Session, lane_name};

/// A question, and how far its reader is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quiz {
    pub(crate) question: String,
    /// What the answer is taken from, as its author wrote it.
    from: String,
    /// What the reader has written.
    pub(crate) given: String,
    /// What is said of it.
    pub(crate) said: Option<Said>,
}

/// What is said of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) verdict: Verdict,
    pub(crate) text: String,
}

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Right,
    Wrong,
    /// The reader asked to be told.
    Told,
    /// What was written cannot be compared.
    Unread,
    /// The question itself cannot be answered.
    Broken,
}

impl Verdict {
    /// Whether the program is seen now.
    pub(crate) const fn reveals(self) -> bool {
        !matches!(self, Self::Unread)
    }

    /// For the style sheet.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong | Self::Unread | Self::Broken => "wrong",
            Self::Told => "told",
        }
    }
}

/// What the program gives, and where in its run that is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    bits: u64,
    ty: ElementType,
    position: usize,
    /// `Lane 3 gets … back`, cut where the value stands.
    before: String,
    after: &'static str,
}

/// How far a question's program is run.
const FAR: usize = 1_000_000;

impl Quiz {
    pub(super) fn new(question: String, from: Option<String>) -> Self {
        Self {
            question,
            from: from.unwrap_or_default(),
            given: String::new(),
            said: None,
        }
    }

    /// Whether the program may be seen running.
    pub(crate) fn is_open(&self) -> bool {
        let said = self.said.as_ref();
        said.is_some_and(|said| said.verdict.reveals())
    }

    pub(super) fn write(&mut self, given: String) {
        self.given = given;
        self.said = None;
    }

    pub(super) fn ask_again(&mut self) {
        self.write(String::new());
    }
}

impl State {
    pub(super) fn check_answer(&mut self) {
        self.answer_quiz(true);
    }

    pub(super) fn show_answer(&mut self) {
        self.answer_quiz(false);
    }

    fn answer_quiz(&mut self, compare: bool) {
        let Some(quiz) = self.player().and_then(|p| p.quiz.clone()) else {
            return;
        };
        let said = match answer(&self.session, &quiz.from) {
            Err(what) => Said {
                verdict: Verdict::Broken,
                text: format!("This question has no answer: {what}"),
            },
            Ok(answer) => {
                let said = answer.judge(compare.then_some(&quiz.given));
                if said.verdict.reveals() {
                    self.look_ahead(answer.position);
                    self.seek(answer.position);
                }
                said
            }
        };
        self.change_quiz(|quiz| quiz.said = Some(said));
    }
}

impl Answer {
    fn sentence(&self) -> String {
        let value = show(self.bits, self.ty);
        format!("{} {value}{}", self.before, self.after)
    }

    fn judge(&self, given: Option<&String>) -> Said {
        let say = |verdict, text| Said { verdict, text };
        let Some(given) = given else {
            return say(Verdict::Told, format!("{}.", self.sentence()));
        };
        let given = given.trim();
        let Ok(bits) = parse_literal(given, self.ty) else {
            let example = if self.ty.is_float() {
                "1.5"
            } else {
                "12 or 0xc"
            };
            let text = format!(
                "Write one number of type {}, such as {example}.",
                self.ty.name()
            );
            return say(Verdict::Unread, text);
        };
        if self.is_same(bits) {
            say(Verdict::Right, format!("Right. {}.", self.sentence()))
        } else {
            let text = format!("Not {given}. {}.", self.sentence());
            say(Verdict::Wrong, text)
        }
    }

    /// The same bits; of floats the same number, or both no number.
    fn is_same(&self, bits: u64) -> bool {
        if !self.ty.is_float() {
            return bits == self.bits;
        }
        let (one, other) = (to_f64(bits, self.ty), to_f64(self.bits, self.ty));
        one == other || one.is_nan() && other.is_nan()
    }
}

/// What is asked of a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    Returned,
    Old,
    New,
}

/// What `from` stands for once the program of a session has run: `lane 3
/// returned`, `EU1 lane 3 old`, `lane 2.G new`, each perhaps with `line 12` or
/// `as f` behind it; or a place at the end: `slm[0x40] : ud`, `V34[3]`.
fn answer(session: &Session, from: &str) -> Result<Answer, String> {
    let mut run = Session::with_granularity(session.shared_program(), session.granularity());
    run.explore(FAR);
    run.seek(usize::MAX);
    if let Some(place) = Place::named(run.program(), from.trim()) {
        let bits = place.load(run.machine(), 0);
        return Ok(Answer {
            bits: bits.ok_or_else(|| format!("{from} lies outside of what there is."))?,
            ty: place.ty,
            position: run.position(),
            before: format!("{} ends as", from.trim()),
            after: "",
        });
    }
    let asked = lane_question(from).ok_or_else(|| format!("“{from}” is not understood."))?;
    let program = run.program();
    let starts: Vec<usize> = run.instruction_starts().collect();
    let placed = program.instructions.iter().zip(starts).enumerate();
    for (index, (placed, start)) in placed {
        if asked
            .line
            .is_some_and(|line| line != u64::from(placed.line) + 1)
        {
            continue;
        }
        let row = run
            .lanes(index)
            .into_iter()
            .find(|row| row.unit == asked.unit);
        let Some(row) = row else { continue };
        if let (Some(bits), Some(turn)) = (value(&row, asked.asks), row.turn) {
            let name = lane_name(asked.unit, program.threads);
            let (verb, after) = match asked.asks {
                Asks::Returned => ("gets", " back"),
                Asks::Old => ("finds", ""),
                Asks::New => ("leaves", ""),
            };
            return Ok(Answer {
                bits,
                ty: asked
                    .ty
                    .unwrap_or(placed.instruction.shown_as(&program.symbols)),
                position: start + turn as usize + 1,
                before: format!("{name} {verb}"),
                after,
            });
        }
    }
    Err(format!("no instruction has what “{from}” says."))
}

const fn value(row: &LaneRow, asks: Asks) -> Option<u64> {
    match asks {
        Asks::Returned => row.returned,
        Asks::Old => row.old,
        Asks::New => row.new,
    }
}

/// A question on a lane.
struct LaneQuestion {
    unit: Unit,
    asks: Asks,
    /// The line of the instruction; else the first that has the value.
    line: Option<u64>,
    /// The type of the value, where it is not the instruction's.
    ty: Option<ElementType>,
}

fn lane_question(from: &str) -> Option<LaneQuestion> {
    let mut words = from.split_whitespace();
    let mut word = words.next()?;
    let mut eu = 0;
    if let Some(number) = word.strip_prefix("EU") {
        eu = number.parse().ok()?;
        word = words.next()?;
    }
    if word != "lane" {
        return None;
    }
    let who = words.next()?;
    let (lane, letter) = who.split_once('.').unwrap_or((who, ""));
    let lane = lane.parse().ok()?;
    let channel = match letter {
        "" => None,
        "R" => Some(0),
        "G" => Some(1),
        "B" => Some(2),
        "A" => Some(3),
        _ => return None,
    };
    let asks = match words.next()? {
        "returned" => Asks::Returned,
        "old" => Asks::Old,
        "new" => Asks::New,
        _ => return None,
    };
    let mut question = LaneQuestion {
        unit: Unit { eu, lane, channel },
        asks,
        line: None,
        ty: None,
    };
    while let Some(word) = words.next() {
        match word {
            "line" => question.line = Some(parse_integer(words.next()?).ok()?),
            "as" => question.ty = Some(ElementType::named(words.next()?)?),
            _ => return None,
        }
    }
    Some(question)
}

#[cfg(test)]
mod tests;
