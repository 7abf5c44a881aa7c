/** Runs the real server program as a child process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program's file. */
export const main = fileURLToPath(new URL('../main.ts', import.meta.url));
/** Address at which nothing listens. With it, the server starts quickly, because it starts no engine. */
export const NO_VISION = { VISION_URL: 'http://127.0.0.1:9', VISION_TOKEN: 'nobody-is-there-to-take-it' };

/** Node's compile cache, if the test run has set it, for a faster start of programs. */
export const compileCache: Readonly<Record<string, string>> = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Program {
  readonly child: ChildProcess;
  /** Base URL of the ready server. */
  readonly url: string;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

interface Running extends Omit<Program, 'url'> {
  readonly ready: Promise<string>;
}

interface LaunchOptions {
  uid?: number;
  /** Program and first arguments; without it, the server of this checkout. */
  command?: readonly [string, ...string[]];
  cwd?: string;
}

/** Starts the server without waiting until it is ready. */
export function launchProgram(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  { uid, command = [process.execPath, main], cwd }: LaunchOptions = {},
): Running {
  const [program, ...words] = command;
  const child = spawn(program, [...words, ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...compileCache,
      PORT: '0',
      MQTT_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stdout = '';
  let stderr = '';
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    // It could not be started at all, as where the user may not read its folder.
    child.once('error', (error) => {
      stderr += error.message;
      resolve({ code: null, signal: null });
    });
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const url = /^Haris is ready at (\S+)$/m.exec(stdout)?.[1];
      if (url) resolve(url);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    ended.then(({ code }) => reject(new Error(`the server ended with ${code}: ${stdout}${stderr}`)));
  });
  // Avoid an unhandled rejection if the caller does not wait for `ready`.
  ready.catch(() => {});
  return {
    child,
    ready,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
  };
}

/** Starts the server; resolves when it is ready, and rejects with its output if it ends instead. */
export async function startProgram(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Program> {
  const { ready, ...program } = launchProgram(env, args);
  return { ...program, url: await ready };
}

/** Starts the server and waits for its end, for tests of refused starts. */
export async function runProgram(
  env: Readonly<Record<string, string>>,
  { args = [], ...options }: { args?: readonly string[]; uid?: number } = {},
): Promise<Ended & { stdout: string; stderr: string }> {
  const program = launchProgram(env, args, options);
  const late = setTimeout(() => program.kill('SIGKILL'), 120_000);
  const ended = await program.ended;
  clearTimeout(late);
  return { ...ended, stdout: program.stdout(), stderr: program.stderr() };
}
