/** axe on the dashboard of staff, the sheets over it and the search. */
import { deskScenes } from '../catalogue/desk.ts';
import { testAccessibility } from '../harness/axe.ts';

testAccessibility('the desk', deskScenes);
