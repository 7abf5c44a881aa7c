/**
 * The checks of `npm run doctor` and of the page of administrators: each judges one fact about the installation and says
 * what to do. They read nothing by themselves; their surroundings do.
 */
import { HEALTH_CHECKS, type HealthCheck } from '@haris/contract/http/health';
import { checkBackup, checkDatabase, checkKey, checkRestore } from './data.ts';
import { type Finding, type Judgement, nameOf, refusal, unknown } from './judgement.ts';
import { checkClock, checkDisk, checkFolder, checkNode, checkVersion } from './machine.ts';
import { checkBroker, checkCameras, checkEngine } from './parts.ts';
import { checkHttps, checkMail, checkPhones, checkServer } from './reach.ts';
import { type Sentence, say } from './sentence.ts';
import { NotKnownError, type Surroundings } from './surroundings.ts';

const CHECKS: Readonly<Record<HealthCheck, (surroundings: Surroundings) => Promise<Judgement>>> = {
  version: checkVersion,
  node: checkNode,
  folder: checkFolder,
  disk: checkDisk,
  clock: checkClock,
  database: checkDatabase,
  keys: checkKey,
  backup: checkBackup,
  restore: checkRestore,
  server: checkServer,
  https: checkHttps,
  phones: checkPhones,
  mail: checkMail,
  engine: checkEngine,
  broker: checkBroker,
  cameras: checkCameras,
};

/**
 * Runs all checks at once; the findings are in the contract's order. One that fails or takes longer than `withinMs` is
 * `unknown`. Never rejects.
 */
export function examine(surroundings: Surroundings, withinMs: number): Promise<Finding<HealthCheck>[]> {
  return Promise.all(
    HEALTH_CHECKS.map(async (id): Promise<Finding<HealthCheck>> => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Judgement>((resolve) => {
        timer = setTimeout(() => resolve(unknown(say('tookTooLong'))), withinMs);
      });
      try {
        return { id, ...(await Promise.race([CHECKS[id](surroundings), late])) };
      } catch (error) {
        return { id, ...unknown(reasonOf(surroundings, error)) };
      } finally {
        clearTimeout(timer);
      }
    }),
  );
}

/** Never the message of an unexpected error, which may quote data. */
function reasonOf({ explain }: Surroundings, error: unknown): Sentence {
  if (error instanceof NotKnownError) return error.reason;
  const words = explain(error);
  if (words !== undefined) return refusal(words);
  return say('notFoundOut', { error: nameOf(error) });
}
