/** Binds the calls of attendance reports. */
import { reportRoutes } from '@haris/contract/http/reports';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { findAccountLanguage } from '../../db/accounts.ts';
import { countAttendance, findAttendancePage, sumAttendance } from '../../db/attendance.ts';
import { recordReading } from '../../db/read-audit.ts';
import { inTransaction } from '../../db/transaction.ts';
import { bind } from '../../http/bind.ts';
import { ROWS_AT_ONCE, streamCsv } from '../../http/csv.ts';
import { attendanceCells, attendanceTitles } from './columns.ts';
import {
  addUp,
  createFormerStaff,
  describeQuestion,
  openReport,
  presentChart,
  presentEntry,
  presentRange,
  presentTotal,
  walkEntries,
} from './service.ts';

export function reportFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, reportRoutes.listAttendance, {
    async handle({ actor, query }) {
      const report = await openReport(context, query);
      const { rows, nextCursor } = await findAttendancePage(context.db, report.filter, query);
      if (query.cursor === undefined)
        await recordReading(context, actor, {
          action: 'attendance.read',
          ...describeQuestion(report, query),
        });
      const former = createFormerStaff(context);
      return {
        ...presentRange(report),
        entries: await Promise.all(rows.map((row) => presentEntry(row, report.range.timeZone, former))),
        total: await countAttendance(context.db, report.filter),
        nextCursor,
      };
    },
  });
  bind(app, context, reportRoutes.getAttendanceTotals, {
    async handle({ actor, query }) {
      const report = await openReport(context, query);
      const totals = (await sumAttendance(context.db, report.filter)).map(presentTotal);
      await recordReading(context, actor, { action: 'attendance.read', ...describeQuestion(report, query) });
      return { ...presentRange(report), all: addUp(totals), totals };
    },
  });
  bind(app, context, reportRoutes.getAttendanceChart, {
    async handle({ actor, query }) {
      const report = await openReport(context, query);
      await recordReading(context, actor, { action: 'attendance.read', ...describeQuestion(report, query) });
      return presentChart(context, report, query);
    },
  });
  bind(app, context, reportRoutes.exportAttendance, {
    async handle({ actor, query, reply }) {
      const opened = await openReport(context, query);
      // Leaves out check-ins during the export, because the number of rows is sent first.
      const to = Math.min(opened.filter.to, context.clock.now() + 1);
      const report = { ...opened, filter: { ...opened.filter, to } };
      const { timeZone, firstDay, lastDay } = report.range;
      const language = query.language ?? (await findAccountLanguage(context.db, actor));
      const total = await countAttendance(context.db, report.filter);
      const { details, ...about } = describeQuestion(report, query);
      await inTransaction(context.db, (tx) =>
        context.audit.append(tx, {
          actor,
          action: 'attendance.exported',
          ...about,
          details: { ...details, rows: total },
        }),
      );
      async function* pages() {
        for await (const entries of walkEntries(context, report, ROWS_AT_ONCE))
          yield entries.map((entry) => attendanceCells(entry, language, timeZone));
      }
      return streamCsv(reply, {
        name: `attendance-${firstDay}${firstDay === lastDay ? '' : `-to-${lastDay}`}.csv`,
        header: attendanceTitles(language, timeZone),
        total,
        pages: pages(),
        onEnd: (outcome) =>
          context.log.info({ requestId: actor.origin.requestId, ...outcome }, 'an export ended'),
      });
    },
  });
}
