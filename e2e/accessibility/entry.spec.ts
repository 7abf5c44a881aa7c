/** Runs axe on the screens for families at the desk, and on the kiosk. */
import { entryScenes } from '../catalogue/entry.ts';
import { kioskScenes } from '../catalogue/kiosk.ts';
import { testAccessibility } from '../harness/axe.ts';

testAccessibility('checking in and the kiosk', [...entryScenes, ...kioskScenes]);
