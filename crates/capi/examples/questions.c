/* The questions people ask, on the sample world. Every answer is checked: it is a test as well. */

#include "threshold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

static void check_at(int line, ThStatus status) {
    if (status != TH_STATUS_OK) {
        char message[256];
        th_error((uint8_t *)message, sizeof message);
        fprintf(stderr, "line %d: status %d: %s\n", line, (int)status, message);
        exit(1);
    }
}
#define check(status) check_at(__LINE__, status)

static void expect_at(int line, int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "line %d: %s does not hold\n", line, what);
        exit(1);
    }
}
#define expect(what) expect_at(__LINE__, (what) != 0, #what)

static ThPosition place(ThWorld *world, const char *name) {
    ThPosition found;
    check(th_find_place(world, (const uint8_t *)name, (uint32_t)strlen(name), &found));
    return found;
}

static ThPosition lifted(ThPosition position, float by) {
    position.origin.z += by;
    return position;
}

static ThEntity object(ThWorld *world, const char *name) {
    ThEntity found;
    check(th_find_by_name(world, (const uint8_t *)name, (uint32_t)strlen(name), &found));
    return found;
}

/* Does this leg of a route hold? */
static void routes(ThWorld *world, ThEntity door) {
    ThPosition from = place(world, "Cottage Door");
    ThPosition legs[2];
    ThPathReport report;
    legs[0] = place(world, "Cottage Vestibule");
    legs[1] = place(world, "Cottage Living Room");

    check(th_check_path(world, NULL, &from, legs, COUNT(legs), &report));
    expect(report.stop == TH_STOP_BLOCKED && report.legs == 0);
    expect(report.blocker.kind == TH_TARGET_KIND_ENTITY && report.blocker.entity == door);

    check(th_use(world, door, NULL));
    check(th_check_path(world, NULL, &from, legs, COUNT(legs), &report));
    expect(report.stop == TH_STOP_NONE && report.legs == 2);
    expect(report.end.cell == legs[1].cell);
    printf("through the door: %.1f m in %.1f s\n", (double)report.metres, (double)report.seconds);

    {
        ThPath paths[2];
        ThPathReport reports[2];
        memset(paths, 0, sizeof paths);
        paths[0].from = from;
        paths[0].leg_count = 2;
        paths[1].from = legs[0];
        paths[1].first_leg = 1;
        paths[1].leg_count = 1;
        check(th_check_paths(world, NULL, paths, COUNT(paths), legs, COUNT(legs), reports));
        expect(reports[0].metres == report.metres && reports[1].metres < report.metres);
        expect(reports[1].stop == TH_STOP_NONE);
        paths[1].leg_count = 2;
        expect(th_check_paths(world, NULL, paths, 2, legs, 2, reports) == TH_STATUS_BAD_ARGUMENT);
    }
    check(th_use(world, door, NULL));
    check(th_advance(world, 2.0)); /* until the leaf has come to rest */
}

/* Which way leads there? The way is found on meshes and walked by a body before it is given out. */
static void ways(ThWorld *world, ThEntity door) {
    ThPosition from = place(world, "Village Street"), to = place(world, "Cottage Cellar");
    ThPosition waypoints[64];
    uint32_t doors[4], cells[64], count;
    ThPassage portal;
    ThPathPolicy policy;
    ThRoute route;
    ThEntityInfo info;
    check(th_find_path(world, NULL, &from, &to, NULL, &route));
    expect(route.end == TH_ROUTE_END_REACHED && route.is_proved == 1 && route.length > 10);
    check(th_route_waypoints(world, waypoints, COUNT(waypoints), &count));
    expect(count == route.waypoints && waypoints[count - 1].cell == to.cell);
    check(th_route_doors(world, doors, COUNT(doors), &count));
    check(th_entity(world, door, &info));
    expect(count == 1 && doors[0] == info.guid);
    check(th_route_cells(world, cells, COUNT(cells), &count));
    expect(count == route.cells && cells[count - 1] == to.cell);
    printf("to the cellar: %.1f m, %u legs\n", (double)route.length, route.waypoints - 1);

    memset(&policy, 0, sizeof policy);
    policy.leaves_doors_shut = 1;
    policy.max_drop = 6;
    check(th_find_path(world, NULL, &from, &to, &policy, &route));
    expect(route.end == TH_ROUTE_END_REGION_ENDS && route.gap > 0 && route.waypoints == 0);
    check(th_route_waypoints(world, NULL, 0, &count));
    expect(count == 0);

    /* The dungeon is reached by a portal alone, for one who takes it. */
    from = place(world, "Cave Entrance"), to = place(world, "Dungeon Great Hall");
    check(th_find_path(world, NULL, &from, &to, NULL, &route));
    expect(route.end == TH_ROUTE_END_REGION_ENDS && route.portals == 0);
    memset(&policy, 0, sizeof policy);
    policy.max_drop = 6;
    policy.takes_portals = 1;
    check(th_find_path(world, NULL, &from, &to, &policy, &route));
    expect(route.end == TH_ROUTE_END_REACHED && route.is_proved == 1 && route.portals == 1);
    check(th_route_portals(world, &portal, 1, &count));
    expect(count == 1 && portal.waypoint + 1 < route.waypoints);
}

/* Can A see B? */
static void sight(ThWorld *world, ThEntity door) {
    ThSight pair;
    ThHit blocker;
    ThDoor stands;
    memset(&pair, 0, sizeof pair);
    pair.from.position = lifted(place(world, "Cottage Door"), 1.2f);
    pair.to.position = lifted(place(world, "Cottage Vestibule"), 1.2f);

    check(th_line_of_sight(world, &pair.from, &pair.to, 0, &blocker));
    expect(blocker.target.entity == door && blocker.distance > 0.5f);
    check(th_use(world, door, &stands));
    expect(stands == TH_DOOR_OPEN);
    check(th_line_of_sight(world, &pair.from, &pair.to, 0.1f, &blocker));
    expect(blocker.target.kind == TH_TARGET_KIND_NONE);
    check(th_lines_of_sight(world, &pair, 1, 0, &blocker));
    expect(blocker.target.kind == TH_TARGET_KIND_NONE);
    check(th_use(world, door, &stands));
    expect(stands == TH_DOOR_CLOSED);
    check(th_advance(world, 2.0));
}

/* Would this jump land? */
static void jumps(ThWorld *world) {
    ThJump jump;
    ThJumpReport report;
    ThWalker walker;
    ThPosition *arc;
    uint32_t count;
    memset(&jump, 0, sizeof jump);
    memset(&walker, 0, sizeof walker);
    jump.from = place(world, "Village Street");
    jump.keys = TH_CONTROL_FORWARD;
    jump.power = 1;
    walker.skills.run = 300;
    walker.skills.jump = 300;
    check(th_simulate_jump(world, &walker, &jump, &report, NULL, 0, &count));
    expect(report.end == TH_JUMP_END_LANDED && report.height > 3.5f && report.height < 4.5f);
    arc = (ThPosition *)malloc(count * sizeof *arc);
    expect(th_simulate_jump(world, &walker, &jump, &report, arc, count - 1, &count) == TH_STATUS_TOO_SMALL);
    check(th_simulate_jump(world, &walker, &jump, &report, arc, count, &count));
    expect(arc[count - 1].origin.y == report.landing.origin.y);
    free(arc);
}

/* Is this spot valid? What ground is there? Which cells? */
static void spots(ThWorld *world) {
    ThPosition street = place(world, "Village Street"), found;
    ThHit hit;
    ThArea area;
    ThVec3 up = {0, 0, 1};
    uint32_t cells[64], count;
    float height;
    memset(&area, 0, sizeof area);
    check(th_ground_height(world, &street, &height));
    expect(fabsf(height - street.origin.z) < 0.1f);
    check(th_ground(world, &street, &hit));
    expect(hit.target.kind == TH_TARGET_KIND_GROUND && fabsf(hit.point.z - height) < 0.1f);
    check(th_ceiling(world, &street, &hit));
    expect(hit.target.kind == TH_TARGET_KIND_NONE);
    check(th_stand_at(world, NULL, &street, &found));
    expect(found.cell == street.cell);
    street.origin.z += 300;
    expect(th_stand_at(world, NULL, &street, &found) == TH_STATUS_NOT_FOUND);

    area.cell = place(world, "Cottage Living Room").cell;
    check(th_random_standable(world, NULL, &area, 7, &found));
    expect(found.cell == area.cell);
    check(th_reseat(world, &found, &up, &found));
    expect(found.cell == area.cell);
    check(th_visible_cells(world, area.cell, cells, COUNT(cells), &count));
    expect(count >= 2);
    area.cell = 0;
    area.center = place(world, "Village Green");
    area.metres = 10;
    check(th_random_standable(world, NULL, &area, 7, &found));
    check(th_cells_of_sphere(world, &found, 0.5f, cells, COUNT(cells), &count));
    expect(count >= 1 && cells[0] == found.cell);
}

/* Shapes through the world. */
static void sweeps(ThWorld *world, ThEntity door) {
    ThSweep sweep;
    ThSwept swept, many[1];
    ThRay ray;
    ThHit hit, hits[1];
    memset(&sweep, 0, sizeof sweep);
    memset(&ray, 0, sizeof ray);
    sweep.from = lifted(place(world, "Cottage Door"), 1);
    sweep.to = lifted(place(world, "Cottage Vestibule"), 1);
    sweep.radius = 0.2f;
    sweep.kind = TH_SPHERE_KIND_CAMERA;
    check(th_sweep_sphere(world, &sweep, &swept));
    expect(swept.is_valid && swept.target.entity == door && swept.remaining > 0.3f);
    check(th_sweep_spheres(world, &sweep, 1, many));
    expect(many[0].remaining == swept.remaining);
    ray.from = sweep.from;
    ray.direction.y = 1;
    ray.reach = 10;
    ray.blockers = TH_BLOCKERS_SOLID;
    check(th_cast(world, &ray, &hit));
    expect(hit.target.entity == door);
    check(th_casts(world, &ray, 1, hits));
    expect(hits[0].distance == hit.distance);
}

/* Somebody walks, and what happens is told. */
static void life(ThWorld *world, ThEntity door) {
    ThPosition start = place(world, "Cottage Door"), inside = place(world, "Cottage Vestibule"), at;
    ThEntity me, found, objects[4096];
    ThEntityInfo info;
    static ThEvent events[4096];
    ThHit hit;
    ThSwept swept;
    ThVec3 ahead = {0, 1, 0};
    uint32_t count, i, entered = 0, cells[16];
    uint64_t before, after, ticks;
    uint8_t *snapshot, text[256];
    uint32_t length;

    check(th_spawn_player(world, &start, NULL, &me));
    check(th_use(world, door, NULL));
    check(th_drive(world, me, TH_CONTROL_FORWARD | TH_CONTROL_WALK));
    check(th_advance(world, 1.0));
    check(th_position(world, me, &at));
    expect(at.cell == inside.cell);
    check(th_events(world, NULL, 0, &count));
    expect(count > 0 && count <= COUNT(events));
    check(th_events(world, events, COUNT(events), &count));
    for (i = 0; i < count; i++) {
        entered += events[i].kind == TH_EVENT_KIND_CELL_CHANGED && events[i].entity == me && events[i].to == at.cell;
        if (events[i].text != 0) {
            check(th_event_text(world, events[i].text, text, COUNT(text), &length));
            expect(length > 0 && length <= COUNT(text));
        }
    }
    expect(entered == 1);
    check(th_events(world, events, COUNT(events), &count));
    expect(count == 0);

    check(th_entity(world, me, &info));
    expect(info.loaded_cell == at.cell && (info.transient & 3) == 3 && info.height > 1);
    check(th_find(world, info.guid, &found));
    expect(found == me);
    check(th_residents(world, at.cell, objects, COUNT(objects), &count));
    expect(count >= 1);
    check(th_objects_within(world, &at, 0.1f, objects, COUNT(objects), &count));
    expect(count >= 1 && objects[0] == me);
    check(th_shadow_cells(world, me, cells, COUNT(cells), &count));
    expect(count >= 1);
    check(th_pick(world, me, &ahead, &hit));
    check(th_sweep_entity(world, me, &start, &swept));

    check(th_snapshot(world, NULL, 0, &count));
    snapshot = (uint8_t *)malloc(count);
    check(th_snapshot(world, snapshot, count, &count));
    check(th_state_hash(world, &before));
    check(th_look(world, me, 90, 0));
    check(th_tick(world));
    check(th_state_hash(world, &after));
    expect(before != after);
    check(th_restore(world, snapshot, count));
    check(th_state_hash(world, &after));
    expect(before == after);
    snapshot[0] ^= 1;
    expect(th_restore(world, snapshot, count) == TH_STATUS_DATA);
    free(snapshot);

    check(th_ticks(world, &ticks));
    expect(ticks == 5 * 30);
    check(th_teleport(world, me, &start));
    check(th_place(world, me, &start, NULL));
    check(th_despawn(world, me));
    expect(th_position(world, me, &at) == TH_STATUS_NOT_FOUND);
}

/* Blocks come and go in a world that is loaded around its observers; objects can be anything. */
static void loading(ThWorld *whole) {
    ThWorld *world;
    ThPosition street = place(whole, "Village Street");
    ThSpawn spawn;
    ThEntity thing;
    ThVec3 throw_it = {1, 2, 3};
    uint32_t observer, around, has_terrain, count, blocks[4096];
    float height;
    memset(&spawn, 0, sizeof spawn);
    check(th_open_another(whole, TH_RESIDENCY_OBSERVED, &world));
    expect(th_ground_height(world, &street, &height) == TH_STATUS_NOT_FOUND);
    check(th_load_block(world, street.cell >> 16, &observer, &has_terrain));
    expect(has_terrain == 1);
    check(th_ground_height(world, &street, &height));
    check(th_load_around(world, &street, &around));
    check(th_unload(world, observer));
    check(th_ground_height(world, &street, &height));
    check(th_move_observer(world, around, &street));
    expect(th_load_block(world, 0x0101, &observer, NULL) == TH_STATUS_NOT_FOUND);
    check(th_blocks(world, blocks, COUNT(blocks), &count));
    expect(count > 5);

    spawn.setup = 0x02000001;
    spawn.position = street;
    spawn.guid = 0x70000001;
    spawn.role = TH_ROLE_CREATURE;
    check(th_spawn(world, &spawn, &thing));
    check(th_set_velocity(world, thing, &throw_it));
    check(th_set_state(world, thing, 0x408));
    check(th_tick(world));
    expect(th_spawn(world, &spawn, &thing) == TH_STATUS_BAD_ARGUMENT);
    check(th_entities(world, NULL, 0, &count));
    expect(count > 10);
    check(th_unload(world, around));
    expect(th_unload(world, around) == TH_STATUS_NOT_FOUND);
    check(th_close(world));
}

int main(void) {
    ThWorld *world;
    ThEntity door;
    char names[4096];
    uint32_t length;
    expect(th_abi() == TH_ABI);
    check(th_open_sample(TH_RESIDENCY_AUTOMATIC, &world));
    check(th_place_names(world, (uint8_t *)names, sizeof names, &length));
    expect(length > 100);
    door = object(world, "Cottage Door");
    routes(world, door);
    ways(world, door);
    sight(world, door);
    jumps(world);
    spots(world);
    sweeps(world, door);
    life(world, door);
    loading(world);
    check(th_close(world));
    puts("every question has been answered");
    return 0;
}
