/**
 * The checks of `npm run doctor`: each judges one fact about the installation and says what to do. They read nothing by
 * themselves; their surroundings do.
 */
import { checkBackup, checkDatabase, checkKey, checkRestore } from './data.ts';
import { capital, type Finding, type Judgement, nameOf, unknown } from './judgement.ts';
import { checkClock, checkDisk, checkFolder, checkNode, checkVersion } from './machine.ts';
import { checkBroker, checkCameras, checkEngine } from './parts.ts';
import { checkHttps, checkMail, checkPhones, checkServer } from './reach.ts';
import { NotKnownError, type Surroundings } from './surroundings.ts';

/** All checks, in the order of a start: first what the others rest on. */
const CHECKS: readonly {
  readonly id: string;
  readonly look: (surroundings: Surroundings) => Promise<Judgement>;
}[] = [
  { id: 'version', look: checkVersion },
  { id: 'node', look: checkNode },
  { id: 'folder', look: checkFolder },
  { id: 'disk', look: checkDisk },
  { id: 'clock', look: checkClock },
  { id: 'database', look: checkDatabase },
  { id: 'keys', look: checkKey },
  { id: 'backup', look: checkBackup },
  { id: 'restore', look: checkRestore },
  { id: 'server', look: checkServer },
  { id: 'https', look: checkHttps },
  { id: 'phones', look: checkPhones },
  { id: 'mail', look: checkMail },
  { id: 'engine', look: checkEngine },
  { id: 'broker', look: checkBroker },
  { id: 'cameras', look: checkCameras },
];

/** Runs all checks at once. One that fails or takes longer than `withinMs` is `unknown`. Never rejects. */
export function examine(surroundings: Surroundings, withinMs: number): Promise<Finding[]> {
  return Promise.all(
    CHECKS.map(async ({ id, look }): Promise<Finding> => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Judgement>((resolve) => {
        timer = setTimeout(() => resolve(unknown('It took too long to find out.')), withinMs);
      });
      try {
        return { id, ...(await Promise.race([look(surroundings), late])) };
      } catch (error) {
        return { id, ...unknown(reasonOf(surroundings, error)) };
      } finally {
        clearTimeout(timer);
      }
    }),
  );
}

/** Never the message of an unexpected error, which may quote data. */
function reasonOf({ explain }: Surroundings, error: unknown): string {
  if (error instanceof NotKnownError) return error.message;
  const words = explain(error);
  if (words !== undefined) return capital(words);
  return `It could not be found out (${nameOf(error)}).`;
}
