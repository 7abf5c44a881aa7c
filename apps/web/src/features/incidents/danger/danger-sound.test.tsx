/** The sound of a danger on the screens of staff: locked until a press, and that is said. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { type Evacuation, evacuationSchema, incidentRoutes } from '@haris/contract/http/incidents';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { KEPT_LIST_KEY } from '../../../calls/token-store.ts';
import { hearAudio } from '../../../testing/audio.ts';
import { handle, offline, server } from '../../../testing/contract-server.ts';
import { stopClock } from '../../../testing/house-clock.ts';
import { child, parent } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { incident, serveIncidents, staff } from '../testing/incidents.ts';

// The page makes one context and keeps it, so all tests hear the same.
const audio = hearAudio();
const LOCKED = 'Press once to allow sound';
const card = () => screen.findByRole('alertdialog', { name: 'Temperature alert' });

beforeEach(() => act(() => audio.lock()));

test('plays once somebody has pressed on the page, which the dialog asks for, until it is acknowledged', async () => {
  const { pass } = stopClock();
  serveIncidents(incident());
  const { user } = await renderScreen('/importFamilies', { as: staff });
  const danger = await card();
  expect(screen.getByText(LOCKED)).toBeVisible();
  await pass(5_000);
  expect(audio.tones()).toBe(0);
  await user.keyboard('{Shift}');
  await waitFor(() => expect(screen.queryByText(LOCKED)).not.toBeInTheDocument());
  await pass(5_000);
  expect(audio.tones()).toBeGreaterThanOrEqual(4);
  await user.click(within(danger).getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(danger).not.toBeInTheDocument());
  const before = audio.tones();
  await pass(5_000);
  expect(audio.tones()).toBe(before);
});

describe('an evacuation', () => {
  /** Each has an id of its own, because the page remembers which one was silenced. */
  function serveEvacuation(id: string) {
    const evacuation: Evacuation = evacuationSchema.parse({
      _id: id,
      startedAt: new Date().toISOString(),
      startedBy: { _id: 'admin-other', name: 'Karim Adel' },
      endedAt: null,
      ticks: [],
      people: [],
      children: [
        {
          childId: 'child-1',
          name: 'Omar Hassan',
          photo: null,
          guardian: null,
          isInside: true,
          lastSeen: null,
          tick: null,
        },
      ],
    });
    server.use(
      handle(incidentRoutes.getEvacuation, { evacuation }),
      handle(incidentRoutes.sendEvacuationTicks, { evacuation }),
    );
  }
  async function open(id: string) {
    const { pass } = stopClock();
    serveEvacuation(id);
    const { user, events } = await renderScreen('/importFamilies', { as: staff });
    const dialog = within(await screen.findByRole('dialog', { name: /roll call/ }));
    /** Number of tones in some seconds. */
    const hear = async (ms = 5_000) => {
      const before = audio.tones();
      await pass(ms);
      return audio.tones() - before;
    };
    return { user, dialog, hear, events };
  }
  const SILENCE = { name: 'Silence the alarm' };

  test('sounds on the screens of staff after a press, which it asks for, until somebody silences it', async () => {
    const { user, dialog, hear } = await open('evacuation-silenced');
    expect(dialog.getByText(LOCKED)).toBeVisible();
    expect(await hear()).toBe(0);
    await user.keyboard('{Shift}');
    await waitFor(() => expect(dialog.queryByText(LOCKED)).not.toBeInTheDocument());
    expect(await hear()).toBeGreaterThanOrEqual(4);
    await user.click(dialog.getByRole('button', SILENCE));
    await waitFor(() => expect(dialog.queryByRole('button', SILENCE)).not.toBeInTheDocument());
    expect(dialog.getByRole('heading', { name: /roll call/ })).toHaveFocus();
    expect(await hear(20_000)).toBe(0);
  });

  test.each([
    ['a mark', () => ({ role: 'checkbox', name: 'Omar Hassan is here' }) as const],
    ['minimising', () => ({ role: 'button', name: 'Minimise' }) as const],
  ])('is silent after %s on this device', async (way, target) => {
    const { user, dialog, hear } = await open(`evacuation-${way}`);
    await user.keyboard('{Shift}');
    expect(await hear()).toBeGreaterThanOrEqual(4);
    const { role, name } = target();
    await user.click(dialog.getByRole(role, { name }));
    expect(await hear(20_000)).toBe(0);
  });

  test('that was silenced: a new danger sounds until it is silenced itself, or acknowledged', async () => {
    const { open: incidents } = serveIncidents();
    const { user, dialog, hear, events } = await open('evacuation-danger');
    const box = () => dialog.getByRole('checkbox', { name: 'Omar Hassan is here' });
    const raise = async (area: string) => {
      const incidentId = `incident-${area}-${incidents.length}`;
      incidents.push(incident({ _id: incidentId, area }));
      await events.send({ type: 'alert.raised', incidentId });
    };
    await user.keyboard('{Shift}');
    await user.click(box());
    expect(await hear(20_000)).toBe(0);
    await raise('Kitchen');
    const button = await dialog.findByRole('button', SILENCE);
    expect(await hear()).toBeGreaterThanOrEqual(4);
    // Whoever goes on marking has perhaps not heard it.
    await user.click(box());
    expect(await hear()).toBeGreaterThanOrEqual(4);
    await user.click(button);
    await waitFor(() => expect(dialog.queryByRole('button', SILENCE)).not.toBeInTheDocument());
    expect(await hear(20_000)).toBe(0);
    await user.click(dialog.getByRole('button', { name: 'Minimise' }));
    // Also while the roll call is minimised, which the banner then silences.
    await raise('Garden');
    await user.click(await screen.findByRole('button', SILENCE));
    await waitFor(() => expect(screen.queryByRole('button', SILENCE)).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Open roll call' })).toHaveFocus();
    expect(await hear(20_000)).toBe(0);
    // Over, and back.
    incidents.length = 0;
    await events.send({ type: 'alert.cleared' });
    await waitFor(() => expect(screen.queryByText(/Temperature alert/)).not.toBeInTheDocument());
    await raise('Kitchen');
    await screen.findByRole('button', SILENCE);
    const [back] = incidents;
    if (back !== undefined)
      incidents[0] = {
        ...back,
        acknowledgedAt: new Date().toISOString(),
        acknowledgedBy: { _id: 'admin-other', name: 'Karim Adel' },
      };
    await events.send({ type: 'alert.acknowledged', incidentId: back?._id ?? '' });
    await waitFor(() => expect(screen.queryByRole('button', SILENCE)).not.toBeInTheDocument());
    expect(await hear(20_000)).toBe(0);
  });

  test('is silent about a child whom this screen itself reports missing', async () => {
    const { open: incidents } = serveIncidents();
    const missing = incident({
      _id: 'search-omar',
      kind: 'missing_child',
      area: null,
      subject: { kind: 'child', _id: 'child-1', name: 'Omar Hassan' },
      value: null,
      limit: null,
    });
    server.use(
      handle(incidentRoutes.reportMissingChild, () => {
        incidents.push(missing);
        return { incident: missing };
      }),
    );
    const { user, dialog, hear } = await open('evacuation-search');
    await user.keyboard('{Shift}');
    await user.click(dialog.getByRole('button', { name: 'Omar Hassan is missing' }));
    const asked = within(await dialog.findByRole('region', { name: /Omar Hassan/ }));
    await user.click(asked.getByRole('button', { name: 'Alert all staff' }));
    await dialog.findByText(/^Reported missing/);
    expect(dialog.queryByRole('button', SILENCE)).not.toBeInTheDocument();
    expect(await hear(20_000)).toBe(0);
  });

  test('is silent by itself after five minutes', async () => {
    const { user, dialog, hear } = await open('evacuation-long');
    await user.keyboard('{Shift}');
    expect(await hear(280_000)).toBeGreaterThan(100);
    await hear(30_000);
    await waitFor(() => expect(dialog.queryByRole('button', SILENCE)).not.toBeInTheDocument());
    expect(await hear(20_000)).toBe(0);
  });

  test('sounds with the list that this device has kept, too, after a reload without a connection', async () => {
    serveEvacuation('evacuation-kept');
    const { unmount } = await renderScreen('/importFamilies', { as: staff });
    await waitFor(() => expect(localStorage.getItem(KEPT_LIST_KEY)).not.toBeNull());
    const kept = localStorage.getItem(KEPT_LIST_KEY) ?? '';
    await unmount();
    // The page looks for the list once it knows that nobody answers.
    const placed = Promise.withResolvers<void>();
    const away = async (): Promise<typeof offline> => {
      await placed.promise;
      return offline;
    };
    server.use(
      handle(accountRoutes.adminInfo, away),
      handle(accountRoutes.parentInfo, away),
      handle(incidentRoutes.getEvacuation, offline),
    );
    const { pass } = stopClock();
    const { user } = await renderScreen('/importFamilies', { as: staff });
    localStorage.setItem(KEPT_LIST_KEY, kept);
    placed.resolve();
    const dialog = within(await screen.findByRole('dialog', { name: /roll call/ }));
    expect(dialog.getByText(/List as of/)).toBeVisible();
    const hear = async () => {
      const before = audio.tones();
      await pass(10_000);
      return audio.tones() - before;
    };
    await user.keyboard('{Shift}');
    await waitFor(() => expect(dialog.queryByText(LOCKED)).not.toBeInTheDocument());
    expect(await hear()).toBeGreaterThanOrEqual(4);
    await user.click(dialog.getByRole('button', SILENCE));
    expect(await hear()).toBe(0);
  });

  test('is silent for a parent', async () => {
    const { pass } = stopClock();
    serveEvacuation('evacuation-parent');
    serveIncidents(incident({ _id: 'evacuation-parent', kind: 'evacuation', area: null }));
    const own = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
    const { user } = await renderScreen('/addChild', { as: { parent: parent({ children: [own] }) } });
    await screen.findByText(/^Staff are with the children/);
    await user.keyboard('{Shift}');
    const before = audio.tones();
    await pass(5_000);
    expect(audio.tones()).toBe(before);
  });
});

test('asks no parent', async () => {
  serveIncidents(incident());
  const own = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
  await renderScreen('/addChild', { as: { parent: parent({ children: [own] }) } });
  await card();
  expect(screen.queryByText(LOCKED)).not.toBeInTheDocument();
});
