/** axe on every screen and dialog in English. */
import { testAccessibility } from './harness/axe.ts';

testAccessibility('en');
