/** Routes with which staff read the audit log or export it as CSV; each appends a row to the log. */
import type { AuditAction, AuditFilterKind } from '@haris/contract/audit';
import { operationRoutes } from '@haris/contract/http/operations';
import { photoPath } from '@haris/contract/http/photos';
import { staffPhotoPath } from '@haris/contract/http/staff-profile';
import type { AuditEntry } from '@haris/contract/objects';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { dayOf, periodRange } from '../../calendar.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findAccountLanguage } from '../../db/accounts.ts';
import { type AuditFilter, findAuditPage, openAuditExport } from '../../db/audit-rows.ts';
import { recordReading } from '../../db/read-audit.ts';
import type { AuditRow } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { findNames, type SubjectNames } from '../../db/subject-names.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ALL_FACILITIES } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { ROWS_AT_ONCE, streamCsv } from '../../http/csv.ts';
import { may } from '../../policy.ts';
import { auditCells, auditTitles } from './columns.ts';

const detailsSchema = z.record(z.string(), z.unknown()).catch({});

/**
 * A row as staff without `barred.view` may read it: not which adult a bar is about, nor why a hand-over was refused or does not fit. The reason is left
 * out for every refusal: left out for a doubt alone, its absence would tell of one.
 */
function withoutBars(row: AuditRow): AuditRow {
  const isBar = row.action.startsWith('barred.');
  if (!isBar && row.action !== 'child.release_refused' && row.action !== 'desk.entry_conflict') return row;
  const { refusal: _, reason: __, ...rest } = detailsSchema.parse(JSON.parse(row.details));
  const kept = isBar ? { passwordSetBy: rest.passwordSetBy } : rest;
  return { ...row, details: JSON.stringify(kept) };
}

/**
 * Rows that staff without `barred.view` do not get at all: each is beside the row of the adult who resembles somebody barred, in the same
 * request, or is about an account that was not asked, so that even without its details it would tell who that is.
 */
const BESIDE_AN_ADULT = [
  'barred.ruled_out',
  'barred.read',
  'guardian.refused',
] as const satisfies readonly AuditAction[];

/** How this reader sees a row. */
const viewFor = (actor: Actor) => (may(actor, 'barred.view') ? (row: AuditRow) => row : withoutBars);

/** The person or thing with its current name; for staff the name at the time of the row. */
function presentPerson(
  names: SubjectNames,
  kind: string | null,
  id: string | null,
  nameThen: string | null = null,
): AuditEntry['subject'] {
  if (kind === null || id === null) return null;
  const known = names.of({ kind, id });
  const photoId = known?.photoId ?? null;
  const pathOf = kind === 'admin' ? staffPhotoPath : photoPath;
  return { kind, id, name: nameThen ?? known?.name ?? null, photo: photoId && pathOf(photoId) };
}

async function presentEntries(db: Context['db'], rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const names = await findNames(
    db,
    rows.flatMap((row) => [
      { kind: row.actor_kind, id: row.actor_id },
      { kind: row.subject_kind, id: row.subject_id },
    ]),
  );
  return rows.map((row) => ({
    seq: row.seq,
    at: toMoment(row.at),
    actor: presentPerson(names, row.actor_kind, row.actor_id, row.actor_name),
    action: row.action,
    subject: presentPerson(names, row.subject_kind, row.subject_id),
    from: row.from_address,
    requestId: row.request_id,
    details: detailsSchema.parse(JSON.parse(row.details)),
  }));
}

interface AuditQuestion {
  readonly search?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  readonly kind?: AuditFilterKind | undefined;
}

/** Parses a moment, or the start or end of a day of the facility. Milliseconds since 1970. */
function boundOf(text: string, timeZone: string, end: 'from' | 'to'): number {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? periodRange('day', text, 1, timeZone)[end] : Date.parse(text);
}

/** Rows that belong to no single facility, such as sign-ins, are for people who may read the log at every facility. */
function placesFor({ facility, everywhere }: Actor): string[] {
  const own = facility === null ? [] : [facility];
  return everywhere.has('audit.view') ? [...own, ALL_FACILITIES] : own;
}

function filterOf(actor: Actor, { from, to, ...rest }: AuditQuestion, timeZone: string): AuditFilter {
  return {
    ...rest,
    places: placesFor(actor),
    without: may(actor, 'barred.view') ? [] : BESIDE_AN_ADULT,
    from: from === undefined ? undefined : boundOf(from, timeZone, 'from'),
    to: to === undefined ? undefined : boundOf(to, timeZone, 'to'),
  };
}

/** The query as the log records it. The search text may be a name, so the log only records that there was one. */
function describeQuestion({ search, from, to, actor, subject, kind }: AuditQuestion) {
  return { from, to, actor, subject, kind, searched: search ? true : undefined };
}

export function auditFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, operationRoutes.listAudit, {
    async handle({ actor, query }) {
      const { timeZone } = await readSettings(context.db, context.config);
      const page = await findAuditPage(context.db, filterOf(actor, query, timeZone), query);
      if (query.cursor === undefined)
        await recordReading(context, actor, { action: 'audit.read', details: describeQuestion(query) });
      return {
        entries: await presentEntries(context.db, page.rows.map(viewFor(actor))),
        total: page.total,
        nextCursor: page.nextCursor,
      };
    },
  });
  bind(app, context, operationRoutes.exportAudit, {
    async handle({ actor, query, reply }) {
      const { timeZone } = await readSettings(context.db, context.config);
      const language = query.language ?? (await findAccountLanguage(context.db, actor));
      // Opened before its own audit row is appended, so that the export does not contain this row.
      const exported = await openAuditExport(context.db, filterOf(actor, query, timeZone));
      const rows = exported.total;
      await inTransaction(context.db, (tx) =>
        context.audit.append(tx, {
          actor,
          action: 'audit.exported',
          details: { ...describeQuestion(query), rows },
        }),
      );
      const view = viewFor(actor);
      async function* pages() {
        for await (const page of exported.pages(ROWS_AT_ONCE))
          yield page.map((row) => auditCells(view(row), timeZone));
      }
      return streamCsv(reply, {
        name: `audit-log-${dayOf(context.clock.now(), timeZone)}.csv`,
        header: auditTitles(language, timeZone),
        total: rows,
        pages: pages(),
        onEnd: (outcome) =>
          context.log.info({ requestId: actor.origin.requestId, ...outcome }, 'an export ended'),
      });
    },
  });
}
