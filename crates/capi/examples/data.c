/* Data files: data FILE.dat FOLDER reads and writes records of the file, which is changed and changed back, and opens the
   folder as a world. */

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

static void expect(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "%s does not hold\n", what);
        exit(1);
    }
}

static void open_world(const char *folder) {
    ThWorld *world;
    uint32_t blocks[16], count, observer, has_terrain;
    check(th_open((const uint8_t *)folder, (uint32_t)strlen(folder), TH_RESIDENCY_OBSERVED, &world));
    check(th_blocks(world, blocks, 16, &count));
    expect(count > 0, "there are blocks");
    check(th_load_block(world, blocks[0], &observer, &has_terrain));
    check(th_close(world));
    printf("%u blocks; the first is %04X\n", count, blocks[0]);
}

int main(int argc, char **argv) {
    ThDat *dat;
    uint32_t *ids, count, size, again;
    uint8_t *record, *copy;
    if (argc != 3) {
        fprintf(stderr, "usage: data FILE.dat FOLDER\n");
        return 2;
    }
    check(th_dat_open((const uint8_t *)argv[1], (uint32_t)strlen(argv[1]), &dat));
    check(th_dat_ids(dat, 0x02000000, 0x02FFFFFF, NULL, 0, &count));
    expect(count > 0, "there are models");
    ids = (uint32_t *)malloc(count * sizeof *ids);
    check(th_dat_ids(dat, 0x02000000, 0x02FFFFFF, ids, count, &count));

    check(th_dat_read(dat, ids[0], NULL, 0, &size));
    record = (uint8_t *)malloc(size);
    copy = (uint8_t *)malloc(size);
    check(th_dat_read(dat, ids[0], record, size, &size));

    check(th_dat_remove(dat, ids[0]));
    expect(th_dat_read(dat, ids[0], copy, size, &again) == TH_STATUS_NOT_FOUND, "it is gone");
    expect(th_dat_remove(dat, ids[0]) == TH_STATUS_NOT_FOUND, "it is gone once");
    expect(th_dat_put(dat, ids[0], record, size / 2) == TH_STATUS_BAD_ARGUMENT, "half a record is none");
    check(th_dat_put(dat, ids[0], record, size));
    check(th_dat_read(dat, ids[0], copy, size, &again));
    expect(again == size && memcmp(record, copy, size) == 0, "it is back");

    printf("%u models; the first has %u bytes\n", count, size);
    check(th_dat_close(dat));
    expect(th_dat_read(dat, ids[0], copy, size, &again) == TH_STATUS_CLOSED, "a closed file is refused");
    free(ids);
    free(record);
    free(copy);
    open_world(argv[2]);
    return 0;
}
