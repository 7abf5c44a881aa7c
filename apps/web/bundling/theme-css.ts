/**
 * Writes the theme as a style sheet of the first load. The component library would write it at run time: only after its
 * own code has loaded, and again on every render of its provider.
 */
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { cssVariables, theme } from '../src/ui/theme.ts';

const SHEET = /\/src\/ui\/theme\.css$/;

/** Colours, type and shapes in both schemes, and the classes that show content only on narrow or wide screens. */
function themeCss(): string {
  const page = renderToStaticMarkup(
    createElement(MantineProvider, { theme, cssVariablesResolver: cssVariables }, null),
  );
  const sheets = [...page.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css = '']) => css);
  if (sheets.length !== 2) throw new Error('The component library writes its theme in another way');
  return sheets.join('\n');
}

/** Plugin that fills `src/ui/theme.css`. */
export function themeSheet(): Plugin {
  return {
    name: 'haris-theme-css',
    enforce: 'pre',
    load: (id) => (SHEET.test(id) ? themeCss() : undefined),
  };
}
