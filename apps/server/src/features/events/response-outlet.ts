/** HTTP response of an event stream: writes text, and can end even if the client does not read. */
import type { ServerResponse } from 'node:http';
import type { Actor } from '../../actor.ts';
import type { Outlet } from './fan-out.ts';

/** Time within which a client must read written text, or it is disconnected; it reconnects and resumes. Milliseconds. */
const READ_WITHIN_MS = 10_000;
/** Time for the last bytes to reach the client when its stream ends. Milliseconds. */
export const END_WITHIN_MS = 500;

/** Sends the status and headers of the response. `headers`: headers set by the framework. */
export function openResponseOutlet(
  raw: ServerResponse,
  who: Actor,
  headers: Readonly<Record<string, number | string | string[] | undefined>>,
): Outlet<Actor> {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  return {
    who,
    write: (text) => void raw.write(text),
    waiting: () => raw.writableLength,
    taken: () =>
      new Promise((resolve) => {
        const settle = (): void => {
          clearTimeout(late);
          for (const event of ['drain', 'close']) raw.off(event, settle);
          resolve(raw.writableLength === 0 && !raw.destroyed);
        };
        const late = setTimeout(settle, READ_WITHIN_MS);
        for (const event of ['drain', 'close']) raw.on(event, settle);
      }),
    end() {
      raw.end();
      // A client that does not read could otherwise keep the connection, and get waiting text long after the session's end.
      setTimeout(() => raw.destroy(), END_WITHIN_MS).unref();
    },
  };
}
