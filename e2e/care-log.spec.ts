/** The care log: the desk records with one press, the family reads it at once and signs an accident with a finger. */
import { expect, test } from './fixtures.ts';
import { notice } from './harness/person.ts';

test('from the desk to the parent’s phone, and the signature back', async ({ api, visit }) => {
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const omar = mona.children[0]?._id ?? '';
  await api.checkIn(omar);
  const { page: desk } = await visit({ as: await api.administrator() });
  const { page: parent } = await visit({ as: mona, size: 'phone' });
  await parent.goto('/profile');
  await desk.goto(`/adminDashboard?child=${omar}`);
  const log = desk.getByRole('region', { name: 'Care log', exact: true });
  const entries = log.getByRole('list', { name: 'Care log of today' }).getByRole('listitem');

  await test.step('one press each: a nappy, asleep, looked at', async () => {
    for (const [index, name] of ['Nappy: Wet', 'Sleep: Fell asleep', 'Sleep: Checked'].entries()) {
      await log.getByRole('button', { name }).click();
      await expect(entries).toHaveCount(index + 1);
    }
    await expect(log.getByRole('group', { name: /^Sleep · asleep since/ })).toBeVisible();
  });

  await test.step('an accident is on the parent’s home without a reload', async () => {
    await log.getByRole('button', { name: 'Accident', exact: true }).click();
    const form = desk.getByRole('dialog', { name: 'Accident: Omar Hassan' });
    await form.getByRole('textbox', { name: 'What happened' }).fill('Fell from the swing');
    await form.getByRole('textbox', { name: 'Where on the body' }).fill('Left knee');
    await form.getByRole('textbox', { name: 'First aid' }).fill('Cold pack');
    await form.getByRole('button', { name: 'Record' }).click();
    await expect(entries.first()).toContainText('Waits for the family’s signature');
    await parent.getByRole('button', { name: 'Read and sign: Omar Hassan' }).click();
  });

  await test.step('the parent signs with strokes; the desk sees it', async () => {
    const own = parent.getByRole('dialog', { name: 'Care log: Omar Hassan' });
    await own.getByRole('button', { name: 'Sign: Accident' }).click();
    const pad = own.getByRole('img', { name: 'Field for the signature' });
    await pad.scrollIntoViewIfNeeded();
    const box = await pad.boundingBox();
    if (box === null) throw new Error('the field for the signature is not shown');
    await parent.mouse.move(box.x + 20, box.y + 20);
    await parent.mouse.down();
    for (const step of [1, 2, 3, 4]) await parent.mouse.move(box.x + 20 + 30 * step, box.y + 20 + 10 * step);
    await parent.mouse.up();
    await own.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(notice(parent, 'Signed. Thank you.')).toBeVisible();
    await expect(own.getByRole('img', { name: 'Signature', exact: true })).toBeVisible();
    await expect(entries.first()).toContainText('Signed by the family');
    expect(await api.countAudit('care_log.signed', omar)).toBe(1);
  });

  await test.step('a correction leaves the first entry where it is', async () => {
    await log.getByRole('button', { name: /^Correct: .* Nappy: wet$/ }).click();
    const form = desk.getByRole('dialog', { name: 'Correct an entry of Omar Hassan' });
    await form.getByRole('combobox', { name: 'Nappy' }).selectOption('Soiled');
    await form.getByRole('button', { name: 'Record' }).click();
    await expect(entries).toHaveCount(5);
    await expect(entries.filter({ hasText: 'Corrected' })).toContainText('Nappy: wet');
  });
});
