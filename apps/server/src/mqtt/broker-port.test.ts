/** The broker's port: one host that opens connections and says nothing leaves room for others. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createLogger } from '@haris/runtime/log';
import { afterEach, expect, test } from 'vitest';
import { type BrokerPort, openBrokerPort, WAITING_PER_ADDRESS } from './broker-port.ts';

let port: BrokerPort | undefined;
const mine: Socket[] = [];
afterEach(async () => {
  for (const socket of mine.splice(0)) socket.destroy();
  const closed = port?.close();
  port?.destroyConnections();
  await closed;
});

/** Opens the port; returns, for each connection that was let in, the function that says that it has signed in. */
async function open() {
  const greeted: (() => void)[] = [];
  port = await openBrokerPort({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    log: createLogger('broker', 'fatal'),
    onConnection: (_socket, signedIn) => greeted.push(signedIn),
  });
  return greeted;
}

async function dial(): Promise<Socket> {
  const socket = connect({ port: port?.port ?? 0, host: '127.0.0.1' });
  socket.on('error', () => {});
  mine.push(socket);
  await once(socket, 'connect');
  return socket;
}

test('of one address, connections that have not signed in are bounded; each that signs in makes room', async () => {
  const greeted = await open();
  for (let count = 0; count < WAITING_PER_ADDRESS; count++) await dial();
  const refused = await dial();
  await once(refused, 'close');
  expect(greeted).toHaveLength(WAITING_PER_ADDRESS);

  greeted[0]?.();
  greeted[0]?.();
  await dial();
  await once(await dial(), 'close');
  expect(greeted).toHaveLength(WAITING_PER_ADDRESS + 1);
});
