/* Opens and closes worlds and looks for growth: lifetimes [CYCLES] */

#include "threshold.h"

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

/* Pages of memory that the process has. */
static long resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long size = 0, pages = 0;
    if (file) {
        if (fscanf(file, "%ld %ld", &size, &pages) != 2) {
            pages = 0;
        }
        fclose(file);
    }
    return pages;
}

/* A short life: a block is loaded, somebody comes in, looks around and goes. */
static void live(ThWorld *origin, const ThPosition *place) {
    ThWorld *world;
    ThEntity player;
    ThPathReport report;
    uint32_t observer;
    check(th_open_another(origin, TH_RESIDENCY_OBSERVED, &world));
    check(th_load_block(world, place->cell >> 16, &observer, NULL));
    check(th_spawn_player(world, place, NULL, &player));
    check(th_tick(world));
    check(th_check_path(world, NULL, place, place, 1, &report));
    check(th_close(world));
}

int main(int argc, char **argv) {
    long cycles = argc > 1 ? strtol(argv[1], NULL, 10) : 10000, i, warm = 0, grown;
    ThWorld *origin, *world;
    ThPosition place;
    const char *name = "Cave Shrine";
    check(th_open_sample(TH_RESIDENCY_OBSERVED, &origin));
    check(th_find_place(origin, (const uint8_t *)name, (uint32_t)strlen(name), &place));
    for (i = 0; i < cycles; i++) {
        if (i == cycles / 5) {
            warm = resident();
        }
        if (i % 100 == 0) {
            live(origin, &place);
        } else {
            check(th_open_another(origin, TH_RESIDENCY_OBSERVED, &world));
            check(th_close(world));
        }
    }
    grown = resident() - warm;
    check(th_close(origin));
    printf("%ld worlds: %ld pages when warm, %+ld since\n", cycles, warm, grown);
    return grown > 256 + warm / 20;
}
