/** Checks the contrast, as WCAG 2.2 defines it, of the tokens that Mantine produces; docs/design.md has the table. */
import { readFileSync } from 'node:fs';
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { describe, expect, test } from 'vitest';
import { cssVariables, pageColors, theme } from './theme.ts';

type Scheme = 'light' | 'dark';
/** Red, green, blue 0–255, alpha 0–1. */
type Color = readonly [number, number, number, number];

const merged = mergeMantineTheme(DEFAULT_THEME, theme);
const own = cssVariables(merged);
const library = defaultCssVariablesResolver(merged);

function tokensOf(scheme: Scheme): Record<string, string> {
  return { ...library.variables, ...library[scheme], ...own.variables, ...own[scheme] };
}

/** Parses hex, rgb(a), `var()` and `color-mix(in srgb, …)` of two colours, the notations of the tokens. */
function parse(value: string, tokens: Record<string, string>): Color {
  const text = value.trim();
  const [, name] = /^var\((--[\w-]+)\)$/.exec(text) ?? [];
  if (name !== undefined) return parse(tokens[name] ?? '', tokens);
  const [, first = '', percent = '', second = ''] =
    /^color-mix\(in srgb, (.+?) ([\d.]+)%, (.+)\)$/.exec(text) ?? [];
  if (first !== '') {
    const share = Number(percent) / 100;
    const [a, b] = [parse(first, tokens), parse(second, tokens)];
    return a.map((part, i) => part * share + (b[i] ?? 0) * (1 - share)) as unknown as Color;
  }
  const [, parts] = /^rgba?\((.+)\)$/.exec(text) ?? [];
  if (parts !== undefined) {
    const [r = 0, g = 0, b = 0, a = 1] = parts.split(/[,\s/]+/).map(Number);
    return [r, g, b, a];
  }
  if (text === 'black') return [0, 0, 0, 1];
  if (text === 'white') return [255, 255, 255, 1];
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (hex === undefined) throw new Error(`This is no colour: ${value}`);
  const pairs = hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? []);
  const [r = 0, g = 0, b = 0] = pairs.map((pair) => Number.parseInt(pair, 16));
  return [r, g, b, 1];
}

function over([r, g, b, a]: Color, ground: Color): Color {
  const mix = (part: number, below: number) => part * a + below * (1 - a);
  return [mix(r, ground[0]), mix(g, ground[1]), mix(b, ground[2]), 1];
}

function luminance([r, g, b]: Color): number {
  const [x = 0, y = 0, z = 0] = [r, g, b]
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

/** Contrast ratio, 1–21. A translucent surface is laid over `ground`. */
function contrast(scheme: Scheme, text: string, surface: string, ground = '--mantine-color-body'): number {
  const tokens = tokensOf(scheme);
  const color = (name: string) => parse(name.startsWith('--') ? (tokens[name] ?? '') : name, tokens);
  const below = over(color(surface), color(ground));
  const [a, b] = [luminance(over(color(text), below)), luminance(below)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const surfaces = ['--mantine-color-body', '--haris-page'];
const texts = ['text', 'dimmed', 'anchor', 'error'].map((name) => `--mantine-color-${name}`);
const roles = ['pine', 'saffron', 'clay', 'gray'];

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  test.each(surfaces.flatMap((surface) => texts.map((text) => [text, surface] as const)))(
    '%s can be read on %s',
    (text, surface) => {
      expect(contrast(scheme, text, surface)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('a placeholder can be read in its field', () => {
    expect(contrast(scheme, '--mantine-color-placeholder', '--mantine-color-body')).toBeGreaterThanOrEqual(
      4.5,
    );
  });

  test.each(['pine', 'saffron', 'clay'])('white can be read on filled %s, also under the pointer', (role) => {
    for (const state of ['filled', 'filled-hover'])
      expect(contrast(scheme, '#fff', `--mantine-color-${role}-${state}`), state).toBeGreaterThanOrEqual(4.5);
  });

  test.each(roles)('light %s carries its own text, also under the pointer', (role) => {
    for (const ground of surfaces) {
      for (const state of ['light', 'light-hover']) {
        const ratio = contrast(
          scheme,
          `--mantine-color-${role}-light-color`,
          `--mantine-color-${role}-${state}`,
          ground,
        );
        expect(ratio, `${state} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test('the focus ring can be seen', () => {
    for (const surface of surfaces) {
      expect(contrast(scheme, '--mantine-color-pine-filled', surface), 'ring').toBeGreaterThanOrEqual(3);
    }
  });
});

test('the browser has the ground’s colours from the page itself', () => {
  const page = readFileSync(new URL('../../index.html', import.meta.url), 'utf8');
  for (const scheme of ['light', 'dark'] as const) {
    expect(page).toContain(`(prefers-color-scheme: ${scheme})" content="${pageColors[scheme]}"`);
  }
});
