//! A question on a program. The answer is what the program gives when it is
//! run, never what somebody wrote beside it.

use crate::features::transport::MAX_AHEAD;
use lanewise_core::isa::Unit;
use lanewise_core::number::{ElementType, parse_integer, parse_literal, show, to_f64};
use lanewise_core::program::ElementRange;
use lanewise_core::session::{LaneRow, Session, lane_name};

/// A question, and how far its reader is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quiz {
    pub(crate) question: String,
    /// What the answer is taken from, as its author wrote it.
    from: String,
    /// The reader's answer.
    pub(crate) input: String,
    pub(crate) reply: Option<Reply>,
}

/// The reply to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) verdict: Verdict,
    pub(crate) text: String,
}

/// How good an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Right,
    Wrong,
    /// The reader asked for the answer.
    Shown,
    /// The answer is no value of the type.
    Unreadable,
    /// The question itself cannot be answered.
    Broken,
}

impl Verdict {
    /// Whether the program is seen now.
    pub(crate) const fn reveals(self) -> bool {
        !matches!(self, Self::Unreadable)
    }

    /// For the style sheet.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong | Self::Unreadable | Self::Broken => "wrong",
            Self::Shown => "shown",
        }
    }
}

/// What the program gives, and where in its run that is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    bits: u64,
    ty: ElementType,
    position: usize,
    /// What comes before the value in a sentence: `Lane 3 returns`.
    lead: String,
}

impl Quiz {
    pub(crate) fn new(question: String, from: Option<String>) -> Self {
        Self {
            question,
            from: from.unwrap_or_default(),
            input: String::new(),
            reply: None,
        }
    }

    /// Whether the program may be seen running.
    pub(crate) fn is_revealed(&self) -> bool {
        let reply = self.reply.as_ref();
        reply.is_some_and(|reply| reply.verdict.reveals())
    }

    pub(crate) fn write(&mut self, input: String) {
        self.input = input;
        self.reply = None;
    }

    pub(crate) fn ask_again(&mut self) {
        self.write(String::new());
    }

    /// Replies to the reader's answer. Returns the position at which the run of
    /// the program shows the value, unless the reader has to answer again.
    pub(crate) fn check(&mut self, session: &Session) -> Option<usize> {
        let input = self.input.clone();
        self.reply(session, Some(&input))
    }

    /// Gives the answer. Returns the position at which the run shows it.
    pub(crate) fn show(&mut self, session: &Session) -> Option<usize> {
        self.reply(session, None)
    }

    /// `compared` is the answer that is judged; none gives the right one.
    fn reply(&mut self, session: &Session, compared: Option<&str>) -> Option<usize> {
        let (reply, position) = match answer(session, &self.from) {
            Err(reason) => {
                let verdict = Verdict::Broken;
                let text = format!("This question has no answer: {reason}");
                (Reply { verdict, text }, None)
            }
            Ok(answer) => {
                let reply = answer.judge(compared);
                let position = reply.verdict.reveals().then_some(answer.position);
                (reply, position)
            }
        };
        self.reply = Some(reply);
        position
    }
}

impl Answer {
    fn sentence(&self) -> String {
        format!("{} {}", self.lead, show(self.bits, self.ty))
    }

    fn judge(&self, input: Option<&str>) -> Reply {
        let reply = |verdict, text| Reply { verdict, text };
        let Some(input) = input else {
            return reply(Verdict::Shown, format!("{}.", self.sentence()));
        };
        let input = input.trim();
        let Ok(bits) = parse_literal(input, self.ty) else {
            let example = if self.ty.is_float() {
                "1.5"
            } else {
                "12 or 0xc"
            };
            let text = format!(
                "Write one number of type {}, such as {example}.",
                self.ty.name()
            );
            return reply(Verdict::Unreadable, text);
        };
        if self.is_same(bits) {
            reply(Verdict::Right, format!("Right. {}.", self.sentence()))
        } else {
            let text = format!("Not {input}. {}.", self.sentence());
            reply(Verdict::Wrong, text)
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

/// A value of a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LaneValue {
    Returned,
    Old,
    New,
}

/// What `from` stands for once the program of a session has run: `lane 3
/// returned`, `lane EU1.3 old`, `lane 2.G new`, each perhaps with `line 12` or
/// `as f` behind it; or a place at the end: `slm[0x40] : ud`, `V34[3]`.
fn answer(session: &Session, from: &str) -> Result<Answer, String> {
    let mut run = Session::with_granularity(session.shared_program(), session.granularity());
    run.explore(MAX_AHEAD);
    run.seek(usize::MAX);
    if let Some(place) = ElementRange::named(run.program(), from.trim()) {
        let bits = place.load(run.machine(), 0);
        return Ok(Answer {
            bits: bits.ok_or_else(|| format!("{from} lies outside of what there is."))?,
            ty: place.ty,
            position: run.position(),
            lead: format!("{} ends as", from.trim()),
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
        if let (Some(bits), Some(turn)) = (value_of(&row, asked.value), row.order) {
            let name = lane_name(asked.unit, program.threads);
            let verb = match asked.value {
                LaneValue::Returned => "returns",
                LaneValue::Old => "finds",
                LaneValue::New => "leaves",
            };
            return Ok(Answer {
                bits,
                ty: asked
                    .ty
                    .unwrap_or(placed.instruction.display_type(&program.symbols)),
                position: start + turn as usize + 1,
                lead: format!("{name} {verb}"),
            });
        }
    }
    Err(format!("no instruction has what “{from}” says."))
}

const fn value_of(row: &LaneRow, value: LaneValue) -> Option<u64> {
    match value {
        LaneValue::Returned => row.returned,
        LaneValue::Old => row.old,
        LaneValue::New => row.new,
    }
}

/// A question on a lane.
struct LaneQuestion {
    unit: Unit,
    value: LaneValue,
    /// The line of the instruction; else the first that has the value.
    line: Option<u64>,
    /// The type of the value, where it is not the instruction's.
    ty: Option<ElementType>,
}

fn lane_question(from: &str) -> Option<LaneQuestion> {
    let mut words = from.split_whitespace();
    let mut word = words.next()?;
    let mut eu = None;
    // Questions that are older than the name `EU1.3` say `EU1 lane 3`.
    if let Some(number) = word.strip_prefix("EU") {
        eu = Some(number.parse().ok()?);
        word = words.next()?;
    }
    if word != "lane" {
        return None;
    }
    let mut who = words.next()?;
    if let Some((number, rest)) = who.strip_prefix("EU").and_then(|who| who.split_once('.')) {
        if eu.is_some() {
            return None;
        }
        eu = Some(number.parse().ok()?);
        who = rest;
    }
    let eu = eu.unwrap_or(0);
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
    let value = match words.next()? {
        "returned" => LaneValue::Returned,
        "old" => LaneValue::Old,
        "new" => LaneValue::New,
        _ => return None,
    };
    let mut question = LaneQuestion {
        unit: Unit { eu, lane, channel },
        value,
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
