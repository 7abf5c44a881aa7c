/** axe on the screens of visitors and of parents without a child. */
import { newcomerScenes } from '../catalogue/newcomer.ts';
import { visitorScenes } from '../catalogue/visitors.ts';
import { testAccessibility } from '../harness/axe.ts';

testAccessibility('visitors and parents without a child', [...visitorScenes, ...newcomerScenes]);
