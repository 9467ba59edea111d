//! The page that shows a tour: pictures, maps, cells in view, changes of cell.

use super::{
    Stop, Tour,
    album::{BEHIND_SIZE, EYE_SIZE},
    chart::Chart,
};
use std::fmt::Write;
use threshold_scenario::CellChange;
use threshold_world::{CellId, Position};

/// Styles of the page; it needs nothing that is not in the folder.
const STYLE: &str = include_str!("page.css");

/// File names of the pictures of a stop, relative to the page.
#[derive(Clone, Debug)]
pub(crate) struct Shots {
    pub(crate) eye: String,
    pub(crate) behind: String,
}

impl Shots {
    /// Names for the `n`th stop.
    pub(crate) fn of(n: usize, stop: &Stop) -> Shots {
        let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let name: String = stop.name.chars().map(word).collect();
        let name = name.replace("--", "-");
        Shots {
            eye: format!("pictures/{n:02}-{name}.png"),
            behind: format!("pictures/{n:02}-{name}-behind.png"),
        }
    }
}

/// A tour to be shown.
pub(crate) struct Page<'t> {
    pub(crate) tour: &'t Tour,
    pub(crate) chart: Chart<'t>,
    /// The picture of the land.
    pub(crate) map: &'t str,
    /// One per stop.
    pub(crate) shots: &'t [Shots],
    /// Address of the explorer's page.
    pub(crate) explorer: Option<&'t str>,
}

/// Text as it may stand in a page, between tags and in attributes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// The explorer's page at a place.
fn walk_link(explorer: &str, place: &Position) -> String {
    let place = place.to_string().replace(' ', "%20").replace('[', "%5B").replace(']', "%5D");
    format!("{explorer}?at={place}")
}

fn clock(tick: usize) -> String {
    let seconds = tick / 30;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

impl Page<'_> {
    /// The whole page.
    pub(crate) fn html(&self) -> String {
        let tour = self.tour;
        let changes = tour.cell_changes().count();
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>Threshold: a walk through the sample world</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        );
        html.push_str(&self.chart.definitions(&escape(self.map)));
        let _ = write!(
            html,
            "<header>\n<h1>Threshold</h1>\n<p class=\"lede\">A walk through the sample world: a street, a door that \
             holds, a cellar, a window, a tower, a cave and a dungeon. One player with gravity, one cell at a time; \
             every picture shows what that cell sees through its openings, and nothing else.</p>\n\
             <dl class=\"facts\"><div><dt>walked</dt><dd>{}</dd></div><div><dt>ticks</dt><dd>{}</dd></div>\
             <div><dt>stops</dt><dd>{}</dd></div><div><dt>cell changes</dt><dd>{changes}</dd></div>\
             <div><dt>state hash</dt><dd><code>{:016x}</code></dd></div></dl>\n</header>\n<main>\n",
            clock(tour.lines.len()),
            tour.lines.len(),
            tour.stops.len(),
            tour.hash()
        );
        let _ =
            write!(html, "<section class=\"map\">\n<h2>The way</h2>\n{}</section>\n", self.chart.overview());
        let mut since = 0;
        for (i, stop) in tour.stops.iter().enumerate() {
            self.stop(&mut html, i, stop, since);
            since = stop.tick + 1;
        }
        self.changes(&mut html);
        html.push_str("</main>\n<footer><p>Every tick is in <a href=\"tour.jsonl\">tour.jsonl</a>, a line each. The pictures were drawn on the CPU and are the same on every machine.</p></footer>\n</body>\n</html>\n");
        html
    }

    fn stop(&self, html: &mut String, index: usize, stop: &Stop, since: usize) {
        let n = index + 1;
        let line = &self.tour.lines[stop.tick];
        let name = escape(&stop.name);
        let _ = write!(
            html,
            "<article id=\"stop-{n}\">\n<h2><span class=\"n\">{n}</span> {name} <span class=\"when\">{}</span></h2>\n\
             <div class=\"stop\">\n",
            clock(stop.tick)
        );
        if let Some(shots) = self.shots.get(index) {
            let _ = write!(
                html,
                "<a class=\"eye\" href=\"{0}\"><img src=\"{0}\" width=\"{1}\" height=\"{2}\" loading=\"lazy\" alt=\"{name}, seen by the player\"></a>\n\
                 <div class=\"side\">\n<img class=\"behind\" src=\"{3}\" width=\"{4}\" height=\"{5}\" loading=\"lazy\" alt=\"{name}, from behind the player\">\n",
                escape(&shots.eye),
                EYE_SIZE.0,
                EYE_SIZE.1,
                escape(&shots.behind),
                BEHIND_SIZE.0,
                BEHIND_SIZE.1
            );
        }
        html.push_str(&self.chart.around(stop.tick));
        html.push_str("\n</div>\n<div class=\"words\">\n");
        let _ = write!(
            html,
            "<p>Stands in {}{}. Landscape in view: {}.</p>\n<p class=\"loc\"><code>{}</code></p>\n",
            self.cell(line.line.cell),
            if line.viewer_cell == line.line.cell {
                String::new()
            } else {
                format!(", looks from {}", self.cell(line.viewer_cell))
            },
            if line.landscape { "yes" } else { "no" },
            escape(&stop.player.to_string())
        );
        if let Some(explorer) = self.explorer {
            let link = escape(&walk_link(explorer, &stop.player));
            let _ = writeln!(html, "<p><a class=\"walk\" href=\"{link}\">walk here yourself</a></p>");
        }
        html.push_str("<p class=\"cells\">");
        if line.visible_cells.is_empty() {
            html.push_str("No interior cell in view.");
        }
        for &cell in &line.visible_cells {
            let class = if cell == line.viewer_cell { " class=\"own\"" } else { "" };
            let _ = write!(html, "<code{class}>{cell}</code> ");
        }
        html.push_str("</p>\n");
        let on_the_way: Vec<_> =
            self.tour.cell_changes().filter(|(tick, _)| (since..=stop.tick).contains(tick)).collect();
        if !on_the_way.is_empty() {
            let (first, last) = (on_the_way[0].0, on_the_way[on_the_way.len() - 1].0);
            let _ = writeln!(
                html,
                "<p class=\"crossed\">Crossed <a href=\"#tick-{first}\">{} {}</a> on the way, {}–{}.</p>",
                on_the_way.len(),
                if on_the_way.len() == 1 { "border" } else { "borders" },
                clock(first),
                clock(last)
            );
        }
        html.push_str("</div>\n</div>\n</article>\n");
    }

    /// A cell with the name of a place in it, if it has one.
    fn cell(&self, cell: CellId) -> String {
        let place = self.tour.place_in(cell).map_or(String::new(), |name| format!(" ({})", escape(name)));
        format!("<code>{cell}</code>{place}")
    }

    fn changes(&self, html: &mut String) {
        html.push_str(
            "<section>\n<h2>Every change of cell</h2>\n<p>Committed by the collision sweep, once per tick at most; \
             the cell is never found from a point.</p>\n<div class=\"scroll\"><table>\n\
             <thead><tr><th>time</th><th>tick</th><th>from</th><th>to</th><th>place</th></tr></thead>\n<tbody>\n",
        );
        for (tick, CellChange { from, to }) in self.tour.cell_changes() {
            let _ = writeln!(
                html,
                "<tr id=\"tick-{tick}\"><td>{}</td><td>{tick}</td><td><code>{from}</code></td><td><code>{to}</code></td><td>{}</td></tr>",
                clock(tick),
                self.tour.place_in(to).map_or(String::new(), escape)
            );
        }
        html.push_str("</tbody>\n</table></div>\n</section>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(
            escape("<b title=\"x\" id='y'>Tom & Ann</b>"),
            "&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;Tom &amp; Ann&lt;/b&gt;"
        );
        assert_eq!(escape("Cottage Door, öffen"), "Cottage Door, öffen");
    }

    #[test]
    fn file_names_hold_nothing_but_letters_digits_and_dashes() {
        let stop = Stop { name: "../\"Inn\" <Door>, open".into(), tick: 0, player: Default::default() };
        let name = Shots::of(7, &stop).eye;
        let inner = name.strip_prefix("pictures/07-").unwrap().strip_suffix(".png").unwrap();
        assert!(inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name}");
    }

    #[test]
    fn a_link_to_the_explorer_has_the_place_in_its_address() {
        let place: Position = "0x80800015 [60 97.5 20.01] 1 0 0 0".parse().unwrap();
        let link = walk_link("../explorer/", &place);
        assert!(link.starts_with("../explorer/?at=0x80800015%20%5B60"), "{link}");
        assert!(!link.contains([' ', '[', ']', '"']), "{link}");
    }
}
