/** What people do on several screens, by the words they read there: English ones unless told. */
import { toAsciiDigits } from '@haris/contract/fields';
import { expect, type Locator, type Page, type Response } from '@playwright/test';
import type { Credentials } from './server.ts';
import { type Words, wordsOf } from './words.ts';

const english = wordsOf('en');

/** A notice, by its words. */
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

/** Fills in the form for another password of the own account and sends it. */
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

/** Matches a label by its beginning: the button that shows a password has the word in its name too. */
export function startOf(label: string): RegExp {
  return new RegExp(`^${label}`);
}

/** Waits until the guide finds all right, and captures. */
export async function capturePhoto(page: Page, t: Words = english): Promise<void> {
  await expect(page.getByText(t('add-child:guide.ready'))).toBeVisible();
  await page.getByRole('button', { name: t('add-child:capture') }).click();
  await expect(page.getByRole('img', { name: t('add-child:captured') })).toBeVisible();
}

/** Seconds of the one countdown within, `MM:SS` with minutes past 59, in the digits of either language. */
export async function secondsLeft(within: Page | Locator): Promise<number> {
  // Not its inner text: a row that has not been drawn yet (content-visibility) has none.
  const text = (await within.getByRole('timer').textContent()) ?? '';
  const found = /^(\d{2,3}):([0-5]\d)$/.exec(toAsciiDigits(text.trim()));
  if (found === null) throw new Error(`"${text}" is no countdown`);
  return Number(found[1]) * 60 + Number(found[2]);
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

/** The entry of a child on a parent's profile. */
export function childCard(page: Page, child: string): Locator {
  return page.getByRole('main').getByRole('listitem').filter({ hasText: child });
}

/** Presses Tab until this has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator, most = 60): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} cannot be reached with Tab`);
}

/** Types as a scanner does that is connected like a keyboard. */
export async function scanByKeyboard(page: Page, text: string): Promise<void> {
  for (const letter of text) {
    await page.keyboard.press(/[A-Z_]/.test(letter) ? `Shift+${letter}` : letter);
  }
  await page.keyboard.press('Enter');
}

/**
 * Two screens are in step when one shows within this time what the other did, with no reload. The product's aim is a
 * second (`npm run bench:events` measures the server's part of it); a test must not fail because the machine is busy.
 */
export const IN_STEP_MS = 8_000;

/**
 * The moment, in epoch milliseconds, at which one element of `selector` shows all these words. Seen in the page itself:
 * waiting from outside looks every half second only. All browsers of a test share this machine's clock.
 */
export function momentShown(page: Page, selector: string, words: readonly string[]): Promise<number> {
  return page.locator('body').evaluate(
    (body, wanted) =>
      new Promise<number>((resolve) => {
        const isShown = () =>
          [...body.querySelectorAll(wanted.selector)].some((element) =>
            wanted.words.every((word) => element.innerText.includes(word)),
          );
        const observer = new body.ownerDocument.defaultView.MutationObserver(look);
        function look() {
          if (!isShown()) return;
          observer.disconnect();
          resolve(Date.now());
        }
        observer.observe(body, { subtree: true, childList: true, characterData: true, attributes: true });
        look();
      }),
    { selector, words },
  );
}

/** The moment, in epoch milliseconds, at which the answer began to arrive. */
export async function momentAnswered(response: Response): Promise<number> {
  await response.finished();
  const { startTime, responseStart } = response.request().timing();
  return startTime + responseStart;
}

/** Selectors for {@link momentShown}. */
export const places = {
  inside: 'section[aria-labelledby="inside-title"] li',
  families: 'section[aria-labelledby="families-title"] li',
  profile: 'main li',
} as const;
