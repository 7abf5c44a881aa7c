/** Runs the programs beside the server, such as `npm run backup`, as child processes. */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { compileCache } from './program.ts';

/** Resolves with the exit status and the output: all of it as `text`, without what went to standard error as `stdout`. */
export async function runServerProgram(
  program: 'backup' | 'restore' | 'admin-recover' | 'audit-verify' | 'doctor',
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { uid }: { readonly uid?: number } = {},
): Promise<{ code: number | null; text: string; stdout: string }> {
  const file = fileURLToPath(
    new URL(
      program === 'backup' || program === 'restore' ? `../backup/${program}.ts` : `../${program}.ts`,
      import.meta.url,
    ),
  );
  const child = spawn(process.execPath, [file, ...words], {
    env: { PATH: process.env.PATH, ...compileCache, ...env },
    cwd: tmpdir(),
    ...(uid === undefined ? {} : { uid }),
  });
  let text = '';
  let stdout = '';
  child.stdout.on('data', (more: string) => {
    stdout += more;
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, text, stdout };
}
