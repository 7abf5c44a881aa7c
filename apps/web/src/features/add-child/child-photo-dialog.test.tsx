/** A photo of a registered child, taken from the child's sheet: replaced or added, compared, refused, by keyboard. */
import { childRoutes } from '@haris/contract/http/children';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { stayRoutes } from '@haris/contract/http/stays';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { handle, offline, refuse, server } from '../../testing/contract-server.ts';
import { admin, child, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const omar = child({ _id: 'child-omar', name: 'Omar Hassan' });
const adam = {
  childId: 'child-adam',
  name: 'Adam Ali',
  parentName: 'Sara Ali',
  photo: null,
  similarity: 0.91,
};

/** Opens the dialog from the sheet of Omar. */
async function open(button: RegExp, options = {}, title = button) {
  server.use(
    handle(sheetRoutes.getChild, {
      child: omar,
      parent: parent({ children: [omar] }),
      facePhotos: [{ _id: 'photo-1', addedAt: new Date().toISOString() }],
      usual: { childIds: ['child-omar'], minutes: null },
    }),
    handle(stayRoutes.listStays, { stays: [], total: 0, nextCursor: null }),
  );
  const page = await renderScreen('/viewEmployees?child=child-omar', { as: { admin: admin() }, ...options });
  const opener = await screen.findByRole('button', { name: button });
  await page.user.click(opener);
  const dialog = await screen.findByRole('dialog', { name: title });
  return { ...page, dialog, opener };
}

/** Chooses a photo from this device. */
async function choosePhoto(user: UserEvent, dialog: HTMLElement): Promise<void> {
  await within(dialog).findByRole('button', { name: /Choose a photo file|اختر صورة من الجهاز/ });
  const input = dialog.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('there is no field for a file');
  await user.upload(input, new File(['photo'], 'omar.jpg', { type: 'image/jpeg' }));
}

const saveIn = (dialog: HTMLElement) => within(dialog).getByRole('button', { name: 'Save photo' });

describe('a photo of a registered child', () => {
  test('replaces the displayed one: it says so, is sent once, and the dialog closes', async () => {
    const sent: string[] = [];
    server.use(
      handle(childRoutes.updateChild, ({ params: { id } }) => {
        sent.push(id);
        return { message: 'Saved', child: omar };
      }),
    );
    const { user, dialog } = await open(/^New photo$/);
    expect(dialog).toHaveTextContent('The new photo of Omar Hassan replaces all photos of the face.');
    expect(saveIn(dialog)).toBeDisabled();
    await choosePhoto(user, dialog);
    await user.dblClick(saveIn(dialog));
    expect(await screen.findByText('Photo changed')).toBeVisible();
    expect(sent).toEqual(['child-omar']);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New photo' })).not.toBeInTheDocument());
  });

  test('like somebody else’s is compared first; going back sends nothing more', async () => {
    let tries = 0;
    server.use(
      handle(childRoutes.addChildPhoto, () => {
        tries++;
        return refuse('face_already_registered', { candidates: [adam], adults: [] });
      }),
    );
    const { user, dialog } = await open(/^Add photo$/, {}, /^Add a photo of the face$/);
    await choosePhoto(user, dialog);
    await user.click(saveIn(dialog));
    const question = await screen.findByRole('dialog', { name: 'Is this the same child?' });
    expect(question).toHaveTextContent('Adam Ali');
    expect(within(question).getByRole('button', { name: 'Same child: save' })).toBeVisible();
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(question).not.toBeInTheDocument());
    expect(tries).toBe(1);
  });

  test('that the server refuses keeps the dialog, the reason, and asks for another photo', async () => {
    server.use(handle(childRoutes.updateChild, refuse('no_face')));
    const { user, dialog } = await open(/^New photo$/);
    await choosePhoto(user, dialog);
    await user.click(saveIn(dialog));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('No face was found.');
    expect(saveIn(dialog)).toBeDisabled();
  });

  test('without a connection is not lost: the same photo can be sent again', async () => {
    server.use(handle(childRoutes.updateChild, offline));
    const { user, dialog } = await open(/^New photo$/);
    await choosePhoto(user, dialog);
    await user.click(saveIn(dialog));
    expect((await screen.findAllByText(/cannot be reached/)).length).toBeGreaterThan(0);
    await waitFor(() => expect(saveIn(dialog)).toBeEnabled());
  });

  test('by keyboard alone: Escape closes the dialog, and the focus is on its button again', async () => {
    const { user, dialog, opener } = await open(/^New photo$/);
    await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    await waitFor(() => expect(opener).toHaveFocus());
    expect(screen.getByRole('heading', { name: 'Omar Hassan' })).toBeVisible();
  });

  test('in Arabic: right to left, in Arabic words', async () => {
    const { dialog } = await open(/^صورة جديدة$/, { language: 'ar', size: 'phone' });
    expect(dialog).toHaveTextContent('Omar Hassan');
    expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  });
});
