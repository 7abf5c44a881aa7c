/** A client of `/api/events` over a real connection. */

import { request } from 'node:http';
import { eventSchema, type HarisEvent, type Status, statusSchema } from '@haris/contract/live/events';
import * as z from 'zod/mini';

export interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: HarisEvent;
}

export interface EventClient {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly events: SentEvent[];
  /** Status messages of the server. */
  readonly statuses: Status[];
  /** Comments, such as the heartbeat. */
  readonly comments: string[];
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  readonly isOpen: () => boolean;
  close(): void;
}

/** Opens a stream; resolves with the headers of the response. `onEvent` is called as each event arrives. */
export function openEvents(
  port: number,
  token: string | undefined,
  lastEventId?: string,
  onEvent: (event: SentEvent) => void = () => {},
): Promise<EventClient> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
    const outgoing = request({ port, host: '127.0.0.1', path: '/api/events', headers }, (answer) => {
      const events: SentEvent[] = [];
      const statuses: Status[] = [];
      const comments: string[] = [];
      let open = true;
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', (text: string) => {
        rest += text;
        const blocks = rest.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const fields = new Map<string, string>();
          for (const line of block.split('\n')) {
            const [name = '', ...value] = line.split(': ');
            if (name === '' || name === ':') comments.push(value.join(': '));
            else fields.set(name, value.join(': '));
          }
          const data = fields.get('data');
          if (data === undefined) continue;
          if (fields.get('event') === 'status') {
            statuses.push(z.strictObject(statusSchema.shape).parse(JSON.parse(data)));
            continue;
          }
          const event = {
            id: fields.get('id') ?? '',
            type: fields.get('event') ?? '',
            data: z.strictObject(eventSchema.shape).parse(JSON.parse(data)),
          };
          events.push(event);
          onEvent(event);
        }
      });
      const ended = new Promise<void>((done) => {
        answer.on('close', () => {
          open = false;
          done();
        });
      });
      answer.on('error', () => {});
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        events,
        statuses,
        comments,
        ended,
        isOpen: () => open,
        close: () => outgoing.destroy(),
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
