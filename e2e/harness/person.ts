/** Actions of people on several screens, found by the visible texts: English by default. */
import { toAsciiDigits } from '@haris/contract/fields';
import { expect, type Locator, type Page } from '@playwright/test';
import { FROM_CAMERA_MS } from './camera.ts';
import type { Credentials } from './server.ts';
import { type Words, wordsOf } from './words.ts';

const english = wordsOf('en');

/** Finds a notice by its text. */
export function notice(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status').filter({ hasText: text });
}

/** Types e-mail and password into the login and presses Login. */
export async function fillLogin(
  page: Page,
  { email, password }: Credentials,
  t: Words = english,
): Promise<void> {
  await page.getByLabel(t('auth:email')).fill(email);
  await page.getByLabel(startOf(t('auth:password'))).fill(password);
  await page.getByRole('button', { name: t('auth:login.submit'), exact: true }).click();
}

/** Fills in and submits the form that changes the person's own password. */
export async function changePassword(
  page: Page,
  current: string,
  password: string,
  t: Words = english,
): Promise<void> {
  await page.getByLabel(t('password:change.current'), { exact: true }).fill(current);
  await page.getByLabel(t('auth:reset.newPassword'), { exact: true }).fill(password);
  await page.getByLabel(t('auth:reset.repeatPassword'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('password:change.submit'), exact: true }).click();
}

/** Matches the beginning of a label, because the button that shows a password contains the word too. */
export function startOf(label: string): RegExp {
  return new RegExp(`^${label}`);
}

/**
 * Ticks a box whose tick the page draws later, such as after the server's answer. Playwright's own `check` looks at the
 * box at once.
 */
export async function tick(box: Locator): Promise<void> {
  await box.click();
  await expect(box).toBeChecked();
}

/** Waits until the guide is satisfied, and captures. */
export async function capturePhoto(page: Page, t: Words = english): Promise<void> {
  await expect(page.getByText(t('add-child:guide.ready'))).toBeVisible({ timeout: FROM_CAMERA_MS });
  await page.getByRole('button', { name: t('add-child:capture') }).click();
  await expect(page.getByRole('img', { name: t('add-child:captured') })).toBeVisible();
}

/** Seconds on the only countdown within, `MM:SS` in the digits of either language. */
export async function secondsLeft(within: Page | Locator): Promise<number> {
  // Not innerText: a row that has not been drawn yet (content-visibility) has none.
  const text = (await within.getByRole('timer').textContent()) ?? '';
  const found = /^(\d{2,3}):([0-5]\d)$/.exec(toAsciiDigits(text.trim()));
  if (found === null) throw new Error(`"${text}" is no countdown`);
  return Number(found[1]) * 60 + Number(found[2]);
}

/** Difference between the largest and the smallest value. */
export function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

/** The row of a child in Children in Monitored Area. */
export function insideRow(page: Page, child: string, t: Words = english): Locator {
  return page
    .getByRole('region', { name: t('dashboard:inside.title') })
    .getByRole('listitem')
    .filter({ hasText: child });
}

/** A family in Parents & Children, by the parent's name. */
export function familyOf(page: Page, parent: string, t: Words = english): Locator {
  return page
    .getByRole('region', { name: t('dashboard:families.title') })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: parent, exact: true }) });
}

/** Presses Delete Parent in the row of a family. */
export async function chooseDeletion(page: Page, parent: string, t: Words = english): Promise<void> {
  await page.getByRole('button', { name: t('dashboard:families.deleteParentOf', { name: parent }) }).click();
}

/** The entry of a child on a parent's profile. */
export function childCard(page: Page, child: string): Locator {
  return page.getByRole('main').getByRole('listitem').filter({ hasText: child });
}

/** Presses Tab until this element has the focus, like somebody without a mouse. */
export async function tabTo(page: Page, target: Locator, most = 60): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} cannot be reached with Tab`);
}

/** Milliseconds between two key presses of a scanner. */
const SCANNER_PAUSE_MS = 5;

/**
 * Types an entry id like a scanner that acts as a keyboard. The key events carry a scanner's timestamps, because on a
 * busy machine two presses may be further apart than a person's. Like many scanners it sends a digit first: a random id
 * may begin with a letter that is a shortcut of the page, which waits for the next key by the clock.
 */
export async function scanByKeyboard(page: Page, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const begins = Date.now();
  const keys = [...`0${text}`].map((letter) => ({
    key: letter,
    code: /[a-z]/i.test(letter)
      ? `Key${letter.toUpperCase()}`
      : /[0-9]/.test(letter)
        ? `Digit${letter}`
        : 'Minus',
    windowsVirtualKeyCode: /[a-z0-9]/i.test(letter) ? letter.toUpperCase().charCodeAt(0) : 189,
    text: letter,
    modifiers: /[A-Z_]/.test(letter) ? 8 : 0,
  }));
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r', modifiers: 0 };
  for (const [index, { text: typed, ...key }] of [...keys, enter].entries()) {
    const timestamp = (begins + index * SCANNER_PAUSE_MS) / 1000;
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, text: typed, timestamp });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key, timestamp });
  }
  await session.detach();
}
