/** Who may and who must not pick a child up, in the child's sheet, by what a role may do. */
import { type BarredAdult, barredRoutes, type ListedForBar } from '@haris/contract/http/barred';
import { collectorRoutes } from '@haris/contract/http/collectors';
import { guardianRoutes } from '@haris/contract/http/guardians';
import { photoRoutes } from '@haris/contract/http/photos';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import errorTexts from '../../../i18n/en/errors.json' with { type: 'json' };
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../../testing/contract-server.ts';
import { furtherGuardian, guardian } from '../../../testing/guardians.ts';
import { admin, child } from '../../../testing/people.ts';
import { barredAdult, collector } from '../../../testing/pickups.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { drawPhotos, seeEverything } from '../../../testing/sight.ts';
import { family, serveDesk } from '../testing/desk.ts';

const omar = child({ _id: 'child-omar', name: 'Omar Hassan' });
const layla = child({ _id: 'child-layla', name: 'Layla Hassan' });
const as = (role: keyof typeof BUILT_IN_ROLES) => admin({ permissions: [...BUILT_IN_ROLES[role]] });

async function open(role: keyof typeof BUILT_IN_ROLES = 'owner', options = {}) {
  serveDesk(family({ _id: 'parent-mona', name: 'Mona Hassan' }, omar, layla));
  const page = await renderScreen('/adminDashboard?child=child-omar', {
    as: { admin: as(role) },
    ...options,
  });
  const sheet = within(await screen.findByRole('dialog'));
  await sheet.findByRole('heading', { name: 'Omar Hassan' });
  return { ...page, sheet };
}

const listed = (_id: string, name: string, version = 'v1'): ListedForBar => ({
  _id,
  name,
  phone: null,
  photo: null,
  version,
});

/** The server's bars of Omar, and those who are listed; changes of the page are in `sent`. */
function serveBarred(known: BarredAdult[], adults: readonly ListedForBar[] = []) {
  const sent: unknown[] = [];
  const put = (id: string, photo: string | null) => {
    known = known.map((one) => (one._id === id ? { ...one, photo } : one));
    return known.find(({ _id }) => _id === id) ?? barredAdult();
  };
  server.use(
    handle(barredRoutes.listBarred, () => ({ barred: known, adults: [...adults] })),
    handle(barredRoutes.addBarred, ({ params, body }) => {
      sent.push([params.id, body]);
      const { name, note } = body;
      const _id = `bar-${known.length + 1}`;
      const barred = barredAdult({
        _id,
        name,
        note,
        phone: body.phone ?? null,
        adultId: body.adultId ?? null,
      });
      known = [...known, barred];
      return { message: 'ok', barred };
    }),
    handle(barredRoutes.liftBarred, ({ params }) => {
      sent.push(['lift', params.id]);
      known = known.filter(({ _id }) => _id !== params.id);
      return { message: 'ok' };
    }),
    handle(barredRoutes.setBarredPhoto, ({ params, form }) => {
      const photo = form?.get('photo');
      sent.push(['photo', params.id, photo instanceof File ? photo.name : null]);
      return { message: 'ok', barred: put(params.id, '/api/photos/of-karim') };
    }),
    handle(barredRoutes.removeBarredPhoto, ({ params }) => {
      sent.push(['no photo', params.id]);
      return { message: 'ok', barred: put(params.id, null) };
    }),
    handle(barredRoutes.markNamesake, ({ params, body }) => {
      sent.push(['namesake', params.id, body]);
      return { message: 'ok', barred: known[0] ?? barredAdult() };
    }),
  );
  return sent;
}

const part = async (sheet: { findByRole: typeof screen.findByRole }, name: string) =>
  within(await sheet.findByRole('region', { name }));

test('the desk sees who may pick up, with the document that was seen, and adds somebody', async () => {
  const sent: unknown[] = [];
  const known = [
    collector({ isConfirmed: true, document: { kind: 'passport', last: '44X1' } }),
    collector({ _id: 'c2', name: 'Adel Fathy', document: null }),
  ];
  server.use(
    handle(collectorRoutes.listCollectors, () => ({ collectors: known })),
    handle(collectorRoutes.addCollector, ({ params, body }) => {
      sent.push([params.id, body.name]);
      const added = collector({ _id: 'c3', name: body.name, document: null });
      known.push(added);
      return { message: 'ok', collector: added };
    }),
  );
  const { sheet, user } = await open('desk');
  const who = await part(sheet, 'Who may pick up');
  const rows = await who.findAllByRole('listitem');
  expect(rows[0]).toHaveTextContent(/Samia Hassan.*Confirmed.*Passport, last characters 44X1/);
  expect(rows[1]).toHaveTextContent(/Adel Fathy.*Shows an ID/);
  expect(who.queryByRole('button', { name: /pass/i })).toBeNull();
  await user.click(who.getByRole('button', { name: 'Add person who may pick up Omar Hassan' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a person' }));
  await user.type(dialog.getByLabelText(/^Full name/), 'Nadia Samir');
  await user.type(dialog.getByLabelText(/^Relation/), 'Aunt');
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(who.getAllByRole('listitem')).toHaveLength(3));
  expect(sent).toEqual([['child-omar', 'Nadia Samir']]);
});

test('a teacher reads both lists and changes nothing', async () => {
  server.use(handle(collectorRoutes.listCollectors, { collectors: [collector({ document: null })] }));
  serveBarred([barredAdult({ note: 'Court order', documentDate: '2026-05-31', phone: '01112223344' })]);
  const { sheet } = await open('teacher');
  const may = await part(sheet, 'Who may pick up');
  await may.findByText('Samia Hassan');
  expect(may.queryByRole('button')).toBeNull();
  const mustNot = await part(sheet, 'Must not pick up');
  expect(await mustNot.findByRole('listitem')).toHaveTextContent(
    /Karim Adel · 01112223344Court orderSince 20 Nov 2026 · Document of 31 May 2026/,
  );
  expect(mustNot.queryByRole('button')).toBeNull();
  await expectAccessible();
});

test('an inspector does not see who must not pick up', async () => {
  const { sheet } = await open('inspector');
  await part(sheet, 'Who may pick up');
  expect(sheet.queryByText('Must not pick up')).toBeNull();
});

test('the desk bars a listed adult for all siblings, and cannot lift it', async () => {
  server.use(handle(collectorRoutes.listCollectors, { collectors: [collector({ document: null })] }));
  const sent = serveBarred([]);
  const { sheet, user } = await open('desk');
  const mustNot = await part(sheet, 'Must not pick up');
  expect(await mustNot.findByText('Nobody.')).toBeVisible();
  await user.click(mustNot.getByRole('button', { name: 'Add person: Must not pick up' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a person who must not pick up' }));
  await user.click(dialog.getByRole('button', { name: 'Bar this person' }));
  expect(dialog.getByLabelText(/^Full name/)).toHaveAccessibleDescription(/Name is required/);
  await expectAccessible();
  await user.type(dialog.getByLabelText(/^Full name/), 'Samia Hassan');
  await user.selectOptions(dialog.getByLabelText(/listed as somebody who may pick up/), 'Samia Hassan');
  await user.type(dialog.getByLabelText(/^Note/), 'Court order');
  await user.type(dialog.getByLabelText(/^Date of the document/), '2026-05-31');
  await user.click(dialog.getByRole('checkbox', { name: 'Also for the siblings' }));
  await user.click(dialog.getByRole('button', { name: 'Bar this person' }));
  expect(await mustNot.findByText(/Listed as Samia Hassan/)).toBeVisible();
  expect(sent).toEqual([
    [
      'child-omar',
      {
        name: 'Samia Hassan',
        phone: null,
        note: 'Court order',
        documentDate: '2026-05-31',
        adultId: 'collector-samia',
        siblings: true,
        blockAccount: false,
      },
    ],
  ]);
  expect(mustNot.queryByRole('button', { name: /^Lift/ })).toBeNull();
});

test('a further guardian can be barred as that person', async () => {
  server.use(
    handle(guardianRoutes.listGuardians, { guardians: [guardian(), furtherGuardian({ mayTake: true })] }),
  );
  const { sent, select, send } = await barTheParent('desk');
  await select('Tarek Hassan');
  await send();
  await waitFor(() =>
    expect(sent).toEqual([['child-omar', expect.objectContaining({ adultId: 'parent-tarek' })]]),
  );
});

async function barTheParent(role: 'manager' | 'desk') {
  const sent = serveBarred([]);
  const { sheet, user } = await open(role);
  await user.click(await sheet.findByRole('button', { name: 'Add person: Must not pick up' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a person who must not pick up' }));
  await user.type(dialog.getByLabelText(/^Full name/), 'Mona Hassan');
  const select = (name: string) =>
    user.selectOptions(dialog.getByLabelText(/listed as somebody who may pick up/), name);
  const send = () => user.click(dialog.getByRole('button', { name: 'Bar this person' }));
  return { sent, user, dialog, select, send };
}

test('whoever bars the account’s owner blocks the account too, unless the tick is removed', async () => {
  const { sent, user, dialog, select, send } = await barTheParent('manager');
  const tick = () => dialog.queryByRole('checkbox', { name: 'Also block the account' });
  expect(tick()).toBeNull();
  await select('Mona Hassan');
  expect(tick()).toBeChecked();
  expect(tick()).toHaveAccessibleDescription(/signed out everywhere at once/);
  await select('No, not on the list');
  expect(tick()).toBeNull();
  await select('Mona Hassan');
  await send();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject(['child-omar', { adultId: 'parent-mona', blockAccount: true }]);
  await user.click(await screen.findByRole('button', { name: 'Add person: Must not pick up' }));
  const again = within(await screen.findByRole('dialog', { name: 'Add a person who must not pick up' }));
  await user.type(again.getByLabelText(/^Full name/), 'Mona Hassan');
  await user.selectOptions(again.getByLabelText(/listed as somebody who may pick up/), 'Mona Hassan');
  await user.click(again.getByRole('checkbox', { name: 'Also block the account' }));
  await user.click(again.getByRole('button', { name: 'Bar this person' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject(['child-omar', { adultId: 'parent-mona', blockAccount: false }]);
});

test('who may not block accounts reads that the account stays open, and bars its owner all the same', async () => {
  const { sent, dialog, select, send } = await barTheParent('desk');
  await select('Mona Hassan');
  expect(dialog.queryByRole('checkbox', { name: 'Also block the account' })).toBeNull();
  expect(dialog.getByRole('note')).toHaveTextContent(
    /The account stays open.*Ask somebody who may block accounts/,
  );
  await send();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([['child-omar', expect.not.objectContaining({ blockAccount: true })]]);
});

test('a refusal keeps the dialog', async () => {
  serveBarred([]);
  server.use(handle(barredRoutes.addBarred, refuse('too_many_barred')));
  const { sheet, user } = await open('desk');
  await user.click(await sheet.findByRole('button', { name: 'Add person: Must not pick up' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a person who must not pick up' }));
  await user.type(dialog.getByLabelText(/^Full name/), 'Karim Adel');
  await user.click(dialog.getByRole('button', { name: 'Bar this person' }));
  expect(await screen.findByText(/No more barred people can be added for this child/)).toBeVisible();
  expect(dialog.getByLabelText(/^Full name/)).toHaveValue('Karim Adel');
});

test('the owner lifts a bar after a question, and notes a namesake', async () => {
  const sent = serveBarred(
    [barredAdult(), barredAdult({ _id: 'bar-hani', name: 'Hani Omran' })],
    // The words in another order: the server refuses this one, too.
    [listed('c1', 'Samia Hassan'), listed('c2', 'Adel Karim')],
  );
  const { sheet, user } = await open('owner');
  await user.click(await sheet.findByRole('button', { name: 'Not the same person as Karim Adel' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Somebody else with this name' }));
  // Only a listed adult of the same name or number can be a namesake.
  expect(dialog.getAllByRole('radio')).toEqual([dialog.getByRole('radio', { name: 'Adel Karim' })]);
  expect(sheet.queryByRole('button', { name: 'Not the same person as Hani Omran' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Record' }));
  await waitFor(() => expect(sent).toEqual([['namesake', 'bar-karim', { adultId: 'c2', version: 'v1' }]]));
  await user.click(await sheet.findByRole('button', { name: 'Lift the bar on Karim Adel' }));
  const question = within(await screen.findByRole('dialog', { name: 'Lift the bar on Karim Adel?' }));
  await user.click(question.getByRole('button', { name: 'Lift the bar' }));
  await waitFor(() => expect(sent.at(-1)).toEqual(['lift', 'bar-karim']));
  await waitFor(() => expect(sheet.queryByRole('button', { name: 'Lift the bar on Karim Adel' })).toBeNull());
});

test('the owner also notes a namesake whose name only sounds like the barred one’s', async () => {
  const sent = serveBarred([barredAdult()], [listed('c2', 'كريم عادل'), listed('c3', 'Karima Adel')]);
  const { sheet, user } = await open('owner');
  await user.click(await sheet.findByRole('button', { name: 'Not the same person as Karim Adel' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Somebody else with this name' }));
  expect(dialog.getAllByRole('radio')).toEqual([dialog.getByRole('radio', { name: 'كريم عادل' })]);
  await user.click(dialog.getByRole('button', { name: 'Record' }));
  await waitFor(() => expect(sent).toEqual([['namesake', 'bar-karim', { adultId: 'c2', version: 'v1' }]]));
});

test('the owner compares the photos of several namesakes, of whom nobody is chosen beforehand', async () => {
  seeEverything();
  drawPhotos();
  const photo = '/api/photos/of-adel';
  const sent = serveBarred(
    [barredAdult()],
    [listed('c1', 'Karim Adel'), { ...listed('c2', 'Adel Karim'), photo, phone: '01001234567' }],
  );
  const { sheet, user } = await open('owner');
  await user.click(await sheet.findByRole('button', { name: 'Not the same person as Karim Adel' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Somebody else with this name' }));
  const enlarge = await dialog.findByRole('button', { name: 'Photo of Adel Karim, large' });
  await waitFor(() => expect(within(enlarge).getByRole('img').tagName).toBe('IMG'));
  await user.click(enlarge);
  await waitFor(() => expect(dialog.getAllByRole('img', { name: 'Adel Karim' })).toHaveLength(2));
  await user.click(dialog.getByRole('button', { name: 'Record' }));
  expect(await dialog.findByText('Choose the person')).toBeVisible();
  await expectAccessible();
  expect(sent).toEqual([]);
  const choice = dialog.getByRole('radio', { name: 'Adel Karim' });
  expect(choice).toHaveAccessibleDescription('01001234567');
  await user.click(choice);
  await user.click(dialog.getByRole('button', { name: 'Record' }));
  await waitFor(() => expect(sent).toEqual([['namesake', 'bar-karim', { adultId: 'c2', version: 'v1' }]]));
});

test('a namesake who is changed while the form is open is not noted: the form shows the person anew', async () => {
  const adults = [listed('c2', 'Karim Adel')];
  serveBarred([barredAdult()], adults);
  const versions: unknown[] = [];
  server.use(
    handle(barredRoutes.markNamesake, ({ body }) => {
      versions.push(body.version);
      return body.version === 'v1' ? refuse('collector_changed') : { message: 'ok', barred: barredAdult() };
    }),
  );
  const { sheet, user, events } = await open('owner');
  const press = async () =>
    user.click(await sheet.findByRole('button', { name: 'Not the same person as Karim Adel' }));
  const form = { name: 'Somebody else with this name' };
  await press();
  const dialog = within(await screen.findByRole('dialog', form));
  adults[0] = listed('c2', 'Karim  Adel', 'v2');
  await events.send({ type: 'child.updated', childId: 'child-omar' });
  await user.click(dialog.getByRole('button', { name: 'Record' }));
  await waitFor(() => expect(screen.queryByRole('dialog', form)).toBeNull());
  await press();
  await user.click(within(await screen.findByRole('dialog', form)).getByRole('button', { name: 'Record' }));
  await waitFor(() => expect(versions).toEqual(['v1', 'v2']));
});

describe('the photo of a barred adult', () => {
  const photo = '/api/photos/of-karim';
  const file = new File(['portrait'], 'karim.jpg', { type: 'image/jpeg' });
  const isDrawn = async (where: { findByRole: typeof screen.findByRole }) => {
    await waitFor(async () =>
      expect((await where.findByRole('img', { name: 'Karim Adel' })).tagName).toBe('IMG'),
    );
    return where.findByRole('img', { name: 'Karim Adel' });
  };

  test('is large beside the name in the list, for a teacher too, who cannot change it', async () => {
    seeEverything();
    drawPhotos();
    serveBarred([barredAdult({ photo }), barredAdult({ _id: 'bar-hani', name: 'Hani Omran' })]);
    const { sheet } = await open('teacher');
    const mustNot = await part(sheet, 'Must not pick up');
    const drawn = await isDrawn(mustNot);
    expect(Number.parseInt(drawn.parentElement?.style.width ?? '', 10)).toBeGreaterThanOrEqual(160);
    // Without a photo the list looks as it did: no initials in its place.
    expect(mustNot.getAllByRole('img')).toHaveLength(1);
    await expectAccessible();
    expect(mustNot.queryByRole('button')).toBeNull();
  });

  test('is added, replaced and removed by the desk, which reads that no camera looks for it', async () => {
    seeEverything();
    drawPhotos();
    const sent = serveBarred([barredAdult()]);
    const { sheet, user } = await open('desk');
    const mustNot = await part(sheet, 'Must not pick up');
    const press = async (name: string) => {
      await user.click(await mustNot.findByRole('button', { name }));
      return within(await screen.findByRole('dialog', { name: 'Photo of Karim Adel' }));
    };
    const closed = () =>
      waitFor(() => expect(screen.queryByRole('dialog', { name: 'Photo of Karim Adel' })).toBeNull());
    const input = (dialog: { getByRole: typeof screen.getByRole }) => {
      const form = dialog.getByRole('button', { name: 'Save' }).closest('form');
      return form?.querySelector('input[type="file"]') as HTMLInputElement;
    };

    let dialog = await press('Add a photo of Karim Adel');
    expect(dialog.getByText(/Cameras never look for this face\./)).toBeVisible();
    await expectAccessible();
    expect(dialog.queryByRole('button', { name: 'Remove photo' })).toBeNull();
    await user.upload(input(dialog), file);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await closed();
    await isDrawn(mustNot);

    dialog = await press('Change the photo of Karim Adel');
    await user.upload(input(dialog), new File(['other'], 'other.jpg', { type: 'image/jpeg' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await closed();

    dialog = await press('Change the photo of Karim Adel');
    await user.click(dialog.getByRole('button', { name: 'Remove photo' }));
    await closed();
    expect(await mustNot.findByRole('button', { name: 'Add a photo of Karim Adel' })).toBeVisible();
    expect(mustNot.queryByRole('img')).toBeNull();
    expect(sent).toEqual([
      ['photo', 'bar-karim', 'karim.jpg'],
      ['photo', 'bar-karim', 'other.jpg'],
      ['no photo', 'bar-karim'],
    ]);
  });

  test('that is refused stays in the form', async () => {
    serveBarred([barredAdult()]);
    server.use(handle(barredRoutes.setBarredPhoto, refuse('unreadable_photo')));
    const { sheet, user } = await open('desk');
    const mustNot = await part(sheet, 'Must not pick up');
    await user.click(await mustNot.findByRole('button', { name: 'Add a photo of Karim Adel' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Photo of Karim Adel' }));
    const save = dialog.getByRole('button', { name: 'Save' });
    await user.upload(save.closest('form')?.querySelector('input[type="file"]') as HTMLInputElement, file);
    await user.click(save);
    expect(await screen.findByText(errorTexts.unreadable_photo)).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Choose another photo' })).toBeVisible();
  });

  test('says while it loads, and when it cannot be loaded, that it is there, and is tried again', async () => {
    seeEverything();
    drawPhotos();
    serveBarred([barredAdult({ photo })]);
    server.use(handle(photoRoutes.getPhoto, pending));
    const first = await open('desk');
    await (await part(first.sheet, 'Must not pick up')).findByText('Loading the photo…');
    await first.unmount();
    server.use(handle(photoRoutes.getPhoto, refuse('not_found')));
    const { sheet, user } = await open('desk');
    const mustNot = await part(sheet, 'Must not pick up');
    expect(await mustNot.findByText('The photo could not be loaded.')).toBeVisible();
    server.use(handle(photoRoutes.getPhoto, new Blob(['photo'])));
    await user.click(mustNot.getByRole('button', { name: 'Try Again' }));
    await isDrawn(mustNot);
    expect(mustNot.queryByText('The photo could not be loaded.')).toBeNull();
  });
});

test('a bar that another desk entered appears by its event', async () => {
  let barred: BarredAdult[] = [];
  server.use(handle(barredRoutes.listBarred, () => ({ barred, adults: [] })));
  const { sheet, events } = await open('desk');
  const mustNot = await part(sheet, 'Must not pick up');
  await mustNot.findByText('Nobody.');
  barred = [barredAdult()];
  await events.send({ type: 'child.updated', childId: 'child-omar' });
  expect(await mustNot.findByText('Karim Adel')).toBeVisible();
});

test('while the bars load, and when they cannot be read, it says so instead of "nobody"', async () => {
  server.use(handle(barredRoutes.listBarred, pending));
  const first = await open('desk');
  await first.sheet.findByRole('status', { name: 'Loading who must not pick up' });
  await first.unmount();
  server.use(handle(barredRoutes.listBarred, offline));
  const { sheet } = await open('desk');
  const mustNot = await part(sheet, 'Must not pick up');
  expect(await mustNot.findByRole('button', { name: 'Try Again' })).toBeVisible();
  expect(mustNot.queryByText('Nobody.')).toBeNull();
});

test('in Arabic', async () => {
  serveBarred([barredAdult({ name: 'كريم عادل' })]);
  const { sheet, user } = await open('owner', { language: 'ar', size: 'phone' });
  const mustNot = await part(sheet, 'ممنوعون من الاستلام');
  expect(await mustNot.findByText('كريم عادل')).toBeVisible();
  expect(mustNot.getByRole('button', { name: /رفع المنع عن/ })).toBeVisible();
  await user.click(mustNot.getByRole('button', { name: /إضافة صورة/ }));
  const dialog = within(await screen.findByRole('dialog', { name: /صورة .كريم عادل/ }));
  expect(dialog.getByText(/لا تبحث الكاميرات عن هذا الوجه أبدًا/)).toBeVisible();
});
