/** The stream of `/api/events` for page tests: the test sends the events, closes the stream and refuses new ones. */
import { operationRoutes } from '@haris/contract/http/operations';
import { eventSchema, type HarisEvent, type Status, statusSchema } from '@haris/contract/live/events';
import { waitFor } from '@testing-library/react';
import type { RequestHandler } from 'msw';
import { handle, offline } from './contract-server.ts';

export interface EventStream {
  readonly handler: RequestHandler;
  /** Sends an event to every open stream, once there is one. Omitted fields are null. */
  send: (event: Partial<HarisEvent> & Pick<HarisEvent, 'type'>) => Promise<void>;
  sendStatus: (status: Partial<Status>) => Promise<void>;
  /** Ends the open streams; new ones cannot be opened until `restore`. */
  breakOff: () => void;
  restore: () => void;
}

export function createEventStream(): EventStream {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  let isDown = false;
  let id = 0;

  const handler = handle(operationRoutes.streamEvents, () => {
    if (isDown) return offline;
    let mine: ReadableStreamDefaultController<Uint8Array>;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        mine = controller;
        open.add(controller);
        controller.enqueue(encoder.encode(': hello\n\n'));
      },
      cancel() {
        open.delete(mine);
      },
    });
  });

  async function write(text: string): Promise<void> {
    await waitFor(() => {
      if (open.size === 0) throw new Error('the page has not opened the stream of events');
    });
    for (const controller of open) controller.enqueue(encoder.encode(text));
  }

  return {
    handler,
    async send(event) {
      const whole = eventSchema.parse({
        at: new Date().toISOString(),
        childId: null,
        parentId: null,
        child: null,
        ...event,
      });
      await write(`event: ${whole.type}\nid: ${++id}\ndata: ${JSON.stringify(whole)}\n\n`);
    },
    async sendStatus(status) {
      const whole = statusSchema.parse({ type: 'status', storage: 'ok', clock: 'ok', ...status });
      await write(`event: status\ndata: ${JSON.stringify(whole)}\n\n`);
    },
    breakOff() {
      isDown = true;
      for (const controller of open) controller.close();
      open.clear();
    },
    restore() {
      isDown = false;
      dispatchEvent(new Event('online'));
    },
  };
}
