/** Add Child: the camera and its guide, photo files, and the server's findings about a face. */
import { type ErrorCode, errorCatalogue } from '@haris/contract/errors';
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import { type Registration, vouchingRoutes } from '@haris/contract/http/vouching';
import type { PhotoProblem } from '@haris/contract/vision';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import arabicErrors from '../../i18n/ar/errors.json' with { type: 'json' };
import { expectAccessible } from '../../testing/accessibility.ts';
import { giveCamera } from '../../testing/camera.ts';
import { type Call, handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { admin, child, LONG_NAME, parent } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

const mona = { parent: parent() };
const encoding = Array.from({ length: 128 }, () => 0.1);
const face = { width: 480, height: 360, box: [140, 60, 200, 240] as [number, number, number, number] };
const omar = {
  childId: 'child-omar',
  name: 'Omar Hassan',
  parentName: 'Mona Hassan',
  photo: null,
  similarity: 0.91,
};

/** Makes the guide return this advice for every picture. */
function guide(advice: PhotoProblem | 'ready', box: typeof face.box | null = face.box) {
  return handle(childRoutes.guideFace, { ...face, advice, box });
}

const registered = handle(childRoutes.registerFace, {
  data: { encoding, model: 'model', quality: 0.9 },
});
const created = handle(childRoutes.createChild, { message: 'Child registered', child: child() });

const photoFile = (name = 'omar.jpg', type = 'image/jpeg') => new File(['photo'], name, { type });

/** Chooses a photo from this device. */
async function choosePhoto(user: UserEvent, file = photoFile()): Promise<void> {
  await screen.findByRole('button', { name: /Choose a photo file|اختر صورة من الجهاز/ });
  const input = document.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('there is no field for a file');
  await user.upload(input, file);
}

const save = () => screen.getByRole('button', { name: 'Save Child' });

describe('the camera', () => {
  test('one that is refused says so; once it is allowed it works', async () => {
    let isRefused = true;
    giveCamera(() => isRefused);
    server.use(guide('ready'));
    const { user } = await renderScreen('/addChild', { as: mona });
    expect(await screen.findByText('Cam access denied/failed.')).toBeVisible();
    await expectAccessible();
    isRefused = false;
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('Good. Capture now')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Capture Photo' })).toBeEnabled();
    await expectAccessible();
  });

  test.each([
    ['no_face', 'Look at the camera'],
    ['many_faces', 'One face only'],
    ['face_cut_off', 'Keep the whole face inside'],
    ['photo_too_dark', 'More light'],
    ['photo_blurred', 'Hold still'],
    ['face_upside_down', 'Hold the camera upright'],
    ['face_unevenly_lit', 'Turn the face towards the light'],
    ['eyes_covered', 'Show both eyes, no sunglasses'],
    ['mouth_covered', 'Show the whole face, no mask'],
    ['not_a_photo', 'Use a real face, not a drawing'],
  ] as const)('the guide says what to change: %s', async (advice, words) => {
    giveCamera();
    server.use(guide(advice));
    await renderScreen('/addChild', { as: mona });
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Capture Photo' })).toBeDisabled();
  });

  test.each([
    ['that is small in the photo', [200, 120, 40, 50], 'Move closer'],
    ['at the edge', [0, 60, 200, 240], 'Keep the whole face inside'],
  ] as const)('a face %s is not ready', async (_where, box, words) => {
    giveCamera();
    server.use(guide('ready', [...box]));
    await renderScreen('/addChild', { as: mona });
    expect(await screen.findByText(words)).toBeVisible();
  });

  test('without a guide the person decides', async () => {
    giveCamera();
    server.use(handle(childRoutes.guideFace, refuse('face_engine_unavailable', { retryAfter: 60 })));
    await renderScreen('/addChild', { as: mona });
    expect(
      await screen.findByText('The guide is not available. You can still take the photo.'),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: 'Capture Photo' })).toBeEnabled();
  });

  test('it is let go when the photo is taken, opened again by Retake, and let go when the screen is left', async () => {
    const camera = giveCamera();
    server.use(guide('ready'));
    const { user, router } = await renderScreen('/addChild', { as: mona, from: '/profile' });
    await screen.findByText('Good. Capture now');
    await user.click(screen.getByRole('button', { name: 'Capture Photo' }));
    expect(await screen.findByRole('img', { name: 'Captured photo' })).toBeVisible();
    await waitFor(() => expect(camera.states()).not.toContain('live'));
    await user.click(screen.getByRole('button', { name: 'Retake Photo' }));
    await screen.findByText('Good. Capture now');
    expect(camera.states().at(-1)).toBe('live');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
    await waitFor(() => expect(camera.states()).not.toContain('live'));
  });
});

test('a photo that is chosen while the page is out of sight is not lost', async () => {
  const { user } = await renderScreen('/addChild', { as: mona });
  await screen.findByText('Cam access denied/failed.');
  const input = document.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('there is no field for a file');
  // A phone shows its own screen to choose from, and the page stops its camera meanwhile.
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(screen.queryByText('Cam access denied/failed.')).toBeNull());
  visibility.mockRestore();
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await user.upload(input, photoFile());
  expect(await screen.findByRole('img', { name: 'Captured photo' })).toBeVisible();
});

describe('further photos', () => {
  beforeEach(() => server.use(registered, created));

  /** Chooses a further photo in its dialog, which asks for `words`. */
  async function addAngle(user: UserEvent, words: RegExp, name: string): Promise<void> {
    await user.click(await screen.findByRole('button', { name: 'Photo from another angle' }));
    const dialog = await screen.findByRole('dialog', { name: 'Photo from another angle' });
    expect(dialog).toHaveTextContent(words);
    const use = within(dialog).getByRole('button', { name: 'Use this photo' });
    expect(use).toBeDisabled();
    await within(dialog).findByRole('button', { name: 'Choose a photo file' });
    const input = dialog.querySelector('input[type="file"]');
    if (!(input instanceof HTMLInputElement)) throw new Error('there is no field for a file');
    await user.upload(input, photoFile(name));
    await waitFor(() => expect(use).toBeEnabled());
    await user.click(use);
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
  }

  test('are asked for from the left and the right, can be dropped, and follow the child one by one', async () => {
    const sent: string[] = [];
    let photos = 1;
    server.use(
      handle(childRoutes.addChildPhoto, ({ params: { id } }) => {
        sent.push(id);
        photos++;
        return { message: 'Added', child: child(), photos };
      }),
    );
    const { user, router } = await renderScreen('/addChild', { as: mona, from: '/profile' });
    await user.type(await screen.findByRole('textbox', { name: "Child's name" }), 'Omar');
    expect(screen.queryByRole('button', { name: 'Photo from another angle' })).not.toBeInTheDocument();
    await choosePhoto(user);
    await addAngle(user, /to the left/, 'left.jpg');
    await addAngle(user, /to the right/, 'right.jpg');
    expect(screen.queryByRole('button', { name: 'Photo from another angle' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remove further photo 2' }));
    await addAngle(user, /to the right/, 'again.jpg');
    await user.click(save());
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
    expect(sent).toHaveLength(2);
    expect(new Set(sent).size).toBe(1);
  });

  test('go with the first photo: another one may show another child', async () => {
    const { user } = await renderScreen('/addChild', { as: mona, from: '/profile' });
    await choosePhoto(user);
    await addAngle(user, /to the left/, 'left.jpg');
    expect(screen.getByRole('button', { name: 'Remove further photo 1' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Retake Photo' }));
    await choosePhoto(user);
    expect(await screen.findByRole('button', { name: 'Photo from another angle' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Remove further photo 1' })).not.toBeInTheDocument();
  });

  test('that are refused leave the child saved, and say why', async () => {
    server.use(handle(childRoutes.addChildPhoto, refuse('another_face')));
    const { user, router } = await renderScreen('/addChild', { as: mona, from: '/profile' });
    await user.type(await screen.findByRole('textbox', { name: "Child's name" }), 'Omar');
    await choosePhoto(user);
    await addAngle(user, /to the left/, 'left.jpg');
    await user.click(save());
    expect(await screen.findByText('Child registered successfully')).toBeVisible();
    expect(await screen.findByText(/^The child is saved, but a further photo was not added\./)).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
  });
});

describe('saving', () => {
  beforeEach(() => server.use(registered, created));

  test('a name and a photo file make a child, once, and lead back', async () => {
    const sent: Call<typeof childRoutes.createChild>[] = [];
    server.use(
      handle(childRoutes.createChild, (call) => {
        sent.push(call);
        return { message: 'Child registered', child: child() };
      }),
    );
    const { user, router } = await renderScreen('/addChild', { as: mona, from: '/profile' });
    const name = await screen.findByRole('textbox', { name: "Child's name" });
    expect(save()).toBeDisabled();
    await user.type(name, ` ${LONG_NAME} `);
    await choosePhoto(user, photoFile('omar.png', 'image/png'));
    await user.dblClick(save());
    await screen.findByText('Child registered successfully');
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
    expect(sent).toHaveLength(1);
    expect(sent[0]?.params.parentId).toBe('parent-mona');
    expect(sent[0]?.body.name).toBe(LONG_NAME);
    expect(sent[0]?.body.confirm).toBeFalsy();
  });

  test('the birth date goes with it if it is given; one of another century is refused before any call', async () => {
    const sent: unknown[] = [];
    server.use(
      registered,
      handle(childRoutes.createChild, ({ body }) => {
        sent.push(body.birthDate);
        return { message: 'Child registered', child: child() };
      }),
    );
    const { user, router } = await renderScreen('/addChild', { as: mona });
    await user.type(await screen.findByRole('textbox', { name: "Child's name" }), 'Omar');
    const born = screen.getByLabelText('Birth date (optional)');
    await user.type(born, '1890-05-31');
    await choosePhoto(user);
    await user.click(save());
    expect(born).toBeInvalid();
    await expectAccessible();
    await user.clear(born);
    await user.type(born, '2023-05-31');
    expect(born).toBeValid();
    await user.click(save());
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
    expect(sent).toEqual(['2023-05-31']);
  });

  test('while it is on its way nothing can be changed', async () => {
    server.use(handle(childRoutes.registerFace, pending));
    const { user } = await renderScreen('/addChild', { as: mona });
    await user.type(await screen.findByRole('textbox', { name: "Child's name" }), 'Omar');
    await choosePhoto(user);
    await user.click(save());
    expect(await screen.findByRole('button', { name: 'Saving…' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Retake Photo' })).toBeDisabled();
  });

  test('a name that cannot be one is refused before any call', async () => {
    const { user } = await renderScreen('/addChild', { as: mona });
    const name = await screen.findByRole('textbox', { name: "Child's name" });
    await user.click(name);
    await user.paste('X'.repeat(101));
    await choosePhoto(user);
    await user.click(save());
    await waitFor(() => expect(name).toBeInvalid());
    expect(name).toHaveAccessibleDescription('Name may have up to 100 characters');
  });

  const refused: readonly ErrorCode[] = [
    'no_face',
    'many_faces',
    'face_too_small',
    'face_cut_off',
    'photo_too_dark',
    'photo_blurred',
    'face_upside_down',
    'face_unevenly_lit',
    'eyes_covered',
    'mouth_covered',
    'not_a_photo',
    'unreadable_photo',
    'payload_too_large',
    'unsupported_media_type',
  ];
  test.each(refused)('a photo that is refused says why, in English and in Arabic: %s', async (code) => {
    server.use(handle(childRoutes.registerFace, refuse(code as 'no_face')));
    for (const [language, sentence] of [
      ['en', errorCatalogue[code].message],
      ['ar', arabicErrors[code as keyof typeof arabicErrors]],
    ] as const) {
      const { user, unmount } = await renderScreen('/addChild', { as: mona, language });
      await user.type(await screen.findByRole('textbox', { name: /Child's name|اسم الطفل/ }), 'Omar');
      await choosePhoto(user);
      await user.click(screen.getByRole('button', { name: /Save Child|حفظ بيانات الطفل/ }));
      const main = screen.getByRole('main');
      expect(await within(main).findByRole('alert')).toHaveTextContent(sentence);
      // In a notice, as any failure, and at the photo, where it stays.
      expect(await screen.findAllByText(sentence)).toHaveLength(2);
      expect(screen.getByRole('button', { name: /Save Child|حفظ بيانات الطفل/ })).toBeDisabled();
      await unmount();
    }
  });

  test('after a refusal another photo is taken, and the words are gone', async () => {
    giveCamera();
    server.use(guide('ready'), handle(childRoutes.registerFace, refuse('no_face')));
    const { user } = await renderScreen('/addChild', { as: mona });
    await user.type(await screen.findByRole('textbox', { name: "Child's name" }), 'Omar');
    await choosePhoto(user);
    await user.click(save());
    const main = screen.getByRole('main');
    expect(await within(main).findByRole('alert')).toHaveTextContent('No face was found.');
    await expectAccessible();
    server.use(registered);
    await user.click(screen.getByRole('button', { name: 'Retake Photo' }));
    expect(within(main).queryByRole('alert')).not.toBeInTheDocument();
    await screen.findByText('Good. Capture now');
    await user.click(screen.getByRole('button', { name: 'Capture Photo' }));
    await user.click(save());
    await screen.findByText('Child registered successfully');
  });

  test.each([
    ['a server that fails', refuse('internal_error'), 'An unexpected error occurred.'],
    ['a face engine that starts', refuse('face_engine_unavailable'), 'Face recognition is starting.'],
    ['too many attempts', refuse('too_many_attempts'), 'Too many attempts. Please try again later.'],
    ['no connection', offline, 'Haris cannot be reached.'],
  ] as const)('%s is said in words, and the photo stays for another try', async (_what, answer, words) => {
    server.use(handle(childRoutes.registerFace, answer));
    const { user } = await renderScreen('/addChild', { as: mona });
    await user.type(await screen.findByRole('textbox', { name: "Child's name" }), 'Omar');
    await choosePhoto(user);
    await user.click(save());
    await screen.findByText(words, { exact: false });
    expect(screen.getByRole('img', { name: 'Captured photo' })).toBeVisible();
    expect(save()).toBeEnabled();
  });
});

describe('at the desk', () => {
  const staff = { admin: admin() };
  const address = '/addChild?parentId=parent-sara';
  const registration: Registration = {
    by: 'staff',
    at: '2026-03-01T08:00:00.000Z',
    from: null,
    near: null,
    name: 'Mona Hassan',
    vouchedAt: null,
    disownedAt: null,
    hasProvenPassword: true,
    children: 0,
  };
  const made = (more: Partial<Registration> = {}) =>
    handle(vouchingRoutes.getRegistration, { registration: { ...registration, ...more } });

  test('a face that looks like a registered child is a question with both names; cancelled, nothing is registered', async () => {
    const confirmed: (boolean | undefined)[] = [];
    server.use(
      made(),
      registered,
      handle(childRoutes.createChild, ({ body }) => {
        confirmed.push(body.confirm);
        if (body.confirm !== true) return refuse('face_already_registered', { candidates: [omar] });
        return { message: 'Child registered', child: child(), lookalikes: [omar] };
      }),
    );
    const { user, router } = await renderScreen(address, { as: staff });
    await user.type(await screen.findByRole('textbox', { name: "Child's name" }), 'Nour Ibrahim');
    await choosePhoto(user);
    // The photo is ready a moment after it was chosen.
    await waitFor(() => expect(save()).toBeEnabled());
    await user.click(save());
    await screen.findByText('Is this child already registered?');
    const dialog = await screen.findByRole('dialog', { name: 'Is this child already registered?' });
    expect(within(dialog).getByText('Child of Mona Hassan, 91% alike')).toBeVisible();
    expect(within(dialog).getByText('Nour Ibrahim')).toBeVisible();
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await expectAccessible();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(confirmed).toHaveLength(1);
    await user.click(save());
    await screen.findByText('Register anyway');
    await user.click(await screen.findByRole('button', { name: 'Register anyway' }));
    await screen.findByText('These children look alike');
    const alike = await screen.findByRole('dialog', { name: 'These children look alike' });
    expect(within(alike).getByText(/Omar Hassan \(child of Mona Hassan\)/)).toBeVisible();
    await expectAccessible();
    expect(confirmed.at(-1)).toBe(true);
    await user.click(within(alike).getByRole('button', { name: 'Understood' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/adminDashboard'));
  });

  test('of an account that the owner of its address disowned, it says what to do, and asks for no code', async () => {
    const sent: (string | undefined)[] = [];
    server.use(
      made({ by: 'self', from: '203.0.113.0/24', disownedAt: registration.at, children: 1 }),
      handle(accountRoutes.markParentVerified, ({ body }) => {
        sent.push(body.code);
        return { message: 'Verified', parent: parent() };
      }),
    );
    const { user } = await renderScreen(address, { as: staff });
    const region = await screen.findByRole('region', { name: /Do not add a child yet/ });
    expect(region).toHaveTextContent('Nobody can sign in to the account now.');
    expect(region).toHaveTextContent('Ask the parent for their email address.');
    // The password has ended already, and the address is corrected in the sheet.
    expect(region).not.toHaveTextContent('password stops working');
    expect(within(region).getByRole('link', { name: 'Open the family’s sheet' })).toHaveAttribute(
      'href',
      '?family=parent-sara',
    );
    expect(within(region).queryByRole('textbox')).toBeNull();
    await user.click(
      within(region).getByRole('button', { name: 'I have checked the address: send the link' }),
    );
    await screen.findByText(/A link to set a new password is on its way/);
    expect(sent).toEqual([undefined]);
  });

  test('before the first child of an account that registered itself, its origin is shown and a code confirms it', async () => {
    let vouchedAt: string | null = null;
    const origin = {
      by: 'self',
      from: '203.0.113.0/24',
      near: 'elsewhere',
      hasProvenPassword: false,
    } as const;
    server.use(
      handle(vouchingRoutes.getRegistration, () => ({
        registration: { ...registration, ...origin, vouchedAt },
      })),
      handle(accountRoutes.markParentVerified, ({ body }) => {
        if (body.code !== '123456') return refuse('wrong_code');
        vouchedAt = registration.at;
        return { message: 'Verified', parent: parent() };
      }),
    );
    const { user } = await renderScreen(address, { as: staff });
    const region = await screen.findByRole('region', { name: /Before the first child/ });
    expect(region).toHaveTextContent(/Mona Hassan.*: staff did not create this account.*from elsewhere/);
    expect(region).not.toHaveTextContent('203.0.113');
    // The camera comes first.
    const camera = screen.getByRole('button', { name: 'Choose a photo file' });
    expect(camera.compareDocumentPosition(region)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(region).toHaveTextContent('the account’s password stops working');
    const code = within(region).getByRole('textbox', { name: 'Code on the phone' });
    await user.type(code, '12{Enter}');
    await waitFor(() => expect(code).toHaveAccessibleDescription('The code has 6 digits'));
    await user.clear(code);
    await user.type(code, '٦٥٤٣٢١{Enter}');
    await waitFor(() => expect(code).toHaveAccessibleDescription('This code is wrong or has expired.'));
    await user.clear(code);
    await user.type(code, '١٢٣٤٥٦{Enter}');
    await waitFor(() => expect(region).not.toBeInTheDocument());
    await screen.findByText('The account is confirmed.');
  });

  test('an account that staff made asks nothing', async () => {
    server.use(made());
    await renderScreen(address, { as: staff });
    await screen.findByRole('textbox', { name: "Child's name" });
    expect(screen.queryByRole('region', { name: /Before the first child/ })).not.toBeInTheDocument();
  });
});

test('in Arabic: right to left, in Arabic words', async () => {
  giveCamera();
  server.use(guide('mouth_covered'));
  await renderScreen('/addChild', { as: mona, language: 'ar', size: 'phone' });
  expect(await screen.findByText('أظهر الوجه كله من دون كمامة')).toBeVisible();
  expect(document.documentElement).toHaveAttribute('dir', 'rtl');
  expect(screen.getByRole('heading', { name: 'إضافة طفل', level: 1 })).toBeVisible();
  await expectAccessible();
});

test('whoever is not signed in is sent to the login', async () => {
  const { router } = await renderScreen('/addChild');
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});
