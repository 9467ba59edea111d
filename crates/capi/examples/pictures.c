/* What is seen: a plan as arrays, a picture, a map; every answer is checked. pictures [FOLDER] writes them as PPM files. */

#include "threshold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void write_picture(const char *folder, const char *name, const uint8_t *rgba, ThSize size) {
    char path[512];
    FILE *file;
    uint32_t i;
    if (!folder) {
        return;
    }
    snprintf(path, sizeof path, "%s/%s.ppm", folder, name);
    file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fprintf(file, "P6 %u %u 255\n", (unsigned)size.width, (unsigned)size.height);
    for (i = 0; i < size.width * size.height; i++) {
        fwrite(rgba + 4 * i, 1, 3, file);
    }
    fclose(file);
}

/* Which cells are seen, and through which regions of the picture? */
static void plans(ThWorld *world) {
    ThCamera camera;
    ThPlanInfo info;
    ThPlanCell *cells;
    ThPlanRegion *regions;
    ThPoint *points;
    ThPlanStep *steps;
    ThPlanPart *parts;
    uint32_t i, k, count, seals = 0, clears = 0;
    memset(&camera, 0, sizeof camera);
    camera.place = place(world, "Cottage Living Room");
    camera.width = 640;
    camera.height = 360;
    check(th_plan(world, &camera, &info));
    expect(info.viewer_cell == camera.place.cell && info.cells > 1 && info.regions >= info.cells);
    cells = (ThPlanCell *)malloc(info.cells * sizeof *cells);
    regions = (ThPlanRegion *)malloc(info.regions * sizeof *regions);
    points = (ThPoint *)malloc(info.points * sizeof *points);
    steps = (ThPlanStep *)malloc(info.steps * sizeof *steps);
    parts = (ThPlanPart *)malloc((info.parts + 1) * sizeof *parts);
    check(th_plan_cells(world, cells, info.cells, &count));
    check(th_plan_regions(world, regions, info.regions, &count));
    check(th_plan_points(world, points, info.points, &count));
    check(th_plan_steps(world, steps, info.steps, &count));
    check(th_plan_parts(world, parts, info.parts, &count));
    expect(cells[0].cell == camera.place.cell && cells[0].distance == 0 && cells[0].region_count == 1);
    for (i = 0; i < info.cells; i++) {
        expect(cells[i].region_count > 0 && cells[i].first_region + cells[i].region_count <= info.regions);
    }
    for (i = 0; i < info.regions; i++) {
        expect(regions[i].first_point + regions[i].point_count <= info.points);
        for (k = 0; k < regions[i].point_count; k++) {
            const ThPoint *point = points + regions[i].first_point + k;
            expect(point->x > -1 && point->x < 641 && point->y > -1 && point->y < 361);
        }
    }
    expect(steps[0].kind == TH_STEP_KIND_BEGIN_FRAME && steps[info.steps - 1].kind == TH_STEP_KIND_END_FRAME);
    for (i = 0; i < info.steps; i++) {
        seals += steps[i].kind == TH_STEP_KIND_SEAL;
        clears += steps[i].kind == TH_STEP_KIND_CLEAR_DEPTH;
        expect(steps[i].kind != TH_STEP_KIND_OBJECTS || parts[steps[i].index].entity != 0);
    }
    /* The outdoors are seen through a window: they are drawn first, then depth is cleared and the openings are sealed. */
    expect(info.region_count > 0 && clears == 1 && seals > 0);
    printf("from the living room: %u cells through %u regions, %u steps\n", info.cells, info.regions, info.steps);
    free(cells);
    free(regions);
    free(points);
    free(steps);
    free(parts);
}

static uint8_t *render(ThWorld *world, const ThCamera *camera) {
    uint32_t bytes = camera->width * camera->height * 4, count;
    uint8_t *rgba = (uint8_t *)malloc(bytes);
    check(th_render(world, camera, rgba, bytes, &count));
    expect(count == bytes);
    return rgba;
}

/* Pixels of one picture that another one has not. */
static uint32_t difference(const uint8_t *a, const uint8_t *b, uint32_t pixels) {
    uint32_t i, found = 0;
    for (i = 0; i < pixels; i++) {
        found += memcmp(a + 4 * i, b + 4 * i, 4) != 0;
    }
    return found;
}

/* A picture of a door, closed and open, by anybody and by a player. */
static void pictures(ThWorld *world, const char *folder) {
    ThCamera camera;
    ThEntity door, player;
    ThPosition feet;
    ThSize size = {320, 180};
    uint8_t *closed, *again, *open;
    uint32_t i, count;
    memset(&camera, 0, sizeof camera);
    camera.place = place(world, "Cottage Door");
    camera.width = size.width;
    camera.height = size.height;
    check(th_render(world, &camera, NULL, 0, &count));
    expect(count == 320 * 180 * 4);
    closed = render(world, &camera);
    again = render(world, &camera);
    expect(difference(closed, again, 320 * 180) == 0);
    for (i = 0; i < 320 * 180; i++) {
        expect(closed[4 * i + 3] == 255);
    }
    check(th_find_by_name(world, (const uint8_t *)"Cottage Door", 12, &door));
    check(th_use(world, door, NULL));
    check(th_advance(world, 2));
    open = render(world, &camera);
    expect(difference(closed, open, 320 * 180) > 1000);
    write_picture(folder, "door-closed", closed, size);
    write_picture(folder, "door-open", open, size);
    free(again);

    check(th_spawn_player(world, &camera.place, NULL, &player));
    check(th_advance(world, 0.5));
    camera.player = player;
    again = render(world, &camera);
    check(th_position(world, player, &feet));
    expect(difference(open, again, 320 * 180) > 1000);
    write_picture(folder, "player", again, size);
    camera.player = 0;
    camera.seat = TH_SEAT_EYE;
    camera.pitch = 90;
    camera.after_noon = 0.5f;
    camera.place.origin.z += 100;
    free(open);
    open = render(world, &camera);
    write_picture(folder, "midnight", open, size);
    /* The sky at midnight is darker than a door at noon. */
    {
        uint64_t night = 0, noon = 0;
        for (i = 0; i < 320 * 180 * 4; i++) {
            night += open[i];
            noon += closed[i];
        }
        expect(night < noon);
    }
    free(closed);
    free(again);
    free(open);
    check(th_despawn(world, player));
    check(th_use(world, door, NULL));
}

/* A minimap tile. */
static void maps(ThWorld *world, const char *folder) {
    ThTile tile;
    ThSize size;
    uint8_t *whole, *part;
    uint32_t count;
    memset(&tile, 0, sizeof tile);
    tile.block = place(world, "Cottage Door").cell >> 16;
    tile.pixels = 256;
    whole = (uint8_t *)malloc(256 * 256 * 4);
    check(th_map_tile(world, &tile, &size, whole, 256 * 256 * 4, &count));
    expect(size.width == 256 && size.height == 256 && count == 256 * 256 * 4 && whole[3] == 255);
    write_picture(folder, "tile", whole, size);
    tile.west = 48;
    tile.south = 96;
    tile.east = 72;
    tile.north = 108;
    tile.has_cut = 1;
    tile.cut = 21;
    part = (uint8_t *)malloc(256 * 256 * 4);
    expect(th_map_tile(world, &tile, &size, part, 4, &count) == TH_STATUS_TOO_SMALL);
    check(th_map_tile(world, &tile, &size, part, 256 * 256 * 4, &count));
    expect(size.width == 256 && size.height == 128 && difference(whole, part, 256 * 128) > 1000);
    write_picture(folder, "rooms", part, size);
    free(whole);
    free(part);
}

/* How the sample world's people move. */
#define PEOPLE 0x09000001

/* What a server says. */
static void server(ThWorld *world) {
    ThDescription object;
    ThUpdate update;
    ThMovement movement;
    ThApplied applied;
    ThEntity found;
    ThEntityInfo info;
    uint32_t guid, count;
    /* SetState: opcode, object, state, instance, stamp. */
    uint8_t message[16] = {0x4B, 0xF7, 0, 0, 0x01, 0, 0, 0x70, 0x0C, 0x04, 0, 0, 0, 0, 2, 0};
    const char *name = "Drudge", *sql = "INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, "
        "`origin_X`, `origin_Y`, `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `is_Link_Child`, "
        "`last_Modified`) VALUES (1, 412, 0x80800100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '2021-11-01 00:00:00');";
    char findings[512];
    memset(&object, 0, sizeof object);
    memset(&update, 0, sizeof update);
    memset(&movement, 0, sizeof movement);
    object.guid = 0x70000001;
    object.setup = 0x02000001;
    object.state = 0x408;
    object.item_type = 0x10;
    object.motion_table = PEOPLE;
    object.position = place(world, "Village Street");
    check(th_await_own_player(world));
    check(th_describe(world, &object, (const uint8_t *)name, 6, &applied));
    expect(applied == TH_APPLIED_QUEUED);
    expect(th_own_player(world, &guid) == TH_STATUS_NOT_FOUND);
    update.kind = TH_UPDATE_KIND_OWN_PLAYER;
    update.guid = 0x50000001;
    check(th_apply(world, &update, &applied));
    check(th_own_player(world, &guid));
    expect(applied == TH_APPLIED_DONE && guid == 0x50000001);
    check(th_find(world, 0x70000001, &found));

    update.kind = TH_UPDATE_KIND_STATE;
    update.guid = 0x70000001;
    update.value = 0x40C;
    update.stamp = 1;
    check(th_apply(world, &update, &applied));
    expect(applied == TH_APPLIED_DONE);
    check(th_apply(world, &update, &applied));
    expect(applied == TH_APPLIED_STALE);
    message[8] = 0x08;
    check(th_apply_message(world, message, sizeof message, &applied));
    expect(applied == TH_APPLIED_DONE);
    check(th_entity(world, found, &info));
    expect(info.state == 0x408);
    expect(th_apply_message(world, message, 7, NULL) == TH_STATUS_BAD_ARGUMENT);

    update.kind = TH_UPDATE_KIND_POSITION;
    update.position = place(world, "Village Green");
    update.stamp = 1;
    update.teleport = 1;
    update.contact = 1;
    check(th_apply(world, &update, &applied));
    expect(applied == TH_APPLIED_DONE);
    check(th_tick(world));
    check(th_entity(world, found, &info));
    expect(info.position.cell == update.position.cell);
    movement.order = TH_ORDER_MOVE_TO_POSITION;
    movement.guid = 0x70000001;
    movement.stamp = 1;
    movement.to = info.position;
    movement.to.origin.y += 4;
    check(th_apply_movement(world, &movement, &applied));
    expect(applied == TH_APPLIED_DONE);
    check(th_advance(world, 4));
    check(th_entity(world, found, &info));
    expect(info.position.origin.y > movement.to.origin.y - 1);
    update.kind = TH_UPDATE_KIND_DELETE;
    check(th_apply(world, &update, NULL));
    expect(th_find(world, 0x70000001, &found) == TH_STATUS_NOT_FOUND);
    check(th_forget_server(world));

    check(th_check_instances(world, (const uint8_t *)sql, (uint32_t)strlen(sql), (uint8_t *)findings,
        sizeof findings - 1, &count));
    findings[count] = 0;
    expect(strstr(findings, "unknown-class") != NULL);
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : NULL;
    ThWorld *world;
    check(th_open_sample(TH_RESIDENCY_AUTOMATIC, &world));
    plans(world);
    pictures(world, folder);
    maps(world, folder);
    server(world);
    check(th_close(world));
    puts("everything was seen");
    return 0;
}
