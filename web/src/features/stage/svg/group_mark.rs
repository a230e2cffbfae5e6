use super::palette::Tone;
use super::{Face, Text};
use crate::features::lanes::units::group_letter;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct GroupMarkProps {
    pub(crate) group: u32,
    /// Centre of the mark.
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) size: f64,
}

/// Letter of a group in a shape of its own.
#[component]
pub(crate) fn GroupMark(props: &GroupMarkProps) -> Html {
    let tone = Tone::Group(props.group).name();
    html! {
        <g class="group-mark" data-tone={tone}>
            <path d={form(props.group, props.x, props.y, props.size)} />
            <Text
                text={group_letter(props.group)}
                x={props.x}
                y={props.y}
                size={props.size * 0.68}
                face={Face::Sans}
                anchor="middle"
                class="letter"
            />
        </g>
    }
}

/// Outline of a group mark: circle, square, diamond or hexagon.
fn form(group: u32, x: f64, y: f64, size: f64) -> String {
    let r = size / 2.0;
    let polygon = |corners: &[(f64, f64)]| {
        let mut path = String::new();
        for (index, (dx, dy)) in corners.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{command}{:.2} {:.2}", x + dx * r, y + dy * r));
        }
        path.push('Z');
        path
    };
    match group % 4 {
        0 => format!(
            "M{:.2} {y:.2}a{r:.2} {r:.2} 0 1 0 {size:.2} 0a{r:.2} {r:.2} 0 1 0 -{size:.2} 0Z",
            x - r
        ),
        1 => polygon(&[(-0.92, -0.92), (0.92, -0.92), (0.92, 0.92), (-0.92, 0.92)]),
        2 => polygon(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]),
        _ => polygon(&[
            (-0.6, -1.0),
            (0.6, -1.0),
            (1.2, 0.0),
            (0.6, 1.0),
            (-0.6, 1.0),
            (-1.2, 0.0),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn adjacent_groups_differ_in_shape() {
        let letters: HashSet<_> = (0..60).map(group_letter).collect();
        assert_eq!(letters.len(), 60);
        assert_eq!(group_letter(1), "B");
        assert_eq!(group_letter(27), "B2");
        for group in 0..12 {
            assert_ne!(form(group, 0.0, 0.0, 8.0), form(group + 1, 0.0, 0.0, 8.0));
        }
        // Hues repeat with another shape.
        assert_eq!(Tone::Group(0).name(), Tone::Group(6).name());
        assert_ne!(form(0, 0.0, 0.0, 8.0), form(6, 0.0, 0.0, 8.0));
    }
}
