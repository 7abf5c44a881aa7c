/**
 * The theme as a style sheet of the first load. The component library would write it at run time: after its own code has
 * come, and once more whenever its provider is drawn.
 */
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { cssVariables, theme } from '../src/ui/theme.ts';

const SHEET = /\/src\/ui\/theme\.css$/;

/** Colours, type and shape in both schemes, and the classes that show a thing on narrow or wide screens only. */
function themeCss(): string {
  const page = renderToStaticMarkup(
    createElement(MantineProvider, { theme, cssVariablesResolver: cssVariables }, null),
  );
  const sheets = [...page.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css = '']) => css);
  if (sheets.length !== 2) throw new Error('The component library writes its theme in another way');
  return sheets.join('\n');
}

/** Fills `src/ui/theme.css`. */
export function themeSheet(): Plugin {
  return {
    name: 'haris-theme-css',
    enforce: 'pre',
    load: (id) => (SHEET.test(id) ? themeCss() : undefined),
  };
}
