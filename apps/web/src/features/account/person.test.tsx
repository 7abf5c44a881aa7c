/** The own name and photo on the account page, and where the photo is shown. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { deskRoutes } from '@haris/contract/http/desk';
import { photoRoutes } from '@haris/contract/http/photos';
import { recognitionRoutes } from '@haris/contract/http/recognition';
import { staffProfileRoutes } from '@haris/contract/http/staff-profile';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { admin, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const PHOTO = '/api/admin/photos/of-salma';
const jpeg = () => new Blob([new Uint8Array([0xff, 0xd8, 0xff])], { type: 'image/jpeg' });

beforeEach(() => {
  const recognition = { on: false, since: null, problem: null, pending: false };
  server.use(handle(recognitionRoutes.getOwnRecognition, { recognition }));
});

test('staff see the role that they have, and where', async () => {
  const stars = { _id: 'main', name: 'Little Stars' };
  const moon = { _id: 'moon', name: 'Full Moon' };
  const given = (roleId: string, facilityId: string) => ({ roleId, name: null, facilityId });
  const who = admin({
    roles: [given('manager', 'main'), given('teacher', 'moon')],
    work: { facilityId: 'main', facilities: [stars, moon], everywhere: [] },
  });
  await renderScreen('/account', { as: { admin: who } });
  expect(await screen.findByText('Manager · Little Stars')).toBeVisible();
  expect(screen.getByText('Teacher · Full Moon')).toBeVisible();
});

test('staff change their name; only that is sent', async () => {
  const sent: unknown[] = [];
  const { user, be } = await renderScreen('/account', { as: { admin: admin() } });
  server.use(
    handle(staffProfileRoutes.updateOwnProfile, ({ body }) => {
      sent.push(body);
      be({ admin: admin({ name: 'Salma Adel Nour' }) });
      return { message: 'Saved', admin: admin({ name: 'Salma Adel Nour' }) };
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog', { name: 'Name and photo' });
  expect(within(dialog).queryByLabelText('Phone number')).toBeNull();
  expect(within(dialog).queryByRole('button', { name: 'Delete my photo' })).toBeNull();
  const name = within(dialog).getByLabelText('Name');
  await user.clear(name);
  await user.type(name, 'Salma Adel Nour');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Salma Adel Nour')).toBeVisible();
  expect(sent).toEqual([{ name: 'Salma Adel Nour' }]);
});

test('a name that is refused is said at its field; nothing changed sends nothing', async () => {
  const { user } = await renderScreen('/account', { as: { admin: admin() } });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog');
  const name = within(dialog).getByLabelText('Name');
  await user.clear(name);
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('Name is required')).toBeVisible();
  await user.type(name, 'Salma Adel');
  // Without a handler a call would fail the test.
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('staff delete their photo', async () => {
  const { user, be } = await renderScreen('/account', { as: { admin: admin({ photo: PHOTO }) } });
  server.use(
    handle(staffProfileRoutes.getStaffPhoto, jpeg),
    handle(staffProfileRoutes.removeOwnPhoto, () => {
      be({ admin: admin() });
      return { message: 'Deleted', admin: admin() };
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  await user.click(await screen.findByRole('button', { name: 'Delete my photo' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(await screen.findByRole('dialog')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Delete my photo' })).toBeNull();
});

test('a parent changes the phone, and sees that it waits for the nursery', async () => {
  const sent: unknown[] = [];
  const { user, be } = await renderScreen('/account', { as: { parent: parent() } });
  server.use(
    handle(accountRoutes.updateParent, ({ body, params }) => {
      sent.push({ id: params.id, ...(body as object) });
      const changed = parent({ phone: '01007654321', pending: ['phone'] });
      be({ parent: changed });
      return { message: 'Saved', parent: changed };
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog', { name: 'Name, phone and photo' });
  const phone = within(dialog).getByLabelText('Phone number');
  await user.clear(phone);
  await user.type(phone, '01007654321');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Your change is waiting for the nursery to confirm it.')).toBeVisible();
  expect(sent).toEqual([{ id: 'parent-mona', phone: '01007654321' }]);
});

test('the own photo is fetched by the call for staff, also without the right to see colleagues', async () => {
  const asked: string[] = [];
  server.use(
    handle(photoRoutes.getPhoto, refuse('not_found')),
    handle(staffProfileRoutes.getStaffPhoto, ({ params }) => {
      asked.push(params.id);
      return jpeg();
    }),
  );
  const own = admin({ photo: PHOTO, permissions: [] });
  await renderScreen('/account', { as: { admin: own } });
  await waitFor(() => expect(asked).toContain('of-salma'));
});

test('a desk tablet shows faces by its own token', async () => {
  const asked: unknown[] = [];
  localStorage.setItem(
    'haris.desk',
    JSON.stringify({ token: 'token-of-the-desk-tablet', name: 'Front desk', language: 'en' }),
  );
  const nadia = { _id: 'nadia', name: 'Nadia', photoId: 'of-nadia', hasPin: true, hasPasskey: false };
  server.use(
    handle(deskRoutes.getDesk, {
      name: 'Desk',
      facility: null,
      staff: [nadia],
      evacuatingSince: null,
      dangers: [],
    }),
    handle(staffProfileRoutes.getDeskPhoto, ({ params, headers }) => {
      asked.push([params.id, headers.get('authorization')]);
      return jpeg();
    }),
  );
  await renderScreen('/desk');
  expect(await screen.findByRole('button', { name: 'Nadia' })).toBeEnabled();
  await waitFor(() => expect(asked).toEqual([['of-nadia', 'Bearer token-of-the-desk-tablet']]));
});
