/** Who may pick up, passes, the pick-up code and who took the children, on the parent's home. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { type Collector, collectorRoutes } from '@haris/contract/http/collectors';
import { handOverRoutes, type Release } from '@haris/contract/http/hand-over';
import { sessionRoutes } from '@haris/contract/http/session';
import type { Child } from '@haris/contract/objects';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PICKUP_KEY, setToken } from '../../calls/token-store.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { handle, offline, pending, refuse, server } from '../../testing/contract-server.ts';
import { stopClock } from '../../testing/house-clock.ts';
import { child, parent } from '../../testing/people.ts';
import { collector, release } from '../../testing/pickups.ts';
import { renderScreen, type ScreenOptions } from '../../testing/render-screen.tsx';
import { drawPhotos, seeEverything } from '../../testing/sight.ts';

const omar = (more: Partial<Child> = {}) => child({ _id: 'child-omar', name: 'Omar Hassan', ...more });
const layla = () => child({ _id: 'child-layla', name: 'Layla Hassan' });
const mona = (...children: Child[]) => ({ parent: parent({ children }) });
const open = (options: ScreenOptions = {}) => renderScreen('/profile', { as: mona(omar()), ...options });

beforeEach(seeEverything);
afterEach(() => sessionStorage.clear());

/** The server's collectors of Omar; changes of the page are in `sent`. */
function serveCollectors(...known: Collector[]) {
  const sent: unknown[] = [];
  let isProved = true;
  const proved = <T,>(answer: () => T) =>
    isProved ? answer() : refuse('proof_required', { methods: ['password'] });
  const put = (one: Collector) => {
    known = [...known.filter(({ _id }) => _id !== one._id), one];
    return { message: 'ok', collector: one };
  };
  server.use(
    handle(collectorRoutes.listCollectors, ({ params }) => ({
      collectors: params.id === 'child-omar' ? known : [],
    })),
    handle(collectorRoutes.addCollector, ({ params, body }) =>
      proved(() => {
        sent.push([params.id, body]);
        return put(
          collector({
            ...body,
            _id: 'collector-new',
            phone: body.phone ?? null,
            from: body.from ?? null,
            until: body.until ?? null,
          }),
        );
      }),
    ),
    handle(collectorRoutes.updateCollector, ({ params, body }) =>
      proved(() => {
        sent.push([params.id, body]);
        return put(
          collector({
            ...body,
            _id: params.id,
            phone: body.phone ?? null,
            from: body.from ?? null,
            until: body.until ?? null,
          }),
        );
      }),
    ),
    handle(collectorRoutes.setCollectorPhoto, ({ params, form }) =>
      proved(() => {
        const photo = form?.get('photo');
        sent.push(['photo', params.id, photo instanceof File ? photo.name : null]);
        return put(collector({ _id: params.id, photo: '/api/photos/of-samia' }));
      }),
    ),
    handle(collectorRoutes.removeCollectorPhoto, ({ params }) =>
      proved(() => {
        sent.push(['no photo', params.id]);
        return put(collector({ _id: params.id }));
      }),
    ),
    handle(collectorRoutes.removeCollector, ({ params }) => {
      sent.push(['remove', params.id]);
      known = known.filter(({ _id }) => _id !== params.id);
      return { message: 'ok' };
    }),
    handle(collectorRoutes.createCollectorPass, ({ params, body }) =>
      proved(() => {
        sent.push(['pass', params.id, body]);
        const day = body.day ?? '';
        known = known.map((one) => ({ ...one, passDay: day }));
        return { token: 'T0ken-of-the-pass', day };
      }),
    ),
    handle(collectorRoutes.revokeCollectorPass, ({ params }) => {
      sent.push(['revoke', params.id]);
      known = known.map((one) => ({ ...one, passDay: null }));
      return { message: 'ok' };
    }),
    handle(sessionRoutes.proveSession, ({ body }) => {
      if (!('password' in body) || body.password !== 'correct horse') return refuse('wrong_password');
      isProved = true;
      return undefined;
    }),
  );
  return {
    sent,
    askForProof: () => {
      isProved = false;
    },
  };
}

const listOf = (name: string) => screen.findByRole('list', { name: `Who may pick up ${name}` });
/** The day at the facility, `YYYY-MM-DD`. */
const cairoDay = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Cairo' }).format(new Date());

describe('who may pick up', () => {
  test('each with relation, phone and days; unconfirmed people show an ID', async () => {
    serveCollectors(
      collector({ isConfirmed: true }),
      collector({ _id: 'c2', name: 'Adel Fathy', phone: null, weekdays: [0, 2] }),
      collector({ _id: 'c3', name: 'Nadia Samir', from: cairoDay(), until: cairoDay() }),
      collector({ _id: 'c4', name: 'Hoda Ali', from: '2020-01-01', until: '2020-01-31' }),
    );
    await open();
    const [samia, adel, nadia, hoda] = within(await listOf('Omar Hassan')).getAllByRole('listitem');
    expect(samia).toHaveTextContent(/Samia Hassan Grandmother.*Every day.*Confirmed/);
    expect(
      within(samia as HTMLElement).getByRole('link', { name: 'Call Samia Hassan: 01112223344' }),
    ).toHaveAttribute('href', 'tel:01112223344');
    expect(adel).toHaveTextContent(/Sunday.*Tuesday only.*Shows an ID at the first pick-up/);
    expect(nadia).toHaveTextContent('Only today');
    expect(hoda).toHaveTextContent(/Jan(uary)? 2020.*Ended/);
    expect(within(hoda as HTMLElement).queryByRole('button', { name: /Send a pass/ })).toBeNull();
    await expectAccessible();
  });

  test('who may not take the child is told that the list is not whole', async () => {
    serveCollectors();
    await open({ as: mona(omar({ mayTake: false })) });
    await screen.findByText('Nobody else yet.');
    expect(screen.getByText(/^You see only people whom you have added\./)).toBeVisible();
    expect(screen.queryByText(/^Besides you\./)).toBeNull();
  });

  test('a photo is taken or chosen, shown, and removed', async () => {
    drawPhotos();
    const { sent } = serveCollectors(collector());
    const { user } = await open();
    const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
    await listOf('Omar Hassan');
    await press('Photo of Samia Hassan');
    const dialog = await screen.findByRole('dialog', { name: 'Photo of Samia Hassan' });
    expect(within(dialog).getByText(/checks the identity document again/)).toBeVisible();
    expect(within(dialog).queryByRole('button', { name: 'Remove photo' })).toBeNull();
    const [chosen, taken] = dialog.ownerDocument.querySelectorAll<HTMLInputElement>('input[type="file"]');
    expect(taken).toHaveAttribute('capture', 'environment');
    if (!chosen) throw new Error('there is no field for a file');
    await user.upload(chosen, new File(['face'], 'samia.jpg', { type: 'image/jpeg' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toEqual([['photo', 'collector-samia', 'samia.jpg']]));
    const row = await listOf('Omar Hassan');
    await waitFor(() => expect(row.querySelector('img[alt="Samia Hassan"]')).not.toBeNull());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await press('Photo of Samia Hassan');
    await press('Remove photo');
    await waitFor(() => expect(sent).toContainEqual(['no photo', 'collector-samia']));
    await waitFor(() => expect(row.querySelector('img')).toBeNull());
  });

  test('each child has its own list', async () => {
    serveCollectors(collector());
    await open({ as: mona(omar(), layla()) });
    await listOf('Omar Hassan');
    expect(screen.getByRole('heading', { level: 3, name: 'Who may pick up Layla Hassan' })).toBeVisible();
    expect(await screen.findByText('Nobody else yet.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Add person who may pick up Layla Hassan' })).toBeVisible();
    await expectAccessible();
  });

  test('without children there is nobody to pick up', async () => {
    await open({ as: mona() });
    await screen.findByText('No children added yet.');
    expect(screen.queryByText('Who may pick up')).toBeNull();
  });

  test.each([
    ['while it loads', pending, () => screen.findByRole('status', { name: 'Loading who may pick up' })],
    ['without a connection', offline, () => screen.findByRole('button', { name: 'Try Again' })],
  ] as const)('%s it says so', async (_when, answer, shown) => {
    server.use(handle(collectorRoutes.listCollectors, answer));
    await open();
    expect(await shown()).toBeVisible();
  });

  test('a person is added after the password; fields say what is wrong first', async () => {
    const { sent, askForProof } = serveCollectors();
    askForProof();
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Add person who may pick up Omar Hassan' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add a person' });
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    expect(within(dialog).getByLabelText(/^Full name/)).toHaveAccessibleDescription(/Name is required/);
    expect(within(dialog).getByLabelText(/^Relation/)).toHaveAccessibleDescription(
      /Say who the person is to the child/,
    );
    await user.type(within(dialog).getByLabelText(/^Full name/), 'Samia Hassan');
    await user.type(within(dialog).getByLabelText(/^Relation/), 'Grandmother');
    await user.type(within(dialog).getByLabelText(/^Phone/), '123');
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    expect(within(dialog).getByLabelText(/^Phone/)).toHaveAccessibleDescription(/Invalid phone/);
    await user.clear(within(dialog).getByLabelText(/^Phone/));
    await user.type(within(dialog).getByLabelText(/^Phone/), '01112223344');
    await user.click(within(dialog).getByRole('radio', { name: 'On some days' }));
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    expect(await within(dialog).findByText('Choose a day of the week or a date')).toBeVisible();
    await expectAccessible();
    await user.click(within(dialog).getByRole('checkbox', { name: 'Sunday' }));
    await user.click(within(dialog).getByRole('button', { name: 'Add' }));
    const proof = await screen.findByRole('dialog', { name: 'Confirm that it is you' });
    expect(sent).toEqual([]);
    await user.type(within(proof).getByLabelText('Your password'), 'correct horse');
    await user.click(within(proof).getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText('Samia Hassan was added')).toBeVisible();
    expect(await listOf('Omar Hassan')).toHaveTextContent('Sunday only');
    const body = { name: 'Samia Hassan', relation: 'Grandmother', phone: '01112223344' };
    expect(sent).toEqual([['child-omar', { ...body, weekdays: [0], from: null, until: null }]]);
  });

  test('only today is this day at the facility', async () => {
    const { sent } = serveCollectors();
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Add person who may pick up Omar Hassan' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a person' }));
    await user.type(dialog.getByLabelText(/^Full name/), 'Samia Hassan');
    await user.type(dialog.getByLabelText(/^Relation/), 'Grandmother');
    await user.click(dialog.getByRole('radio', { name: 'Only today' }));
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await listOf('Omar Hassan')).toHaveTextContent('Only today');
    expect(sent).toMatchObject([['child-omar', { from: cairoDay(), until: cairoDay(), weekdays: [] }]]);
  });

  test('a refusal keeps the form with what was typed', async () => {
    serveCollectors();
    server.use(handle(collectorRoutes.addCollector, refuse('too_many_collectors')));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Add person who may pick up Omar Hassan' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a person' }));
    await user.type(dialog.getByLabelText(/^Full name/), 'Samia Hassan');
    await user.type(dialog.getByLabelText(/^Relation/), 'Grandmother');
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText(/No more people can be added for this child/)).toBeVisible();
    expect(dialog.getByLabelText(/^Full name/)).toHaveValue('Samia Hassan');
  });

  test('a person is changed, and removed after a question', async () => {
    const { sent } = serveCollectors(collector({ from: '2026-12-01', weekdays: [4] }));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Change Samia Hassan' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Samia Hassan' }));
    expect(dialog.getByText(/checks the identity document again/)).toBeVisible();
    expect(dialog.getByLabelText(/^First day/)).toHaveValue('2026-12-01');
    expect(dialog.getByRole('checkbox', { name: 'Thursday' })).toBeChecked();
    await user.click(dialog.getByRole('radio', { name: 'Every day' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect(await listOf('Omar Hassan')).toHaveTextContent('Every day'));
    expect(sent).toMatchObject([['collector-samia', { from: null, until: null, weekdays: [] }]]);
    await user.click(screen.getByRole('button', { name: 'Remove Samia Hassan' }));
    const question = within(await screen.findByRole('dialog', { name: 'Remove Samia Hassan?' }));
    expect(question.getByText(/no longer be allowed to pick up Omar Hassan/)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Nobody else yet.')).toBeVisible();
    expect(sent).toHaveLength(2);
  });

  test('a change at the desk is shown by its event', async () => {
    let known = [collector()];
    server.use(handle(collectorRoutes.listCollectors, () => ({ collectors: known })));
    const { events } = await open();
    expect(await listOf('Omar Hassan')).toHaveTextContent('Shows an ID');
    known = [collector({ isConfirmed: true })];
    await events.send({ type: 'child.updated', childId: 'child-omar' });
    await waitFor(async () => expect(await listOf('Omar Hassan')).not.toHaveTextContent('Shows an ID'));
  });

  test('in Arabic', async () => {
    serveCollectors(collector({ name: 'سامية حسن', relation: 'الجدة', weekdays: [0] }));
    await open({ language: 'ar', size: 'phone' });
    const list = await screen.findByRole('list', { name: /من يمكنه استلام/ });
    expect(list).toHaveTextContent(/سامية حسن الجدة.*الأحد فقط.*تُطلب وثيقة الهوية عند أول استلام/);
  });
});

describe('a pass', () => {
  test('is created for a day, shown once as a link and a QR code, copied, and revoked', async () => {
    const { sent } = serveCollectors(collector());
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Send a pass for Samia Hassan' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Pass for Samia Hassan' }));
    expect(dialog.getByLabelText('Day')).toHaveValue(cairoDay());
    await user.click(dialog.getByRole('button', { name: 'Create pass' }));
    expect(await dialog.findByRole('img', { name: 'QR code that opens the pass' })).toBeVisible();
    const link = `${location.origin}/pass#T0ken-of-the-pass`;
    expect(dialog.getByLabelText('Link to the pass')).toHaveValue(link);
    await expectAccessible();
    expect(sent).toEqual([['pass', 'collector-samia', { day: cairoDay() }]]);
    const copied = vi.spyOn(navigator.clipboard, 'writeText');
    await user.click(dialog.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Link copied')).toBeVisible();
    expect(copied).toHaveBeenCalledWith(link);
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText(/^Pass for /)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send a new pass for Samia Hassan' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Revoke the pass of Samia Hassan' }));
    expect(await screen.findByRole('button', { name: 'Send a pass for Samia Hassan' })).toBeVisible();
    expect(sent.at(-1)).toEqual(['revoke', 'collector-samia']);
  });

  test('goes to the phone’s own way to share, where there is one', async () => {
    serveCollectors(collector());
    const share = vi.fn(async () => {});
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
    try {
      const { user } = await open();
      await user.click(await screen.findByRole('button', { name: 'Send a pass for Samia Hassan' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Pass for Samia Hassan' }));
      await user.click(dialog.getByRole('button', { name: 'Create pass' }));
      await user.click(await dialog.findByRole('button', { name: 'Share' }));
      expect(share).toHaveBeenCalledWith({
        title: 'Pass to pick up Omar Hassan',
        url: `${location.origin}/pass#T0ken-of-the-pass`,
      });
    } finally {
      Reflect.deleteProperty(navigator, 'share');
    }
  });

  test('is not created for a day on which the person may not come', async () => {
    serveCollectors(collector());
    server.use(handle(collectorRoutes.createCollectorPass, refuse('collector_not_listed')));
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Send a pass for Samia Hassan' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Pass for Samia Hassan' }));
    await user.click(dialog.getByRole('button', { name: 'Create pass' }));
    await waitFor(() =>
      expect(dialog.getByLabelText('Day')).toHaveAccessibleDescription(
        'Samia Hassan may not pick up on this day.',
      ),
    );
  });
});

describe('the pick-up code', () => {
  const inside = () => omar({ isInside: true });
  /** The key of the test values of RFC 6238. */
  const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  /** The minute of step 37037036, whose value in RFC 6238 ends with 081804; the next one ends with 050471. */
  const AT = 37_037_036 * 60_000;
  const card = () => screen.findByRole('region', { name: /Pick-up code|رمز الاستلام/ });

  test('is that of RFC 6238 for this minute, and changes with it', async () => {
    server.use(handle(handOverRoutes.createPickupCode, { secret: SECRET }));
    const clock = stopClock();
    vi.setSystemTime(AT + 20_000);
    await open({ as: mona(inside()) });
    await waitFor(async () => expect(await card()).toHaveTextContent('081804'));
    expect(await card()).toHaveTextContent(/New code in (40|39|38) seconds/);
    await clock.pass(40_000);
    await waitFor(async () => expect(await card()).toHaveTextContent('050471'));
  });

  test('has Arabic digits in Arabic', async () => {
    server.use(handle(handOverRoutes.createPickupCode, { secret: SECRET }));
    stopClock();
    vi.setSystemTime(AT + 1000);
    await open({ as: mona(inside()), language: 'ar', size: 'phone' });
    await waitFor(async () => expect(await card()).toHaveTextContent('٠٨١٨٠٤'));
  });

  test('is not asked for while all children are outside, and leaves this tab with them', async () => {
    server.use(handle(handOverRoutes.createPickupCode, { secret: SECRET }));
    const { be, events } = await open({ as: mona(inside()) });
    await waitFor(async () => expect(await card()).toHaveTextContent(/\d{6}/));
    expect(JSON.stringify({ ...sessionStorage })).toContain(SECRET);
    be(mona(omar()));
    await events.send({ type: 'child.checked_out', childId: 'child-omar' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Pick-up code' })).toBeNull());
    await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).not.toContain(SECRET));
  });

  test('is there without a connection once this tab has had it; the end of the session removes it', async () => {
    server.use(handle(handOverRoutes.createPickupCode, { secret: SECRET }));
    const first = await open({ as: mona(inside()) });
    await waitFor(async () => expect(await card()).toHaveTextContent(/\d{6}/));
    const kept = { ...sessionStorage };
    await first.unmount();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain(SECRET);
    // A reload keeps the session and the tab's storage.
    server.use(handle(handOverRoutes.createPickupCode, offline));
    setToken('token-of-the-page-test');
    for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(key, value);
    await open({ as: mona(inside()) });
    await waitFor(async () => expect(await card()).toHaveTextContent(/\d{6}/));
  });

  test('is there after a reload without a connection at all, until the session is known again', async () => {
    let isUp = false;
    const inSession = { parent: parent({ children: [inside()] }) };
    server.use(
      handle(accountRoutes.parentInfo, () => (isUp ? inSession : offline)),
      handle(accountRoutes.adminInfo, () => (isUp ? refuse('forbidden') : offline)),
      handle(handOverRoutes.createPickupCode, { secret: SECRET }),
    );
    setToken('token-of-the-page-test');
    sessionStorage.setItem(PICKUP_KEY, SECRET);
    const { user } = await open({ as: inSession });
    await waitFor(async () => expect(await card()).toHaveTextContent(/\d{6}/));
    expect(screen.queryByText('Who may pick up')).toBeNull();
    isUp = true;
    await user.click(await screen.findByRole('button', { name: 'Try Again' }));
    await screen.findByText('Who may pick up');
    await waitFor(() => expect(screen.getAllByRole('region', { name: 'Pick-up code' })).toHaveLength(1));
  });

  test('that cannot be loaded says so and can be asked for again', async () => {
    server.use(handle(handOverRoutes.createPickupCode, refuse('internal_error')));
    const { user } = await open({ as: mona(inside()) });
    expect(await within(await card()).findByRole('alert')).toHaveTextContent(
      'The pick-up code could not be loaded.',
    );
    server.use(handle(handOverRoutes.createPickupCode, { secret: SECRET }));
    await user.click(within(await card()).getByRole('button', { name: 'Try Again' }));
    await waitFor(async () => expect(await card()).toHaveTextContent(/\d{6}/));
  });
});

describe('who took a child', () => {
  const card = () => screen.findByRole('region', { name: 'Picked up' });
  const serve = (...releases: Release[]) => server.use(handle(handOverRoutes.listReleases, { releases }));

  test.each([
    [
      'a collector',
      release(),
      /Omar Hassan was picked up at .+ by Samia Hassan \(Grandmother\)\.Handed over by Hana Nabil, with the entry slip/,
    ],
    [
      'this parent',
      release({ adult: { kind: 'guardian', name: null, relation: null }, proof: 'code' }),
      /by you\.Handed over by Hana Nabil, with the pick-up code/,
    ],
    [
      'another guardian',
      release({ adult: { kind: 'guardian', name: '', relation: null } }),
      /by another guardian\./,
    ],
    [
      'another guardian with the right to take the child',
      release({ adult: { kind: 'guardian', name: 'Tarek Hassan', relation: null } }),
      /was picked up at .+ by Tarek Hassan\./,
    ],
    [
      'somebody whom another household sent',
      release({ adult: { kind: 'collector', name: '', relation: null } }),
      /by a person whom another guardian named\. The desk can tell you more\./,
    ],
    [
      'somebody whose data is erased',
      release({ adult: { kind: 'collector', name: null, relation: null } }),
      /by a person who is no longer listed\./,
    ],
    [
      'nobody named',
      release({ adult: null, proof: null }),
      /was checked out at .+\. Please ask the desk who took the child\.Handed over by Hana Nabil/,
    ],
    [
      'with a second person',
      release({ proof: 'second', secondBy: 'Rana Said' }),
      /with a second staff member · Confirmed by Rana Said/,
    ],
    [
      'released by deleted staff',
      release({ releasedBy: null, proof: 'pass' }),
      /\(Grandmother\)\.With a pass/,
    ],
  ])('%s', async (_who, given, words) => {
    serve(given);
    await open();
    expect(await card()).toHaveTextContent(words);
  });

  test('nothing without a release, and nothing of one that is a day old', async () => {
    serve(release({ at: new Date(Date.now() - 25 * 3_600_000).toISOString() }));
    await open();
    await screen.findByText('Who may pick up');
    await screen.findByText('Nobody else yet.');
    expect(screen.queryByRole('region', { name: 'Picked up' })).toBeNull();
  });

  test('that was not expected is told to the desk after a question', async () => {
    const told: string[] = [];
    server.use(
      handle(handOverRoutes.listReleases, () => ({
        releases: [release({ isUnexpected: told.length > 0 })],
      })),
      handle(handOverRoutes.reportUnexpectedRelease, ({ params }) => {
        told.push(params.stayId);
        return { message: 'ok' };
      }),
    );
    const { user } = await open();
    await user.click(
      within(await card()).getByRole('button', { name: 'I did not expect this: Omar Hassan' }),
    );
    const question = within(await screen.findByRole('dialog', { name: 'Tell the desk now?' }));
    expect(told).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Tell the desk' }));
    expect(await screen.findByText('The desk has been told')).toBeVisible();
    await waitFor(async () =>
      expect(await card()).toHaveTextContent(
        'You said that you did not expect this. The desk has been told.',
      ),
    );
    expect(told).toEqual(['stay-omar']);
    expect(within(await card()).queryByRole('button')).toBeNull();
  });

  test('a report that fails says so and can be sent again', async () => {
    serve(release());
    server.use(handle(handOverRoutes.reportUnexpectedRelease, offline));
    const { user } = await open();
    const press = async () =>
      user.click(within(await card()).getByRole('button', { name: /^I did not expect/ }));
    await press();
    await user.click(await screen.findByRole('button', { name: 'Tell the desk' }));
    expect(await screen.findByText(/cannot be reached/)).toBeVisible();
    await press();
    expect(await screen.findByRole('dialog', { name: 'Tell the desk now?' })).toBeVisible();
  });

  test('appears with the checkout and goes with its undo', async () => {
    let releases: Release[] = [];
    server.use(handle(handOverRoutes.listReleases, () => ({ releases })));
    const { events } = await open();
    await screen.findByText('Nobody else yet.');
    releases = [release()];
    await events.send({ type: 'child.checked_out', childId: 'child-omar' });
    await card();
    releases = [];
    await events.send({ type: 'child.checkout_undone', childId: 'child-omar' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Picked up' })).toBeNull());
  });

  test('in Arabic', async () => {
    serve(release({ adult: null }));
    await open({ language: 'ar', size: 'phone' });
    expect(await screen.findByText(/يمكنك سؤال موظفي الاستقبال عمّن استلم الطفل/)).toBeVisible();
  });
});
