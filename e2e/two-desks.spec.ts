/** Two desks at once: each sees the other's changes, and only one of two simultaneous presses succeeds. */
import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { familyOf, insideRow, notice, secondsLeft, spread } from './harness/person.ts';

/** Holds a call of both pages until both have sent it: simultaneous presses, at any speed of the machine. */
async function pressTogether(pages: readonly Page[], call: string, press: (page: Page) => Promise<void>) {
  const held: Route[] = [];
  const bothHere = Promise.withResolvers<void>();
  for (const page of pages) {
    await page.route(call, (route) => {
      held.push(route);
      if (held.length === pages.length) bothHere.resolve();
    });
  }
  const answers = pages.map((page) => page.waitForResponse(call));
  await Promise.all(pages.map(press));
  await bothHere.promise;
  await Promise.all(held.map((route) => route.continue()));
  const statuses = (await Promise.all(answers)).map((answer) => answer.status());
  for (const page of pages) await page.unroute(call);
  return statuses;
}

/** Opens Register Child Entry from the child's own button. */
async function openEntry(page: Page, child: string) {
  await page.getByRole('button', { name: `Check in ${child}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Register Child Entry' });
  await expect(dialog.getByRole('checkbox', { name: child })).toBeChecked();
  return dialog;
}

test('two desks see one another and never make two stays', async ({ api, visit }) => {
  const staff = await api.administrator();
  const family = await api.family('Sara Ibrahim', { 'Nour Ibrahim': 1 });
  const child = family.children[0]?._id ?? '';
  const { page: left, trap: leftTrap } = await visit({ as: staff });
  const { page: right, trap: rightTrap } = await visit({ as: staff });
  const desks = [left, right];
  for (const desk of desks) {
    await desk.goto('/adminDashboard');
    await expect(desk.getByText('No children currently detected.')).toBeVisible();
    await expect(familyOf(desk, 'Sara Ibrahim').getByText('Outside')).toBeVisible();
  }

  // `npm run bench:events` measures how soon.
  await test.step('a check-in at one desk shows at the other with no reload', async () => {
    const dialog = await openEntry(left, 'Nour Ibrahim');
    await dialog.getByRole('button', { name: 'Check in', exact: true }).click();
    await expect(insideRow(right, 'Nour Ibrahim')).toBeVisible();
    await expect(familyOf(right, 'Sara Ibrahim').getByText('Inside')).toBeVisible();
    const atBoth = () => Promise.all(desks.map((desk) => secondsLeft(insideRow(desk, 'Nour Ibrahim'))));
    await expect.poll(async () => spread(await atBoth())).toBeLessThanOrEqual(1);
    for (const seconds of await atBoth())
      expect(seconds, 'the default of 30 minutes').toBeLessThanOrEqual(30 * 60);
    await expect(dialog).toBeHidden();
  });

  await test.step('a checkout at the other desk shows at the first with no reload', async () => {
    await insideRow(right, 'Nour Ibrahim').getByRole('button', { name: 'Checkout' }).click();
    await expect(familyOf(left, 'Sara Ibrahim').getByText('Outside')).toBeVisible();
    for (const desk of desks) await expect(desk.getByText('No children currently detected.')).toBeVisible();
  });

  await test.step('both press Check in: one success, one message, one stay', async () => {
    const dialogs = new Map(
      await Promise.all(desks.map(async (desk) => [desk, await openEntry(desk, 'Nour Ibrahim')] as const)),
    );
    leftTrap.expectRefusedAtOneOf(rightTrap, 409, /\/checkin-child\//);
    const statuses = await pressTogether(desks, '**/api/children/checkin-child/*', async (desk) =>
      dialogs.get(desk)?.getByRole('button', { name: 'Check in', exact: true }).click(),
    );
    expect(statuses.toSorted()).toEqual([200, 409]);
    const [winner, loser] = statuses[0] === 200 ? [left, right] : [right, left];
    await Promise.all([
      // The notice of an earlier step may still be shown.
      expect(notice(winner, 'Child checked in successfully').last()).toBeVisible(),
      expect(notice(loser, 'This child is already inside.')).toBeVisible(),
    ]);
    await loser.keyboard.press('Escape');
    for (const dialog of dialogs.values()) await expect(dialog).toBeHidden();
    for (const desk of desks) await expect(insideRow(desk, 'Nour Ibrahim')).toHaveCount(1);
    expect(await api.countAudit('child.checked_in', child)).toBe(2);
  });

  await test.step('both press Checkout: one success, one message, one stay', async () => {
    leftTrap.expectRefusedAtOneOf(rightTrap, 409, /\/checkout-child\//);
    const statuses = await pressTogether(desks, '**/api/children/checkout-child/*', (desk) =>
      insideRow(desk, 'Nour Ibrahim').getByRole('button', { name: 'Checkout' }).click(),
    );
    expect(statuses.toSorted()).toEqual([200, 409]);
    const [winner, loser] = statuses[0] === 200 ? [left, right] : [right, left];
    await Promise.all([
      expect(notice(winner, 'Child checked out successfully').last()).toBeVisible(),
      expect(notice(loser, 'This child is not inside.')).toBeVisible(),
    ]);
    for (const desk of desks) await expect(desk.getByText('No children currently detected.')).toBeVisible();
    expect(await api.countAudit('child.checked_out', child)).toBe(2);
  });
});
