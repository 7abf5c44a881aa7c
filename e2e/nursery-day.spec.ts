/**
 * The day of a child with two households, of its sister who is ill, and of a child whose uncle is barred: an accident, a move to the
 * garden, a phone without a connection, a grandmother with a pass. Once the desk reads English and the families Arabic, once the other way
 * round.
 */
import { expect, test } from './fixtures.ts';
import { chooseTaker, proofField, typeCode } from './harness/hand-over.ts';
import { insideRow, notice } from './harness/person.ts';
import { type Language, wordsOf } from './harness/words.ts';

/** Phones learn by events; without them they ask again after a while. */
const SOON = { timeout: 30_000 };
const languages: readonly (readonly [Language, Language])[] = [
  ['en', 'ar'],
  ['ar', 'en'],
];

for (const [atDesk, atHome] of languages) {
  test(`a whole day, the desk in ${atDesk} and the families in ${atHome}`, async ({ api, server, visit }) => {
    const t = wordsOf(atDesk);
    const home = wordsOf(atHome);
    // To ask a guardian, somebody must have signed in lately.
    const staff = await api.signIn('admin', server.admin);
    const { token } = staff;
    await api.call('/api/settings', { method: 'PUT', token, json: { handover: 'require' } });
    const rooms: Record<string, string> = {};
    for (const name of ['Ants', 'Garden']) {
      const json = { name: `${name} ${atDesk}` };
      const { room } = await api.call<{ room: { _id: string } }>('/api/rooms', {
        method: 'POST',
        token,
        json,
      });
      rooms[name] = room._id;
    }
    const garden = `Garden ${atDesk}`;
    const mona = await api.family('Mona Hassan', { 'Omar Hassan': 1, 'Layla Hassan': 2 });
    const tarek = await api.family('Tarek Hassan');
    const huda = await api.family('Huda Amin', { 'Fares Amin': 3 });
    const [omar, layla] = mona.children.map(({ _id }) => _id) as [string, string];
    const fares = String(huda.children[0]?._id);
    await api.call(`/api/children/${omar}/guardians`, {
      method: 'POST',
      token,
      json: { name: tarek.name, email: tarek.email, mayTake: true },
    });
    for (const child of [omar, fares]) {
      const json = { roomId: rooms.Ants };
      await api.call(`/api/children/checkin-child/${child}`, { method: 'POST', token, json });
    }
    const { page: desk, trap } = await visit({ as: staff, language: atDesk });
    const { page: first } = await visit({ as: mona, size: 'phone', language: atHome });
    const { page: second, trap: ofSecond } = await visit({ as: tarek, size: 'phone', language: atHome });
    for (const phone of [first, second]) await phone.goto('/profile');

    await test.step('the second household answers the desk’s question, and sees the child', async () => {
      await second
        .getByRole('button', { name: home('guardian-request:acceptOf', { child: 'Omar' }) })
        .click();
      await expect(second.getByText(home('profile:room.in', { room: `Ants ${atDesk}` }))).toBeVisible(SOON);
    });

    await test.step('the first one reports the sister ill; the desk reads it', async () => {
      await first
        .getByRole('button', { name: home('bookings:absence.reportOf', { name: 'Layla Hassan' }) })
        .click();
      await first.getByRole('button', { name: home('bookings:absence.reason.illness') }).click();
      await expect(notice(first, home('bookings:absence.reported'))).toBeVisible();
      await desk.goto(`/adminDashboard?child=${layla}`);
      await expect(desk.getByRole('list', { name: t('bookings:absence.coming') })).toContainText(
        t('bookings:absence.reason.illness'),
      );
    });

    await test.step('an accident waits for the signature of the family', async () => {
      await desk.goto(`/adminDashboard?child=${omar}`);
      const log = desk.getByRole('region', { name: t('care-log:title'), exact: true });
      await log.getByRole('button', { name: t('care-log:kind.accident'), exact: true }).click();
      const form = desk.getByRole('dialog', { name: t('care-log:dialog.accident', { name: 'Omar Hassan' }) });
      await form.getByRole('textbox', { name: t('care-log:field.what') }).fill('Fell from the swing');
      await form.getByRole('textbox', { name: t('care-log:field.where') }).fill('Left knee');
      await form.getByRole('textbox', { name: t('care-log:field.firstAid') }).fill('Cold pack');
      await form.getByRole('button', { name: t('care-log:dialog.save') }).click();
      await expect(
        first.getByRole('button', { name: home('care-log:sign.readOf', { name: 'Omar Hassan' }) }),
      ).toBeVisible(SOON);
    });

    await test.step('one press moves the child to the garden; both households see it', async () => {
      await desk
        .getByRole('region', { name: t('child:room.title'), exact: true })
        .getByRole('button', { name: new RegExp(garden) })
        .click();
      for (const phone of [first, second])
        await expect(phone.getByText(home('profile:room.in', { room: garden }))).toBeVisible(SOON);
    });

    await test.step('the second household takes it home, with the code of a phone that has no connection', async () => {
      await desk.goto('/adminDashboard');
      const shown = second.getByRole('region', { name: home('collectors:code.title') });
      await expect(shown.getByText(/^[\d٠-٩]{6}$/)).toBeVisible();
      ofSecond.expectOutage();
      await second.context().setOffline(true);
      const dialog = await chooseTaker(desk, 'Omar Hassan', 'Tarek Hassan', t);
      trap.allowHttp(409, `/api/children/checkout-child/${omar}`);
      await typeCode(dialog, second, { desk: t, phone: home });
      await expect(insideRow(desk, 'Omar Hassan', t)).toBeHidden();
      const picked = first.getByRole('region', { name: home('collectors:release.title') });
      await expect(picked).toContainText('Tarek Hassan', SOON);
      await expect(picked).toContainText(home('collectors:release.proof.code'));
      await second.context().setOffline(false);
    });

    await test.step('a barred uncle gets no child, whatever he brings', async () => {
      const named = async (name: string, relation: string) => {
        const path = `/api/children/${fares}/collectors`;
        const answer = await api.call<{ collector: { _id: string } }>(path, {
          ...{ method: 'POST', token: huda.token, json: { name, relation } },
        });
        return answer.collector._id;
      };
      await named('Karim Amin', 'Uncle');
      const grandmother = await named('Samia Amin', 'Grandmother');
      const pass = await api.call<{ token: string }>(`/api/collectors/${grandmother}/pass`, {
        ...{ method: 'POST', token: huda.token, json: {} },
      });
      const json = { name: 'Karim AMIN', note: 'Court order of this spring' };
      await api.call(`/api/children/${fares}/barred`, { method: 'POST', token, json });
      trap.expectHttp(409, `/api/children/checkout-child/${fares}`);
      const refused = await chooseTaker(desk, 'Fares Amin', 'Karim Amin', t);
      const field = proofField(refused, t);
      await field.fill(pass.token);
      await field.press('Enter');
      await expect(refused.getByText(t('errors:barred_person'))).toBeVisible();
      const danger = desk.getByRole('alertdialog', { name: t('incidents:kind.barred_person') });
      await expect(danger).toContainText('Fares Amin', SOON);
      await danger.getByRole('button', { name: t('emergency:acknowledge') }).click();
      await expect(danger).toBeHidden();
      await refused.getByRole('button', { name: t('common:close') }).click();
      await expect(refused).toBeHidden();

      // The grandmother does, with her document at the first time.
      const dialog = await chooseTaker(desk, 'Fares Amin', 'Samia Amin', t);
      await dialog.getByLabel(t('hand-over:document.last')).fill('0035');
      const scan = proofField(dialog, t);
      await scan.fill(pass.token);
      await scan.press('Enter');
      await expect(dialog).toBeHidden();
      await expect(desk.getByText(t('dashboard:inside.empty'))).toBeVisible();
    });
  });
}
