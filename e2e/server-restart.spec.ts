/** The server dies (SIGKILL) and restarts on the same port: nothing that was confirmed is lost. */
import { expect, test } from './fixtures.ts';
import { childCard, insideRow, notice, secondsLeft } from './harness/person.ts';

test('the page survives a killed server', async ({ server, api, visit }) => {
  const family = await api.family('Mona Hassan', { 'Omar Hassan': 1, 'Layla Hassan': 2 });
  const [, layla] = family.children;
  const { page: desk, trap: deskTrap } = await visit({ as: await api.administrator(), worker: 'allowed' });
  const { page: phone, trap: phoneTrap } = await visit({ size: 'phone', as: family, worker: 'allowed' });
  await desk.goto('/adminDashboard');
  await phone.goto('/profile');
  await desk.getByRole('button', { name: 'Check in Omar Hassan' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Register Child Entry' });
  const acknowledged = desk.waitForResponse((response) => response.url().includes('/checkin-child/'));
  const pressedAt = Date.now();
  await dialog.getByRole('button', { name: 'Check in', exact: true }).click();
  expect((await acknowledged).status()).toBe(200);
  await expect(childCard(phone, 'Omar Hassan').getByText('Inside')).toBeVisible();
  // The desk reads the list after the answer; a server that is gone could not give it.
  await expect(insideRow(desk, 'Omar Hassan').getByRole('timer')).toBeVisible();

  for (const trap of [deskTrap, phoneTrap]) trap.expectOutage();
  await server.kill();

  await test.step('both pages say that they are reconnecting, and count on', async () => {
    for (const page of [desk, phone]) await expect(notice(page, 'Reconnecting…')).toBeVisible();
    const before = await secondsLeft(insideRow(desk, 'Omar Hassan'));
    await expect.poll(() => secondsLeft(insideRow(desk, 'Omar Hassan'))).toBeLessThan(before);
    await expect(childCard(phone, 'Omar Hassan').getByText('Inside')).toBeVisible();
  });

  await test.step('what is pressed meanwhile says that nobody answers', async () => {
    await insideRow(desk, 'Omar Hassan').getByRole('button', { name: 'Checkout' }).click();
    await expect(notice(desk, 'Haris cannot be reached. Please check your connection.')).toBeVisible();
    await expect(insideRow(desk, 'Omar Hassan')).toBeVisible();
  });

  await test.step('back: the check-in is there, nobody was signed out', async () => {
    await server.start();
    // The page's back-off has grown while the server was down.
    for (const page of [desk, phone])
      await expect(notice(page, 'Reconnecting…')).toBeHidden({ timeout: 90_000 });
    const { token } = await api.administrator();
    const { children } = await api.call<{ children: { name: string }[] }>(
      '/api/children/get-all-children?inside=true',
      { token },
    );
    expect(children.map(({ name }) => name)).toEqual(['Omar Hassan']);
    await expect(insideRow(desk, 'Omar Hassan')).toBeVisible();
    const left = await secondsLeft(insideRow(desk, 'Omar Hassan'));
    const elapsed = (Date.now() - pressedAt) / 1000;
    expect(left).toBeGreaterThan(30 * 60 - elapsed - 2);
  });

  await test.step('events come again, without a reload', async () => {
    await api.checkIn(layla?._id ?? '');
    await expect(insideRow(desk, 'Layla Hassan')).toBeVisible();
    await expect(childCard(phone, 'Layla Hassan').getByText('Inside')).toBeVisible();
    await insideRow(desk, 'Omar Hassan').getByRole('button', { name: 'Checkout' }).click();
    await expect(notice(desk, 'Child checked out successfully')).toBeVisible();
    await expect(childCard(phone, 'Omar Hassan').getByText('Outside')).toBeVisible();
  });
});
