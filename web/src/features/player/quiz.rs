//! Quiz on a program. The answer always comes from running the program, never
//! from the author's text.

use crate::features::transport::MAX_AHEAD;
use lanewise_core::isa::Unit;
use lanewise_core::number::{ElementType, parse_integer, parse_literal, show, to_f64};
use lanewise_core::program::ElementRange;
use lanewise_core::session::{IssueIndex, LaneRow, Session, lane_name};

/// Question, and the reader's progress.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quiz {
    pub(crate) question: String,
    /// Expression of the answer, as the author wrote it.
    from: String,
    /// Answer as typed.
    pub(crate) input: String,
    pub(crate) reply: Option<Reply>,
}

/// Reply to an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) verdict: Verdict,
    pub(crate) text: String,
}

/// Verdict on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Right,
    Wrong,
    /// The answer was revealed on request.
    Shown,
    /// The answer is not a valid value of the type.
    Unreadable,
    /// The question itself is invalid.
    Broken,
}

impl Verdict {
    /// Whether the verdict reveals the run.
    pub(crate) const fn reveals(self) -> bool {
        !matches!(self, Self::Unreadable)
    }

    /// Value of the style attribute.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong | Self::Unreadable | Self::Broken => "wrong",
            Self::Shown => "shown",
        }
    }
}

/// Correct value, and the position at which the run shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    bits: u64,
    ty: ElementType,
    position: usize,
    /// Start of the sentence before the value: `Lane 3 returns`.
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

    /// Whether the run may be shown.
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

    /// Checks the reader's answer. Returns the position at which the run shows
    /// the value, unless the answer could not be parsed.
    pub(crate) fn check(&mut self, session: &Session) -> Option<usize> {
        let input = self.input.clone();
        self.reply(session, Some(&input))
    }

    /// Reveals the answer. Returns the position at which the run shows it.
    pub(crate) fn show(&mut self, session: &Session) -> Option<usize> {
        self.reply(session, None)
    }

    /// `compared` is the answer to check; `None` reveals the correct one.
    fn reply(&mut self, session: &Session, compared: Option<&str>) -> Option<usize> {
        let (reply, position) = match answer(session, &self.from) {
            Err(reason) => {
                let verdict = Verdict::Broken;
                let text = format!("This question cannot be answered: {reason}");
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
                "Enter one number of type {}, such as {example}.",
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

    /// Whether the bits are equal; floats compare by value, and NaNs are equal.
    fn is_same(&self, bits: u64) -> bool {
        if !self.ty.is_float() {
            return bits == self.bits;
        }
        let (one, other) = (to_f64(bits, self.ty), to_f64(self.bits, self.ty));
        one == other || one.is_nan() && other.is_nan()
    }
}

/// Value of a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LaneValue {
    Returned,
    Old,
    New,
}

/// Evaluates `from` after running the program: `lane 3 returned`, `lane EU1.3
/// old` or `lane 2.G new`, optionally followed by `line 12` or `as f`; or a
/// location in the final state: `slm[0x40] : ud`, `V34[3]`.
fn answer(session: &Session, from: &str) -> Result<Answer, String> {
    let mut run = Session::with_granularity(session.shared_program(), session.granularity());
    run.explore(MAX_AHEAD);
    if !run.is_explored() {
        return Err(format!("The run is longer than {MAX_AHEAD} steps."));
    }
    run.seek(usize::MAX);
    if let Some(fault) = run.fault().filter(|fault| fault.kind.is_unfinished()) {
        return Err(format!(
            "The run does not reach its end: {}.",
            fault.message
        ));
    }
    if let Some(place) = ElementRange::named(run.program(), from.trim()) {
        let bits = place.load(run.machine(), 0);
        return Ok(Answer {
            bits: bits.ok_or_else(|| format!("{from} is out of bounds."))?,
            ty: place.ty,
            position: run.position(),
            lead: format!("{} ends as", from.trim()),
        });
    }
    let asked = lane_question(from).ok_or_else(|| format!("“{from}” is not a valid question."))?;
    let program = run.program();
    for (index, (issue, start)) in (0..).zip(run.issues().zip(run.issue_starts())) {
        let placed = program.instruction(issue);
        if asked
            .line
            .is_some_and(|line| line != u64::from(placed.line) + 1)
        {
            continue;
        }
        let row = run
            .lanes(IssueIndex(index))
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
    Err(format!("no instruction provides “{from}”."))
}

const fn value_of(row: &LaneRow, value: LaneValue) -> Option<u64> {
    match value {
        LaneValue::Returned => row.returned,
        LaneValue::Old => row.old,
        LaneValue::New => row.new,
    }
}

/// Question about a lane.
struct LaneQuestion {
    unit: Unit,
    value: LaneValue,
    /// Line of the instruction; by default, the first that provides the value.
    line: Option<u64>,
    /// Type of the value, if it differs from the instruction's.
    ty: Option<ElementType>,
}

fn lane_question(from: &str) -> Option<LaneQuestion> {
    let mut words = from.split_whitespace();
    let mut word = words.next()?;
    let mut eu = None;
    // Old questions say `EU1 lane 3` instead of `EU1.3`.
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
