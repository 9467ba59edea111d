/* What the sample world's objects are. */
INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`, `last_Modified`)
VALUES (900, 'door', 19, '2026-01-01 00:00:00')
     , (901, 'chest', 20, '2026-01-01 00:00:00')
     , (902, 'boar', 10, '2026-01-01 00:00:00')
     , (903, 'person', 10, '2026-01-01 00:00:00')
     , (904, 'portal', 7, '2026-01-01 00:00:00')
     , (905, 'signpost', 1, '2026-01-01 00:00:00')
     , (906, 'target', 1, '2026-01-01 00:00:00')
     , (907, 'shapeless', 1, '2026-01-01 00:00:00')
     , (908, 'of-other-dats', 1, '2026-01-01 00:00:00')
     , (909, 'wisp', 10, '2026-01-01 00:00:00')
     , (910, 'gate', 19, '2026-01-01 00:00:00');
INSERT INTO `weenie_properties_int` (`object_Id`, `type`, `value`)
VALUES (900, 93, 0x10008), (901, 93, 8), (902, 93, 0x400408), (903, 93, 0x400408), (904, 93, 12), (905, 93, 0x10008), (906, 93, 0x10008), (909, 93, 8), (910, 93, 0x10008);
INSERT INTO `weenie_properties_float` (`object_Id`, `type`, `value`)
VALUES (910, 39, 1.6);
INSERT INTO `weenie_properties_string` (`object_Id`, `type`, `value`)
VALUES (901, 1, 'Chest'), (902, 1, 'Boar'), (905, 1, 'Signpost');
INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`)
VALUES (900, 1, 0x02000004), (901, 1, 0x0200000B), (902, 1, 0x02000003), (903, 1, 0x02000002), (904, 1, 0x0200000C)
     , (905, 1, 0x0200000A), (906, 1, 0x02000010), (908, 1, 0x0200FFFF), (909, 1, 0x02000003), (910, 1, 0x02000004);
