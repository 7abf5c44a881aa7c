/** The accessibility check of page tests: axe without the rules that need a layout, which jsdom does not have. */
import axe from 'axe-core';

/** The browser tests check these (e2e/accessibility). */
const NEED_LAYOUT = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

/** Violations in the whole page that are more than minor, each with its rule and the elements; best compared with `[]`. */
export async function violations(): Promise<{ rule: string; impact: string; at: string[] }[]> {
  const found = await axe.run(document, {
    resultTypes: ['violations'],
    rules: Object.fromEntries(NEED_LAYOUT.map((rule) => [rule, { enabled: false }])),
  });
  return found.violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, impact, nodes }) => ({
      rule: id,
      impact: impact ?? '',
      at: nodes.map(({ html }) => html.slice(0, 200)),
    }));
}
