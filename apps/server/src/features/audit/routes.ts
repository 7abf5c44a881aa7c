/** Lets staff read the audit log, and take it away as CSV; both are rows of it themselves. */
import { operationRoutes } from '@haris/contract/http/operations';
import type { AuditEntry } from '@haris/contract/objects';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../app-error.ts';
import { dayOf, periodRange } from '../../calendar.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { findAccountLanguage } from '../../db/account-language.ts';
import { containsPattern, foldForSearch } from '../../db/folding.ts';
import { fromCursor, toCursor } from '../../db/paging.ts';
import { recordReading } from '../../db/readings.ts';
import type { AuditRow } from '../../db/schema.ts';
import { readSettings } from '../../db/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { bind } from '../../http/bind.ts';
import { ROWS_AT_ONCE, streamCsv } from '../../http/csv.ts';
import { auditCells, auditTitles } from './columns.ts';

const detailsSchema = z.record(z.string(), z.unknown()).catch({});

function presentEntry(row: AuditRow): AuditEntry {
  return {
    seq: row.seq,
    at: toMoment(row.at),
    actor:
      row.actor_kind && row.actor_id
        ? { kind: row.actor_kind, id: row.actor_id, name: row.actor_name }
        : null,
    action: row.action,
    subject: row.subject_kind && row.subject_id ? { kind: row.subject_kind, id: row.subject_id } : null,
    from: row.from_address,
    requestId: row.request_id,
    details: detailsSchema.parse(JSON.parse(row.details)),
  };
}

/** The row that a cursor of this list stands for. Throws 400 for one that was never given. */
function rowOfCursor(cursor: string): number {
  const [, row] = fromCursor(cursor);
  if (/^[1-9][0-9]{0,14}$/.test(row)) return Number(row);
  const message = 'cursor is not one that was given';
  throw new AppError('invalid_request', { message, fields: { cursor: message } });
}

interface AuditQuestion {
  readonly search?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
}

/** Milliseconds since 1970 of a moment, or of the start or the end of a day of the facility. */
function boundOf(text: string, timeZone: string, end: 'from' | 'to'): number {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? periodRange('day', text, 1, timeZone)[end] : Date.parse(text);
}

/** The rows that a question is about. */
function matchingRows(context: Context, question: AuditQuestion, timeZone: string) {
  let matching = context.db.selectFrom('audit_log');
  const { from, to } = question;
  if (from !== undefined) matching = matching.where('at', '>=', boundOf(from, timeZone, 'from'));
  if (to !== undefined) matching = matching.where('at', '<', boundOf(to, timeZone, 'to'));
  if (question.actor !== undefined) matching = matching.where('actor_id', '=', question.actor);
  if (question.subject !== undefined) matching = matching.where('subject_id', '=', question.subject);
  const folded = foldForSearch(question.search ?? '');
  if (folded) {
    const pattern = containsPattern(folded);
    // Names stand unfolded in the log; whoever is still there is found by the folded one.
    matching = matching.where(
      sql<boolean>`(lower(coalesce(actor_name, '')) like ${pattern} escape '\\' or action like ${pattern} escape '\\'
        or actor_id in (select id from admins where search_text like ${pattern} escape '\\'))`,
    );
  }
  return matching;
}

/** What the log keeps of a question about itself: what was typed may be a name, so only that something was. */
function describeQuestion({ search, from, to, actor, subject }: AuditQuestion) {
  return { from, to, actor, subject, searched: search ? true : undefined };
}

export function auditFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, operationRoutes.listAudit, {
    async handle({ actor, query }) {
      const { timeZone } = await readSettings(context.db, context.config);
      const matching = matchingRows(context, query, timeZone);
      const { total } = await matching
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      let page = matching.selectAll();
      if (query.cursor !== undefined) page = page.where('seq', '<', rowOfCursor(query.cursor));
      const rows = await page
        .orderBy('seq', 'desc')
        .limit(query.limit + 1)
        .execute();
      const shown = rows.slice(0, query.limit);
      const last = rows.length > query.limit ? shown.at(-1) : undefined;
      if (query.cursor === undefined)
        await recordReading(context, actor, { action: 'audit.read', details: describeQuestion(query) });
      return {
        entries: shown.map(presentEntry),
        total: Number(total),
        nextCursor: last ? toCursor(['', String(last.seq)]) : null,
      };
    },
  });
  bind(app, context, operationRoutes.exportAudit, {
    async handle({ actor, query, reply }) {
      const { timeZone } = await readSettings(context.db, context.config);
      const language = query.language ?? (await findAccountLanguage(context.db, actor));
      // The export's own row, and what comes while it is written, is not in it: the number of rows is told before.
      const head = await context.db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow();
      const matching = matchingRows(context, query, timeZone).where('seq', '<=', head.seq);
      const { total } = await matching
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = Number(total);
      await inTransaction(context.db, (tx) =>
        context.audit.append(tx, {
          actor,
          action: 'audit.exported',
          details: { ...describeQuestion(query), rows },
        }),
      );
      async function* pages() {
        for (let after = 0; ; ) {
          const page: AuditRow[] = await matching
            .selectAll()
            .where('seq', '>', after)
            .orderBy('seq')
            .limit(ROWS_AT_ONCE)
            .execute();
          yield page.map((row) => auditCells(row, timeZone));
          const last = page.at(-1);
          if (!last || page.length < ROWS_AT_ONCE) return;
          after = last.seq;
        }
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
