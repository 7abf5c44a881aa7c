/** Every screen and dialog of the product with the steps to it, for the screenshots; for some also an accessibility check. */
import { deskScenes } from './catalogue/desk.ts';
import { entryScenes } from './catalogue/entry.ts';
import { kioskScenes } from './catalogue/kiosk.ts';
import { newcomerScenes } from './catalogue/newcomer.ts';
import { parentScenes } from './catalogue/parents.ts';
import { recordScenes } from './catalogue/records.ts';
import { roomScenes } from './catalogue/room.ts';
import type { Scene } from './catalogue/stage.ts';
import { visitorScenes } from './catalogue/visitors.ts';

/**
 * All scenes of one list share a server, so their order matters. Desk scenes run before parent scenes, which create cameras;
 * room scenes start by deleting those cameras.
 */
export const scenes: readonly Scene[] = [
  ...visitorScenes,
  ...newcomerScenes,
  ...deskScenes,
  ...entryScenes,
  ...recordScenes,
  ...kioskScenes,
  ...parentScenes,
  ...roomScenes,
];
