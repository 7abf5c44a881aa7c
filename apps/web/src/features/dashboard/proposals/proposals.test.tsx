/** What families propose and staff confirm: the comparison, both answers, a newer proposal, people who look alike. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import type { Child, Parent } from '@haris/contract/objects';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { handle, offline, refuse, server } from '../../../testing/contract-server.ts';
import { admin, child, LONG_NAME } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { drawPhotos, seeEverything } from '../../../testing/sight.ts';
import { family, serveDesk } from '../testing/desk.ts';

const mona = { _id: 'parent-mona', name: 'Mona Hassan', email: 'mona@haris.example' };
const at = '2026-03-18T08:00:00.000Z';

/** Omar with a new name that waits. */
function omar(name = 'Omar H. Hassan'): Child {
  return child({ _id: 'child-omar', pending: ['name'], proposal: { revision: 'revision-1', at, name } });
}

/** Opens the dashboard and the question about Omar's proposal. */
async function openQuestion(of = omar()) {
  serveDesk(family(mona, of));
  const page = await renderScreen('/adminDashboard', { as: { admin: admin() } });
  await page.user.click(await screen.findByRole('button', { name: 'New name waiting: Omar Hassan' }));
  return page;
}

beforeEach(() => {
  seeEverything();
  drawPhotos();
});

const question = async () => within(await screen.findByRole('dialog', { name: 'Is this the child?' }));

/** Records decisions; `answer` is the server's answer to each. */
function serveDecision(
  answer: (body: { accept: boolean; confirm?: boolean | undefined }) => 'ok' | 'alike' | 'newer',
) {
  const sent: object[] = [];
  server.use(
    handle(childRoutes.confirmChild, ({ body }) => {
      sent.push(body);
      const result = answer(body);
      if (result === 'newer') return refuse('proposal_changed');
      if (result === 'alike')
        return refuse('face_already_registered', {
          candidates: [
            {
              childId: 'child-nour',
              name: 'Nour Ibrahim',
              parentName: 'Sara Ibrahim',
              photo: null,
              similarity: 0.61,
            },
          ],
          adults: [],
        });
      return { message: 'Decided', child: child({ _id: 'child-omar' }) };
    }),
  );
  return sent;
}

test('the new name stands beside the confirmed one; accepting sends the revision that was shown', async () => {
  const { user } = await openQuestion(omar(LONG_NAME));
  const sent = serveDecision(() => 'ok');
  const dialog = await question();
  expect(dialog.getByText(LONG_NAME, { selector: 'ins *' })).toBeInTheDocument();
  expect(dialog.getByText('Omar Hassan', { selector: 'del *' })).toBeInTheDocument();
  // Below a photo a long name is cut at its own end.
  expect(dialog.getByText('Omar Hassan', { selector: 'figcaption *' })).toHaveAttribute('dir', 'auto');
  await user.click(await dialog.findByRole('button', { name: 'This is the child' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(sent).toEqual([{ accept: true, confirm: false, revision: 'revision-1' }]);
});

test('rejecting tells the family', async () => {
  const { user } = await openQuestion();
  const sent = serveDecision(() => 'ok');
  await user.click((await question()).getByRole('button', { name: 'Not this child' }));
  expect(await screen.findByText('Rejected. The family has been notified.')).toBeInTheDocument();
  expect(sent).toEqual([{ accept: false, confirm: false, revision: 'revision-1' }]);
});

describe('a child that nobody has confirmed', () => {
  const unknown = { _id: 'child-omar', pending: ['photo', 'name'], unconfirmed: ['photo', 'name'] } as const;
  const yara = (more: Partial<Child> = {}) =>
    child({ ...unknown, pending: [...unknown.pending], unconfirmed: [...unknown.unconfirmed], ...more });
  const open = async (of: Child, language: 'en' | 'ar' = 'en') => {
    serveDesk(family(mona, of));
    const page = await renderScreen('/adminDashboard', { as: { admin: admin() }, language });
    await page.user.click(
      await screen.findByRole('button', { name: /^(Not confirmed yet|لم يُؤكَّد بعد): Omar Hassan$/ }),
    );
    return within(await screen.findByRole('dialog'));
  };

  test('and that staff rejected stays marked; the dialog says what to do, and has nothing to accept', async () => {
    const dialog = await open(yara());
    expect(dialog.getByText('No photo so far')).toBeInTheDocument();
    expect(dialog.getByText(/^Nobody has confirmed this child's photo or name/)).toBeInTheDocument();
    expect(dialog.queryByRole('button', { name: 'This is the child' })).not.toBeInTheDocument();
  });

  test('and that staff rejected, in Arabic', async () => {
    const dialog = await open(yara(), 'ar');
    expect(dialog.getByText(/^لم يؤكّد أحد صورة هذا الطفل/)).toBeInTheDocument();
  });

  test('and whose parent sent another photo while it is inside: the shown one is not called confirmed', async () => {
    const photo = '/api/photos/new';
    const dialog = await open(
      yara({ photo: '/api/photos/old', isInside: true, proposal: { revision: 'r', at, photo } }),
    );
    expect(dialog.queryByText('Confirmed')).not.toBeInTheDocument();
    expect(dialog.getByText('Not confirmed yet')).toBeInTheDocument();
    expect(dialog.getByText('New')).toBeInTheDocument();
    // Not cut to a square: what is enrolled may stand at the edge.
    const photos = await dialog.findAllByRole('img', { name: 'Omar Hassan' });
    for (const photo of photos) expect(photo.closest('[data-whole]')).not.toBeNull();
  });

  test('is listed among the families to confirm', async () => {
    serveDesk(family(mona, yara()));
    await renderScreen('/adminDashboard', { as: { admin: admin() } });
    expect(await screen.findByRole('button', { name: '1 family to confirm' })).toBeVisible();
  });
});

test('somebody looks alike: the people are shown, and only a second press accepts', async () => {
  const { user } = await openQuestion();
  const sent = serveDecision(({ confirm }) => (confirm ? 'ok' : 'alike'));
  const dialog = await question();
  await user.click(await dialog.findByRole('button', { name: 'This is the child' }));
  const alike = within(await dialog.findByRole('alert'));
  expect(alike.getByText('Nour Ibrahim')).toBeInTheDocument();
  expect(alike.getByText('Child of \u2068Sara Ibrahim\u2069, 61% alike')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: /who only looks alike: confirm$/ }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ accept: true, confirm: true, revision: 'revision-1' });
});

test('who looked alike is no answer about a newer proposal', async () => {
  const { user, events } = await openQuestion();
  const sent = serveDecision(({ confirm }) => (confirm ? 'ok' : 'alike'));
  const dialog = await question();
  await user.click(await dialog.findByRole('button', { name: 'This is the child' }));
  const accept = await dialog.findByRole('button', { name: /who only looks alike: confirm$/ });
  serveDesk(
    family(mona, {
      ...omar(),
      proposal: { revision: 'revision-2', at, name: 'Omar H. Hassan', photo: '/api/photos/newer' },
    }),
  );
  await events.send({ type: 'child.updated', childId: 'child-omar' });
  await dialog.findByText(/^The family has just sent something new/);
  expect(dialog.queryByText('Nour Ibrahim')).not.toBeInTheDocument();
  fireEvent.click(accept);
  expect(sent).toHaveLength(1);
  await user.click(await dialog.findByRole('button', { name: 'This is the child' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ accept: true, confirm: false, revision: 'revision-2' });
});

test('a newer proposal and a lost connection decide nothing, and the question stays', async () => {
  const { user } = await openQuestion();
  const sent = serveDecision(() => 'newer');
  const dialog = await question();
  const accept = await dialog.findByRole('button', { name: 'This is the child' });
  await user.click(accept);
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(accept).toBeEnabled());
  server.use(handle(childRoutes.confirmChild, offline));
  await user.click(accept);
  expect(await screen.findByText(/^Haris cannot be reached/)).toBeInTheDocument();
  await waitFor(() => expect(accept).toBeEnabled());
  expect(accept).toBeInTheDocument();
});

test('of a hundred families only those with a proposal are listed on request', async () => {
  const others = Array.from(
    { length: 99 },
    (_, n): Parent => family({ _id: `parent-${n}`, name: `Parent ${n}`, email: `p${n}@haris.example` }),
  );
  serveDesk(...others, family(mona, omar()));
  const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() }, size: 'phone' });
  await user.click(await screen.findByRole('button', { name: '1 family to confirm' }));
  const section = within(screen.getByRole('region', { name: 'Parents & Children' }));
  await waitFor(() => expect(section.queryByText('Parent 0')).not.toBeInTheDocument());
  expect(section.getByRole('heading', { name: 'Mona Hassan' })).toBeInTheDocument();
});

test('the list of proposals cannot be loaded, and can be tried again', async () => {
  serveDesk(family(mona, omar()));
  server.use(handle(accountRoutes.listParents, refuse('internal_error')));
  const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() } });
  const section = within(await screen.findByRole('region', { name: 'Parents & Children' }));
  const again = await section.findByRole('button', { name: 'Try Again' });
  serveDesk(family(mona, omar()));
  await user.click(again);
  expect(await screen.findByRole('button', { name: 'New name waiting: Omar Hassan' })).toBeInTheDocument();
});

test('in Arabic', async () => {
  serveDesk(family(mona, omar()));
  const { user } = await renderScreen('/adminDashboard', { as: { admin: admin() }, language: 'ar' });
  await user.click(await screen.findByRole('button', { name: /^اسم جديد.*Omar Hassan/ }));
  expect(await screen.findByRole('button', { name: 'هذا هو الطفل' })).toBeInTheDocument();
});
