//! Fingers: one that moves looks around, one on the stick walks, a tap uses what it meets.

use crate::{
    explorer::Explorer,
    input::{Action, Held},
};
use egui::{Color32, Pos2, Rect, Stroke, Vec2};

/// Points from the stick's middle to its edge.
const RADIUS: f32 = 56.0;
/// Points from its edge to those of the screen.
const MARGIN: f32 = 36.0;
/// Part of the radius that a finger must be off the middle to walk, and to run.
const WALK: f32 = 0.3;
const RUN: f32 = 0.8;
/// Points that the finger of a tap may move.
const TAP_SLACK: f32 = 10.0;
/// Degrees that a finger turns by moving a point, as a multiple of what the mouse does.
const TURN: f32 = 2.0;

/// A finger on the picture, in points.
#[derive(Clone, Copy, Debug)]
struct Finger {
    id: u64,
    start: Pos2,
    at: Pos2,
    is_tap: bool,
}

/// What a finger did that ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Touched {
    /// Nothing but what it did all along.
    Nothing,
    /// It tapped on a point of the picture.
    Tap(Pos2),
}

/// The fingers on the picture.
#[derive(Default)]
pub(super) struct Touch {
    /// There was one: the stick is shown.
    is_used: bool,
    looking: Option<Finger>,
    walking: Option<Finger>,
}

impl Touch {
    /// Whether somebody uses fingers.
    pub(super) fn is_used(&self) -> bool {
        self.is_used
    }

    /// A finger touches the picture.
    pub(super) fn start(&mut self, id: u64, at: Pos2, screen: Rect) {
        self.is_used = true;
        let finger = Finger { id, start: at, at, is_tap: true };
        if at.distance(middle(screen)) <= RADIUS * 1.4 {
            self.walking.get_or_insert(finger);
        } else {
            self.looking.get_or_insert(finger);
        }
    }

    /// A finger moves; returns the points that the eye is to turn by.
    pub(super) fn go(&mut self, id: u64, at: Pos2) -> Vec2 {
        if let Some(finger) = self.walking.as_mut().filter(|finger| finger.id == id) {
            finger.at = at;
        }
        let Some(finger) = self.looking.as_mut().filter(|finger| finger.id == id) else { return Vec2::ZERO };
        let moved = at - finger.at;
        finger.at = at;
        finger.is_tap &= at.distance(finger.start) <= TAP_SLACK;
        if finger.is_tap { Vec2::ZERO } else { moved * TURN }
    }

    /// A finger is lifted.
    pub(super) fn end(&mut self, id: u64) -> Touched {
        self.walking.take_if(|finger| finger.id == id);
        match self.looking.take_if(|finger| finger.id == id) {
            Some(finger) if finger.is_tap => Touched::Tap(finger.at),
            _ => Touched::Nothing,
        }
    }

    /// All fingers are gone: the window lost them.
    pub(super) fn clear(&mut self) {
        (self.looking, self.walking) = (None, None);
    }

    /// Where the stick stands: right and down, each from -1 to 1.
    fn stick(&self, screen: Rect) -> Vec2 {
        let Some(finger) = self.walking else { return Vec2::ZERO };
        let off = (finger.at - middle(screen)) / RADIUS;
        off / off.length().max(1.0)
    }

    /// Presses the keys that the stick stands for; without fingers nothing is changed.
    pub(super) fn press(&self, screen: Rect, held: &mut Held) {
        if !self.is_used {
            return;
        }
        let off = self.stick(screen);
        held.set(Action::Forward, off.y < -WALK);
        held.set(Action::Back, off.y > WALK);
        held.set(Action::Left, off.x < -WALK);
        held.set(Action::Right, off.x > WALK);
        held.set(Action::Gait, off.length() > 0.0 && off.length() < RUN);
    }

    /// Draws the stick.
    pub(super) fn paint(&self, ctx: &egui::Context) {
        if !self.is_used {
            return;
        }
        let screen = ctx.viewport_rect();
        let painter = ctx.layer_painter(egui::LayerId::background());
        let pale = Color32::from_white_alpha(110);
        painter.circle(middle(screen), RADIUS, Color32::from_black_alpha(70), Stroke::new(1.5, pale));
        painter.circle_filled(middle(screen) + self.stick(screen) * RADIUS * 0.6, RADIUS * 0.42, pale);
    }

    /// Buttons for those without keys.
    pub(super) fn buttons(&self, ctx: &egui::Context, explorer: &mut Explorer) {
        use Action::*;
        if !self.is_used {
            return;
        }
        let mut pressed = None;
        let corner =
            |name, align, offset: [f32; 2]| egui::Area::new(egui::Id::unique(name)).anchor(align, offset);
        corner("hands", egui::Align2::RIGHT_BOTTOM, [-16.0, -44.0]).show(ctx, |ui| {
            let button =
                egui::Button::new(egui::RichText::new("menu").size(18.0)).min_size([72.0, 44.0].into());
            egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
                for action in [
                    Teleport,
                    Map,
                    FirstPerson,
                    Fly,
                    Pause,
                    Inspector,
                    View,
                    Journal,
                    Overlays,
                    Screenshot,
                    Help,
                ] {
                    if ui.button(egui::RichText::new(action.name()).size(18.0)).clicked() {
                        pressed = Some(action);
                    }
                }
            });
            for (text, action) in [("use", Use), ("jump", Jump)] {
                let button =
                    egui::Button::new(egui::RichText::new(text).size(18.0)).min_size([72.0, 44.0].into());
                let button = ui.add(button.sense(egui::Sense::click_and_drag()));
                if action == Jump {
                    // A longer press is a higher jump.
                    let down = button.is_pointer_button_down_on();
                    if down != explorer.held.has(Jump) {
                        explorer.key(Jump, down);
                    }
                } else if button.clicked() {
                    pressed = Some(action);
                }
            }
        });
        if let Some(action) = pressed {
            explorer.key(action, true);
            explorer.key(action, false);
        }
    }
}

/// The middle of the stick.
fn middle(screen: Rect) -> Pos2 {
    screen.left_bottom() + Vec2::new(MARGIN + RADIUS, -MARGIN - RADIUS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Rect = Rect { min: Pos2::ZERO, max: Pos2::new(400.0, 800.0) };

    #[test]
    fn one_finger_walks_by_the_stick_while_another_looks() {
        let (mut touch, mut held) = (Touch::default(), Held::default());
        touch.start(1, middle(SCREEN), SCREEN);
        touch.start(2, Pos2::new(300.0, 300.0), SCREEN);
        touch.go(1, middle(SCREEN) + Vec2::new(0.0, -RADIUS * 2.0));
        assert_eq!(touch.go(2, Pos2::new(340.0, 300.0)), Vec2::new(40.0, 0.0) * TURN);
        touch.press(SCREEN, &mut held);
        assert!(held.has(Action::Forward) && !held.has(Action::Back) && !held.has(Action::Gait));
        touch.go(1, middle(SCREEN) + Vec2::new(RADIUS * 0.5, 0.0));
        touch.press(SCREEN, &mut held);
        assert!(held.has(Action::Right) && held.has(Action::Gait) && !held.has(Action::Forward));
        assert_eq!(touch.end(1), Touched::Nothing);
        touch.press(SCREEN, &mut held);
        assert!(!held.has(Action::Right) && !held.has(Action::Gait));
    }

    #[test]
    fn a_tap_stays_where_it_began() {
        let mut touch = Touch::default();
        touch.start(7, Pos2::new(200.0, 100.0), SCREEN);
        assert_eq!(touch.go(7, Pos2::new(204.0, 103.0)), Vec2::ZERO);
        assert_eq!(touch.end(7), Touched::Tap(Pos2::new(204.0, 103.0)));
        touch.start(8, Pos2::new(200.0, 100.0), SCREEN);
        touch.go(8, Pos2::new(220.0, 100.0));
        touch.go(8, Pos2::new(200.0, 100.0));
        assert_eq!(touch.end(8), Touched::Nothing);
    }

    #[test]
    fn keys_work_while_nobody_touches() {
        let mut held = Held::default();
        held.set(Action::Forward, true);
        Touch::default().press(SCREEN, &mut held);
        assert!(held.has(Action::Forward));
    }
}
