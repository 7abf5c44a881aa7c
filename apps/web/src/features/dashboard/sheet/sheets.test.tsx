/** The sheets of a child and of a family: states, extension, corrections with their refusals, deletion. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import { facilityRoutes } from '@haris/contract/http/facilities';
import { incidentRoutes, incidentSchema } from '@haris/contract/http/incidents';
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { operationRoutes } from '@haris/contract/http/operations';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { stayRoutes } from '@haris/contract/http/stays';
import { PERMISSIONS } from '@haris/contract/permissions';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { handle, offline, refuse, server } from '../../../testing/contract-server.ts';
import { stopClock } from '../../../testing/house-clock.ts';
import { serveNoMailServer } from '../../../testing/no-mail-server.ts';
import { admin, child } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { family, serveDesk } from '../testing/desk.ts';

const mona = { _id: 'parent-mona', name: 'Mona Hassan', email: 'mona@haris.example', phone: '01012345678' };
const omar = (more = {}) => child({ _id: 'child-omar', name: 'Omar Hassan', ...more });
const layla = (more = {}) => child({ _id: 'child-layla', name: 'Layla Hassan', ...more });
/** A child who never came. */
const NEVER = { childIds: ['child-omar'], minutes: null };
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** The danger that is raised. */
const missing = (childId: string) =>
  incidentSchema.parse({
    _id: 'incident-1',
    kind: 'missing_child',
    severity: 'safety',
    area: null,
    subject: { kind: 'child', _id: childId, name: 'Omar Hassan' },
    value: null,
    limit: null,
    raisedAt: new Date().toISOString(),
    clearedAt: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    timeline: [],
  });

async function open(query: string, options = {}) {
  const page = await renderScreen(`/adminDashboard?${query}`, { as: { admin: admin() }, ...options });
  const sheet = await screen.findByRole('dialog');
  return { ...page, sheet, within: within(sheet) };
}
const openOmar = async (options = {}) => {
  const page = await open('child=child-omar', options);
  await page.within.findByRole('heading', { name: 'Omar Hassan' });
  return page;
};

describe('the sheet of a child', () => {
  test('inside: the time left, the parent’s phone, the siblings, and no camera that has recognised the child', async () => {
    serveDesk(family(mona, omar({ isInside: true, lastSeen: null }), layla()));
    const { within: sheet } = await openOmar();
    expect(sheet.getByRole('timer', { name: 'Time left Omar Hassan' })).toHaveTextContent(
      /^(60:00|[1-5]\d:\d\d)$/,
    );
    expect(sheet.getByRole('link', { name: 'Call Mona Hassan' })).toHaveAttribute('href', 'tel:01012345678');
    expect(sheet.getByRole('link', { name: 'Email Mona Hassan' })).toHaveAttribute(
      'href',
      'mailto:mona@haris.example',
    );
    expect(sheet.getByText('No camera has recognised Omar Hassan yet')).toBeVisible();
    const siblings = within(sheet.getByRole('list', { name: 'Siblings' }));
    expect(siblings.getByText('Outside')).toBeVisible();
    expect(await sheet.findByText('No visits yet.')).toBeVisible();
    await expectAccessible();
  });

  test('its history is read again after a change of this child only, because each read is recorded', async () => {
    const desk = serveDesk(family(mona, omar({ isInside: true }), layla()));
    let reads = 0;
    server.use(
      handle(stayRoutes.listStays, () => {
        reads++;
        return { stays: [], total: 0, nextCursor: null };
      }),
    );
    const { events, within: sheet } = await openOmar();
    await sheet.findByText('No visits yet.');
    await events.send({ type: 'child.seen', childId: 'child-layla' });
    desk.enter('child-layla');
    await events.send({ type: 'child.checked_in', childId: 'child-layla' });
    await within(sheet.getByRole('list', { name: 'Siblings' })).findByText('Inside');
    expect(reads).toBe(1);
    desk.leave('child-omar');
    await events.send({ type: 'child.checked_out', childId: 'child-omar' });
    await sheet.findByRole('button', { name: 'Check in' });
    await waitFor(() => expect(reads).toBe(2));
  });

  test('a sibling’s sheet replaces it, and Back closes it', async () => {
    serveDesk(family(mona, omar({ isInside: true }), layla()));
    const { user, within: sheet, router } = await openOmar();
    await user.click(sheet.getByRole('link', { name: 'Layla Hassan' }));
    expect(await screen.findByRole('heading', { name: 'Layla Hassan' })).toBeVisible();
    expect(router.state.location.search).toBe('?child=child-layla');
  });

  test('over time: red zeros, and how long it is over', async () => {
    serveDesk(family(mona, omar({ isInside: true, entryTime: ago(42), duration: 30 })));
    const { within: sheet } = await openOmar();
    expect(sheet.getByRole('timer')).toHaveTextContent('00:00');
    expect(sheet.getByText('12 min over')).toBeVisible();
  });

  test('inside: held, it says that the child is missing; or pressed and confirmed; never for a child outside', async () => {
    serveDesk(family(mona, omar({ isInside: true }), layla()));
    const reported: string[] = [];
    server.use(
      handle(incidentRoutes.reportMissingChild, ({ params: { id } }) => {
        reported.push(id);
        return { incident: missing(id) };
      }),
    );
    const { within: sheet } = await openOmar();
    const button = sheet.getByRole('button', { name: 'This child is missing' });
    // A short press does nothing.
    fireEvent.keyDown(button, { key: ' ' });
    fireEvent.keyUp(button, { key: ' ' });
    expect(reported).toEqual([]);
    fireEvent.keyDown(button, { key: ' ' });
    await waitFor(() => expect(reported).toEqual(['child-omar']));
    expect(await screen.findByText('All staff have been alerted.')).toBeVisible();
    // What cannot hold: a press, and a question.
    await waitFor(() => expect(button).toBeEnabled());
    fireEvent.click(button);
    fireEvent.click(await screen.findByRole('button', { name: 'Alert all staff' }));
    await waitFor(() => expect(reported).toEqual(['child-omar', 'child-omar']));
  });

  test('outside, or for whoever may not check in, nobody can be reported missing', async () => {
    serveDesk(family(mona, omar({ isInside: true }), layla()));
    const permissions = PERMISSIONS.filter((one) => one !== 'children.check_in');
    const { within: sheet, unmount } = await openOmar({ as: { admin: admin({ permissions }) } });
    expect(await sheet.findByRole('timer')).toBeInTheDocument();
    expect(sheet.queryByRole('button', { name: 'This child is missing' })).not.toBeInTheDocument();
    await unmount();
    serveDesk(family(mona, omar(), layla()));
    const { within: outside } = await openOmar();
    expect(await outside.findByRole('button', { name: 'Check in' })).toBeInTheDocument();
    expect(outside.queryByRole('button', { name: 'This child is missing' })).not.toBeInTheDocument();
  });

  test('outside: the child is checked in for the chosen period', async () => {
    const desk = serveDesk(family(mona, omar()));
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByText('2 hours'));
    await user.click(sheet.getByRole('button', { name: 'Check in' }));
    expect(await sheet.findByRole('timer')).toHaveTextContent(/^(2 h 0|1 h 59) min$/);
    expect(desk.done).toEqual(['check-in child-omar 120']);
  });

  test('outside: who came together last time is ticked, with the period; each can be left out', async () => {
    const sara = child({ _id: 'child-sara', name: 'Sara Hassan' });
    const ali = child({ _id: 'child-ali', name: 'Ali Hassan', isInside: true });
    const desk = serveDesk(family(mona, omar(), layla(), sara, ali));
    desk.cameLast(['child-omar', 'child-layla', 'child-sara', 'child-ali'], 120);
    const { user, within: sheet } = await openOmar();
    const together = within(sheet.getByRole('group', { name: 'Check in together' }));
    expect(together.getAllByRole('checkbox')).toHaveLength(2);
    expect(together.getByRole('checkbox', { name: 'Layla Hassan' })).toBeChecked();
    expect(sheet.getByRole('radio', { name: '2 hours' })).toBeChecked();
    await user.click(together.getByRole('checkbox', { name: 'Sara Hassan' }));
    await user.click(sheet.getByRole('button', { name: 'Check in 2 children' }));
    expect(await sheet.findByRole('timer', { name: 'Time left Omar Hassan' })).toBeVisible();
    expect(desk.done).toEqual(['check-in child-omar 120', 'check-in child-layla 120']);
  });

  test('outside: until the time of day of the last time, where the facility offers that', async () => {
    stopClock();
    vi.setSystemTime(new Date('2026-11-23T08:00:00Z'));
    serveDesk(family(mona, omar())).cameLast(['child-omar'], null, {
      kind: 'until',
      at: '2026-11-20T13:15:00.000Z',
    });
    const place = { _id: 'main', name: null, phone: null, timeZone: 'Africa/Cairo', region: 'EG' };
    server.use(
      handle(facilityRoutes.listOpeningHours, {
        facilities: [{ ...place, openingHours: null, holidays: [], stayEnds: ['until'] }],
      }),
    );
    const { within: sheet } = await openOmar();
    expect(await sheet.findByText(/^until 3:15\sPM$/i)).toBeVisible();
    expect(sheet.getByRole('button', { name: 'Until…' })).toHaveAttribute('aria-pressed', 'true');
  });

  test('checked out from the sheet, it offers the check-in', async () => {
    const desk = serveDesk(family(mona, omar({ isInside: true })));
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: 'Checkout' }));
    expect(await sheet.findByRole('button', { name: 'Check in' })).toBeVisible();
    expect(desk.done).toEqual(['checkout child-omar']);
  });

  test('without a connection nothing is sent', async () => {
    const desk = serveDesk(family(mona, omar({ isInside: true })));
    const { user, within: sheet } = await openOmar();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await user.click(sheet.getByRole('button', { name: 'Checkout' }));
    await user.click(sheet.getByRole('button', { name: /^\+30 min/ }));
    expect(desk.done).toEqual([]);
    onLine.mockRestore();
  });

  test('that cannot be loaded says so, and loads on request', async () => {
    serveDesk(family(mona, omar()));
    server.use(handle(sheetRoutes.getChild, offline));
    const { user, within: sheet } = await open('child=child-omar');
    const again = await sheet.findByRole('button', { name: 'Try Again' });
    server.use(
      handle(sheetRoutes.getChild, () => ({
        child: omar(),
        parent: family(mona, omar()),
        facePhotos: [],
        usual: NEVER,
      })),
    );
    await user.click(again);
    expect(await sheet.findByRole('heading', { name: 'Omar Hassan' })).toBeVisible();
  });

  test('what the family has sent is compared in the dialog of the desk', async () => {
    const proposal = { revision: 'r1', at: ago(5), name: 'Omar H. Hassan' };
    serveDesk(family(mona, omar({ pending: ['name'], proposal })));
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: /New name waiting/ }));
    expect(await screen.findByRole('dialog', { name: 'Is this the child?' })).toBeVisible();
    // One Escape closes one of the two.
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Is this the child?' })).toBeNull());
    expect(screen.getByRole('dialog', { name: 'Child' })).toBeVisible();
  });

  test('in Arabic it is right to left, with its own words and digits', async () => {
    serveDesk(family(mona, omar({ isInside: true, entryTime: ago(41), duration: 30, lastSeen: null })));
    const { within: sheet } = await openOmar({ language: 'ar' });
    expect(sheet.getByText('تأخير ١١ دقيقة')).toBeVisible();
    expect(sheet.getByText('لم تتعرّف أي كاميرا على Omar Hassan بعد')).toBeVisible();
  });
});

describe('extending a stay', () => {
  test('by half an hour, and back again', async () => {
    const desk = serveDesk(family(mona, omar({ isInside: true, entryTime: ago(20), duration: 30 })));
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: /^\+30 min, until/ }));
    expect(await screen.findByText(/^Stays until/)).toBeVisible();
    await waitFor(() => expect(sheet.getByRole('timer')).toHaveTextContent(/^(40:00|39:\d\d)$/));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(sheet.getByRole('timer')).toHaveTextContent(/^(10:00|09:\d\d)$/));
    expect(desk.done).toEqual(['extend child-omar 30', 'undo-extend child-omar']);
  });

  test('a double press sends one, with a key of its own', async () => {
    serveDesk(family(mona, omar({ isInside: true })));
    const keys: (string | null)[] = [];
    server.use(
      handle(stayRoutes.extendStay, ({ headers }) => {
        keys.push(headers.get('idempotency-key'));
        return { message: 'Extended', child: omar({ isInside: true, duration: 120 }) };
      }),
    );
    const { user, within: sheet } = await openOmar();
    await user.dblClick(sheet.getByRole('button', { name: /^\+60 min/ }));
    await screen.findByText(/^Stays until/);
    expect(keys).toEqual([expect.stringMatching(/\S{20}/)]);
  });

  test('to a time of day', async () => {
    stopClock();
    vi.setSystemTime(new Date('2026-11-23T12:01:00Z'));
    serveDesk(family(mona, omar({ isInside: true })));
    const asked: unknown[] = [];
    server.use(
      handle(stayRoutes.extendStay, ({ body }) => {
        asked.push(body.until);
        return { message: 'Extended', child: omar({ isInside: true, duration: 600 }) };
      }),
    );
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: 'Until…' }));
    const time = await screen.findByLabelText(/New due time/);
    await user.type(time, '16:30');
    await user.click(screen.getByRole('button', { name: 'Extend' }));
    await screen.findByText(/^Stays until/);
    // By the facility's clocks, in Cairo.
    expect(asked).toEqual(['2026-11-23T14:30:00.000Z']);
  });

  test('to a time that has just passed: asks first, because that is tomorrow', async () => {
    stopClock();
    vi.setSystemTime(new Date('2026-11-23T12:01:00Z'));
    const desk = serveDesk(family(mona, omar({ isInside: true })));
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: 'Until…' }));
    await user.type(await screen.findByLabelText(/New due time/), '14:00');
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/^That is Tue,? 2:00\sPM, in 23 hours/i)).toBeVisible();
    expect(desk.done).toEqual([]);
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/^Stays until Tue,? 2:00\sPM$/i)).toBeVisible();
    expect(await sheet.findByText(/^Tue,? 2:00\sPM$/i)).toBeVisible();
  });

  test('that another desk has done meanwhile is refused in words', async () => {
    serveDesk(family(mona, omar({ isInside: true })));
    server.use(handle(stayRoutes.extendStay, refuse('stay_changed')));
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: /^\+30 min/ }));
    expect(
      await screen.findByText('The due time has changed meanwhile. Please check it again.'),
    ).toBeVisible();
  });
});

describe('corrections', () => {
  test('the child’s name; what was typed stays after a refusal', async () => {
    serveDesk(family(mona, omar()));
    let answer: 'refused' | 'done' = 'refused';
    const sent: unknown[] = [];
    server.use(
      handle(childRoutes.updateChild, ({ body }) => {
        sent.push(body);
        return answer === 'refused'
          ? refuse('invalid_request', { fields: { name: 'Name is required' } })
          : { message: 'Saved', child: omar({ name: 'Omar Hasan' }) };
      }),
    );
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: 'Edit details' }));
    const field = await sheet.findByRole('textbox', { name: "Child's name" });
    await user.clear(field);
    await user.click(sheet.getByRole('button', { name: 'Save' }));
    expect(sent).toEqual([]);
    await user.type(field, 'Omar Hasan');
    await user.click(sheet.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(field).toHaveAccessibleDescription(/Name is required/));
    expect(field).toHaveValue('Omar Hasan');
    answer = 'done';
    server.use(
      handle(sheetRoutes.getChild, () => ({
        child: omar({ name: 'Omar Hasan' }),
        parent: family(mona, omar({ name: 'Omar Hasan' })),
        facePhotos: [],
        usual: NEVER,
      })),
    );
    await user.click(sheet.getByRole('button', { name: 'Save' }));
    expect(await sheet.findByRole('heading', { name: 'Omar Hasan' })).toBeVisible();
    expect(sent).toHaveLength(2);
  });

  test('the child’s birth date alone leaves its name alone; saving nothing but the name confirms it', async () => {
    serveDesk(family(mona, omar({ pending: ['name'], unconfirmed: ['name'] })));
    const sent: unknown[] = [];
    server.use(
      handle(childRoutes.updateChild, ({ body }) => {
        sent.push(body);
        return refuse('not_found');
      }),
    );
    const { user, within: sheet } = await openOmar();
    expect(sheet.getByRole('button', { name: 'Not confirmed yet: Omar Hassan' })).toBeVisible();
    await user.click(sheet.getByRole('button', { name: 'Edit details' }));
    await sheet.findByRole('textbox', { name: "Child's name" });
    await user.click(sheet.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toEqual([{ name: 'Omar Hassan' }]));
    await user.type(sheet.getByLabelText(/^Birth date/), '2023-01-02');
    await user.click(sheet.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent[1]).toEqual({ birthDate: '2023-01-02' }));
  });

  test('the parent’s details: only what changed is sent; a taken e-mail is refused at its field', async () => {
    serveDesk(family(mona, omar()));
    const sent: unknown[] = [];
    server.use(
      handle(accountRoutes.updateParent, ({ body }) => {
        sent.push(body);
        return refuse('email_taken');
      }),
    );
    const { user, within: sheet } = await open('family=parent-mona');
    await user.click(await sheet.findByRole('button', { name: 'Edit details' }));
    const email = await sheet.findByRole('textbox', { name: /Email/ });
    expect(email).toHaveAccessibleDescription(/needs the parent’s agreement/);
    await user.clear(email);
    await user.type(email, 'sara@haris.example');
    await user.click(sheet.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('An account with this email already exists.')).toBeVisible();
    expect(email).toHaveValue('sara@haris.example');
    await expectAccessible();
    expect(sent).toEqual([{ email: 'sara@haris.example' }]);
  });

  test('an address that waits for its link is shown, and the link is mailed again', async () => {
    serveDesk(family(mona, omar()));
    let resent = 0;
    server.use(
      handle(sheetRoutes.getParent, {
        parent: family(mona, omar()),
        pendingEmail: 'new@haris.example',
        emailWaits: null,
      }),
      handle(sheetRoutes.resendParentLink, () => {
        resent += 1;
        return resent === 1
          ? { message: 'Mailed', parent: family(mona, omar()) }
          : refuse('too_many_attempts', { retryAfter: 200 });
      }),
    );
    const { user, within: sheet } = await open('family=parent-mona');
    expect(await sheet.findByText(/new@haris.example/)).toBeVisible();
    await user.click(sheet.getByRole('button', { name: 'Send link again' }));
    expect(await screen.findByText('A new link was emailed.')).toBeVisible();
    await user.click(sheet.getByRole('button', { name: 'Send link again' }));
    expect(await screen.findByText(/only a few minutes old/)).toBeVisible();
  });

  test('a new address asks for the parent’s code; a wrong one is refused at its field, none asks the old address', async () => {
    serveDesk(family(mona, omar()));
    const sent: unknown[] = [];
    server.use(
      handle(accountRoutes.updateParent, ({ body }) => {
        sent.push(body);
        if (sent.length === 1) return refuse('wrong_code');
        return { message: 'Saved', parent: family(mona, omar()) };
      }),
    );
    const { user, within: sheet } = await open('family=parent-mona');
    await user.click(await sheet.findByRole('button', { name: 'Edit details' }));
    const email = await sheet.findByRole('textbox', { name: /Email/ });
    expect(sheet.queryByRole('textbox', { name: /Code/ })).not.toBeInTheDocument();
    await user.clear(email);
    await user.type(email, 'sara@haris.example');
    const code = await sheet.findByRole('textbox', { name: 'Code from the parent’s phone' });
    await user.type(code, '123456');
    await user.click(sheet.getByRole('button', { name: 'Save' }));
    expect(await sheet.findByText('This code is wrong or has expired.')).toBeVisible();
    await user.clear(code);
    await user.click(sheet.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/The old address was asked whether to change to/)).toBeVisible();
    expect(sent).toEqual([{ email: 'sara@haris.example', code: '123456' }, { email: 'sara@haris.example' }]);
  });

  test.each([
    { who: 'who asked', askedByMe: true, hours: 1, text: /or you from/, sends: false },
    { who: 'who asked, after three days', askedByMe: true, hours: -1, text: /you are sure/, sends: true },
    { who: 'a colleague', askedByMe: false, hours: 1, text: /you are sure/, sends: true },
  ])('an address that waits for an agreement, as $who sees it', async ({ askedByMe, hours, text, sends }) => {
    serveDesk(family(mona, omar()));
    const until = new Date(Date.now() + hours * 3_600_000).toISOString();
    server.use(
      handle(sheetRoutes.getParent, {
        parent: family(mona, omar()),
        pendingEmail: 'new@haris.example',
        emailWaits: { until, askedByMe },
      }),
      handle(sheetRoutes.resendParentLink, { message: 'Mailed', parent: family(mona, omar()) }),
    );
    const { user, within: sheet } = await open('family=parent-mona');
    expect(await sheet.findByText(/new@haris.example.*the old address was asked/)).toBeVisible();
    expect(sheet.getByText(text)).toBeVisible();
    const button = sheet.queryByRole('button', { name: 'Send link to the new email' });
    if (!sends || button === null) return expect(button !== null).toBe(sends);
    await user.click(button);
    expect(await screen.findByText('A new link was emailed.')).toBeVisible();
  });

  test('a further photo of the face is removed after a question', async () => {
    serveDesk(family(mona, omar()));
    const removed: string[] = [];
    server.use(
      handle(sheetRoutes.getChild, () => ({
        child: omar(),
        parent: family(mona, omar()),
        facePhotos: ['first', 'second'].map((_id) => ({ _id, addedAt: '2026-11-20T10:15:00.000Z' })),
        usual: NEVER,
      })),
      handle(sheetRoutes.removeChildPhoto, ({ params }) => {
        removed.push(params.photoId);
        return { message: 'Removed', photos: 1 };
      }),
    );
    const { user, within: sheet } = await openOmar();
    expect(sheet.getByText('Photos of the face: 2 of 5')).toBeVisible();
    await user.click(sheet.getByRole('button', { name: /^Remove the photo added/ }));
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Photo removed')).toBeVisible();
    expect(removed).toEqual(['second']);
  });
});

describe('deleting a child', () => {
  test('wants the name typed, and closes the sheet', async () => {
    serveDesk(family(mona, omar(), layla()));
    const deleted: string[] = [];
    server.use(
      handle(childRoutes.deleteChild, ({ params }) => {
        deleted.push(params.id);
        return { message: 'Deleted' };
      }),
    );
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: 'Delete child' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete child' }));
    const confirm = dialog.getByRole('button', { name: 'Delete child' });
    expect(confirm).toBeDisabled();
    await expectAccessible();
    await user.type(dialog.getByRole('textbox'), 'Omar  Hassan{Enter}');
    await waitFor(() => expect(deleted).toEqual(['child-omar']));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('who is inside stays, and the reason is said', async () => {
    serveDesk(family(mona, omar({ isInside: true })));
    server.use(handle(childRoutes.deleteChild, refuse('child_inside')));
    const { user, within: sheet } = await openOmar();
    await user.click(sheet.getByRole('button', { name: 'Delete child' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete child' }));
    await user.type(dialog.getByRole('textbox'), 'Omar Hassan{Enter}');
    expect(
      await dialog.findByText('A child is still inside. Please check the child out first.'),
    ).toBeVisible();
    expect(dialog.getByRole('textbox')).toHaveValue('Omar Hassan');
  });
});

test('the sheet of a family lists the children and leads to Add Child; deleting it closes the sheet', async () => {
  const desk = serveDesk(family(mona, omar(), layla()));
  const { user, within: sheet } = await open('family=parent-mona');
  const children = await sheet.findByRole('list', { name: 'Children of Mona Hassan' });
  expect(within(children).getAllByRole('listitem')).toHaveLength(2);
  expect(sheet.getByRole('link', { name: 'Add Child' })).toHaveAttribute(
    'href',
    '/addChild?parentId=parent-mona',
  );
  await expectAccessible();
  await user.click(sheet.getByRole('button', { name: 'Delete Parent' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Parent' }));
  await user.click(dialog.getByRole('button', { name: 'Delete Parent' }));
  await waitFor(() => expect(desk.done).toEqual(['delete parent-mona']));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('staff remove a forgotten PIN of the kiosk after a question; they cannot set one', async () => {
  let removed = 0;
  serveDesk(family(mona, omar()));
  server.use(
    handle(kioskRoutes.resetKioskPin, ({ params }) => {
      expect(params.id).toBe('parent-mona');
      removed++;
      return { message: 'The PIN was removed. The family was notified.' };
    }),
  );
  const { user, within: sheet } = await open('family=parent-mona');
  await user.click(await sheet.findByRole('button', { name: 'Remove kiosk PIN' }));
  const question = await screen.findByRole('dialog', { name: 'Remove the kiosk PIN of Mona Hassan?' });
  await user.click(within(question).getByRole('button', { name: 'Remove kiosk PIN' }));
  expect(await screen.findByText('Kiosk PIN removed')).toBeVisible();
  expect(removed).toBe(1);
});

describe('“Show in audit log”', () => {
  test.each([
    ['child=child-omar', 'Omar Hassan', 'child-omar'],
    ['family=parent-mona', 'Mona Hassan', 'parent-mona'],
  ])('from the sheet of %s leads to its rows alone', async (query, name, subject) => {
    serveDesk(family(mona, omar()));
    const asked: unknown[] = [];
    server.use(
      handle(operationRoutes.listAudit, ({ query: filter }) => {
        asked.push(filter.subject);
        return { entries: [], total: 0, nextCursor: null };
      }),
    );
    const { user, router, within: sheet } = await open(query);
    await sheet.findByRole('heading', { name });
    await user.click(sheet.getByRole('link', { name: 'Show in audit log' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Audit log' })).toBeInTheDocument();
    expect(router.state.location).toMatchObject({ pathname: '/auditLog', search: `?subject=${subject}` });
    await waitFor(() => expect(asked).toEqual([subject]));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test.each(['child=child-omar', 'family=parent-mona'])(
    'is in the sheet of %s only for staff who may read the log',
    async (query) => {
      serveDesk(family(mona, omar()));
      const permissions = PERMISSIONS.filter((one) => one !== 'audit.view');
      const { within: sheet } = await open(query, { as: { admin: admin({ permissions }) } });
      await sheet.findByRole('heading', { name: /Hassan/, level: 2 });
      expect(sheet.queryByRole('link', { name: 'Show in audit log' })).not.toBeInTheDocument();
    },
  );
});

describe('without a mail server, no text of a family’s sheet says that a mail is sent', () => {
  test.each([
    {
      language: 'en',
      buttons: ['Reset second factor', 'Remove kiosk PIN'],
      told: [/No mail says so: there is no mail server/, /No mail goes to the family/],
      sent: /an email says so|told by email/,
    },
    {
      language: 'ar',
      buttons: ['إعادة ضبط وسيلة التحقق', 'إزالة رمز PIN'],
      told: [/ولا تُرسل رسالة بذلك لعدم وجود خادم بريد/, /لا تُرسل رسالة إلى العائلة/],
      sent: /وتُرسل رسالة بريد بذلك|تتلقى العائلة رسالة/,
    },
  ] as const)('what ends at the desk: $language', async ({ language, buttons, told, sent }) => {
    serveNoMailServer();
    serveDesk(family(mona, omar()));
    const { user, within: sheet } = await open('family=parent-mona', { language });
    for (const [index, name] of buttons.entries()) {
      await user.click(await sheet.findByRole('button', { name }));
      const text = await screen.findByText(told[index] ?? '');
      expect(text).toBeVisible();
      expect(document.body).not.toHaveTextContent(sent);
      await user.keyboard('{Escape}');
      await waitFor(() => expect(text).not.toBeInTheDocument());
    }
  });

  test.each([
    {
      language: 'en',
      edit: 'Edit details',
      waits: [
        /waits for the parent’s agreement/,
        /you can make the link for the new address. It is not mailed/,
      ],
      make: 'Make the link for the new email',
      hint: /^A new email needs.*The old address cannot be asked, because there is no mail server\.$/,
      sent: /old address was asked|you can send the link|the old address is asked/,
    },
    {
      language: 'ar',
      edit: 'تعديل البيانات',
      waits: [/ينتظر موافقة وليّ الأمر/, /إنشاء الرابط للبريد الجديد\. لا يُرسل الرابط بالبريد/],
      make: 'إنشاء رابط للبريد الجديد',
      hint: /^يحتاج البريد الجديد.*لا يمكن سؤال البريد القديم لعدم وجود خادم بريد\.$/,
      sent: /سألنا البريد القديم|إرسال الرابط|نسأل البريد القديم/,
    },
  ] as const)('a new address: $language', async ({ language, edit, waits, make, hint, sent }) => {
    serveNoMailServer();
    serveDesk(family(mona, omar()));
    server.use(
      handle(sheetRoutes.getParent, {
        parent: family(mona, omar()),
        pendingEmail: 'new@haris.example',
        emailWaits: { until: new Date(Date.now() + 3_600_000).toISOString(), askedByMe: false },
      }),
    );
    const { user, sheet: element, within: sheet } = await open('family=parent-mona', { language });
    for (const text of waits) expect(await sheet.findByText(text)).toBeVisible();
    expect(sheet.getByRole('button', { name: make })).toBeVisible();
    await user.click(sheet.getByRole('button', { name: edit }));
    expect(await sheet.findByText(hint)).toBeVisible();
    const email = sheet.getByRole('textbox', { name: /Email|البريد/ });
    await user.clear(email);
    await user.type(email, 'sara@haris.example');
    expect(await sheet.findByText(/a colleague has to agree|يجب أن يوافق أحد الزملاء/)).toBeVisible();
    expect(element).not.toHaveTextContent(sent);
  });

  test.each([
    ['en', 'Make a new link'],
    ['ar', 'إنشاء رابط جديد'],
  ] as const)('an address that is not verified: %s', async (language, name) => {
    serveNoMailServer();
    serveDesk(family({ ...mona, emailVerified: false }, omar()));
    const { within: sheet } = await open('family=parent-mona', { language });
    expect(await sheet.findByRole('button', { name })).toBeVisible();
  });
});
