/** A proxy that can stop forwarding, as if the server were frozen or the network lost everything. */
import { createConnection, createServer, type Socket } from 'node:net';

export interface SlowNetwork {
  readonly port: number;
  /** Stops forwarding in both directions; connections stay open and new ones are accepted. */
  freeze(): void;
  thaw(): void;
  close(): void;
}

/** Forwards to a port of this machine. */
export async function openSlowNetwork(target: number): Promise<SlowNetwork> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = createConnection(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      if (isFrozen) from.pause();
      from.on('data', (bytes) => void to.write(bytes));
      if (isFrozen) from.pause();
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('error', () => undefined);
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
