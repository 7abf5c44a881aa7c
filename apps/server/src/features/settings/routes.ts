/** Routes of the settings that staff change while the product runs, and of the web app's configuration before sign-in. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { operationRoutes } from '@haris/contract/http/operations';
import { findThresholdProblem, type Settings } from '@haris/contract/objects';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { toMoment } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { returnApproval } from '../../db/approvals.ts';
import { endDeskTickets } from '../../db/desk-tickets.ts';
import { findStaffIds } from '../../db/incident-people.ts';
import { endStaffTokensElsewhere } from '../../db/one-time-tokens.ts';
import { findFactorKinds, isStaffWithoutFactor } from '../../db/second-factors.ts';
import { endStaffSessionsWithoutFactor } from '../../db/session-ends.ts';
import { isFacilitySetting, lockSettings, readSettings, writeSettings } from '../../db/settings.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { acrossFacilities } from '../../facility.ts';
import { namedApproval, useOrAsk } from '../../http/approval.ts';
import { bind } from '../../http/bind.ts';
import { requireProof } from '../../http/proof.ts';
import { areMailsSent } from '../../mail/server.ts';
import { may } from '../../policy.ts';
import { changeNeedsProof } from './proof.ts';

export function settingsFeature(app: FastifyInstance, context: Context): void {
  bind(app, context, operationRoutes.getSettings, {
    async handle() {
      return present(await readSettings(context.db, context.config));
    },
  });
  bind(app, context, operationRoutes.updateSettings, {
    async handle({ actor, request, body: { revision, ...body } }) {
      const approval =
        body.secondPerson === false ? await askBeforeSwitchingOff(context, actor, request) : null;
      const save = inTransaction(context.db, async (tx) => {
        await lockSettings(tx.trx);
        const changed = Object.fromEntries(
          Object.entries(body).filter(([, value]) => value !== undefined),
        ) as Partial<Settings>;
        const before = await readSettings(tx.trx, context.config);
        if (revision !== undefined && revision !== revisionOf(before)) throw new AppError('settings_changed');
        // Settings of the organisation apply to all facilities, so changing them needs the permission at each.
        if (changesShared(before, changed) && !actor.everywhere.has('settings.manage'))
          throw new AppError('forbidden');
        if (changeNeedsProof(before, changed)) await requireProof(context, actor, tx.trx);
        if (changed.staffSecondFactor !== undefined && changed.staffSecondFactor !== before.staffSecondFactor)
          await changeSecondFactorRule(context, tx, actor, changed.staffSecondFactor);
        if (changed.secondPerson !== undefined && changed.secondPerson !== before.secondPerson)
          await changeSecondPersonRule(context, tx, actor, changed.secondPerson);
        // Whoever has a copy of a ticket must not go on with it once the setting is on again.
        if (before.deskOffline && changed.deskOffline === false)
          await endDeskTickets(tx.trx, 'here', context.clock.now());
        const merged: Settings = { ...before, ...changed };
        const problem = findThresholdProblem(merged);
        if (problem)
          throw new AppError('invalid_request', {
            message: problem.message,
            fields: { [problem.field]: problem.message },
          });
        await writeSettings(tx.trx, changed);
        await context.audit.append(tx, { actor, action: 'settings.updated', details: detailsOf(changed) });
        await context.events.append(tx, { type: 'settings.updated' });
      });
      await save.catch(async (error: unknown) => {
        if (approval !== null) await returnApproval(context.db, approval);
        throw error;
      });
      return present(await readSettings(context.db, context.config));
    },
  });
  bind(app, context, operationRoutes.getClientConfig, {
    async handle() {
      const { facilityName, facilityPhone, timeZone, region } = await readSettings(
        context.db,
        context.config,
      );
      return {
        demo: context.config.demo,
        registerUrl: context.config.registerUrl,
        sendsMail: await areMailsSent(context.db, context.vault, context.config),
        oidc: context.config.oidc === null ? null : { name: context.config.oidc.name },
        facility: { name: facilityName, phone: facilityPhone, timeZone, region },
        now: toMoment(context.clock.now()),
      };
    },
  });
}

/**
 * Requires a second factor of all staff, or no longer. Requiring one ends all sessions that were opened without. Throws
 * `forbidden`; `proof_required`; `no_factor` or `second_factor_required` if the actor or this session has none;
 * `no_mail_server` if there is none and somebody without a factor would wait for a mailed code.
 */
async function changeSecondFactorRule(
  context: Context,
  tx: Tx,
  actor: Actor,
  isRequired: boolean,
): Promise<void> {
  if (!may(actor, 'security.manage')) throw new AppError('forbidden');
  await requireProof(context, actor, tx.trx);
  if (!isRequired) return;
  if ((await findFactorKinds(tx.trx, actor)).length === 0) throw new AppError('no_factor');
  if (actor.factor !== 'second') throw new AppError('second_factor_required');
  const { vault, config } = context;
  const sendsMail = await areMailsSent(tx.trx, vault, config);
  if (!sendsMail && (await isStaffWithoutFactor(tx.trx, config.oidc?.issuer ?? null)))
    throw new AppError('no_mail_server');
  await endStaffSessionsWithoutFactor(tx.trx, context.clock.now());
}

/**
 * Throws `approval_required` unless a second person has agreed to switch the rule off. Returns the approval, which
 * is used up; null if none is needed.
 */
async function askBeforeSwitchingOff(
  context: Context,
  actor: Actor,
  request: FastifyRequest,
): Promise<string | null> {
  if (!may(actor, 'security.manage')) throw new AppError('forbidden');
  if (!(await readSettings(context.db, context.config)).secondPerson) return null;
  await requireProof(context, actor);
  const subject = { subject_kind: null, subject_id: null };
  const target = { action: 'secondPersonOff', target: '?', ...subject, asked_by: actor.id } as const;
  return useOrAsk(context, actor, target, namedApproval(request));
}

/**
 * Checks whether the rule of a second person for deletions and exports may be switched on or off. Throws `forbidden`,
 * `proof_required`, `no_second_person`.
 */
async function changeSecondPersonRule(
  context: Context,
  tx: Tx,
  actor: Actor,
  isWanted: boolean,
): Promise<void> {
  if (!may(actor, 'security.manage')) throw new AppError('forbidden');
  await requireProof(context, actor, tx.trx);
  if (!isWanted) return;
  // Otherwise nobody could ever switch it off.
  const others = await findStaffIds(tx.trx, 'security.manage');
  if (!others.some((id) => id !== actor.id)) throw new AppError('no_second_person');
  // New addresses of colleagues that wait were asked for by one person alone.
  await acrossFacilities(() => endStaffTokensElsewhere(tx.trx, 'verify'));
}

/** Equal settings give the same value on every server. */
function revisionOf(settings: Settings): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 22);
}

function present(settings: Settings) {
  return { settings, revision: revisionOf(settings) };
}

/** Whether a setting of the whole organisation changes. Pure. */
function changesShared(before: Settings, changed: Partial<Settings>): boolean {
  return Object.entries(changed).some(
    ([name, value]) => !isFacilitySetting(name) && !isDeepStrictEqual(before[name as keyof Settings], value),
  );
}

/** Details of the audit row: numbers and texts unchanged, other values as JSON. */
function detailsOf(changed: Partial<Settings>): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(changed).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null
        ? JSON.stringify(value)
        : typeof value === 'boolean'
          ? String(value)
          : value,
    ]),
  );
}
