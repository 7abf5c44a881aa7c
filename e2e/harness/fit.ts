/** Finds parts of a page that do not fit its width: beyond the edge, or with truncated words. */
import type { Page } from '@playwright/test';

/** Runs in the page. Elements that scroll sideways may be wider; text for screen readers is one pixel wide. */
const FIND = `(() => {
  const width = document.documentElement.clientWidth;
  const found = [];
  if (document.documentElement.scrollWidth > width)
    found.push('the page is ' + document.documentElement.scrollWidth + ' px wide');
  const nameOf = (element) =>
    element.tagName.toLowerCase() + ' “' + (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40) + '”';
  const isScrolled = (element) => {
    for (let at = element.parentElement; at !== null; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth) return true;
    return false;
  };
  const above = document.querySelector('dialog[open], [aria-modal="true"]');
  for (const element of (above ?? document.body).querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    if (box.width <= 2 || box.height <= 2 || element.closest('svg svg, [aria-hidden="true"]') !== null) continue;
    const style = getComputedStyle(element);
    // Closed details have boxes too.
    if (!element.checkVisibility() || style.visibility === 'hidden' || style.clipPath !== 'none') continue;
    const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const isSeen = hasWords || element.matches('button, a[href], input, select, textarea, img, canvas, video');
    if (!isSeen) continue;
    if ((box.left < -1 || box.right > width + 1) && box.right > 0 && box.left < width && !isScrolled(element))
      found.push('beyond the edge: ' + nameOf(element));
    // An ellipsis shows that text was cut off on purpose.
    if (hasWords && style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1 && !/auto|scroll/.test(style.overflowX))
      found.push('cut off: ' + nameOf(element));
  }
  return [...new Set(found)];
})()`;

/** Descriptions of the misfits; empty if everything fits. */
export async function findTooWide(page: Page): Promise<string[]> {
  return (await page.evaluate(FIND)) as string[];
}
