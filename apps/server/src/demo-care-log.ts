/** The demo's care card and care log of one child, added through the same services as real ones. */
import { EMPTY_CARE_CARD } from '@haris/contract/care-card';
import type { CareEntryContent } from '@haris/contract/care-log';
import type { Actor } from './actor.ts';
import { toMoment } from './clock.ts';
import type { Context } from './context.ts';
import { findCareVersion } from './db/care-cards.ts';
import { findCareEntries } from './db/care-entries.ts';
import { findChild } from './db/children.ts';
import { inTransaction } from './db/transaction.ts';
import { saveCare } from './features/care/service.ts';
import { addEntry } from './features/care-log/service.ts';

const MINUTE_MS = 60_000;

/** Minutes before the demo was made, and what happened then. */
const DAY: readonly (readonly [number, CareEntryContent])[] = [
  [50, { kind: 'meal', eaten: 'all', note: 'Lentil soup' }],
  [40, { kind: 'nappy', nappy: 'wet', note: '' }],
  [30, { kind: 'medicine', name: 'Cetirizine', dose: '5 ml', givenBy: '', witnessedBy: 'Nadia Farouk' }],
  [
    20,
    {
      kind: 'accident',
      what: 'Stumbled over a building block and fell on the carpet.',
      where: 'Left knee',
      firstAid: 'Cleaned, cold pack for five minutes, plaster',
      seenBy: 'Nadia Farouk',
    },
  ],
];

/** Does nothing if the child has a care log already. */
export async function fillCareLog(context: Context, staff: Actor, childId: string): Promise<void> {
  const child = await findChild(context.db, childId);
  const { rows } = await findCareEntries(context.db, context.vault, childId, { limit: 1 });
  if (!child || rows.length > 0) return;
  const family: Actor = {
    ...staff,
    ...{ kind: 'parent', id: child.parent_id, name: child.parent_name, permissions: new Set() },
  };
  const version = await inTransaction(context.db, ({ trx }) => findCareVersion(trx, childId));
  const medicines = [
    { name: 'Cetirizine', dose: '5 ml', when: 'after lunch', untilDate: null, permitted: true },
  ];
  if (version === 0)
    await saveCare(context, family, child, {
      version,
      card: {
        ...EMPTY_CARE_CARD,
        medicines,
        allergies: [
          { allergen: 'nuts', substance: '', severity: 'moderate', reaction: 'Rash', action: 'Cetirizine' },
        ],
      },
    });
  for (const [minutes, entry] of DAY) {
    const at = toMoment(context.clock.now() - minutes * MINUTE_MS);
    await addEntry(context, staff, childId, { entry, at }, null);
  }
}
