/** Who answers for a child, in the child's sheet: asked, limited and removed by staff, by what a role may do. */
import { type Guardian, guardianRoutes } from '@haris/contract/http/guardians';
import { sessionRoutes } from '@haris/contract/http/session';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../../testing/contract-server.ts';
import { askedGuardian, furtherGuardian, guardian } from '../../../testing/guardians.ts';
import { admin, child, LONG_NAME } from '../../../testing/people.ts';
import { renderScreen, settle } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const sara = child({ _id: 'child-sara', name: 'Sara Hassan' });
const as = (role: keyof typeof BUILT_IN_ROLES) => admin({ permissions: [...BUILT_IN_ROLES[role]] });

async function open(role: keyof typeof BUILT_IN_ROLES = 'manager', options = {}) {
  serveDesk(family({ _id: 'parent-mona', name: 'Mona Hassan' }, sara));
  const page = await renderScreen('/adminDashboard?child=child-sara', {
    as: { admin: as(role) },
    ...options,
  });
  const sheet = within(await screen.findByRole('dialog'));
  await sheet.findByRole('heading', { name: 'Sara Hassan' });
  return { ...page, sheet };
}

/** The part of the sheet. */
async function openPart(role?: keyof typeof BUILT_IN_ROLES) {
  const page = await open(role);
  return { ...page, part: within(await page.sheet.findByRole('region', { name: 'Guardians' })) };
}

/** The server's guardians of Sara; calls that changed something are in `done`, all calls in `sent`. */
function serveGuardians(...known: Guardian[]) {
  const sent: unknown[] = [];
  const done: unknown[] = [];
  let isProved = false;
  const unproved = () => refuse('proof_required', { methods: ['password'] });
  const put = (one: Guardian) => {
    known = [...known.filter(({ parentId }) => parentId !== one.parentId), one];
    return { message: 'ok', guardian: one };
  };
  server.use(
    handle(guardianRoutes.listGuardians, () => ({ guardians: known })),
    handle(guardianRoutes.askGuardian, ({ params, body }) => {
      sent.push(['ask', params.id, body]);
      if (!isProved) return unproved();
      done.push(['ask', params.id, body]);
      const { name: _, ...rest } = body;
      return put(askedGuardian({ parentId: 'parent-new', ...rest }));
    }),
    handle(guardianRoutes.setGuardianRights, ({ params, body }) => {
      sent.push(['rights', params.id, params.parentId, body]);
      const before = known.find(({ parentId }) => parentId === params.parentId);
      if (before === undefined) return refuse('not_found');
      const isMore = (['mayLive', 'mayTake', 'mayEdit', 'mayCollect'] as const).some(
        (right) => body[right] && !before[right],
      );
      if (isMore && !isProved) return unproved();
      done.push(['rights', params.parentId, body]);
      const after = { ...before, ...body, mayTake: body.mayTake ?? before.mayTake };
      known = known.map((one) => (one === before ? after : one));
      return { message: 'ok', guardian: after };
    }),
    handle(guardianRoutes.endGuardian, ({ params }) => {
      sent.push(['end', params.id, params.parentId]);
      const isThere = known.some(({ parentId }) => parentId === params.parentId);
      if (!isThere) return refuse('not_found');
      done.push(['end', params.parentId]);
      known = known.filter(({ parentId }) => parentId !== params.parentId);
      return { message: 'ok' };
    }),
    handle(sessionRoutes.proveSession, ({ body }) => {
      if (!('password' in body) || body.password !== 'right') return refuse('wrong_password');
      isProved = true;
      return undefined;
    }),
  );
  return {
    sent,
    done,
    /** As a colleague at another desk. */
    set: (...next: Guardian[]) => {
      known = next;
    },
  };
}

const proof = () => screen.findByRole('dialog', { name: 'Confirm that it is you' });
const noProof = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull());

describe('the list', () => {
  test('each with what staff need: contact, mark of the first one, rights, a block, and who has not answered', async () => {
    serveGuardians(
      guardian(),
      furtherGuardian({ isBlocked: true }),
      furtherGuardian({ parentId: 'parent-nour', name: 'Nour Ali', phone: null, mayLive: false }),
      askedGuardian({ mayCollect: true }),
    );
    const { part } = await openPart();
    const [mona, tarek, nour, hoda] = await part.findAllByRole('listitem');
    expect(mona).toHaveTextContent(
      /Mona Hassan.*Watches live · Takes the child home · Changes the child’s data · Names who collects.*First guardian/,
    );
    const inMona = within(mona as HTMLElement);
    expect(inMona.getByRole('link', { name: 'Call Mona Hassan: 01001234567' })).toHaveAttribute(
      'href',
      'tel:01001234567',
    );
    expect(inMona.getByRole('link', { name: 'Email Mona Hassan: mona@haris.example' })).toHaveAttribute(
      'href',
      'mailto:mona@haris.example',
    );
    expect(tarek).toHaveTextContent(/Tarek Hassan.*Watches live.*Blocked/);
    expect(tarek).toHaveTextContent('Does not take the child home');
    for (const other of [mona, hoda]) expect(other).not.toHaveTextContent('Does not take');
    expect(tarek).not.toHaveTextContent('First guardian');
    expect(tarek).not.toHaveTextContent('Changes the child');
    expect(nour).toHaveTextContent('Sees the times, the room and the care log only');
    expect(within(nour as HTMLElement).queryByRole('link', { name: /^Call/ })).toBeNull();
    expect(hoda).toHaveTextContent(/hoda@haris\.example.*Asked on 3 May 2026, not answered yet/);
    expect(hoda).toHaveTextContent('Watches live · Names who collects');
    // Whether the address is an account is not for staff to learn.
    expect(within(hoda as HTMLElement).queryByRole('link')).toBeNull();
    await settle();
    await expectAccessible();
  });

  test('the only one is said in one line', async () => {
    serveGuardians(guardian());
    const { part } = await openPart();
    expect(await part.findByText('Only Mona Hassan answers for Sara Hassan.')).toBeVisible();
    expect(part.queryByRole('list')).toBeNull();
    // Nobody could take over; but a right can be taken away.
    expect(part.queryByRole('button', { name: /^Remove/ })).toBeNull();
    expect(part.getByRole('button', { name: 'Rights of Mona Hassan' })).toBeVisible();
    expect(part.getByRole('button', { name: 'Add a guardian' })).toBeVisible();
  });

  test('the only one is listed if it has lost a right or is blocked', async () => {
    const { set } = serveGuardians(guardian({ mayLive: false }));
    const { part, events } = await openPart();
    expect(await part.findByRole('listitem')).not.toHaveTextContent('Watches live');
    set(guardian({ isBlocked: true }));
    await events.send({ type: 'guardian.changed', childId: 'child-sara' });
    expect(await part.findByText('Blocked')).toBeVisible();
  });

  test('while it loads and when it cannot be read, it says so; it can be read again', async () => {
    server.use(handle(guardianRoutes.listGuardians, pending));
    const first = await openPart();
    await first.part.findByRole('status', { name: 'Loading the guardians' });
    await first.unmount();
    server.use(handle(guardianRoutes.listGuardians, offline));
    const { part, user } = await openPart();
    const again = await part.findByRole('button', { name: 'Try Again' });
    expect(part.queryByText(/answers for/)).toBeNull();
    serveGuardians(guardian());
    await user.click(again);
    expect(await part.findByText('Only Mona Hassan answers for Sara Hassan.')).toBeVisible();
  });

  test('an answer and a change by a colleague appear by their event', async () => {
    const { set } = serveGuardians(guardian(), askedGuardian());
    const { part, events } = await openPart();
    await part.findByText(/not answered yet/);
    set(guardian(), furtherGuardian({ parentId: 'parent-hoda', name: 'Hoda Ali' }));
    await events.send({ type: 'guardian.changed', childId: 'child-sara' });
    expect(await part.findByText('Hoda Ali')).toBeVisible();
    expect(part.queryByText(/not answered yet/)).toBeNull();
  });

  test('without the right to edit families nothing can be pressed', async () => {
    serveGuardians(guardian(), furtherGuardian(), askedGuardian());
    const { part } = await openPart('teacher');
    expect(await part.findAllByRole('listitem')).toHaveLength(3);
    expect(part.queryByRole('button')).toBeNull();
  });

  test('with as many as there can be, nobody is added', async () => {
    serveGuardians(
      guardian(),
      ...['a', 'b', 'c', 'd', 'e'].map((id) =>
        furtherGuardian({ parentId: `parent-${id}`, name: `${LONG_NAME}${id}` }),
      ),
    );
    const { part } = await openPart();
    expect(await part.findByText(/^No more guardians can be added/)).toBeVisible();
    expect(part.queryByRole('button', { name: 'Add a guardian' })).toBeNull();
  });

  test('in Arabic', async () => {
    serveGuardians(guardian({ name: 'منى حسن' }), askedGuardian());
    const { sheet } = await open('manager', { language: 'ar', size: 'phone' });
    const part = within(await sheet.findByRole('region', { name: 'أولياء الأمر' }));
    const [mona, hoda] = await part.findAllByRole('listitem');
    expect(mona).toHaveTextContent(
      /منى حسن.*مشاهدة البث المباشر · استلام الطفل · تعديل بيانات الطفل · تحديد من يمكنه الاستلام.*وليّ الأمر الأول/,
    );
    expect(hoda).toHaveTextContent(/أُرسل الطلب في .*ولم يصل رد بعد/);
    expect(part.getByRole('button', { name: /^سحب الطلب المرسل إلى/ })).toBeVisible();
  });
});

describe('asking somebody', () => {
  async function openForm() {
    const page = await openPart();
    await page.user.click(await page.part.findByRole('button', { name: 'Add a guardian' }));
    return { ...page, form: within(await screen.findByRole('dialog', { name: 'Add a guardian' })) };
  }
  const fill = async ({ user, form }: Pick<Awaited<ReturnType<typeof openForm>>, 'user' | 'form'>) => {
    await user.type(form.getByLabelText(/^Full name/), 'Hoda Ali');
    await user.type(form.getByLabelText(/^Email/), 'hoda@haris.example');
  };

  test('with the keyboard: fields say what is wrong, the proof is asked, and the question stands in the list', async () => {
    const { done } = serveGuardians(guardian());
    const { user, form, part } = await openForm();
    expect(form.getByText(/Until they accept, they see nothing of Sara Hassan\./)).toBeVisible();
    const name = form.getByLabelText(/^Full name/);
    await waitFor(() => expect(name).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(name).toHaveAccessibleDescription(/Name is required/);
    await user.keyboard('Hoda Ali{Tab}hoda@haris{Enter}');
    const email = form.getByLabelText(/^Email/);
    expect(email).toHaveAccessibleDescription(/Invalid email format/);
    await waitFor(() => expect(email).toHaveFocus());
    await user.keyboard('.example{Tab}');
    const live = form.getByRole('checkbox', { name: 'Watches live' });
    expect(live).toHaveFocus();
    expect(live).toBeChecked();
    expect(live).toHaveAccessibleDescription(/^Live pictures of Sara Hassan/);
    const take = form.getByRole('checkbox', { name: 'Takes the child home' });
    expect(take).not.toBeChecked();
    expect(take).toHaveAccessibleDescription(/Without it the desk must always say who takes Sara Hassan/);
    expect(form.getByRole('checkbox', { name: 'Changes the child’s data' })).not.toBeChecked();
    expect(form.getByRole('checkbox', { name: 'Names who collects' })).not.toBeChecked();
    await expectAccessible();
    await user.keyboard(' {Tab}{Tab}{Tab} ');
    await user.click(form.getByRole('button', { name: 'Ask this person' }));
    await user.type(within(await proof()).getByLabelText(/^Your password/), 'right{Enter}');
    expect(await part.findByText('hoda@haris.example')).toBeVisible();
    expect(await screen.findByText('hoda@haris.example was asked')).toBeVisible();
    expect(done).toEqual([
      [
        'ask',
        'child-sara',
        {
          ...{ name: 'Hoda Ali', email: 'hoda@haris.example' },
          ...{ mayLive: false, mayTake: false, mayEdit: false, mayCollect: true },
        },
      ],
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add a guardian' })).toBeNull());
  });

  test('who cancels the proof has asked nobody, and what was typed is still there', async () => {
    const { done } = serveGuardians(guardian());
    const page = await openForm();
    await fill(page);
    await page.user.click(page.form.getByRole('button', { name: 'Ask this person' }));
    await page.user.click(within(await proof()).getByRole('button', { name: 'Cancel' }));
    await noProof();
    expect(done).toEqual([]);
    expect(page.form.getByLabelText(/^Full name/)).toHaveValue('Hoda Ali');
    expect(screen.queryByText('Please confirm that it is you first.')).toBeNull();
  });

  test('that somebody is a guardian already is said at the address', async () => {
    serveGuardians(guardian());
    server.use(handle(guardianRoutes.askGuardian, refuse('guardian_exists')));
    const page = await openForm();
    await fill(page);
    await page.user.click(page.form.getByRole('button', { name: 'Ask this person' }));
    const email = page.form.getByLabelText(/^Email/);
    await waitFor(() =>
      expect(email).toHaveAccessibleDescription(/already a guardian of this child or has been asked/),
    );
    expect(email).toHaveFocus();
    expect(page.form.queryByRole('alert')).toBeNull();
  });

  test.each([
    ['too_many_guardians', /^No more guardians can be added for this child/],
    ['barred_person', /^This person cannot be asked about Sara Hassan\. Please speak to the manager\.$/],
  ] as const)('%s is said in the form', async (code, words) => {
    serveGuardians(guardian());
    server.use(handle(guardianRoutes.askGuardian, refuse(code)));
    const page = await openForm();
    await fill(page);
    await page.user.click(page.form.getByRole('button', { name: 'Ask this person' }));
    expect(await page.form.findByRole('alert')).toHaveTextContent(words);
    expect(page.form.getByLabelText(/^Email/)).toHaveValue('hoda@haris.example');
  });

  test('without a connection it says so, and nothing that was typed is lost', async () => {
    serveGuardians(guardian());
    server.use(handle(guardianRoutes.askGuardian, offline));
    const page = await openForm();
    await fill(page);
    await page.user.click(page.form.getByRole('button', { name: 'Ask this person' }));
    expect(await screen.findByText(/^Haris cannot be reached/)).toBeVisible();
    expect(page.form.getByLabelText(/^Full name/)).toHaveValue('Hoda Ali');
  });
});

describe('rights', () => {
  async function openRights() {
    const page = await openPart();
    const opener = await page.part.findByRole('button', { name: 'Rights of Tarek Hassan' });
    await page.user.click(opener);
    const dialog = within(await screen.findByRole('dialog', { name: 'Rights of Tarek Hassan' }));
    return { ...page, opener, dialog, box: (name: string) => dialog.getByRole('checkbox', { name }) };
  }
  const LIVE = 'Watches live';
  const EDIT = 'Changes the child’s data';

  test('what is taken away is saved at once, without a proof', async () => {
    const { done } = serveGuardians(guardian(), furtherGuardian({ mayEdit: true }));
    const { user, box, part } = await openRights();
    await user.click(box(LIVE));
    await user.click(box(EDIT));
    await waitFor(() => expect(done).toHaveLength(2));
    // The second does not give back what the first has taken away.
    expect(done).toEqual([
      ['rights', 'parent-tarek', { mayLive: false, mayEdit: true, mayCollect: false }],
      ['rights', 'parent-tarek', { mayLive: false, mayEdit: false, mayCollect: false }],
    ]);
    expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull();
    expect(await part.findByText('Sees the times, the room and the care log only')).toBeInTheDocument();
    expect(box(LIVE)).not.toBeChecked();
    expect(box(EDIT)).not.toBeChecked();
  });

  test('what is given asks for a proof; cancelled, nothing has changed', async () => {
    const { done } = serveGuardians(guardian(), furtherGuardian());
    const { user, box, dialog, opener } = await openRights();
    await user.click(box(EDIT));
    await user.click(within(await proof()).getByRole('button', { name: 'Cancel' }));
    await noProof();
    await waitFor(() => expect(box(EDIT)).not.toBeChecked());
    expect(done).toEqual([]);
    await user.click(box(EDIT));
    await user.type(within(await proof()).getByLabelText(/^Your password/), 'right{Enter}');
    await noProof();
    await waitFor(() =>
      expect(done).toEqual([['rights', 'parent-tarek', { mayLive: true, mayEdit: true, mayCollect: false }]]),
    );
    expect(box(EDIT)).toBeChecked();
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(opener).toHaveFocus());
  });

  test('to take the child home is given with a proof, and stands in the list', async () => {
    const { done } = serveGuardians(guardian(), furtherGuardian());
    const { user, box, part } = await openRights();
    await user.click(box('Takes the child home'));
    await user.type(within(await proof()).getByLabelText(/^Your password/), 'right{Enter}');
    await noProof();
    await waitFor(() =>
      expect(done).toEqual([
        ['rights', 'parent-tarek', { mayLive: true, mayTake: true, mayEdit: false, mayCollect: false }],
      ]),
    );
    expect(await part.findByText('Watches live · Takes the child home')).toBeInTheDocument();
  });

  test('a right that a colleague has taken away meanwhile is not given back', async () => {
    const { done, set } = serveGuardians(guardian(), furtherGuardian({ mayEdit: true }));
    const { user, box, events } = await openRights();
    set(guardian(), furtherGuardian({ mayEdit: true, mayLive: false }));
    await events.send({ type: 'guardian.changed', childId: 'child-sara' });
    await waitFor(() => expect(box(LIVE)).not.toBeChecked());
    await user.click(box(EDIT));
    await waitFor(() => expect(done).toHaveLength(1));
    expect(done[0]).toEqual([
      'rights',
      'parent-tarek',
      { mayLive: false, mayEdit: false, mayCollect: false },
    ]);
  });

  test('the right to take the child is not given back by another box of a list that is out of date', async () => {
    const { sent, set } = serveGuardians(guardian(), furtherGuardian({ mayTake: true, mayEdit: true }));
    const { user, box } = await openRights();
    // A colleague has taken it away, and the event has not arrived.
    set(guardian(), furtherGuardian({ mayTake: false, mayEdit: true }));
    expect(box('Takes the child home')).toBeChecked();
    await user.click(box(EDIT));
    await waitFor(() => expect(box('Takes the child home')).not.toBeChecked());
    expect(box(EDIT)).not.toBeChecked();
    expect(sent).toEqual([
      ['rights', 'child-sara', 'parent-tarek', { mayLive: true, mayEdit: false, mayCollect: false }],
    ]);
    expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull();
  });

  test('a change that fails is not shown as made', async () => {
    serveGuardians(guardian(), furtherGuardian());
    server.use(handle(guardianRoutes.setGuardianRights, refuse('internal_error')));
    const { user, box } = await openRights();
    await user.click(box(LIVE));
    expect(await screen.findByText('An unexpected error occurred.')).toBeVisible();
    await waitFor(() => expect(box(LIVE)).toBeChecked());
  });

  test('if a colleague has removed the guardian, the dialog closes', async () => {
    const { set } = serveGuardians(guardian(), furtherGuardian());
    const { user, box, part } = await openRights();
    set(guardian());
    await user.click(box(LIVE));
    expect(await screen.findByText('This guardian was removed in the meantime.')).toBeVisible();
    expect(await part.findByText('Only Mona Hassan answers for Sara Hassan.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Rights of Tarek Hassan' })).toBeNull());
  });
});

describe('removing', () => {
  async function ask(name: string | RegExp, title: string) {
    const page = await openPart();
    const opener = await page.part.findByRole('button', { name });
    await page.user.click(opener);
    return { ...page, opener, dialog: within(await screen.findByRole('dialog', { name: title })) };
  }

  test('says what ends and what stays, and removes at once', async () => {
    const { done } = serveGuardians(guardian(), furtherGuardian());
    const { user, dialog, part } = await ask('Remove Tarek Hassan', 'Remove Tarek Hassan?');
    expect(dialog.getByText(/access and live pictures end at once/)).toHaveTextContent(
      /named to collect Sara Hassan, and their passes, end too\. Other guardians keep theirs\./,
    );
    expect(dialog.getByText(/^Entry slips of Sara Hassan that were printed before/)).toBeVisible();
    expect(dialog.getByText(/^Somebody with this name or phone .+ also enter a bar/)).toBeVisible();
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await part.findByText('Only Mona Hassan answers for Sara Hassan.')).toBeInTheDocument();
    expect(done).toEqual([['end', 'parent-tarek']]);
    expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Remove Tarek Hassan?' })).toBeNull());
    // The button has gone with its row.
    await waitFor(() => expect(document.activeElement).toContainElement(part.getByText(/^Only Mona/)));
  });

  test('of one who takes the child home, says nothing of others with that name', async () => {
    serveGuardians(guardian(), furtherGuardian({ mayTake: true }));
    const { dialog } = await ask('Remove Tarek Hassan', 'Remove Tarek Hassan?');
    expect(dialog.getByText(/access and live pictures end at once/)).toBeVisible();
    expect(dialog.queryByText(/^Somebody with this name or phone/)).toBeNull();
  });

  test('cancelled with the keyboard, nothing is removed', async () => {
    const { sent } = serveGuardians(guardian(), furtherGuardian());
    const { user, opener } = await ask('Remove Tarek Hassan', 'Remove Tarek Hassan?');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(opener).toHaveFocus());
    expect(sent).toEqual([]);
  });

  test('a question that nobody has answered is taken back', async () => {
    const { done } = serveGuardians(guardian(), askedGuardian());
    const { user, dialog, part } = await ask(/^Take back the question to hoda/, 'Take the question back?');
    await user.click(dialog.getByRole('button', { name: 'Take back' }));
    expect(await screen.findByText('The question was taken back')).toBeVisible();
    expect(await part.findByText('Only Mona Hassan answers for Sara Hassan.')).toBeInTheDocument();
    expect(done).toEqual([['end', 'parent-hoda']]);
  });

  test('the last one who could answer for the child is kept, and the dialog says why', async () => {
    serveGuardians(guardian(), furtherGuardian());
    server.use(handle(guardianRoutes.endGuardian, refuse('last_guardian')));
    const { user, dialog } = await ask('Remove Mona Hassan', 'Remove Mona Hassan?');
    expect(dialog.getByText(/^Mona Hassan is the first guardian\./)).toBeVisible();
    expect(dialog.queryByRole('alert')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Nobody else could answer for this child. Ask another guardian first.',
    );
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Remove Mona Hassan?' })).toBeNull());
  });

  test('if a colleague was faster, it says so', async () => {
    const { set } = serveGuardians(guardian(), furtherGuardian());
    const { user, dialog, part } = await ask('Remove Tarek Hassan', 'Remove Tarek Hassan?');
    set(guardian());
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('This guardian was removed in the meantime.')).toBeVisible();
    expect(await part.findByText('Only Mona Hassan answers for Sara Hassan.')).toBeInTheDocument();
  });
});
