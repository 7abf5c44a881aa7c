/** Entries of care logs for tests, and a successful request for each of their calls. */
import type { CareEntryContent } from '@haris/contract/care-log';
import type { careLogRoutes } from '@haris/contract/http/care-log';
import type { ExampleWorld } from './example-world.ts';
import type { TestApp } from './harness.ts';

export const ACCIDENT = {
  kind: 'accident',
  what: 'Fell from the swing',
  where: 'Left knee',
  firstAid: 'Cold pack',
  seenBy: 'Nadia',
} as const satisfies CareEntryContent;

/** Adds an entry to the log of a child; returns its id. */
export async function addEntry(
  app: TestApp,
  token: string,
  childId: string,
  entry: CareEntryContent = ACCIDENT,
  more: { readonly at?: string; readonly corrects?: string } = {},
): Promise<string> {
  const json = { entry, ...more };
  const made = await app.ask('POST', `/api/children/${childId}/care-log`, { token, json });
  if (made.status !== 201) throw new Error(`the entry was refused: ${JSON.stringify(made.body)}`);
  return (made.body as unknown as { entry: { _id: string } }).entry._id;
}

export const careLogExamples = {
  listCareLog: async ({ child }) => ({ url: `/api/children/${await child()}/care-log` }),
  addCareLogEntry: async ({ child }) => ({
    url: `/api/children/${await child()}/care-log`,
    ask: { json: { entry: ACCIDENT } },
  }),
  listPermittedMedicines: async ({ child }) => ({
    url: `/api/children/${await child()}/care-log/medicines`,
  }),
  acknowledgeCareLogEntry: async ({ app, staff, child }) => {
    const id = await child();
    const entry = await addEntry(app, staff, id);
    return {
      url: `/api/children/${id}/care-log/${entry}/acknowledgement`,
      ask: { json: { signature: { kind: 'typed', name: 'Mona Hassan' } } },
    };
  },
  listCareLogToSign: async () => ({ url: '/api/care-log/to-sign' }),
} satisfies Record<
  keyof typeof careLogRoutes,
  (world: ExampleWorld) => Promise<{ readonly url: string; readonly ask?: { readonly json: object } }>
>;
