/** The accessibility check of page tests: axe without the rules that need a layout, which jsdom does not have. */
import { waitFor } from '@testing-library/react';
import axe from 'axe-core';
import { expect } from 'vitest';
import { sizes } from './browser.ts';

/** e2e/accessibility.spec.ts checks these. */
const NEED_LAYOUT = ['color-contrast', 'scrollable-region-focusable'];

/** What a browser makes inert while a `<dialog>` is open: all that is outside it. jsdom has no top layer. */
function belowDialog(): Element[] {
  const below: Element[] = [];
  let inside: Element | null = [...document.querySelectorAll('dialog[open]')].at(-1) ?? null;
  while (inside !== null && inside !== document.body) {
    for (const other of inside.parentElement?.children ?? []) if (other !== inside) below.push(other);
    inside = inside.parentElement;
  }
  return below;
}

/**
 * The menus that the style sheets hide at this width: the bar of phones on a desk, and on a phone the first of two with the same
 * name, which is that of wide screens.
 */
function hiddenMenus(): Element[] {
  const menus = [...document.querySelectorAll('nav')];
  if (innerWidth > sizes.phone.width) return menus.filter((menu) => menu.matches('[data-nav-bar]'));
  return menus.filter((menu, index) => {
    const name = menu.getAttribute('aria-label');
    return name !== null && menus.slice(index + 1).some((later) => later.getAttribute('aria-label') === name);
  });
}

/** Violations in the whole page that are more than minor, each with its rule and the elements; best compared with `[]`. */
export async function violations(): Promise<{ rule: string; impact: string; at: string[] }[]> {
  const unreachable = [...belowDialog(), ...hiddenMenus()].filter(
    (element) => !element.hasAttribute('inert'),
  );
  for (const element of unreachable) element.setAttribute('inert', '');
  const found = await axe
    .run(document, {
      resultTypes: ['violations'],
      rules: Object.fromEntries(NEED_LAYOUT.map((rule) => [rule, { enabled: false }])),
    })
    .finally(() => {
      for (const element of unreachable) element.removeAttribute('inert');
    });
  return found.violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, impact, nodes }) => ({
      rule: id,
      impact: impact ?? '',
      at: nodes.map(({ html }) => html.slice(0, 200)),
    }));
}

/**
 * Expects nothing moderate, serious or critical in the page: wait for the state first. Looks again while something is found, because a
 * dialog gets its name a moment after it is there.
 */
export async function expectAccessible(): Promise<void> {
  await waitFor(async () => expect(await violations()).toEqual([]));
}
