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

/* Every function that takes a world refuses one that is none, whatever else it is given. */
static void refused(ThWorld *bad, ThStatus wanted) {
    ThWorld *another;
    expect(th_open_another(bad, 0, &another), wanted);
    expect(th_close(bad), wanted);
    expect(th_blocks(bad, NULL, 0, NULL), wanted);
    expect(th_load_block(bad, 0, NULL, NULL), wanted);
    expect(th_load_around(bad, NULL, NULL), wanted);
    expect(th_move_observer(bad, 0, NULL), wanted);
    expect(th_unload(bad, 0), wanted);
    expect(th_find_place(bad, NULL, 0, NULL), wanted);
    expect(th_place_names(bad, NULL, 0, NULL), wanted);
    expect(th_tick(bad), wanted);
    expect(th_advance(bad, 1), wanted);
    expect(th_ticks(bad, NULL), wanted);
    expect(th_state_hash(bad, NULL), wanted);
    expect(th_snapshot(bad, NULL, 0, NULL), wanted);
    expect(th_restore(bad, NULL, 0), wanted);
    expect(th_spawn(bad, NULL, NULL), wanted);
    expect(th_spawn_player(bad, NULL, NULL, NULL), wanted);
    expect(th_despawn(bad, 1), wanted);
    expect(th_place(bad, 1, NULL, NULL), wanted);
    expect(th_teleport(bad, 1, NULL), wanted);
    expect(th_position(bad, 1, NULL), wanted);
    expect(th_entity(bad, 1, NULL), wanted);
    expect(th_entities(bad, NULL, 0, NULL), wanted);
    expect(th_find(bad, 1, NULL), wanted);
    expect(th_find_by_name(bad, NULL, 0, NULL), wanted);
    expect(th_set_state(bad, 1, 0), wanted);
    expect(th_set_velocity(bad, 1, NULL), wanted);
    expect(th_drive(bad, 1, 0), wanted);
    expect(th_look(bad, 1, 0, 0), wanted);
    expect(th_use(bad, 1, NULL), wanted);
    expect(th_apply(bad, NULL, NULL), wanted);
    expect(th_apply_movement(bad, NULL, NULL), wanted);
    expect(th_describe(bad, NULL, NULL, 0, NULL), wanted);
    expect(th_apply_message(bad, NULL, 0, NULL), wanted);
    expect(th_await_own_player(bad), wanted);
    expect(th_own_player(bad, NULL), wanted);
    expect(th_forget_server(bad), wanted);
    expect(th_events(bad, NULL, 0, NULL), wanted);
    expect(th_event_text(bad, 1, NULL, 0, NULL), wanted);
    expect(th_ground_height(bad, NULL, NULL), wanted);
    expect(th_ground(bad, NULL, NULL), wanted);
    expect(th_ceiling(bad, NULL, NULL), wanted);
    expect(th_reseat(bad, NULL, NULL, NULL), wanted);
    expect(th_cells_of_sphere(bad, NULL, 1, NULL, 0, NULL), wanted);
    expect(th_visible_cells(bad, 0, NULL, 0, NULL), wanted);
    expect(th_shadow_cells(bad, 1, NULL, 0, NULL), wanted);
    expect(th_residents(bad, 0, NULL, 0, NULL), wanted);
    expect(th_objects_within(bad, NULL, 1, NULL, 0, NULL), wanted);
    expect(th_cast(bad, NULL, NULL), wanted);
    expect(th_casts(bad, NULL, 0, NULL), wanted);
    expect(th_pick(bad, 1, NULL, NULL), wanted);
    expect(th_line_of_sight(bad, NULL, NULL, 0, NULL), wanted);
    expect(th_lines_of_sight(bad, NULL, 0, 0, NULL), wanted);
    expect(th_sweep_sphere(bad, NULL, NULL), wanted);
    expect(th_sweep_spheres(bad, NULL, 0, NULL), wanted);
    expect(th_sweep_entity(bad, 1, NULL, NULL), wanted);
    expect(th_check_path(bad, NULL, NULL, NULL, 0, NULL), wanted);
    expect(th_check_paths(bad, NULL, NULL, 0, NULL, 0, NULL), wanted);
    expect(th_simulate_jump(bad, NULL, NULL, NULL, NULL, 0, NULL), wanted);
    expect(th_stand_at(bad, NULL, NULL, NULL), wanted);
    expect(th_random_standable(bad, NULL, NULL, 0, NULL), wanted);
    expect(th_find_path(bad, NULL, NULL, NULL, NULL, NULL), wanted);
    expect(th_route_waypoints(bad, NULL, 0, NULL), wanted);
    expect(th_route_doors(bad, NULL, 0, NULL), wanted);
    expect(th_route_cells(bad, NULL, 0, NULL), wanted);
    expect(th_route_portals(bad, NULL, 0, NULL), wanted);
    expect(th_plan(bad, NULL, NULL), wanted);
    expect(th_plan_cells(bad, NULL, 0, NULL), wanted);
    expect(th_plan_regions(bad, NULL, 0, NULL), wanted);
    expect(th_plan_points(bad, NULL, 0, NULL), wanted);
    expect(th_plan_steps(bad, NULL, 0, NULL), wanted);
    expect(th_plan_parts(bad, NULL, 0, NULL), wanted);
    expect(th_render(bad, NULL, NULL, 0, NULL), wanted);
    expect(th_map_tile(bad, NULL, NULL, NULL, 0, NULL), wanted);
    expect(th_check_instances(bad, NULL, 0, NULL, 0, NULL), wanted);
}

/* The same for files. */
static void refused_file(ThDat *bad, ThStatus wanted) {
    expect(th_dat_ids(bad, 0, 1, NULL, 0, NULL), wanted);
    expect(th_dat_read(bad, 1, NULL, 0, NULL), wanted);
    expect(th_dat_put(bad, 1, NULL, 0), wanted);
    expect(th_dat_remove(bad, 1), wanted);
    expect(th_dat_close(bad), wanted);
}

/* Every function refuses null where it needs something. */
static void nulls(ThWorld *world) {
    ThStatus wanted = TH_STATUS_NULL_POINTER;
    expect(th_open(NULL, 0, 0, NULL), wanted);
    expect(th_open_sample(0, NULL), wanted);
    expect(th_open_another(world, 0, NULL), wanted);
    expect(th_blocks(world, NULL, 0, NULL), wanted);
    expect(th_load_block(world, 0, NULL, NULL), wanted);
    expect(th_load_around(world, NULL, NULL), wanted);
    expect(th_move_observer(world, 0, NULL), wanted);
    expect(th_find_place(world, NULL, 0, NULL), wanted);
    expect(th_place_names(world, NULL, 0, NULL), wanted);
    expect(th_ticks(world, NULL), wanted);
    expect(th_state_hash(world, NULL), wanted);
    expect(th_snapshot(world, NULL, 0, NULL), wanted);
    expect(th_restore(world, NULL, 10), wanted);
    expect(th_spawn(world, NULL, NULL), wanted);
    expect(th_spawn_player(world, NULL, NULL, NULL), wanted);
    expect(th_place(world, 1, NULL, NULL), wanted);
    expect(th_teleport(world, 1, NULL), wanted);
    expect(th_position(world, 1, NULL), wanted);
    expect(th_entity(world, 1, NULL), wanted);
    expect(th_entities(world, NULL, 0, NULL), wanted);
    expect(th_find(world, 1, NULL), wanted);
    expect(th_find_by_name(world, NULL, 0, NULL), wanted);
    expect(th_set_velocity(world, 1, NULL), wanted);
    expect(th_apply(world, NULL, NULL), wanted);
    expect(th_apply_movement(world, NULL, NULL), wanted);
    expect(th_describe(world, NULL, NULL, 0, NULL), wanted);
    expect(th_apply_message(world, NULL, 4, NULL), wanted);
    expect(th_own_player(world, NULL), wanted);
    expect(th_events(world, NULL, 0, NULL), wanted);
    expect(th_event_text(world, 1, NULL, 0, NULL), wanted);
    expect(th_ground_height(world, NULL, NULL), wanted);
    expect(th_ground(world, NULL, NULL), wanted);
    expect(th_ceiling(world, NULL, NULL), wanted);
    expect(th_reseat(world, NULL, NULL, NULL), wanted);
    expect(th_cells_of_sphere(world, NULL, 1, NULL, 0, NULL), wanted);
    expect(th_visible_cells(world, 0, NULL, 0, NULL), wanted);
    expect(th_shadow_cells(world, 1, NULL, 0, NULL), wanted);
    expect(th_residents(world, 0, NULL, 0, NULL), wanted);
    expect(th_objects_within(world, NULL, 1, NULL, 0, NULL), wanted);
    expect(th_cast(world, NULL, NULL), wanted);
    expect(th_casts(world, NULL, 3, NULL), wanted);
    expect(th_pick(world, 1, NULL, NULL), wanted);
    expect(th_line_of_sight(world, NULL, NULL, 0, NULL), wanted);
    expect(th_lines_of_sight(world, NULL, 3, 0, NULL), wanted);
    expect(th_sweep_sphere(world, NULL, NULL), wanted);
    expect(th_sweep_spheres(world, NULL, 3, NULL), wanted);
    expect(th_sweep_entity(world, 1, NULL, NULL), wanted);
    expect(th_check_path(world, NULL, NULL, NULL, 0, NULL), wanted);
    expect(th_check_paths(world, NULL, NULL, 3, NULL, 0, NULL), wanted);
    expect(th_simulate_jump(world, NULL, NULL, NULL, NULL, 0, NULL), wanted);
    expect(th_stand_at(world, NULL, NULL, NULL), wanted);
    expect(th_random_standable(world, NULL, NULL, 0, NULL), wanted);
    expect(th_find_path(world, NULL, NULL, NULL, NULL, NULL), wanted);
    expect(th_route_waypoints(world, NULL, 0, NULL), wanted);
    expect(th_route_doors(world, NULL, 0, NULL), wanted);
    expect(th_route_cells(world, NULL, 0, NULL), wanted);
    expect(th_route_portals(world, NULL, 0, NULL), wanted);
    expect(th_plan(world, NULL, NULL), wanted);
    expect(th_plan_cells(world, NULL, 0, NULL), wanted);
    expect(th_plan_regions(world, NULL, 0, NULL), wanted);
    expect(th_plan_points(world, NULL, 0, NULL), wanted);
    expect(th_plan_steps(world, NULL, 0, NULL), wanted);
    expect(th_plan_parts(world, NULL, 0, NULL), wanted);
    expect(th_render(world, NULL, NULL, 0, NULL), wanted);
    expect(th_map_tile(world, NULL, NULL, NULL, 0, NULL), wanted);
    expect(th_check_instances(world, NULL, 3, NULL, 0, NULL), wanted);
    expect(th_dat_open(NULL, 0, NULL), wanted);
}

static void handles(ThWorld *world) {
    ThWorld *closed, *another;
    ThDat *dat;
    uint64_t hash;
    int i;
    refused(NULL, TH_STATUS_NULL_POINTER);
    refused(made_up(1), TH_STATUS_CLOSED);
    refused(made_up((uintptr_t)-1), TH_STATUS_CLOSED);
    refused(made_up((uintptr_t)&hash), TH_STATUS_CLOSED);
    expect(th_open_another(world, TH_RESIDENCY_OBSERVED, &closed), TH_STATUS_OK);
    expect(th_close(closed), TH_STATUS_OK);
    refused(closed, TH_STATUS_CLOSED);
    /* Its place may be another's now; the old handle is none all the same. */
    for (i = 0; i < 3; i++) {
        expect(th_open_another(world, TH_RESIDENCY_OBSERVED, &another), TH_STATUS_OK);
        expect(th_tick(closed), TH_STATUS_CLOSED);
        expect(th_close(another), TH_STATUS_OK);
    }
    expect(th_open_another(world, 3, &another), TH_STATUS_BAD_ARGUMENT);
    expect(th_open_another(world, 0, NULL), TH_STATUS_NULL_POINTER);
    expect(th_open_sample(77, &another), TH_STATUS_BAD_ARGUMENT);
    expect(th_open(text("/nowhere"), 8, 0, &another), TH_STATUS_DATA);
    expect(th_open(text("\xff\xfe"), 2, 0, &another), TH_STATUS_BAD_ARGUMENT);
    expect(th_open(NULL, 5, 0, &another), TH_STATUS_NULL_POINTER);
    /* Of another kind. */
    refused_file((ThDat *)world, TH_STATUS_CLOSED);
    expect(th_dat_open(text("/nowhere"), 8, &dat), TH_STATUS_DATA);
    refused_file(NULL, TH_STATUS_NULL_POINTER);
    refused_file((ThDat *)made_up(5), TH_STATUS_CLOSED);
}

static void pointers(ThWorld *world) {
    uint32_t count = 77, cells[1];
    uint8_t one[1];
    nulls(world);
    expect(th_blocks(world, NULL, 5, &count), TH_STATUS_NULL_POINTER);
    expect(th_blocks(world, cells, 1, &count), TH_STATUS_TOO_SMALL);
    if (count < 2) {
        fprintf(stderr, "the count must say how many there are\n");
        exit(1);
    }
    expect(th_snapshot(world, one, 1, &count), TH_STATUS_TOO_SMALL);
    expect(th_restore(world, one, 0), TH_STATUS_DATA);
    expect(th_casts(world, NULL, 0, NULL), TH_STATUS_OK);
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
    ThRoute route;
    ThPathPolicy policy;
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
    memset(&policy, 0, sizeof policy);
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
        expect(th_find_path(world, NULL, &street, &wrong, NULL, &route), TH_STATUS_BAD_ARGUMENT);
        expect(th_find_path(world, NULL, &wrong, &street, NULL, &route), TH_STATUS_BAD_ARGUMENT);
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
    expect(th_find_path(world, &walker, &street, &street, NULL, &route), TH_STATUS_NOT_POSSIBLE);
    policy.max_drop = -1;
    expect(th_find_path(world, NULL, &street, &street, &policy, &route), TH_STATUS_BAD_ARGUMENT);
    expect(th_spawn_player(world, &street, NULL, &thing), TH_STATUS_OK);
    expect(th_drive(world, thing, 256), TH_STATUS_BAD_ARGUMENT);
    expect(th_look(world, thing, NAN, 0), TH_STATUS_BAD_ARGUMENT);
    expect(th_despawn(world, thing), TH_STATUS_OK);
    expect(th_find_place(world, text("Nowhere"), 7, &found), TH_STATUS_NOT_FOUND);
}

/* Pictures, plans and what a server says. */
static void sights(ThWorld *world) {
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    ThCamera camera, wrong;
    ThPlanInfo info;
    ThTile tile;
    ThSize size;
    ThUpdate update;
    ThDescription object;
    ThMovement movement;
    ThPosition street;
    ThApplied applied;
    uint8_t pixels[64], junk[3] = {0xFF, 0xFF, 0xFF};
    uint32_t i, count;
    memset(&camera, 0, sizeof camera);
    memset(&tile, 0, sizeof tile);
    memset(&update, 0, sizeof update);
    memset(&object, 0, sizeof object);
    memset(&movement, 0, sizeof movement);
    expect(th_find_place(world, text("Village Street"), 14, &street), TH_STATUS_OK);
    camera.place = street;
    camera.width = camera.height = 4;
    for (i = 0; i < 3; i++) {
        wrong = camera;
        wrong.place.origin.x = bad[i];
        expect(th_plan(world, &wrong, &info), TH_STATUS_BAD_ARGUMENT);
        wrong = camera;
        wrong.pitch = bad[i];
        expect(th_plan(world, &wrong, &info), TH_STATUS_BAD_ARGUMENT);
        wrong = camera;
        wrong.field_of_view = bad[i];
        expect(th_render(world, &wrong, pixels, sizeof pixels, &count), TH_STATUS_BAD_ARGUMENT);
        wrong = camera;
        wrong.after_noon = bad[i];
        expect(th_render(world, &wrong, pixels, sizeof pixels, &count), TH_STATUS_BAD_ARGUMENT);
        tile.block = street.cell >> 16;
        tile.west = bad[i];
        expect(th_map_tile(world, &tile, &size, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
        update.kind = TH_UPDATE_KIND_POSITION;
        update.position = street;
        update.position.origin.z = bad[i];
        expect(th_apply(world, &update, &applied), TH_STATUS_BAD_ARGUMENT);
        movement.order = TH_ORDER_TURN_TO_HEADING;
        movement.heading = bad[i];
        expect(th_apply_movement(world, &movement, &applied), TH_STATUS_BAD_ARGUMENT);
        movement.order = TH_ORDER_MOVE_TO_POSITION;
        movement.heading = 0;
        movement.to = update.position;
        expect(th_apply_movement(world, &movement, &applied), TH_STATUS_BAD_ARGUMENT);
        object.guid = 0x70000009;
        object.setup = 0x02000001;
        object.position = street;
        object.scale = bad[i];
        expect(th_describe(world, &object, NULL, 0, &applied), TH_STATUS_BAD_ARGUMENT);
    }
    wrong = camera;
    wrong.width = 0;
    expect(th_render(world, &wrong, pixels, sizeof pixels, &count), TH_STATUS_BAD_ARGUMENT);
    wrong.width = 9000;
    expect(th_plan(world, &wrong, &info), TH_STATUS_BAD_ARGUMENT);
    wrong = camera;
    wrong.seat = 2;
    expect(th_plan(world, &wrong, &info), TH_STATUS_BAD_ARGUMENT);
    wrong = camera;
    wrong.place.cell = 0x01010001;
    expect(th_plan(world, &wrong, &info), TH_STATUS_NOT_FOUND);
    wrong = camera;
    wrong.player = 0xFFFFFFFFFFu;
    expect(th_render(world, &wrong, pixels, sizeof pixels, &count), TH_STATUS_NOT_FOUND);
    expect(th_find_by_name(world, text("Cottage Door"), 12, &wrong.player), TH_STATUS_OK);
    expect(th_render(world, &wrong, pixels, sizeof pixels, &count), TH_STATUS_NOT_POSSIBLE);
    expect(th_render(world, &camera, pixels, 63, &count), TH_STATUS_TOO_SMALL);
    expect(th_render(world, &camera, NULL, 64, &count), TH_STATUS_NULL_POINTER);

    memset(&tile, 0, sizeof tile);
    tile.block = 0x10000;
    expect(th_map_tile(world, &tile, &size, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
    tile.block = 0x0101;
    expect(th_map_tile(world, &tile, &size, NULL, 0, &count), TH_STATUS_NOT_FOUND);
    tile.block = street.cell >> 16;
    tile.pixels = 3;
    expect(th_map_tile(world, &tile, &size, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
    tile.pixels = 16;
    tile.around = 17;
    expect(th_map_tile(world, &tile, &size, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
    tile.around = 0;
    tile.has_cut = 2;
    expect(th_map_tile(world, &tile, &size, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
    tile.has_cut = 1;
    tile.cut = NAN;
    expect(th_map_tile(world, &tile, &size, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);

    update.kind = 99;
    expect(th_apply(world, &update, &applied), TH_STATUS_BAD_ARGUMENT);
    update.kind = TH_UPDATE_KIND_STATE;
    update.contact = 2;
    expect(th_apply(world, &update, &applied), TH_STATUS_BAD_ARGUMENT);
    movement.order = 5;
    expect(th_apply_movement(world, &movement, &applied), TH_STATUS_BAD_ARGUMENT);
    movement.order = TH_ORDER_STATE;
    movement.autonomous = 2;
    expect(th_apply_movement(world, &movement, &applied), TH_STATUS_BAD_ARGUMENT);
    object.scale = 1;
    object.anew = 2;
    expect(th_describe(world, &object, NULL, 0, &applied), TH_STATUS_BAD_ARGUMENT);
    object.anew = 0;
    expect(th_describe(world, &object, junk, 3, &applied), TH_STATUS_BAD_ARGUMENT);
    object.setup = 0x0200FFFF;
    expect(th_describe(world, &object, NULL, 0, &applied), TH_STATUS_NOT_FOUND);
    expect(th_apply_message(world, junk, 3, &applied), TH_STATUS_BAD_ARGUMENT);
    expect(th_check_instances(world, text("INSERT INTO"), 11, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
    expect(th_check_instances(world, junk, 3, NULL, 0, &count), TH_STATUS_BAD_ARGUMENT);
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
    sights(world);
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
