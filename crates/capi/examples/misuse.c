/* Wrong use: every call below must come back with a status and a sentence, and leave the world in order. */

#include "threshold.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_at(int line, ThStatus found, ThStatus wanted) {
    char message[256] = "";
    uint32_t length = th_error((uint8_t *)message, sizeof message);
    if (found != wanted || (wanted != TH_STATUS_OK && (length == 0 || message[0] == 0))) {
        fprintf(stderr, "line %d: status %d instead of %d: %s\n", line, (int)found, (int)wanted, message);
        exit(1);
    }
}
#define expect(call, wanted) expect_at(__LINE__, call, wanted)

static const uint8_t *text(const char *text) {
    return (const uint8_t *)text;
}

/* A handle that never was one. */
static ThWorld *made_up(uintptr_t number) {
    return (ThWorld *)number;
}

static void handles(ThWorld *world) {
    ThWorld *closed, *another;
    ThDat *dat;
    uint64_t hash;
    uint32_t count;
    int i;
    expect(th_tick(NULL), TH_STATUS_NULL_POINTER);
    expect(th_close(NULL), TH_STATUS_NULL_POINTER);
    expect(th_state_hash(made_up(1), &hash), TH_STATUS_CLOSED);
    expect(th_state_hash(made_up((uintptr_t)-1), &hash), TH_STATUS_CLOSED);
    expect(th_state_hash(made_up((uintptr_t)&hash), &hash), TH_STATUS_CLOSED);
    expect(th_open_another(world, TH_RESIDENCY_OBSERVED, &closed), TH_STATUS_OK);
    expect(th_close(closed), TH_STATUS_OK);
    expect(th_close(closed), TH_STATUS_CLOSED);
    expect(th_tick(closed), TH_STATUS_CLOSED);
    /* Its place may be another's now; the old handle is none all the same. */
    for (i = 0; i < 3; i++) {
        expect(th_open_another(world, TH_RESIDENCY_OBSERVED, &another), TH_STATUS_OK);
        expect(th_tick(closed), TH_STATUS_CLOSED);
        expect(th_close(another), TH_STATUS_OK);
    }
    expect(th_open_another(closed, 0, &another), TH_STATUS_CLOSED);
    expect(th_open_another(world, 3, &another), TH_STATUS_BAD_ARGUMENT);
    expect(th_open_another(world, 0, NULL), TH_STATUS_NULL_POINTER);
    expect(th_open_sample(77, &another), TH_STATUS_BAD_ARGUMENT);
    expect(th_open(text("/nowhere"), 8, 0, &another), TH_STATUS_DATA);
    expect(th_open(text("\xff\xfe"), 2, 0, &another), TH_STATUS_BAD_ARGUMENT);
    expect(th_open(NULL, 5, 0, &another), TH_STATUS_NULL_POINTER);
    /* Of another kind. */
    expect(th_dat_read((ThDat *)world, 1, NULL, 0, &count), TH_STATUS_CLOSED);
    expect(th_dat_open(text("/nowhere"), 8, &dat), TH_STATUS_DATA);
    expect(th_dat_close(NULL), TH_STATUS_NULL_POINTER);
    expect(th_dat_close((ThDat *)made_up(5)), TH_STATUS_CLOSED);
}

static void pointers(ThWorld *world) {
    uint32_t count = 77, cells[1];
    uint8_t one[1];
    expect(th_state_hash(world, NULL), TH_STATUS_NULL_POINTER);
    expect(th_blocks(world, NULL, 0, NULL), TH_STATUS_NULL_POINTER);
    expect(th_blocks(world, NULL, 5, &count), TH_STATUS_NULL_POINTER);
    expect(th_blocks(world, cells, 1, &count), TH_STATUS_TOO_SMALL);
    if (count < 2) {
        fprintf(stderr, "the count must say how many there are\n");
        exit(1);
    }
    expect(th_snapshot(world, one, 1, &count), TH_STATUS_TOO_SMALL);
    expect(th_restore(world, NULL, 10), TH_STATUS_NULL_POINTER);
    expect(th_restore(world, one, 0), TH_STATUS_DATA);
    expect(th_find_place(world, NULL, 3, NULL), TH_STATUS_NULL_POINTER);
    expect(th_casts(world, NULL, 3, NULL), TH_STATUS_NULL_POINTER);
    expect(th_casts(world, NULL, 0, NULL), TH_STATUS_OK);
    expect(th_sweep_sphere(world, NULL, NULL), TH_STATUS_NULL_POINTER);
    expect(th_event_text(world, 1, NULL, 0, &count), TH_STATUS_NOT_FOUND);
    expect(th_event_text(world, 0, NULL, 0, &count), TH_STATUS_NOT_FOUND);
}

static void numbers(ThWorld *world) {
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    ThPosition street, found, wrong;
    ThSweep sweep;
    ThSwept swept;
    ThRay ray;
    ThHit hit;
    ThSpawn spawn;
    ThSkills skills = {1, 1, NAN};
    ThWalker walker;
    ThJump jump;
    ThJumpReport landed;
    ThPathReport report;
    ThArea area;
    ThSpot spot;
    ThEntity thing;
    ThVec3 velocity = {0, 0, 0};
    uint32_t i, count;
    float height;
    memset(&sweep, 0, sizeof sweep);
    memset(&ray, 0, sizeof ray);
    memset(&spawn, 0, sizeof spawn);
    memset(&walker, 0, sizeof walker);
    memset(&jump, 0, sizeof jump);
    memset(&area, 0, sizeof area);
    memset(&spot, 0, sizeof spot);
    expect(th_find_place(world, text("Village Street"), 14, &street), TH_STATUS_OK);
    for (i = 0; i < 3; i++) {
        wrong = street;
        wrong.origin.y = bad[i];
        expect(th_ground_height(world, &wrong, &height), TH_STATUS_BAD_ARGUMENT);
        expect(th_spawn_player(world, &wrong, NULL, &thing), TH_STATUS_BAD_ARGUMENT);
        expect(th_load_around(world, &wrong, &count), TH_STATUS_BAD_ARGUMENT);
        expect(th_check_path(world, NULL, &street, &wrong, 1, &report), TH_STATUS_BAD_ARGUMENT);
        spawn.setup = 0x02000001;
        spawn.position = street;
        spawn.scale = bad[i];
        expect(th_spawn(world, &spawn, &thing), TH_STATUS_BAD_ARGUMENT);
        wrong = street;
        wrong.rotation.z = bad[i];
        expect(th_stand_at(world, NULL, &wrong, &found), TH_STATUS_BAD_ARGUMENT);
        sweep.from = sweep.to = street;
        sweep.radius = bad[i];
        expect(th_sweep_sphere(world, &sweep, &swept), TH_STATUS_BAD_ARGUMENT);
        ray.from = street;
        ray.reach = 10;
        ray.direction.x = bad[i];
        expect(th_cast(world, &ray, &hit), TH_STATUS_BAD_ARGUMENT);
        jump.from = street;
        jump.power = bad[i];
        expect(th_simulate_jump(world, NULL, &jump, &landed, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
        area.center = street;
        area.metres = bad[i];
        expect(th_random_standable(world, NULL, &area, 1, &found), TH_STATUS_BAD_ARGUMENT);
        expect(th_advance(world, bad[i]), TH_STATUS_BAD_ARGUMENT);
        spot.position = street;
        expect(th_line_of_sight(world, &spot, &spot, bad[i], &hit), TH_STATUS_BAD_ARGUMENT);
        expect(th_cells_of_sphere(world, &street, bad[i], NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
    }
    expect(th_advance(world, -1), TH_STATUS_BAD_ARGUMENT);
    expect(th_advance(world, 1e9), TH_STATUS_BAD_ARGUMENT);
    expect(th_spawn_player(world, &street, &skills, &thing), TH_STATUS_BAD_ARGUMENT);
    sweep.radius = 1;
    sweep.kind = 9;
    expect(th_sweep_sphere(world, &sweep, &swept), TH_STATUS_BAD_ARGUMENT);
    walker.body = 9;
    expect(th_stand_at(world, &walker, &street, &found), TH_STATUS_BAD_ARGUMENT);
    walker.body = TH_BODY_CREATURE;
    walker.scale = 1;
    expect(th_stand_at(world, &walker, &street, &found), TH_STATUS_NOT_FOUND);
    wrong = street;
    wrong.cell = 0;
    expect(th_reseat(world, &wrong, NULL, &found), TH_STATUS_BAD_ARGUMENT);
    wrong.cell = 0xFFFFFFFF;
    expect(th_ground(world, &wrong, &hit), TH_STATUS_BAD_ARGUMENT);
    wrong = street;
    wrong.cell = 0x01010001;
    expect(th_spawn_player(world, &wrong, NULL, &thing), TH_STATUS_NOT_FOUND);
    expect(th_load_block(world, 0x10000, &count, NULL), TH_STATUS_BAD_ARGUMENT);
    expect(th_unload(world, 4711), TH_STATUS_NOT_FOUND);
    for (i = 0; i < 3; i++) {
        static const ThEntity gone[] = {0, 1, 0xFFFFFFFFFFFFFFFFu};
        expect(th_position(world, gone[i], &found), TH_STATUS_NOT_FOUND);
        expect(th_despawn(world, gone[i]), TH_STATUS_NOT_FOUND);
        expect(th_set_velocity(world, gone[i], &velocity), TH_STATUS_NOT_FOUND);
        expect(th_use(world, gone[i], NULL), TH_STATUS_NOT_FOUND);
        expect(th_sweep_entity(world, gone[i], &street, &swept), TH_STATUS_NOT_FOUND);
    }
    expect(th_find_by_name(world, text("Cottage Door"), 12, &thing), TH_STATUS_OK);
    expect(th_drive(world, thing, 0), TH_STATUS_NOT_POSSIBLE);
    expect(th_look(world, thing, 1, 1), TH_STATUS_NOT_POSSIBLE);
    expect(th_set_state(world, thing, 0xFFFFFFFF), TH_STATUS_BAD_ARGUMENT);
    walker.body = TH_BODY_ENTITY;
    walker.entity = thing;
    expect(th_check_path(world, &walker, &street, &street, 1, &report), TH_STATUS_NOT_POSSIBLE);
    expect(th_spawn_player(world, &street, NULL, &thing), TH_STATUS_OK);
    expect(th_drive(world, thing, 256), TH_STATUS_BAD_ARGUMENT);
    expect(th_look(world, thing, NAN, 0), TH_STATUS_BAD_ARGUMENT);
    expect(th_despawn(world, thing), TH_STATUS_OK);
    expect(th_find_place(world, text("Nowhere"), 7, &found), TH_STATUS_NOT_FOUND);
}

/* Two threads in one world: while one is in a call, the other is refused, and nothing else happens. */
static void *run(void *world) {
    ThStatus status;
    do {
        status = th_advance((ThWorld *)world, 20);
    } while (status == TH_STATUS_BUSY);
    return status == TH_STATUS_OK ? NULL : world;
}

static void threads(ThWorld *world) {
    unsigned refused = 0, tries;
    for (tries = 0; tries < 100 && refused == 0; tries++) {
        pthread_t other;
        void *failed;
        uint64_t before, now;
        ThStatus status;
        expect(th_ticks(world, &before), TH_STATUS_OK);
        if (pthread_create(&other, NULL, run, world) != 0) {
            exit(1);
        }
        do {
            now = before;
            status = th_ticks(world, &now);
        } while (status == TH_STATUS_OK && now == before);
        expect(status, status == TH_STATUS_BUSY ? TH_STATUS_BUSY : TH_STATUS_OK);
        refused += status == TH_STATUS_BUSY;
        pthread_join(other, &failed);
        expect(th_ticks(world, &now), TH_STATUS_OK);
        if (failed || now - before != 600) {
            fprintf(stderr, "two threads: %u ticks instead of 600\n", (unsigned)(now - before));
            exit(1);
        }
    }
    if (refused == 0) {
        fprintf(stderr, "two threads: nothing was ever refused\n");
        exit(1);
    }
}

int main(void) {
    ThWorld *world;
    uint64_t before, after;
    char tiny[4];
    expect(th_open_sample(TH_RESIDENCY_AUTOMATIC, &world), TH_STATUS_OK);
    expect(th_state_hash(world, &before), TH_STATUS_OK);
    handles(world);
    pointers(world);
    numbers(world);
    expect(th_state_hash(world, &after), TH_STATUS_OK);
    if (before != after) {
        fprintf(stderr, "wrong use changed the world\n");
        return 1;
    }
    expect(th_tick(NULL), TH_STATUS_NULL_POINTER);
    if (th_error((uint8_t *)tiny, sizeof tiny) <= sizeof tiny || tiny[3] != 0 || th_error(NULL, 9) < 5) {
        fprintf(stderr, "a sentence is cut to its buffer\n");
        return 1;
    }
    threads(world);
    expect(th_close(world), TH_STATUS_OK);
    puts("every mistake was refused");
    return 0;
}
