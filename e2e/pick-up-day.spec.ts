/**
 * A day of pick-ups (decision 049): a grandmother comes with a pass, a parent with the code on the phone, a slip is
 * scanned, a barred adult goes without the child, and a parent did not expect a pick-up. One family reads Arabic.
 */
import { expect, test } from './fixtures.ts';
import { chooseTaker, nameCollector, proofField, typeCode } from './harness/hand-over.ts';
import { childCard, insideRow, notice, scanByKeyboard } from './harness/person.ts';
import { wordsOf } from './harness/words.ts';

const t = wordsOf('en');
const arabic = wordsOf('ar');
/** The phone learns of a release by an event; without events it asks again after a while. */
const SOON = { timeout: 30_000 };

test('into the right hands: pass, code, slip, a barred adult, and an unexpected pick-up', async ({
  api,
  visit,
}) => {
  const staff = await api.administrator();
  const { token } = staff;
  await api.call('/api/settings', { method: 'PUT', token, json: { handover: 'require' } });
  const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1 });
  const huda = await api.family('هدى أمين', { 'فارس أمين': 3 });
  const [omar, fares] = [mona, huda].map(({ children }) => String(children[0]?._id)) as [string, string];
  for (const child of [omar, fares]) await api.checkIn(child);
  const { page: desk, trap } = await visit({ as: staff });
  const { page: phone } = await visit({ as: mona, size: 'phone' });
  const { page: arabicPhone } = await visit({ as: huda, size: 'phone', language: 'ar' });
  await desk.goto('/adminDashboard');
  await phone.goto('/profile');
  await arabicPhone.goto('/profile');
  await expect(insideRow(desk, 'Omar Hassan')).toBeVisible();

  let link = '';
  await test.step('a parent names the grandmother, and sends her a pass', async () => {
    await nameCollector(phone, 'Omar Hassan', 'Samia Hassan', 'Grandmother');
    await phone.getByRole('button', { name: t('collectors:pass.sendOf', { name: 'Samia Hassan' }) }).click();
    const dialog = phone.getByRole('dialog', { name: t('collectors:pass.title', { name: 'Samia Hassan' }) });
    await dialog.getByRole('button', { name: t('collectors:pass.create') }).click();
    await expect(dialog.getByRole('img', { name: t('collectors:pass.qr') })).toBeVisible();
    link = await dialog.getByLabel(t('collectors:pass.link')).inputValue();
    await dialog.getByRole('button', { name: t('collectors:pass.done') }).click();
  });

  const { page: hers } = await visit({ size: 'phone' });
  await test.step('the grandmother opens it without an account', async () => {
    await hers.goto(link);
    await expect(hers.getByText(t('pass:state.valid'))).toBeVisible();
    await expect(hers.getByRole('img', { name: t('pass:qr') })).toBeVisible();
    await expect(hers.getByRole('main')).toContainText('Samia Hassan');
    await expect(hers.getByRole('main')).not.toContainText('Omar Hassan');
  });

  await test.step('at the first pick-up the desk looks at her document, and scans the pass', async () => {
    const dialog = await chooseTaker(desk, 'Omar Hassan', 'Samia Hassan');
    await dialog.getByLabel(t('hand-over:document.last')).fill('0035');
    const field = proofField(dialog);
    await field.fill(new URL(link).hash.slice(1));
    await field.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(notice(desk, t('dashboard:checkout.success'))).toBeVisible();
  });

  await test.step('the parent reads who took the child; the pass is used up', async () => {
    const picked = phone.getByRole('region', { name: t('collectors:release.title') });
    await expect(picked).toContainText('Samia Hassan (Grandmother)', SOON);
    await expect(picked).toContainText(t('collectors:release.proof.pass'));
    await expect(childCard(phone, 'Omar Hassan').getByText(t('profile:outside')).first()).toBeVisible(SOON);
    await hers.reload();
    await expect(hers.getByText(t('pass:state.used'))).toBeVisible();
  });

  await test.step('the Arabic family shows the code on its phone; the desk types it', async () => {
    // Nobody else may take the child, so the page first asks whether a name is needed; and a code may be too old.
    trap.expectHttp(409, `/api/children/checkout-child/${fares}`);
    const dialog = await chooseTaker(desk, 'فارس أمين', 'هدى أمين');
    await typeCode(dialog, arabicPhone, { phone: arabic });
    const picked = arabicPhone.getByRole('region', { name: arabic('collectors:release.title') });
    await expect(picked).toContainText(arabic('collectors:release.proof.code'), SOON);
  });

  let slip = '';
  await test.step('a barred uncle with the same name as on the list gets no child, and everyone on duty knows', async () => {
    await nameCollector(phone, 'Omar Hassan', 'Karim Hassan', 'Uncle');
    await api.call(`/api/children/${omar}/barred`, {
      method: 'POST',
      token,
      json: { name: 'Karim  HASSAN', note: 'Court order of this spring' },
    });
    // While somebody is barred, only this answer has the code of the slip.
    const { child } = await api.call<{ child: { slipCode: string } }>(`/api/children/checkin-child/${omar}`, {
      method: 'POST',
      token,
      json: { durationInMinutes: 60 },
    });
    slip = child.slipCode;
    trap.expectHttp(409, `/api/children/checkout-child/${omar}`);
    const dialog = await chooseTaker(desk, 'Omar Hassan', 'Karim Hassan');
    // Somebody is barred, so the word of one member of staff is no proof.
    await expect(dialog.getByRole('button', { name: t('hand-over:known') })).toBeHidden();
    const field = proofField(dialog);
    await field.fill('123456');
    await field.press('Enter');
    await expect(dialog.getByText(t('errors:barred_person'))).toBeVisible();
    const danger = desk.getByRole('alertdialog', { name: t('incidents:kind.barred_person') });
    await expect(danger).toContainText('Omar Hassan', SOON);
    await danger.getByRole('button', { name: t('emergency:acknowledge') }).click();
    await expect(danger).toBeHidden();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(insideRow(desk, 'Omar Hassan')).toBeVisible();
    await expect(phone.getByRole('main')).not.toContainText('Court order');
  });

  await test.step('a scanned slip and one press on the parent; who did not expect it tells the desk', async () => {
    await scanByKeyboard(desk, slip);
    await desk
      .getByRole('dialog')
      .getByRole('button', { name: t('dashboard:inside.checkout') })
      .click();
    const dialog = desk.getByRole('dialog', { name: t('hand-over:title', { name: 'Omar Hassan' }) });
    await dialog.getByRole('button', { name: 'Mona Hassan' }).click();
    await expect(dialog).toBeHidden();
    const picked = phone.getByRole('region', { name: t('collectors:release.title') });
    await expect(picked.getByRole('listitem')).toHaveCount(2, SOON);
    await picked
      .getByRole('button', { name: t('collectors:release.unexpectedOf', { child: 'Omar Hassan' }) })
      .first()
      .click();
    await phone
      .getByRole('dialog', { name: t('collectors:release.sureTitle') })
      .getByRole('button', { name: t('collectors:release.confirm') })
      .click();
    await expect(notice(phone, t('collectors:release.told'))).toBeVisible();
    await expect(desk.getByText(t('incidents:kind.unexpected_release')).first()).toBeVisible(SOON);
  });
});
