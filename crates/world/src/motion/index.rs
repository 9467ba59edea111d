//! Commands as messages name them: by the low half of their id. Spec: motion §1.2, wire §7.1.

use super::{Command, MotionTable, WIRE_COMMANDS};

/// Commands whose ids the rules of motion name.
const NAMED: [Command; 19] = [
    Command::READY,
    Command::WALK_FORWARD,
    Command::WALK_BACKWARDS,
    Command::RUN_FORWARD,
    Command::FALLEN,
    Command::ON,
    Command::OFF,
    Command::TURN_RIGHT,
    Command::TURN_LEFT,
    Command::SIDE_STEP_RIGHT,
    Command::SIDE_STEP_LEFT,
    Command::DEAD,
    Command::CROUCH,
    Command::SITTING,
    Command::SLEEPING,
    Command::FALLING,
    Command::HAND_COMBAT,
    Command::NON_COMBAT,
    Command::NONE,
];

impl Command {
    /// The low half of its id, as messages carry it.
    pub fn index(self) -> u16 {
        self.0 as u16
    }
}

impl MotionTable {
    /// The command with an index, as this table knows it; absent when the table has no motion for it.
    ///
    /// The original looks indices up in a built-in list, which differs between its versions from 0x10F on. The motions in an
    /// object's table are the same in every version.
    pub fn command(&self, index: u16) -> Option<Command> {
        if index >= WIRE_COMMANDS {
            return None;
        }
        let is_meant = |command: &Command| command.index() == index;
        NAMED
            .into_iter()
            .find(is_meant)
            .or_else(|| self.linked_commands().find(is_meant))
            .or_else(|| self.styles().find(is_meant))
            .or_else(|| self.has_cycle(index).then_some(Command(Command::SUBSTATE | u32::from(index))))
            .or_else(|| self.has_modifier(index).then_some(Command(Command::MODIFIER | u32::from(index))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::{
        DatId,
        records::{self, Motion},
    };

    #[test]
    fn a_table_tells_what_an_index_means() {
        let motion = Motion::default;
        let record = records::MotionTable {
            default_style: 0x8000_003D,
            style_defaults: vec![(0x8000_003D, 0x4100_0003), (0x8000_0049, 0x4100_0003)],
            cycles: vec![(0x003D_0003, motion()), (0x003D_00EA, motion())],
            modifiers: vec![(0x0000_0033, motion())],
            links: vec![(0x003D_0003, vec![(0x1000_0062, motion()), (0x4300_00EB, motion())])],
        };
        let table = MotionTable::new(DatId(1), &record, |_| None, |_| ());
        for (index, expected) in [
            (0x0D, Some(0x6500_000D)),
            (0x00, Some(0)),
            (0x62, Some(0x1000_0062)),
            (0xEB, Some(0x4300_00EB)),
            (0x49, Some(0x8000_0049)),
            (0xEA, Some(0x4000_00EA)),
            (0x33, Some(0x2000_0033)),
            (0x63, None),
            (408, None),
        ] {
            assert_eq!(table.command(index).map(|command| command.0), expected, "{index:#x}");
        }
    }
}
