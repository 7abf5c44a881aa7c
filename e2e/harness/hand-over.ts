/** Steps of a hand-over, at the desk and on a parent's phone (decision 049). */
import { expect, type Locator, type Page } from '@playwright/test';
import { insideRow, notice, startOf } from './person.ts';
import { type Words, wordsOf } from './words.ts';

const english = wordsOf('en');

/** Names somebody who may pick up a child of the family. */
export async function nameCollector(
  phone: Page,
  child: string,
  name: string,
  relation: string,
  t: Words = english,
): Promise<void> {
  await phone.getByRole('button', { name: t('collectors:addOf', { name: child }) }).click();
  const form = phone.getByRole('dialog', { name: t('collectors:form.addTitle') });
  await form.getByLabel(startOf(t('collectors:form.name'))).fill(name);
  await form.getByLabel(startOf(t('collectors:form.relation'))).fill(relation);
  await form.getByRole('button', { name: t('collectors:form.submit'), exact: true }).click();
  await expect(notice(phone, t('collectors:added', { name }))).toBeVisible();
  await expect(form).toBeHidden();
}

/** Presses Checkout in the child's row, and an adult in the dialog. Returns the dialog. */
export async function chooseTaker(
  desk: Page,
  child: string,
  adult: string,
  t: Words = english,
): Promise<Locator> {
  // Its beginning: for some seconds after a checkout the row offers "Undo the checkout of …".
  await insideRow(desk, child, t)
    .getByRole('button', { name: startOf(t('dashboard:inside.checkout')) })
    .click();
  const dialog = desk.getByRole('dialog', { name: t('hand-over:title', { name: child }) });
  await dialog.getByRole('button', { name: adult }).click();
  return dialog;
}

/** The field of the dialog for a slip, a pass or a code. */
export function proofField(dialog: Locator, t: Words = english): Locator {
  return dialog.getByRole('textbox', { name: startOf(t('hand-over:scan')) });
}

/**
 * Types the code that a phone shows into the dialog until it counts. A code lives a minute, and one of the minute before is valid too: on
 * a busy machine it takes another try. `phoneWords`: the texts of the phone.
 */
export async function typeCode(
  dialog: Locator,
  phone: Page,
  { desk = english, phone: phoneWords = english }: { desk?: Words; phone?: Words } = {},
): Promise<void> {
  const shown = phone.getByRole('region', { name: phoneWords('collectors:code.title') });
  const field = proofField(dialog, desk);
  await expect(shown).toBeVisible();
  await expect(async () => {
    await field.fill(await shown.getByText(/^[\d٠-٩]{6}$/).innerText());
    await field.press('Enter');
    await expect(dialog).toBeHidden();
  }).toPass();
}
