import type { HarisEvent } from '@haris/contract/live/events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordEventPosition } from '../calls/event-position.ts';
import { backoffMs, type LiveState, startLive } from './live.ts';

const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchMock);
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', page);
});

afterEach(() => {
  fetchMock.mockReset();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A stream that sends `text` and ends. */
const ending = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } });

/** A stream that sends these pieces one by one and ends. */
const pieces = (...texts: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    }),
  );

const event = (id: number) =>
  `id: ${id}\nevent: child.deleted\ndata: ${JSON.stringify({
    type: 'child.deleted',
    at: '2026-11-20T10:15:00.000Z',
    childId: `c${id}`,
    parentId: 'p',
    child: null,
  })}\n\n`;

function start() {
  const events: HarisEvent[] = [];
  const states: LiveState[] = [];
  const onResume = vi.fn();
  const stop = startLive({
    onEvent: (each) => events.push(each),
    onState: (each) => states.push(each),
    onStatus: () => {},
    onResume,
  });
  return { events, states, onResume, stop };
}

describe('startLive', () => {
  it('hands events on, survives what it does not know, and resumes behind the last one', async () => {
    fetchMock.mockResolvedValueOnce(
      ending(`: hello\n\nevent: new.kind\ndata: {"type":"new.kind"}\n\n${event(41)}`),
    );
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    fetchMock.mockResolvedValueOnce(ending(event(42)));
    fetchMock.mockImplementation(() => new Promise(() => {}));
    const live = start();
    await vi.advanceTimersByTimeAsync(0);
    expect(live.events.map(({ childId }) => childId)).toEqual(['c41']);
    expect(live.states).toEqual(['connecting', 'live', 'reconnecting']);
    expect(live.onResume).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(4000);
    expect(live.events.map(({ childId }) => childId)).toEqual(['c41', 'c42']);
    expect(live.onResume).toHaveBeenCalledOnce();
    const lastIds = fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('last-event-id'));
    expect(lastIds.slice(0, 3)).toEqual([null, '41', '41']);
    live.stop();
  });

  it('reads events that the network cuts anywhere, and keeps the last id across events without one', async () => {
    const text = `${event(7).replaceAll('\n', '\r\n')}: beat\r\n\r\n${event(8).replace('id: 8\n', '')}`;
    for (let cut = 0; cut <= text.length; cut += 7) {
      fetchMock.mockReset();
      fetchMock.mockResolvedValueOnce(pieces(text.slice(0, cut), text.slice(cut)));
      fetchMock.mockImplementation(() => new Promise(() => {}));
      const live = start();
      await vi.advanceTimersByTimeAsync(4000);
      expect(
        live.events.map(({ childId }) => childId),
        `cut at ${cut}`,
      ).toEqual(['c7', 'c8']);
      expect(new Headers(fetchMock.mock.calls[1]?.[1]?.headers).get('last-event-id')).toBe('7');
      live.stop();
    }
  });

  it('begins where the server was when it said who is signed in', async () => {
    recordEventPosition('17');
    recordEventPosition('18');
    recordEventPosition('no number');
    fetchMock.mockImplementation(() => new Promise(() => {}));
    start().stop();
    start().stop();
    await vi.advanceTimersByTimeAsync(0);
    const lastIds = fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('last-event-id'));
    expect(lastIds).toEqual(['18', null]);
  });

  it('does not ask again when the session is over', async () => {
    fetchMock.mockResolvedValue(Response.json({ code: 'unauthenticated', message: 'no' }, { status: 401 }));
    const live = start();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(fetchMock).toHaveBeenCalledOnce();
    expect(live.states.at(-1)).toBe('off');
  });

  it('stops when it is told to', async () => {
    fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
    const live = start();
    await vi.advanceTimersByTimeAsync(500);
    live.stop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(fetchMock).toHaveBeenCalledOnce();
    expect(live.states.at(-1)).toBe('off');
  });
});

describe('backoffMs', () => {
  it('grows from 1 s to 30 s', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => backoffMs(attempt, 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
  });

  it('is spread, so that all desks do not come back at once', () => {
    expect(backoffMs(5, 0)).toBe(22_500);
    expect(backoffMs(0, 0)).toBe(1000);
  });
});
