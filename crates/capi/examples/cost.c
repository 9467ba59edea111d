/* What calls cost: the best of many short runs. */
#define _POSIX_C_SOURCE 199309L

#include "threshold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CALLS 20000
#define SWEEPS 20000

static void check(ThStatus status) {
    if (status != TH_STATUS_OK) {
        char message[256];
        th_error((uint8_t *)message, sizeof message);
        fprintf(stderr, "%s\n", message);
        exit(1);
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double least(double a, double b) {
    return a < b ? a : b;
}

int main(void) {
    ThWorld *world;
    ThPosition street, at;
    ThEntity me;
    ThSweep *sweeps = (ThSweep *)calloc(SWEEPS, sizeof *sweeps);
    ThSwept *swept = (ThSwept *)calloc(SWEEPS, sizeof *swept);
    double ticks = 1e9, position = 1e9, sweep = 1e9, start;
    uint64_t count;
    int run, i;
    check(th_open_sample(TH_RESIDENCY_AUTOMATIC, &world));
    check(th_find_place(world, (const uint8_t *)"Village Street", 14, &street));
    check(th_spawn_player(world, &street, NULL, &me));
    for (run = 0; run < 200; run++) {
        start = now();
        for (i = 0; i < CALLS; i++) {
            check(th_ticks(world, &count));
        }
        ticks = least(ticks, (now() - start) / CALLS);
        start = now();
        for (i = 0; i < CALLS; i++) {
            check(th_position(world, me, &at));
        }
        position = least(position, (now() - start) / CALLS);
    }
    /* As in cost.rs. */
    for (i = 0; i < SWEEPS; i++) {
        sweeps[i].from = sweeps[i].to = street;
        sweeps[i].from.origin.z += 1;
        sweeps[i].to.origin.x += (float)(i % 7) - 3;
        sweeps[i].to.origin.y += (float)(i % 5) - 2;
        sweeps[i].to.origin.z += 1;
        sweeps[i].radius = 0.3f;
    }
    for (run = 0; run < 100; run++) {
        start = now();
        check(th_sweep_spheres(world, sweeps, SWEEPS, swept));
        sweep = least(sweep, (now() - start) / SWEEPS);
    }
    printf("th_ticks %.1f ns\nth_position %.1f ns\nth_sweep_spheres %.1f ns per sweep\n", ticks, position, sweep);
    check(th_close(world));
    free(sweeps);
    free(swept);
    return 0;
}
