/** The face engine as a program with the shorter time limits of tests. */
import { readConfig } from '../config.ts';
import { LIMITS } from '../process/limits.ts';
import { startVision } from '../start.ts';

await startVision(readConfig(process.env), { ...LIMITS, ...JSON.parse(process.env.TEST_LIMITS ?? '{}') });
