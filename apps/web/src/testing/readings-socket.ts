/** The socket of readings (`/ws`) for page tests: the test sends the readings. */
import {
  READINGS_NOT_YOURS,
  READINGS_PATH,
  type ReadingMessage,
  readingsSocketSchema,
} from '@haris/contract/live/readings';
import type { WebSocketHandler } from 'msw';
import { lacks } from './contract-server.ts';
import { createTestSocket } from './test-socket.ts';

export interface ReadingsSocket {
  readonly handler: WebSocketHandler;
  /** Sends a reading, or a message that a sensor is gone. */
  send: (message: ReadingMessage | { sensorId: string; gone: true }) => Promise<void>;
}

export function createReadingsSocket(): ReadingsSocket {
  const { handler, send } = createTestSocket(READINGS_PATH, (client) => {
    if (lacks('sensors.view', 'readings')) client.close(READINGS_NOT_YOURS);
  });
  return { handler, send: (message) => send(JSON.stringify(readingsSocketSchema.parse(message))) };
}
