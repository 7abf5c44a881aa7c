/** The parent's home of a guardian of another family's child: the question, the answer, and the child's card. */
import { careLogRoutes } from '@haris/contract/http/care-log';
import { childRoutes } from '@haris/contract/http/children';
import { collectorRoutes } from '@haris/contract/http/collectors';
import { type GuardianRequest, guardianRoutes } from '@haris/contract/http/guardians';
import { handOverRoutes } from '@haris/contract/http/hand-over';
import { pickupRoutes } from '@haris/contract/http/pickups';
import type { Child } from '@haris/contract/objects';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { guardianRequest } from '../../testing/guardians.ts';
import { child, parent } from '../../testing/people.ts';
import { release } from '../../testing/pickups.ts';
import { renderScreen, type ScreenOptions, settle } from '../../testing/render-screen.tsx';

const tarek = (...children: Child[]) => ({
  parent: parent({ _id: 'parent-tarek', name: 'Tarek Hassan', children }),
});
/** A child of another family, as its further guardian reads it. */
const sara = (more: Partial<Child> = {}) =>
  child({
    _id: 'child-sara',
    name: 'Sara Hassan',
    parent: { _id: 'parent-tarek', name: 'Tarek Hassan' },
    ...more,
  });
const omar = (more: Partial<Child> = {}) => child({ _id: 'child-omar', name: 'Omar Hassan', ...more });
const open = (options: ScreenOptions = {}) => renderScreen('/profile', { as: tarek(), ...options });
const listed = (...children: Child[]) =>
  handle(childRoutes.listChildren, { children, total: children.length, nextCursor: null });

/** The questions of the server; who accepts gets the child. */
function serveRequests(...known: GuardianRequest[]) {
  const sent: unknown[] = [];
  const children: Child[] = [];
  server.use(
    handle(guardianRoutes.listGuardianRequests, () => ({ requests: known })),
    handle(guardianRoutes.answerGuardianRequest, ({ params: { id }, body }) => {
      sent.push([id, body]);
      if (!known.some(({ childId }) => childId === id)) return refuse('not_found');
      known = known.filter(({ childId }) => childId !== id);
      if (!body.accept) return { message: 'Declined', child: null };
      children.push(sara());
      return { message: 'Accepted', child: sara() };
    }),
    handle(childRoutes.listChildren, () => ({ children, total: children.length, nextCursor: null })),
  );
  return {
    sent,
    set: (...next: GuardianRequest[]) => {
      known = next;
    },
  };
}

const TITLE = 'You were asked to become a guardian of Sara at Little Stars';
const card = async () => within(await screen.findByRole('region', { name: TITLE }));

describe('the question', () => {
  test('names the child, the nursery and what it allows, and is accessible', async () => {
    serveRequests(guardianRequest({ mayTake: true, mayCollect: true }));
    await open();
    const lines = (await (await card()).findAllByRole('listitem')).map(({ textContent }) => textContent);
    expect(lines).toEqual([
      'See when Sara is there and in which room, and read the care log',
      'Watch Sara live',
      'Pick Sara up, with a code on your phone',
      'Name who collects Sara, if you become the first guardian',
    ]);
    await settle();
    await expectAccessible();
  });

  test('accepted, the child is in the list, and the question is gone', async () => {
    const { sent } = serveRequests(guardianRequest());
    const { user } = await open();
    expect(screen.queryByText('Sara Hassan')).toBeNull();
    await user.click((await card()).getByRole('button', { name: 'Accept: guardian of Sara' }));
    expect(await screen.findByText('You are a guardian of Sara now')).toBeVisible();
    expect(await screen.findByText('Sara Hassan')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('region', { name: TITLE })).toBeNull());
    expect(sent).toEqual([['child-sara', { accept: true }]]);
    expect(document.activeElement).not.toBe(document.body);
    expect(screen.queryByText('No children added yet.')).toBeNull();
  });

  test('declined after one question, with the keyboard; nothing is sent before', async () => {
    const { sent } = serveRequests(guardianRequest());
    const { user } = await open();
    const decline = (await card()).getByRole('button', { name: 'Decline: guardian of Sara' });
    decline.focus();
    await user.keyboard('{Enter}');
    const sure = within(await screen.findByRole('dialog', { name: 'Decline?' }));
    expect(sure.getByText(/the nursery has to ask you again/)).toBeVisible();
    // Enter alone declines nothing.
    await waitFor(() => expect(sure.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Decline?' })).toBeNull());
    await waitFor(() => expect(decline).toHaveFocus());
    expect(sent).toEqual([]);
    await user.keyboard('{Enter}');
    const again = within(await screen.findByRole('dialog', { name: 'Decline?' }));
    await user.click(again.getByRole('button', { name: 'Decline' }));
    expect(await screen.findByText('You have declined')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('region', { name: TITLE })).toBeNull());
    expect(sent).toEqual([['child-sara', { accept: false }]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).not.toBe(document.body);
    expect(screen.queryByText('Sara Hassan')).toBeNull();
  });

  test.each(['Accept', 'Decline'] as const)('that was taken back meanwhile says so on %s', async (answer) => {
    const { set } = serveRequests(guardianRequest());
    const { user } = await open();
    const press = (await card()).getByRole('button', { name: `${answer}: guardian of Sara` });
    set();
    await user.click(press);
    if (answer === 'Decline') {
      const sure = within(await screen.findByRole('dialog', { name: 'Decline?' }));
      await user.click(sure.getByRole('button', { name: 'Decline' }));
    }
    expect(
      await screen.findByText('This question can no longer be answered. Please ask the nursery.'),
    ).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('region', { name: TITLE })).toBeNull());
  });

  test('that could not be answered stays', async () => {
    serveRequests(guardianRequest());
    server.use(handle(guardianRoutes.answerGuardianRequest, offline));
    const { user } = await open();
    const accept = (await card()).getByRole('button', { name: 'Accept: guardian of Sara' });
    await user.click(accept);
    expect(await screen.findByText(/^Haris cannot be reached/)).toBeVisible();
    await waitFor(() => expect(accept).toBeEnabled());
  });

  test('appears and goes by its event', async () => {
    const { set } = serveRequests();
    const { events } = await open();
    await screen.findByText('No children added yet.');
    set(guardianRequest());
    await events.send({ type: 'guardian.changed', childId: 'child-sara' });
    await card();
    set();
    await events.send({ type: 'guardian.changed', childId: 'child-sara' });
    await waitFor(() => expect(screen.queryByRole('region', { name: TITLE })).toBeNull());
  });

  test('is not there while it is not known; that it cannot be read is said', async () => {
    server.use(handle(guardianRoutes.listGuardianRequests, pending));
    const first = await open({ as: tarek(omar()) });
    await screen.findByText('Omar Hassan');
    expect(screen.queryByRole('region', { name: /^You were asked/ })).toBeNull();
    await first.unmount();
    server.use(handle(guardianRoutes.listGuardianRequests, refuse('internal_error')));
    const { user } = await open({ as: tarek(omar()) });
    const again = await screen.findByRole('button', { name: 'Try Again' });
    serveRequests(guardianRequest());
    await user.click(again);
    await card();
  });

  test('is below a child inside, and the button above leads there', async () => {
    serveRequests(guardianRequest());
    const { user } = await open({ as: tarek(omar({ isInside: true })), size: 'phone' });
    const { getByRole } = await card();
    const go = await screen.findByRole('button', { name: '1 for you' });
    const accept = getByRole('button', { name: 'Accept: guardian of Sara' });
    expect(go.compareDocumentPosition(accept) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    await user.click(go);
    expect(document.activeElement).toContainElement(accept);
  });

  test('in Arabic', async () => {
    serveRequests(guardianRequest({ childName: 'سارة', facility: 'النجوم الصغيرة' }));
    await open({ language: 'ar', size: 'phone' });
    const title = await screen.findByRole('heading', {
      name: /^طُلب منك أن تكون وليّ أمر .سارة. في .النجوم الصغيرة.$/,
    });
    const part = within(title.closest('section') as HTMLElement);
    expect(part.getByRole('button', { name: /^قبول/ })).toBeVisible();
    expect(part.getByRole('button', { name: /^رفض/ })).toBeVisible();
    expect(part.getAllByRole('listitem')).toHaveLength(2);
  });
});

describe('a child of another family', () => {
  const cardOf = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement);

  test('has its card beside the own ones, without what is for the first guardian alone', async () => {
    const read: string[] = [];
    server.use(
      listed(omar(), sara({ photo: null, pending: ['photo'], unconfirmed: ['photo'] })),
      handle(collectorRoutes.listCollectors, ({ params: { id } }) => {
        read.push(id);
        return id === 'child-omar' ? { collectors: [] } : refuse('not_found');
      }),
      handle(careLogRoutes.listCareLogToSign, { waiting: [] }),
    );
    const { user } = await open({ as: tarek(omar({ photo: '/api/photos/omar' })) });
    const own = await cardOf('Omar Hassan');
    const other = await cardOf('Sara Hassan');
    expect(own.getByRole('button', { name: /care card/i })).toBeVisible();
    expect(other.queryByRole('button', { name: /care card/i })).toBeNull();
    expect(other.getByRole('button', { name: /care log/i })).toBeVisible();
    // What waits is for the first guardian to mend.
    expect(other.queryByRole('button', { name: /photo/i })).toBeNull();
    await user.click(other.getByRole('button', { name: 'View Details of Sara Hassan' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Sara Hassan' }));
    expect(dialog.queryByText('Birth date')).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Photo from another angle' })).toBeNull();
    await settle();
    expect(read).toEqual(['child-omar']);
  });

  test('inside that the parent may not take shows the time left; no code is asked for, and nobody is told who comes', async () => {
    const codes: string[] = [];
    server.use(
      listed(sara({ isInside: true, room: 'Bees', roomId: 'bees', mayTake: false })),
      handle(handOverRoutes.createPickupCode, () => {
        codes.push('asked');
        return { secret: null };
      }),
    );
    await open();
    const other = await cardOf('Sara Hassan');
    expect(other.getByRole('timer', { name: 'Time left Sara Hassan' })).toBeVisible();
    expect(other.getByText(/Bees/)).toBeVisible();
    await settle();
    expect(screen.queryByRole('button', { name: "I'm on my way" })).toBeNull();
    expect(screen.queryByText('Who may pick up')).toBeNull();
    expect(codes).toEqual([]);
  });

  test('inside that the parent may take has the code, the announcement, and its release', async () => {
    const announced: unknown[] = [];
    const inside = sara({ isInside: true });
    server.use(
      listed(inside),
      handle(handOverRoutes.createPickupCode, { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
      handle(handOverRoutes.listReleases, {
        releases: [release({ child: { _id: 'child-sara', name: 'Sara Hassan' } })],
      }),
      handle(pickupRoutes.announcePickup, ({ body }) => {
        announced.push(body.children);
        return { message: 'ok', children: [inside] };
      }),
    );
    const { user } = await open();
    const code = within(await screen.findByRole('region', { name: 'Pick-up code' }));
    await waitFor(() => expect(code.getByText(/New code in/)).toBeVisible());
    const releases = within(await screen.findByRole('region', { name: 'Picked up' }));
    expect(releases.getByRole('button', { name: 'I did not expect this: Sara Hassan' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: "I'm on my way" }));
    const dialog = within(await screen.findByRole('dialog', { name: "I'm on my way" }));
    await user.click(dialog.getByRole('button', { name: 'In 10 min' }));
    await waitFor(() => expect(announced).toEqual([['child-sara']]));
    // Whom the other household names is not this one's.
    expect(screen.queryByText('Who may pick up')).toBeNull();
  });

  test('is awaited before the home says that there are no children; the list can be read again', async () => {
    server.use(handle(childRoutes.listChildren, pending));
    const first = await open();
    await screen.findByRole('heading', { name: 'My children' });
    expect(screen.getByText('No children added yet.')).not.toBeVisible();
    await first.unmount();
    server.use(handle(childRoutes.listChildren, refuse('internal_error')));
    const { user } = await open();
    const again = await screen.findByRole('button', { name: 'Try Again' });
    expect(screen.queryByText('No children added yet.')).toBeNull();
    server.use(listed(sara()));
    await user.click(again);
    await cardOf('Sara Hassan');
  });
});
