/** Who is this? Every name beside its registered photo, what staff answer, and the child's next step. */
import { bookingRoutes } from '@haris/contract/http/bookings';
import { childRoutes } from '@haris/contract/http/children';
import { handOverRoutes } from '@haris/contract/http/hand-over';
import { PERMISSIONS } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { absence, bookedDay, bookings } from '../../testing/bookings.ts';
import { giveCamera } from '../../testing/camera.ts';
import { giveCanvas } from '../../testing/canvas.ts';
import { handle, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin, child, LONG_NAME } from '../../testing/people.ts';
import { type Account, renderScreen } from '../../testing/render-screen.tsx';
import { family, serveDesk } from '../dashboard/testing/desk.ts';

type Seen = ReturnType<typeof childRoutes.checkFace.answer.parse>['faces'][number];

const staff = { admin: admin() };
const box = (x = 0): Seen['box'] => [x, 0, 90, 110];
const known = (childId: string, name: string, parentName = 'Mona Hassan') => ({
  childId,
  name,
  parentName,
  photo: null,
  similarity: 0.55,
});
const omar = known('child-omar', 'Omar Hassan');
const sara = known('child-sara', 'Sara Ali', 'Hoda Ali');

/** The page with a photo that was chosen from this device. */
async function look(
  faces: readonly Seen[],
  options: { as?: Account; language?: 'en' | 'ar' } = {},
): Promise<{ user: UserEvent }> {
  server.use(handle(childRoutes.checkFace, { faces: [...faces] }));
  const page = await renderScreen('/checkFace', { as: staff, ...options });
  await choose(page.user);
  return page;
}

async function choose(user: UserEvent): Promise<void> {
  await screen.findByRole('button', { name: /Choose a photo file|اختر صورة من الجهاز/ });
  const input = document.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('there is no field for a file');
  await user.upload(input, new File(['photo'], 'seen.jpg', { type: 'image/jpeg' }));
}

function serveFamilies({ isInside = false, asksTaker = false, isConfirmed = true } = {}) {
  const unconfirmed = isConfirmed ? {} : { unconfirmed: ['name' as const], pending: ['name' as const] };
  const desk = serveDesk(
    family(
      { _id: 'parent-mona', name: 'Mona Hassan', phone: '+201001234567' },
      child({
        _id: 'child-omar',
        name: 'Omar Hassan',
        isInside,
        ...(asksTaker && { asksTaker }),
        ...unconfirmed,
      }),
    ),
    family(
      { _id: 'parent-hoda', name: 'Hoda Ali', phone: null },
      child({ _id: 'child-sara', name: 'Sara Ali' }),
    ),
  );
  server.use(handle(bookingRoutes.listBookingsOfChild, { bookings: [] }));
  return desk;
}

beforeEach(() => giveCanvas());

test('the way back, and a camera that is refused: a photo file is the second way', async () => {
  giveCamera(() => true);
  await renderScreen('/checkFace', { as: staff });
  expect(await screen.findByText('Cam access denied/failed.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Choose a photo file' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/adminDashboard');
});

test('the camera of the computer takes the photo, whoever is before it', async () => {
  const camera = giveCamera();
  serveFamilies();
  server.use(handle(childRoutes.checkFace, { faces: [{ box: box(), match: omar }] }));
  const { user } = await renderScreen('/checkFace', { as: staff });
  // No guide is asked: it would refuse two faces, and a call of it would fail this test.
  const capture = await screen.findByRole('button', { name: 'Capture Photo' });
  await waitFor(() => expect(capture).toBeEnabled());
  await user.click(capture);
  expect(await screen.findByText(/Omar Hassan.*, child of/)).toBeVisible();
  await waitFor(() => expect(camera.states()).not.toContain('live'));
  await user.click(screen.getByRole('button', { name: 'Take another photo' }));
  expect(await screen.findByLabelText('Live picture of the camera')).toBeVisible();
});

test('nobody in the photo is said at the photo', async () => {
  await look([]);
  expect(await screen.findByRole('alert')).toHaveTextContent('No face was found in this photo.');
  expect(screen.getByRole('button', { name: 'Retake Photo' })).toBeEnabled();
});

test('while it looks, it says so', async () => {
  server.use(handle(childRoutes.checkFace, pending));
  const { user } = await renderScreen('/checkFace', { as: staff });
  await choose(user);
  expect(await screen.findByText('Looking up who this is…')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Retake Photo' })).toBeDisabled();
});

test('a failure is said once, at the photo', async () => {
  server.use(handle(childRoutes.checkFace, refuse('face_engine_unavailable')));
  const { user } = await renderScreen('/checkFace', { as: staff });
  await choose(user);
  expect(await screen.findAllByRole('alert')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Retake Photo' })).toBeEnabled();
});

test('a known face: both photos, the check-in in Register Entry, and a wrong match is nobody', async () => {
  serveFamilies();
  const { user } = await look([{ box: box(), match: omar }]);
  expect(await screen.findByRole('img', { name: 'The face in the photo' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'Omar Hassan' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Omar Hassan' })).toBeVisible();
  expect(await screen.findByText('Outside')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Call Mona Hassan' })).toHaveAttribute('href', 'tel:+201001234567');
  await user.click(screen.getByRole('button', { name: 'Check in Omar Hassan' }));
  const entry = await screen.findByRole('dialog', { name: 'Register Child Entry' });
  expect(await within(entry).findByRole('checkbox', { name: /Omar Hassan/ })).toBeChecked();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await user.click(screen.getByRole('button', { name: /This is not .*Omar Hassan/ }));
  expect(screen.getByText('Unknown face')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Check in \w/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Search by name' }));
  expect(await screen.findByRole('combobox', { name: 'Search' })).toBeVisible();
});

test('a child inside is checked out; where the desk must say who takes it, that is asked first', async () => {
  const desk = serveFamilies({ isInside: true });
  const { user } = await look([{ box: box(), match: omar }]);
  await user.click(await screen.findByRole('button', { name: 'Checkout Omar Hassan' }));
  await waitFor(() => expect(desk.done).toEqual(['checkout child-omar']));
  expect(await screen.findByText('Outside')).toBeVisible();
});

test('a hand-over that asks for an adult opens its dialog and releases nobody', async () => {
  const desk = serveFamilies({ isInside: true, asksTaker: true });
  server.use(
    handle(handOverRoutes.getHandOver, {
      mode: 'require',
      mustName: true,
      mustProve: true,
      hasBarred: false,
      namesakes: [],
      staffProofs: ['known'],
      adults: [],
      colleagues: [],
    }),
  );
  const { user } = await look([{ box: box(), match: omar }]);
  await user.click(await screen.findByRole('button', { name: 'Checkout Omar Hassan' }));
  expect(await screen.findByRole('dialog', { name: 'Who takes Omar Hassan?' })).toBeVisible();
  expect(desk.done).toEqual([]);
});

test('an unconfirmed child is marked, and the booking of today is said', async () => {
  serveFamilies({ isConfirmed: false });
  server.use(
    handle(bookingRoutes.listBookingsOfChild, {
      bookings: [bookings({ days: [bookedDay({ absence: absence() })] })],
    }),
  );
  await look([{ box: box(), match: omar }]);
  expect(await screen.findByText('Not confirmed yet')).toBeVisible();
  expect(await screen.findByText(/^Today: Absent · /)).toBeVisible();
});

test('an unsure face: all candidates at once, none chosen; the choice can be taken back', async () => {
  serveFamilies();
  const { user } = await look([{ box: box(), match: null, question: [omar, sara] }]);
  expect(await screen.findByText('Is this one of these children? Compare the photos.')).toBeVisible();
  for (const { name } of [omar, sara]) expect(screen.getByRole('img', { name })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Check in \w/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Yes, this is Sara Ali' }));
  expect(screen.getByText(/You confirmed: .*Sara Ali/)).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Check in Sara Ali' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Call/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: /This is not .*Sara Ali/ }));
  await user.click(screen.getByRole('button', { name: 'Nobody we know' }));
  expect(screen.getByText('Unknown face')).toBeVisible();
});

test('several faces have a card each', async () => {
  serveFamilies();
  await look([
    { box: box(), match: omar },
    { box: box(100), match: null, question: [sara] },
    { box: box(200), match: null },
  ]);
  const title = await screen.findByRole('heading', { name: '3 faces in the photo' });
  await waitFor(() => expect(title).toHaveFocus());
  const cards = screen.getAllByRole('region', { name: 'The face in the photo' });
  expect(cards).toHaveLength(3);
  expect(within(cards[1] as HTMLElement).getByText(/Is this .*Sara Ali/)).toBeVisible();
  expect(within(cards[2] as HTMLElement).getByText('Unknown face')).toBeVisible();
});

test('without the permission to check in, only the way to the parent', async () => {
  serveFamilies();
  const permissions = PERMISSIONS.filter((one) => one !== 'children.check_in');
  await look([{ box: box(), match: omar }], { as: { admin: admin({ permissions }) } });
  expect(await screen.findByRole('link', { name: 'Call Mona Hassan' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Check in \w/ })).toBeNull();
});

test('people who may not see families get the name alone, and ask nothing about the child', async () => {
  const permissions = ['families.edit' as const];
  await look([{ box: box(), match: omar }], { as: { admin: admin({ permissions }) } });
  expect(await screen.findByText(/Omar Hassan.*, child of/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Back to Dashboard' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Search by name' })).toBeNull();
});

test('a child that was deleted meanwhile has no next step', async () => {
  serveFamilies();
  await look([{ box: box(), match: known('child-gone', LONG_NAME) }]);
  expect(await screen.findByText('This child was not found.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Check in \w/ })).toBeNull();
});

test('in Arabic', async () => {
  serveFamilies();
  const { user } = await look([{ box: box(), match: null, question: [omar] }], { language: 'ar' });
  expect(await screen.findByText(/هل هذا الوجه لـ.*Omar Hassan.*؟ قارن بين الصورتين\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'لا أحد ممن نعرفهم' }));
  expect(screen.getByText('وجه غير معروف')).toBeVisible();
  expect(screen.getByRole('link', { name: 'العودة إلى لوحة الإدارة' })).toBeVisible();
});
