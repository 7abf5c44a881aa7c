/** The face engine as a program: reads its settings and starts it. */
import { ConfigError } from '@haris/runtime/config';
import { readConfig } from './config.ts';
import { LIMITS } from './process/limits.ts';
import { startVision } from './start.ts';

try {
  await startVision(readConfig(process.env), LIMITS);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
