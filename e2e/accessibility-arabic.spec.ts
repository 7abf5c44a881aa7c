/** axe on every screen and dialog in Arabic, from right to left. */
import { testAccessibility } from './harness/axe.ts';

testAccessibility('ar');
