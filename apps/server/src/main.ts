/** The server program: reads settings, opens the parts, builds the application and listens; closes them in reverse. */
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { ConfigError } from '@haris/runtime/config';
import { stopOnSignals } from '@haris/runtime/lifecycle';
import { createLogger, describeFailure } from '@haris/runtime/log';
import { buildApp } from './app.ts';
import { openNightlyBackups } from './backup/nightly.ts';
import { type Config, linkBase, loadConfig } from './config.ts';
import { ensureFirstAdministrator } from './features/accounts/staff.ts';
import { createFireDrill } from './fire-drill.ts';
import { startHousekeeping } from './housekeeping.ts';
import { explainRefusal } from './refusals.ts';
import { openContext } from './start.ts';
import { watchTlsFiles } from './tls-files.ts';
import { VERSION } from './version.ts';
import { makeServerId } from './vision/address.ts';
import { claimEngine } from './vision/claim.ts';
import { createVisionClient } from './vision/client.ts';
import { superviseVision } from './vision/supervisor.ts';

// New files are readable and writable only by this user.
process.umask(0o077);

/** Time that requests in progress have to finish when the program stops. Milliseconds. */
const FINISH_WITHIN_MS = 5_000;

/** Prints a line for the person who started the program; the log goes to stderr. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Aborts the start with one line that says what to do. */
function refuse(message: string): never {
  process.stderr.write(`Haris cannot start: ${message}\n`);
  process.exit(1);
}

function readConfig(): Config {
  try {
    return loadConfig(process.env, { demo: process.argv.includes('--demo'), base: process.cwd() });
  } catch (error) {
    if (error instanceof ConfigError) refuse(error.message);
    throw error;
  }
}

/** For `localhost` Fastify opens a second server, which would keep the first certificate for ever. */
function hostToOpen({ host, tls }: Config): string {
  return tls !== null && host === 'localhost' ? '127.0.0.1' : host;
}

/** Closes all connections at once, also those in their TLS handshake, of which HTTP does not know. */
function watchSockets(server: Server): { destroyAll(): void } {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    destroyAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function main(config: Config): Promise<void> {
  const log = createLogger('server', config.logLevel);
  const remote = config.vision && { ...config.vision, server: makeServerId() };
  if (remote) await claimEngine(remote, log);
  const supervisor = remote ? null : superviseVision(log, config.logLevel);
  const visionAddress = () => supervisor?.address() ?? remote;
  const vision = createVisionClient(visionAddress);
  let port = config.port;
  const { context, close } = await openContext({
    config,
    log,
    vision,
    visionAddress,
    publicUrl: () => linkBase(config, port),
  });
  // Runs in the background, so that a large database does not delay the start.
  void context.integrity.check();
  const firstAdmin = await ensureFirstAdministrator(context);
  // Printed before anything else can fail: the password is not stored in readable form.
  if (firstAdmin)
    say(
      `The first administrator is ${firstAdmin.email} with the password ${firstAdmin.password}\n` +
        'This is shown only once: sign in, add your own staff account, and keep this one safe.',
    );
  // Loads the painter only for the demo.
  const demo = config.demo ? await import('./demo.ts') : null;
  await demo?.fillDemo(context);
  const fireDrill = createFireDrill(context.clock);
  const app = await buildApp(context, demo ? { fireDrill } : {});
  const sockets = watchSockets(app.server);
  const stopHousekeeping = startHousekeeping(context);
  const backups = openNightlyBackups(context);
  backups.start();
  const tlsFiles = config.tls && watchTlsFiles(app.server as HttpsServer, config.tls, context);
  tlsFiles?.start();
  let stopSensor = async (): Promise<void> => {};
  stopOnSignals({
    log,
    async stop() {
      // Requests in progress may finish, but a client that never ends its request must not delay the stop.
      setTimeout(() => sockets.destroyAll(), FINISH_WITHIN_MS).unref();
      tlsFiles?.stop();
      await stopSensor();
      await app.close();
      await stopHousekeeping();
      await backups.stop();
      await supervisor?.stop();
      await close();
    },
  });
  await app.listen({ port: config.port, host: hostToOpen(config) });
  port = (app.server.address() as AddressInfo).port;
  await app.sample.resume();
  if (demo) {
    // Only the demo simulates a sensor.
    const { startDemoSensor } = await import('./demo-sensor.ts');
    stopSensor = await startDemoSensor(context, fireDrill);
    say(demo.demoWelcome(config));
  }
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  say(`Haris is ready at ${config.tls ? 'https' : 'http'}://${host}:${port}`);
}

/** Says why the start failed, and ends the program. */
function explain(config: Config, failure: unknown): never {
  const known = explainRefusal(config, failure);
  if (known) refuse(known);
  process.stderr.write(`${JSON.stringify(describeFailure(failure))}\n`);
  refuse('something unexpected happened; the line above says where.');
}

if (process.argv.includes('--version')) say(VERSION);
else {
  const config = readConfig();
  main(config).catch((failure: unknown) => explain(config, failure));
}
