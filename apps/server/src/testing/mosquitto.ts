/** Runs Mosquitto from Debian's packages: a separate broker for a test, and `mosquitto_pub` as a device. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Debian installs it outside the PATH of ordinary users. */
const PROGRAM = '/usr/sbin/mosquitto';
const READY_WITHIN_MS = 10_000;

/** A free port of the loopback interface. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

export interface Account {
  readonly username: string;
  readonly password: string;
}

function connection(port: number, account: Account): string[] {
  return ['-h', '127.0.0.1', '-p', String(port), '-u', account.username, '-P', account.password];
}

/** Publishes as a device does; rejects with the message of mosquitto_pub if the broker refuses it. */
export async function publish(
  port: number,
  account: Account,
  topic: string,
  payload: string,
  ...options: string[]
): Promise<void> {
  await run('mosquitto_pub', [
    ...connection(port, account),
    '-q',
    '1',
    '-t',
    topic,
    '-m',
    payload,
    ...options,
  ]);
}

export interface Device {
  /** Publishes one line; the device stays connected. */
  say(payload: string): void;
  /** SIGKILL: the device does not disconnect, and the broker publishes its last will. */
  kill(): Promise<void>;
  /** Disconnects cleanly; rejects with the message of mosquitto_pub if the broker had refused it. */
  leave(): Promise<void>;
}

/** A device that stays connected: it publishes to `topic`, and its last will is a retained `offline` at `availability`. */
export function connectDevice(
  port: number,
  account: Account,
  { topic, availability }: { readonly topic: string; readonly availability: string },
): Device {
  const will = [
    '--will-topic',
    availability,
    '--will-payload',
    'offline',
    '--will-qos',
    '1',
    '--will-retain',
  ];
  const child = spawn(
    'mosquitto_pub',
    [...connection(port, account), '-q', '1', '-t', topic, '-l', ...will],
    {
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // `leave` reports why a device has ended.
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    say: (payload) => void child.stdin.write(`${payload}\n`),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async leave() {
      child.stdin.end();
      const code = await ended;
      if (code !== 0) throw new Error(`mosquitto_pub ended with ${code}: ${stderr}`);
    },
  };
}

export interface Subscriber {
  readonly child: ChildProcess;
  /** `topic payload` of each message so far. */
  readonly lines: string[];
  stderr(): string;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Subscribes and stays connected. */
export function subscribe(
  port: number,
  account: Account,
  topics: string[],
  ...options: string[]
): Subscriber {
  const filters = topics.flatMap((topic) => ['-t', topic]);
  const child = spawn('mosquitto_sub', [...connection(port, account), '-v', ...filters, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let [rest, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    child,
    lines,
    stderr: () => stderr,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

export interface Mosquitto {
  readonly port: number;
  start(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** A broker that accepts any account, not started yet. It forgets everything when it is killed. */
export async function createMosquitto(): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'haris-mosquitto-'));
  const port = await findFreePort();
  const config = join(folder, 'mosquitto.conf');
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`);
  let child: ChildProcess | null = null;
  const broker: Mosquitto = {
    port,
    async start() {
      child = spawn(PROGRAM, ['-c', config], { stdio: 'ignore' });
      const until = Date.now() + READY_WITHIN_MS;
      while (!(await answers(port))) {
        if (Date.now() > until || child.exitCode !== null) throw new Error('Mosquitto did not start');
        await sleep(50);
      }
    },
    async kill() {
      const ended = new Promise((resolve) => child?.once('close', resolve));
      child?.kill('SIGKILL');
      await ended;
      child = null;
    },
    async remove() {
      if (child) await broker.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return broker;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
