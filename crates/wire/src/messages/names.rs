//! Names of messages, events and actions, for people. Spec: wire §5, §9.

/// The name of a message, as the community uses it.
pub fn message_name(opcode: u32) -> Option<&'static str> {
    Some(match opcode {
        0x0024 => "InventoryRemoveObject",
        0x0197 => "SetStackSize",
        0x019E => "PlayerKilled",
        0x02CD..=0x02EA => "UpdateProperty",
        0xF619 => "PositionAndMovement",
        0xF625 => "ObjDescEvent",
        0xF653 => "LogOff",
        0xF657 | 0xF7C8 | 0xF7DF => "EnterWorld",
        0xF658 => "CharacterList",
        0xF6EA => "ForceObjectDescSend",
        0xF745 => "CreateObject",
        0xF746 => "CreatePlayer",
        0xF747 => "DeleteObject",
        0xF748 => "UpdatePosition",
        0xF749 => "ParentEvent",
        0xF74A => "PickupEvent",
        0xF74B => "SetState",
        0xF74C => "Movement",
        0xF74E => "VectorUpdate",
        0xF750 => "Sound",
        0xF751 => "PlayerTeleport",
        0xF754 => "PlayScriptId",
        0xF755 => "PlayScriptType",
        0xF7B0 => "GameEvent",
        0xF7B1 => "GameAction",
        0xF7DB => "UpdateObject",
        0xF7E0 => "ServerMessage",
        0xF7E1 => "ServerName",
        0xF7E2..=0xF7EA => "DatPatch",
        _ => return None,
    })
}

/// The name of an event inside a game event message.
pub fn event_name(number: u32) -> Option<&'static str> {
    Some(match number {
        0x0013 => "PlayerDescription",
        0x01EA => "PingResponse",
        _ => return None,
    })
}

/// The name of an action inside a game action message.
pub fn action_name(number: u32) -> Option<&'static str> {
    Some(match number {
        0x00A1 => "LoginComplete",
        0x01E9 => "PingRequest",
        0xF61B => "Jump",
        0xF61C => "MoveToState",
        0xF61E => "DoMovementCommand",
        0xF649 => "TurnTo",
        0xF661 => "StopMovementCommand",
        0xF752 => "AutonomyLevel",
        0xF753 => "AutonomousPosition",
        0xF7C9 => "JumpNonAutonomous",
        _ => return None,
    })
}
