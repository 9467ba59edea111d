/* Plays a walk script and prints the state hashes: walk_script SCRIPT.txt */

#include "threshold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(ThStatus status) {
    if (status != TH_STATUS_OK) {
        char message[256];
        th_error((uint8_t *)message, sizeof message);
        fprintf(stderr, "%s\n", message);
        exit(1);
    }
}

static uint32_t length(const char *text) {
    return (uint32_t)strlen(text);
}

static void play(ThWorld *world, FILE *script) {
    char line[256];
    ThEntity player = 0;
    while (fgets(line, sizeof line, script)) {
        char *rest = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        rest = rest ? rest + 1 : line + strlen(line);
        if (line[0] == '#') {
            continue;
        } else if (strncmp(line, "spawn", 5) == 0) {
            ThPosition place;
            check(th_find_place(world, (const uint8_t *)rest, length(rest), &place));
            check(th_spawn_player(world, &place, NULL, &player));
        } else if (strncmp(line, "use", 3) == 0) {
            ThEntity object;
            check(th_find_by_name(world, (const uint8_t *)rest, length(rest), &object));
            check(th_use(world, object, NULL));
        } else if (strncmp(line, "look", 4) == 0) {
            char *up;
            float right = strtof(rest, &up);
            check(th_look(world, player, right, strtof(up, NULL)));
        } else if (strncmp(line, "keys", 4) == 0) {
            check(th_drive(world, player, (uint32_t)strtoul(rest, NULL, 10)));
        } else if (strncmp(line, "ticks", 5) == 0) {
            unsigned long ticks = strtoul(rest, NULL, 10);
            while (ticks-- > 0) {
                check(th_tick(world));
            }
        } else if (strncmp(line, "hash", 4) == 0) {
            uint64_t hash;
            check(th_state_hash(world, &hash));
            printf("%016" PRIx64 "\n", hash);
        } else {
            fprintf(stderr, "what is '%s'?\n", line);
            exit(1);
        }
    }
}

int main(int argc, char **argv) {
    FILE *script = argc == 2 ? fopen(argv[1], "r") : NULL;
    ThWorld *world;
    if (!script) {
        fprintf(stderr, "usage: walk_script SCRIPT.txt\n");
        return 2;
    }
    check(th_open_sample(TH_RESIDENCY_AUTOMATIC, &world));
    play(world, script);
    check(th_close(world));
    fclose(script);
    return 0;
}
