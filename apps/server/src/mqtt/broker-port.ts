/** Opens the TCP or TLS port of the embedded broker, and limits its connections. */
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describeFailure, type Logger } from '@haris/runtime/log';

const CONNECTIONS_MAX = 2_000;
/** Connections of one network address that have not signed in; more are closed, so that one host leaves room for others. */
export const WAITING_PER_ADDRESS = 100;

export interface PortOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly log: Logger;
  /** Call `signedIn` once the connection's account is known. */
  readonly onConnection: (socket: Socket, signedIn: () => void) => void;
}

export interface BrokerPort {
  /** Open port. */
  readonly port: number;
  /** Stops accepting connections; resolves when all are closed. */
  close(): Promise<void>;
  /** Closes all connections at once. */
  destroyConnections(): void;
}

/** Rejects with the system's error if the port cannot be opened. */
export async function openBrokerPort({
  host,
  port,
  tls,
  log,
  onConnection,
}: PortOptions): Promise<BrokerPort> {
  const sockets = new Set<Socket>();
  const waiting = new Map<string, number>();
  const accept = (socket: Socket): void => {
    const address = socket.remoteAddress ?? '';
    const others = waiting.get(address) ?? 0;
    if (others >= WAITING_PER_ADDRESS) {
      socket.destroy();
      return;
    }
    waiting.set(address, others + 1);
    let isWaiting = true;
    const stopWaiting = (): void => {
      if (!isWaiting) return;
      isWaiting = false;
      const left = (waiting.get(address) ?? 1) - 1;
      if (left > 0) waiting.set(address, left);
      else waiting.delete(address);
    };
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      stopWaiting();
    });
    socket.setNoDelay(true);
    onConnection(socket, stopWaiting);
  };
  const server: Server = tls
    ? createTlsServer({ cert: tls.cert, key: tls.key }, accept)
    : createTcpServer(accept);
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, port, host);
  server.on('error', (error) => log.error(describeFailure(error), 'the broker’s port failed'));
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
    destroyConnections() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
