/** Photos from the profile: for a child without a photo that staff accepted, and a further one from another angle. */
import { childRoutes } from '@haris/contract/http/children';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { handle, refuse, server } from '../../testing/contract-server.ts';
import { child, parent } from '../../testing/people.ts';
import { renderScreen, type ScreenOptions } from '../../testing/render-screen.tsx';

const omar = child({ _id: 'child-omar', name: 'Omar Hassan', photo: null, pending: ['photo', 'name'] });
const withPhoto = { ...omar, photo: '/api/photos/new' };
const mona = (...children: (typeof omar)[]) => ({ parent: parent({ children }) });

/** Opens the camera from the card of Omar, and chooses a photo from this device. */
async function choosePhoto(options: ScreenOptions, opener: RegExp, title: string, choose: string) {
  const page = await renderScreen('/profile', { as: mona(omar), ...options });
  const button = await screen.findByRole('button', { name: opener });
  expect(button.closest('li')).toHaveTextContent('Omar Hassan');
  await page.user.click(button);
  const dialog = await screen.findByRole('dialog', { name: title });
  await within(dialog).findByRole('button', { name: choose });
  const input = dialog.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('there is no field for a file');
  await page.user.upload(input, new File(['photo'], 'omar.jpg', { type: 'image/jpeg' }));
  return { ...page, dialog, button };
}

test('sends a photo of the own child once, and the sentence goes', async () => {
  const sent: string[] = [];
  const { user, dialog, be } = await choosePhoto(
    {},
    /^Take another photo of .*Omar Hassan/,
    'Another photo',
    'Choose a photo file',
  );
  expect(dialog).toHaveTextContent(/Staff compare it with your child at the desk/);
  server.use(
    handle(childRoutes.updateChild, ({ params: { id } }) => {
      sent.push(id);
      be(mona(withPhoto));
      return { message: 'Saved', child: withPhoto };
    }),
  );
  await user.dblClick(within(dialog).getByRole('button', { name: 'Save photo' }));
  expect(await screen.findByText(/^Photo sent\./)).toBeVisible();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await waitFor(() =>
    expect(screen.queryByText(/There is no photo that staff have accepted/)).not.toBeInTheDocument(),
  );
  expect(sent).toEqual(['child-omar']);
});

test('a photo that the server refuses keeps the dialog open', async () => {
  server.use(handle(childRoutes.updateChild, refuse('no_face')));
  const { user, dialog } = await choosePhoto(
    { size: 'phone' },
    /^Take another photo/,
    'Another photo',
    'Choose a photo file',
  );
  await user.click(within(dialog).getByRole('button', { name: 'Save photo' }));
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Save photo' })).toBeDisabled());
  expect(dialog).toBeVisible();
});

test('in Arabic, on a phone', async () => {
  const { dialog, user, button } = await choosePhoto(
    { language: 'ar', size: 'phone' },
    /^التقاط صورة أخرى لـ.*Omar Hassan/,
    'صورة أخرى',
    'اختر صورة من الجهاز',
  );
  expect(button.closest('li')).toHaveTextContent('لا توجد صورة قبلها الموظفون');
  expect(dialog).toHaveTextContent('يقارنها الموظفون بطفلك في الاستقبال');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await waitFor(() => expect(button).toHaveFocus());
});

test('is not offered for a child with a photo, nor for one that waits', async () => {
  const lina = child({ _id: 'child-lina', name: 'Lina Hassan', photo: '/api/photos/old' });
  await renderScreen('/profile', { as: mona({ ...omar, photo: '/api/photos/new' }, lina) });
  expect(await screen.findByText('Lina Hassan')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Take another photo/ })).not.toBeInTheDocument();
});

test('a further photo of a child with one, from the details, waits for staff', async () => {
  const sent: string[] = [];
  const known = child({ _id: 'child-omar', name: 'Omar Hassan', photo: '/api/photos/1' });
  server.use(
    handle(childRoutes.addChildPhoto, ({ params: { id } }) => {
      sent.push(id);
      return { message: 'Added', child: known, photos: 2 };
    }),
  );
  const { user } = await renderScreen('/profile', { as: mona(known) });
  await user.click(await screen.findByRole('button', { name: /^View Details.*Omar Hassan/ }));
  await user.click(await screen.findByRole('button', { name: 'Photo from another angle' }));
  const dialog = await screen.findByRole('dialog', { name: 'Photo from another angle' });
  expect(dialog).toHaveTextContent(/a little to one side.*once staff have compared it/);
  await within(dialog).findByRole('button', { name: 'Choose a photo file' });
  const input = dialog.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('there is no field for a file');
  await user.upload(input, new File(['photo'], 'omar.jpg', { type: 'image/jpeg' }));
  await user.click(within(dialog).getByRole('button', { name: 'Save photo' }));
  expect(await screen.findByText(/^Photo sent\. Cameras use it/)).toBeVisible();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent).toEqual(['child-omar']);
});
