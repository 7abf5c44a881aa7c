/** Every screen and dialog of the product, and how one gets there: for the accessibility check and the pictures. */
import { deskScenes } from './catalogue/desk.ts';
import { newcomerScenes } from './catalogue/newcomer.ts';
import { parentScenes } from './catalogue/parents.ts';
import { roomScenes } from './catalogue/room.ts';
import type { Scene } from './catalogue/stage.ts';
import { visitorScenes } from './catalogue/visitors.ts';

/** In an order that one world bears: the desk is seen before the parents' scenes bring cameras in, and the room empties them first. */
export const scenes: readonly Scene[] = [
  ...visitorScenes,
  ...newcomerScenes,
  ...deskScenes,
  ...parentScenes,
  ...roomScenes,
];
