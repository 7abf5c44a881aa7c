import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Logo } from './logo.tsx';

/** The shapes of a drawing, with numbers as numbers. */
function shapesOf(svg: string): string[] {
  const shapes = svg.match(/<(rect|path|circle)[^>]*>/g) ?? [];
  return shapes.map((shape) =>
    shape.replace(/\s*\/?>$/, '').replace(/\d+\.\d+/g, (number) => String(Number(number))),
  );
}

test('the logo of the page and that of the icons are one drawing', () => {
  const icon = readFileSync(new URL('../../public/favicon.svg', import.meta.url), 'utf8');
  const shown = renderToStaticMarkup(createElement(Logo));
  // React writes `<path …></path>` and the icon `<path … />`, so compare the shapes only.
  expect(shapesOf(shown)).toEqual(shapesOf(icon));
  expect(shapesOf(icon)).toHaveLength(4);
});
