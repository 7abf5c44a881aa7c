/** axe on the lists and settings of staff. */
import { recordScenes } from '../catalogue/records.ts';
import { testAccessibility } from '../harness/axe.ts';

testAccessibility('records and settings', recordScenes);
