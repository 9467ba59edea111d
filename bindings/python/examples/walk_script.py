"""Plays a walk script and prints the state hashes: python walk_script.py SCRIPT.txt"""

import sys

import threshold

KEYS = ["forward", "back", "left", "right", "turn_left", "turn_right", "slow", "jump"]


def play(path):
    world, player = threshold.World.sample(), None
    for line in open(path, encoding="utf-8"):
        command, _, rest = line.rstrip("\n").partition(" ")
        if line.startswith("#"):
            continue
        elif command == "spawn":
            player = world.walker(rest)
        elif command == "use":
            world.find(rest).use()
        elif command == "look":
            player.look(*map(float, rest.split()))
        elif command == "keys":
            player.drive(**{key: bool(int(rest) >> bit & 1) for bit, key in enumerate(KEYS)})
        elif command == "ticks":
            for _ in range(int(rest)):
                world.tick()
        elif command == "hash":
            print(f"{world.state_hash:016x}")
        else:
            sys.exit(f"what is '{line}'?")


if __name__ == "__main__":
    play(sys.argv[1])
