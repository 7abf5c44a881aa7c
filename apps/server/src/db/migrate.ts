/** Brings the schema up to date: the list of migrations, and those that a database has completed. */
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { type Dialect, hasTable } from './dialect.ts';
import { foundation } from './migrations/001-foundation.ts';
import { stayCorrections } from './migrations/002-stay-corrections.ts';
import { languageAndReports } from './migrations/003-language-and-reports.ts';
import { camerasAndSightings } from './migrations/010-cameras.ts';
import { sensorsAndReadings } from './migrations/020-sensors.ts';
import { incidentsAndEvacuations } from './migrations/030-incidents.ts';
import { notices } from './migrations/040-notices.ts';
import { adultFaces } from './migrations/050-adult-faces.ts';
import { photoBodies } from './migrations/060-photo-bodies.ts';
import { erasures } from './migrations/061-erasures.ts';
import { leaseEpochs } from './migrations/065-lease-epochs.ts';
import { severalServers } from './migrations/070-several-servers.ts';
import { accounts } from './migrations/075-accounts.ts';
import { proofs } from './migrations/080-proof.ts';
import { passwordSetBy } from './migrations/081-password-set-by.ts';
import { homeAssistantMaker } from './migrations/082-home-assistant-maker.ts';
import { proposals } from './migrations/085-proposals.ts';
import { staffRole } from './migrations/090-staff-role.ts';
import { oneVocabulary } from './migrations/095-one-vocabulary.ts';
import { oneQueue } from './migrations/096-one-queue.ts';
import { calmAlerts } from './migrations/100-calm-alerts.ts';
import { visitors } from './migrations/103-visitors.ts';
import { ticksOfPeople } from './migrations/104-ticks-of-people.ts';
import { namesAreRead } from './migrations/105-names-are-read.ts';
import { stayExtensions } from './migrations/107-stay-extensions.ts';
import { pickups } from './migrations/110-pickups.ts';
import { kiosks } from './migrations/116-kiosks.ts';
import { pickupsSeen } from './migrations/121-pickups-seen.ts';
import { secondFactors } from './migrations/130-second-factors.ts';
import { memberships } from './migrations/131-memberships.ts';
import { rooms } from './migrations/132-rooms.ts';
import { sharedDesk } from './migrations/137-shared-desk.ts';
import { oidc } from './migrations/138-oidc.ts';
import { approvals } from './migrations/139-approvals.ts';
import { staffPhotos } from './migrations/142-staff-photos.ts';
import { facilities } from './migrations/143-facilities.ts';
import { rowSecurity } from './migrations/144-row-security.ts';
import { areaCapacity } from './migrations/146-area-capacity.ts';
import { homeRoomPerFacility } from './migrations/147-home-room-per-facility.ts';
import { oidcGiven } from './migrations/148-oidc-given.ts';
import { handOver } from './migrations/149-hand-over.ts';
import { careCards } from './migrations/150-care-cards.ts';
import { bookings } from './migrations/151-bookings.ts';
import { careLog } from './migrations/152-care-log.ts';
import { unverifiedParents } from './migrations/155-unverified-parents.ts';
import { confirmed } from './migrations/156-confirmed.ts';
import { emailChanges } from './migrations/157-email-changes.ts';
import { changedDetails } from './migrations/158-changed-details.ts';
import { sealedRows } from './migrations/159-sealed-rows.ts';
import { oidcUsed } from './migrations/160-oidc-used.ts';
import { guardians } from './migrations/162-guardians.ts';
import { collectorPhotos } from './migrations/163-collector-photos.ts';
import { eventAudience } from './migrations/164-event-audience.ts';
import { stayEndKind } from './migrations/166-stay-end-kind.ts';
import { guardiansTake } from './migrations/167-guardians-take.ts';
import { barredPhotos } from './migrations/169-barred-photos.ts';
import { headCounts } from './migrations/170-head-counts.ts';
import { deskEntries } from './migrations/171-desk-entries.ts';
import { deskConflicts } from './migrations/172-desk-conflicts.ts';
import type { Database } from './schema.ts';

/** The database has a schema that this program does not know; `message` is for the operator. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** Kysely's own table of completed migrations. */
const MIGRATIONS_DONE = 'kysely_migration';

/** Names of the completed migrations, in order; none if the database is new. */
export async function findMigrations(
  db: Kysely<Database> | Transaction<Database>,
  dialect: Dialect,
): Promise<string[]> {
  if (!(await hasTable(db, dialect, MIGRATIONS_DONE))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(MIGRATIONS_DONE)} order by name`.execute(db);
  return rows.map((row) => row.name);
}

/** Returns the completed migrations. Throws {@link NewerDatabaseError}. */
export async function refuseNewer(db: Kysely<Database>, dialect: Dialect): Promise<string[]> {
  const done = await findMigrations(db, dialect);
  const newer = done.filter((name) => !isKnownMigration(name, dialect));
  if (newer.length > 0)
    throw new NewerDatabaseError(
      `The database was made or changed by a newer Haris (it has ${newer.join(', ')}). Start that version again, ` +
        'or restore a backup that was made before the update (DATA_DIR/backups has the one made by itself).',
    );
  return done;
}

/** Whether this program knows a migration. */
export function isKnownMigration(name: string, dialect: Dialect): boolean {
  return Object.hasOwn(migrationsOf(dialect), name);
}

function migrationsOf(dialect: Dialect): Record<string, Migration> {
  return {
    '001-foundation': foundation(dialect),
    '002-stay-corrections': stayCorrections,
    '003-language-and-reports': languageAndReports,
    '010-cameras': camerasAndSightings(dialect),
    '020-sensors': sensorsAndReadings(dialect),
    '030-incidents': incidentsAndEvacuations,
    '040-notices': notices(dialect),
    '050-adult-faces': adultFaces(dialect),
    '060-photo-bodies': photoBodies(dialect),
    '061-erasures': erasures,
    '065-lease-epochs': leaseEpochs,
    '070-several-servers': severalServers,
    '075-accounts': accounts,
    '080-proof': proofs,
    '081-password-set-by': passwordSetBy,
    '082-home-assistant-maker': homeAssistantMaker,
    '085-proposals': proposals(dialect),
    '090-staff-role': staffRole(dialect),
    '095-one-vocabulary': oneVocabulary,
    '096-one-queue': oneQueue,
    '100-calm-alerts': calmAlerts,
    '103-visitors': visitors,
    '104-ticks-of-people': ticksOfPeople,
    '105-names-are-read': namesAreRead,
    '107-stay-extensions': stayExtensions,
    '110-pickups': pickups,
    '116-kiosks': kiosks,
    '121-pickups-seen': pickupsSeen,
    '130-second-factors': secondFactors(dialect),
    '131-memberships': memberships,
    '132-rooms': rooms,
    '137-shared-desk': sharedDesk,
    '138-oidc': oidc(dialect),
    '139-approvals': approvals,
    '142-staff-photos': staffPhotos,
    '143-facilities': facilities,
    '144-row-security': rowSecurity(dialect),
    '146-area-capacity': areaCapacity,
    '147-home-room-per-facility': homeRoomPerFacility,
    '148-oidc-given': oidcGiven,
    '149-hand-over': handOver(dialect),
    '151-bookings': bookings(dialect),
    '150-care-cards': careCards(dialect),
    '152-care-log': careLog(dialect),
    '155-unverified-parents': unverifiedParents,
    '156-confirmed': confirmed,
    '157-email-changes': emailChanges,
    '158-changed-details': changedDetails,
    '159-sealed-rows': sealedRows,
    '160-oidc-used': oidcUsed,
    '162-guardians': guardians(dialect),
    '163-collector-photos': collectorPhotos,
    '164-event-audience': eventAudience,
    '166-stay-end-kind': stayEndKind,
    '167-guardians-take': guardiansTake,
    '169-barred-photos': barredPhotos,
    '170-head-counts': headCounts(dialect),
    '171-desk-entries': deskEntries(dialect),
    '172-desk-conflicts': deskConflicts(dialect),
  };
}

/** How many migrations of this program are not among the completed ones. */
export function countPending(done: readonly string[], dialect: Dialect): number {
  return Object.keys(migrationsOf(dialect)).filter((name) => !done.includes(name)).length;
}

/** Name of the newest migration of this program. */
export function newestMigration(dialect: Dialect): string {
  return Object.keys(migrationsOf(dialect)).sort().at(-1) ?? '';
}

/** Brings the schema up to date, or up to the named migration. */
export async function migrate(db: Kysely<Database>, dialect: Dialect, upTo?: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrationsOf(dialect) },
  });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) throw error;
}
