/** The names of style classes: two files of one name are refused, because each would style the other's elements. */
import { expect, test } from 'vitest';
import { scopedClass } from '../apps/web/bundling/class-names.ts';

test('a class is named after its file, again and again, with and without a query', () => {
  expect(scopedClass('brand', '/src/app/top.module.css')).toBe('top_brand');
  expect(scopedClass('brand', '/src/app/top.module.css?used')).toBe('top_brand');
});

test('a second file of that name is refused', () => {
  scopedClass('row', '/src/one/list.module.css');
  expect(() => scopedClass('row', '/src/two/list.module.css')).toThrow(
    '/src/one/list.module.css and /src/two/list.module.css need different names.',
  );
});
