/** A WebSocket of the server for page tests: once the page has opened it, the test sends messages to the page. */
import { waitFor } from '@testing-library/react';
import { type WebSocketHandler, type WebSocketLink, ws } from 'msw';

type Client = Parameters<Parameters<WebSocketLink['addEventListener']>[1]>[0]['client'];

export interface TestSocket {
  readonly handler: WebSocketHandler;
  /** Sends to every open connection; waits until there is one. */
  send: (message: string | Uint8Array<ArrayBuffer>) => Promise<void>;
}

/** One link for each path, because every link adds a listener to a channel of the library. */
const links = new Map<string, WebSocketLink>();

function linkTo(path: string): WebSocketLink {
  const known = links.get(path) ?? ws.link(`*${path}`);
  links.set(path, known);
  return known;
}

/** `onOpen` is called for each connection. */
export function createTestSocket(path: string, onOpen: (client: Client) => void = () => {}): TestSocket {
  const open = new Set<Client>();
  return {
    handler: linkTo(path).addEventListener('connection', ({ client }) => {
      open.add(client);
      client.addEventListener('close', () => open.delete(client));
      onOpen(client);
    }),
    async send(message) {
      await waitFor(() => {
        if (open.size === 0) throw new Error(`the page has not opened ${path}`);
      });
      for (const client of open) client.send(message);
    },
  };
}
