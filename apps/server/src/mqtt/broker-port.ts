/** Opens the TCP or TLS port of the embedded broker, and limits its connections. */
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describeFailure, type Logger } from '@haris/runtime/log';

const CONNECTIONS_MAX = 2_000;

export interface PortOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly log: Logger;
  readonly onConnection: (socket: Socket) => void;
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
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
    onConnection(socket);
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
