/** The mail server that administrators set and test. Nobody gets its password back. */

import { THROTTLE_WINDOW_MS } from '@haris/contract/constants';
import { MAIL_TESTS_PER_WINDOW, type MailServerView } from '@haris/contract/http/setup';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { mailReach } from '../../config.ts';
import type { Context } from '../../context.ts';
import { isStaffWithoutFactor } from '../../db/second-factors.ts';
import { lockSettings, readSettings } from '../../db/settings.ts';
import { findStaffMember } from '../../db/staff.ts';
import { countHit, type Limit, secondsUntilRoom } from '../../db/throttle.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findMailFacility } from '../../mail/facility-words.ts';
import {
  explainMailFailure,
  findMailSource,
  type MailServer,
  readMailServer,
  sendThrough,
  writeMailServer,
} from '../../mail/server.ts';
import { composeMail } from '../../mail/templates.ts';
import { may } from '../../policy.ts';
import { findAllowedAddress, HostError } from '../../reach.ts';

/** A person waits for the test. Milliseconds. */
const TEST_WITHIN_MS = 10_000;

/** Settings as typed; without a password the stored one is meant. */
export type TypedMailServer = Omit<MailServer, 'password'> & { readonly password?: string | undefined };

const NOTHING = { host: null, port: null, security: null, user: null, hasPassword: false, from: null };

/** The settings; without their details for staff who may not change them. */
export async function presentMailServer(context: Context, actor: Actor): Promise<MailServerView> {
  const { db, vault, config } = context;
  const source = await findMailSource(db, vault, config);
  if (!may(actor, 'security.manage')) return { source, ...NOTHING };
  if (source === 'environment' && config.smtpUrl !== null) {
    const { protocol, hostname, port, username, password } = new URL(config.smtpUrl);
    const security = protocol === 'smtps:' ? 'tls' : 'starttls';
    return {
      source,
      host: hostname,
      port: port === '' ? (security === 'tls' ? 465 : 587) : Number(port),
      security,
      user: username === '' ? null : decodeURIComponent(username),
      hasPassword: password !== '',
      from: config.mailFrom,
    };
  }
  const stored = source === 'settings' ? await readMailServer(db, vault) : null;
  if (!stored) return { source, ...NOTHING };
  const { host, port, security, user, from } = stored;
  return { source, host, port, security, user, hasPassword: stored.password !== null, from };
}

/** Throws `mail_server_fixed` where the environment or the demo decides. */
async function requireChangeable({ db, vault, config }: Context): Promise<void> {
  const source = await findMailSource(db, vault, config);
  if (source === 'environment' || source === 'demo') throw new AppError('mail_server_fixed');
}

function refuseField(field: string, message: string): never {
  throw new AppError('invalid_request', { message, fields: { [field]: message } });
}

/**
 * Refuses hosts of this machine and reserved ones: 400 at `host`. Never within a transaction, because a name server that
 * is silent would hold up everybody else's.
 */
async function requireAllowedHost({ config }: Context, host: string): Promise<void> {
  const signal = AbortSignal.timeout(TEST_WITHIN_MS);
  await findAllowedAddress(host, mailReach(config), signal).catch((error: unknown) => {
    // A name that cannot be resolved is accepted here; the test reports it.
    if (error instanceof HostError && error.reason === 'not_allowed')
      refuseField('host', explainMailFailure(error));
    if (!(error instanceof HostError)) throw error;
  });
}

/**
 * The settings with their password. A stored password goes only where it was meant for: another host, port, user or
 * protection needs it typed again. Throws 400 at `password`.
 */
function complete(stored: MailServer | null, { password, ...typed }: TypedMailServer): MailServer {
  if (typed.user === null) return { ...typed, password: null };
  if (password !== undefined) return { ...typed, password };
  const isSame =
    stored !== null &&
    (['host', 'port', 'security', 'user'] as const).every((name) => stored[name] === typed[name]);
  if (!isSame || stored.password === null)
    refuseField(
      'password',
      stored === null ? 'Password is required' : 'Enter the password again: the server or user has changed',
    );
  return { ...typed, password: stored.password };
}

/** Stores the settings. Throws 400, `mail_server_fixed`. */
export async function changeMailServer(
  context: Context,
  actor: Actor,
  typed: TypedMailServer,
): Promise<void> {
  await requireChangeable(context);
  await requireAllowedHost(context, typed.host);
  await inTransaction(context.db, async (tx) => {
    await lockSettings(tx.trx);
    const server = complete(await readMailServer(tx.trx, context.vault), typed);
    await writeMailServer(tx.trx, context.vault, server);
    const { host, port, security, from } = server;
    const details = { host, port, security, from, signsIn: server.user !== null };
    await context.audit.append(tx, { actor, action: 'mail_server.updated', details });
    await context.events.append(tx, { type: 'settings.updated' });
  });
}

/**
 * Forgets the settings; mails are written to the outbox again. Throws `mail_server_fixed`; `no_mail_server` while all staff must
 * have a second factor and somebody without one would wait for a mailed code.
 */
export async function forgetMailServer(context: Context, actor: Actor): Promise<void> {
  await requireChangeable(context);
  await inTransaction(context.db, async (tx) => {
    await lockSettings(tx.trx);
    if (!(await readMailServer(tx.trx, context.vault))) return;
    const { staffSecondFactor } = await readSettings(tx.trx, context.config);
    if (staffSecondFactor && (await isStaffWithoutFactor(tx.trx, context.config.oidc?.issuer ?? null)))
      throw new AppError('no_mail_server');
    await writeMailServer(tx.trx, context.vault, null);
    await context.audit.append(tx, { actor, action: 'mail_server.removed' });
    await context.events.append(tx, { type: 'settings.updated' });
  });
}

/** Counts a test, because each one connects to a host that a person chose. Throws 429. */
async function countTest({ db, vault, clock }: Context, actor: Actor): Promise<void> {
  const limits: Limit[] = [
    {
      scope: 'mail test',
      key: vault.mac('throttle', `admin ${actor.id}`),
      most: MAIL_TESTS_PER_WINDOW,
      windowMs: THROTTLE_WINDOW_MS,
    },
  ];
  await inTransaction(db, async ({ trx }) => {
    const retryAfter = await secondsUntilRoom(trx, limits, clock.now());
    if (retryAfter !== null) throw new AppError('too_many_attempts', { retryAfter });
    await countHit(trx, limits, clock.now());
  });
}

/**
 * Sends a mail to the person through these settings. Returns the address and the mail server's words if it refused.
 * Throws 400, 429, `mail_server_fixed`, `no_own_address`.
 */
export async function tryMailServer(
  context: Context,
  actor: Actor,
  typed: TypedMailServer,
): Promise<{ to: string; problem: string | null }> {
  await requireChangeable(context);
  const member = await findStaffMember(context.db, actor.id);
  if (!member) throw new AppError('unauthenticated');
  const to = member.email;
  if (to.endsWith('@localhost')) throw new AppError('no_own_address');
  await countTest(context, actor);
  await requireAllowedHost(context, typed.host);
  const server = complete(await readMailServer(context.db, context.vault), typed);
  const facility = await findMailFacility(context.db, { kind: 'admin', accountId: member.id });
  const { language, name } = member;
  const content = composeMail('mail_test', { language, name, facility, link: context.publicUrl() });
  const problem = await sendThrough(
    {
      server,
      reach: mailReach(context.config),
      withinMs: TEST_WITHIN_MS,
      totalMs: TEST_WITHIN_MS,
    },
    { to, ...content },
  ).then(() => null, explainMailFailure);
  const details = { host: server.host, port: server.port, accepted: problem === null };
  await inTransaction(context.db, (tx) =>
    context.audit.append(tx, { actor, action: 'mail_server.tested', details }),
  );
  return { to, problem };
}
