//! The line `.target`.

use super::{Reader, Target};
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::visa::declarations::Declarations;
use crate::isa::visa::platform::Platform;
use crate::rules;
use crate::text::{Cursor, nearest, same_word};
use alloc::format;

impl Reader<'_> {
    pub(super) fn read_target(&mut self, whole: Span, cursor: &mut Cursor<'_>) {
        const HELP: &str = "write .target visa XEHP, or SKL, ICLLP, TGLLP, DG2, MTL, PVC";
        if self.committed || self.target_seen {
            let what = "the target stands after other lines";
            self.out.push(
                Diagnostic::new(&rules::LATE_TARGET, whole, what)
                    .help("make .target the first line, once"),
            );
            return;
        }
        self.target_seen = true;
        let Some((family, family_span)) = cursor.name() else {
            let here = cursor.here();
            self.out.push(if cursor.at_end() {
                Diagnostic::new(&rules::TARGET, here, "the target is missing").mend(
                    HELP,
                    here,
                    " visa XEHP",
                )
            } else {
                let what = format!("`{}` is not a family of targets", cursor.word());
                Diagnostic::new(&rules::TARGET, here, what).help(HELP)
            });
            return;
        };
        if same_word(family, "sass") {
            self.out.push(
                Diagnostic::new(
                    &rules::TARGET_NOT_BUILT,
                    family_span,
                    "SASS is not read by this build",
                )
                .help(HELP),
            );
            return;
        }
        if !same_word(family, "visa") {
            let what = match Platform::named(family) {
                Some(_) => format!("`{family}` is a platform, its family is missing"),
                None => format!("`{family}` is not a family of targets"),
            };
            let said = Diagnostic::new(&rules::TARGET, family_span, what);
            let platforms = Platform::ALL.iter().map(|p| p.name());
            let before = Span::new(family_span.start, family_span.start);
            self.out.push(if Platform::named(family).is_some() {
                said.mend(HELP, before, "visa ")
            } else if Platform::named(cursor.word()).is_some() {
                said.mend(HELP, family_span, "visa")
            } else if !cursor.at_end() {
                said.help(HELP)
            } else if let Some(near) = nearest(family, platforms) {
                said.mend(HELP, family_span, format!("visa {near}"))
            } else if nearest(family, ["visa"]).is_some() {
                said.mend(HELP, family_span, "visa XEHP")
            } else {
                said.help(HELP)
            });
            return;
        }
        if cursor.at_end() {
            return;
        }
        let platform_span = cursor.here();
        let platform = cursor.word();
        cursor.advance();
        match Platform::named(platform) {
            Some(platform) => {
                self.target = Target::Visa(platform);
                self.names = Declarations::new(platform);
            }
            None => {
                let what = format!("`{platform}` is not a vISA platform");
                let said = Diagnostic::new(&rules::TARGET, platform_span, what);
                let near = nearest(platform, Platform::ALL.iter().map(|p| p.name()));
                self.out.push(match near {
                    Some(near) => said.mend(HELP, platform_span, near),
                    None => said.help(HELP),
                });
            }
        }
        self.end_of_line(cursor);
    }
}
