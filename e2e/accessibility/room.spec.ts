/**
 * axe on the screens of parents with children, and on those with which staff see the facility: both use the same
 * cameras.
 */
import { parentScenes } from '../catalogue/parents.ts';
import { roomScenes } from '../catalogue/room.ts';
import { testAccessibility } from '../harness/axe.ts';

testAccessibility('parents and the room', [...parentScenes, ...roomScenes]);
