/**
 * The validation library, the contract's schemas and the calls, one after the other: a slow phone takes half a second to build
 * them all, and answers in between. What is fetched is named once more in vite.config.ts, which makes a file of each piece.
 */
import { clockFormatOf } from '../countdown/clock-format.ts';
import { breathe } from './breathe.ts';

/** In the order in which they want each other. An import names what it takes, so that the rest of a module stays away. */
const PIECES: readonly (() => unknown)[] = [
  () => import('./schema-engine.ts'),
  async () => {
    const { languageSchema } = await import('@haris/contract/fields');
    return languageSchema;
  },
  async () => {
    const { errorBodySchema } = await import('@haris/contract/errors');
    return errorBodySchema;
  },
  async () => {
    const { childSchema } = await import('@haris/contract/objects');
    return childSchema;
  },
  async () => {
    const { accountRoutes } = await import('@haris/contract/http/accounts');
    return accountRoutes;
  },
  async () => {
    const { childRoutes } = await import('@haris/contract/http/children');
    return childRoutes;
  },
  async () => {
    const { operationRoutes } = await import('@haris/contract/http/operations');
    return operationRoutes;
  },
  async () => {
    const { incidentRoutes } = await import('@haris/contract/http/incidents');
    return incidentRoutes;
  },
  () => import('./http.ts'),
  () => import('../ui/card.tsx'),
  // The first formatter of a kind reads the browser's tables of a language: ten times what all the others cost.
  () => clockFormatOf(document.documentElement.lang).count(0),
  () => clockFormatOf(document.documentElement.lang).countdown(0),
  () => clockFormatOf(document.documentElement.lang).timeOfDay(0),
];

/** Ends once all have been started. */
export async function startPieces(): Promise<void> {
  for (const start of PIECES) {
    await start();
    await breathe();
  }
}
