/** A tablet on the desk changes hands between two teachers by PIN. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { isAsking, makeColleague, makeDesk, takeOver } from './harness/desk.ts';
import { familyOf, insideRow } from './harness/person.ts';

async function checkIn(tablet: Page, child: string): Promise<void> {
  await familyOf(tablet, 'Mona Hassan')
    .getByRole('button', { name: `Check in ${child}` })
    .click();
  const dialog = tablet.getByRole('dialog', { name: 'Register Child Entry' });
  await dialog.getByRole('button', { name: 'Check in', exact: true }).click();
  await expect(insideRow(tablet, child).getByRole('timer')).toBeVisible();
}

test('each teacher’s check-in carries the own name, and nothing of the former one stays', async ({
  api,
  server,
  visit,
}) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1, 'Layla Hassan': 2 });
  await makeColleague(api, server, 'Nadia Farouk', '830561');
  await makeColleague(api, server, 'Karim Sayed', '941627');
  const { code } = await makeDesk(api, server);
  const tablet = (await visit()).page;
  await tablet.goto(`/desk/${code}`);
  await isAsking(tablet);
  await expect(tablet).toHaveURL('/desk');
  // Nobody is signed in: every address leads back.
  await tablet.goto('/adminDashboard');
  await isAsking(tablet);

  await takeOver(tablet, 'Nadia Farouk', '830561');
  await checkIn(tablet, 'Omar Hassan');
  expect(await tablet.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
    /830561|Nadia|Hassan/,
  );
  await tablet.getByRole('button', { name: 'Hand over' }).click();
  await isAsking(tablet);
  await expect(tablet.getByText('Hassan')).toHaveCount(0);
  await tablet.goBack();
  await isAsking(tablet);

  await takeOver(tablet, 'Karim Sayed', '941627');
  await checkIn(tablet, 'Layla Hassan');
  // After a reload the tablet asks again.
  await tablet.reload();
  await isAsking(tablet);

  const { token } = await api.administrator();
  const { entries } = await api.call<{
    entries: { action: string; actor: { name: string } | null; subject: { id: string } | null }[];
  }>('/api/audit?limit=200', { token });
  const by = (child: string | undefined) =>
    entries.find(({ action, subject }) => action === 'child.checked_in' && subject?.id === child)?.actor
      ?.name;
  expect([by(mona.children[0]?._id), by(mona.children[1]?._id)]).toEqual(['Nadia Farouk', 'Karim Sayed']);
});
