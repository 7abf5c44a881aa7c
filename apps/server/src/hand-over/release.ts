/** Decides on the hand-over of a child at checkout, and records it (decision 049). */
import type { PickupProof, ReleaseBody } from '@haris/contract/http/hand-over';
import {
  type Doubt,
  decideRelease,
  doubtsAbout,
  GUESSABLE,
  isAnswered,
  type ProofKind,
  type ReleaseFacts,
  type ReleaseRefusal,
} from '@haris/contract/release';
import { localDay } from '@haris/contract/zone-time';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { findPass, setPassUsed, updateCollector } from '../db/collectors.ts';
import { findGuardians } from '../db/guardians/of-child.ts';
import {
  addRefusal,
  endPickupCodes,
  findCodeEpoch,
  findReleaseOf,
  findStayToEnd,
  keepRelease,
  type StayToEnd,
} from '../db/releases.ts';
import { readSettings } from '../db/settings.ts';
import type { StaffPinRow } from '../db/staff-pins.ts';
import { hasChildToTake, type Mark } from '../db/stays.ts';
import { countHit, type Limit, secondsUntilRoom } from '../db/throttle.ts';
import type { Tx } from '../db/transaction.ts';
import { acrossFacilities } from '../facility.ts';
import { may } from '../policy.ts';
import { hashToken } from '../vault/vault.ts';
import { type KnownAdult, readersOf, readKnownAdults, sealCollector } from './adults.ts';
import { checkSecondPin, isSecondPerson } from './second-person.ts';
import { isSlipCode, pickupSecret, stepOfCode } from './secrets.ts';

/** Wrong proofs of a stay after which guessable ones are refused. */
const WRONG_PROOFS = 5;
const WRONG_PROOFS_MS = 15 * 60_000;

/** What the desk sent with a checkout, and what had to be checked before the transaction. */
export interface AskedRelease {
  readonly body: ReleaseBody;
  /** The second person's PIN if it was right; null if it was wrong, and for other proofs. */
  readonly secondPin: StaffPinRow | null;
}

/** A checkout without a body. */
export const NOTHING_ASKED: AskedRelease = { body: {}, secondPin: null };

/** Checks the part of a proof that is too slow for a transaction. Throws `too_many_attempts`. */
export async function prepareRelease(
  context: Context,
  actor: Actor,
  body: ReleaseBody,
): Promise<AskedRelease> {
  const { proof } = body;
  if (proof?.kind !== 'second') return { body, secondPin: null };
  return {
    body,
    secondPin: await checkSecondPin(context, actor, { staffId: proof.staffId, pin: proof.value }),
  };
}

/** What the body asks for, for the comparison of repeated requests: keyed, because a proof can be guessed. */
export function fingerprintOf({ vault }: Context, { body }: AskedRelease): string {
  const { collectorId, version, proof, document, isBarred, notBarred } = body;
  // Newer fields only if they are there: a request from before they existed is the same one when it is repeated.
  const newer = [[isBarred, notBarred], [version]].map((fields) =>
    fields.every((one) => one === undefined) ? [] : fields,
  );
  const asked = [collectorId, proof, document, ...newer.flat()];
  if (asked.every((part) => part === undefined)) return '';
  return ` to ${vault.mac('asked release', JSON.stringify(asked))}`;
}

/** A right proof with what its use changes. */
interface Checked {
  readonly isRight: boolean;
  readonly codeStep?: number;
  readonly passId?: string;
}

interface Question {
  readonly child: { readonly id: string; readonly parent_id: string };
  readonly stay: StayToEnd;
  readonly adult: KnownAdult | undefined;
  readonly day: string;
  /** The guardians whose codes and passes count. */
  readonly trusted: ReadonlySet<string>;
  readonly secondPin: StaffPinRow | null;
}

async function checkProof(
  context: Context,
  tx: Tx,
  proof: PickupProof,
  { child, stay, adult, day, trusted, secondPin }: Question,
): Promise<Checked> {
  const { trx } = tx;
  const { vault, clock } = context;
  // Another guardian's code proves nothing about this adult: one household cannot let the other one's people go.
  const voucher = adult?.voucher ?? child.parent_id;
  const isTrusted = trusted.has(voucher);
  switch (proof.kind) {
    case 'slip':
      return { isRight: isSlipCode(stay, proof.value) };
    case 'code': {
      const epoch = await findCodeEpoch(trx, voucher);
      if (epoch === undefined || !isTrusted) return { isRight: false };
      // A stay that an undo opened again does not accept the code that ended it.
      const used = (await findReleaseOf(trx, stay.id))?.code_step ?? null;
      const secret = pickupSecret(vault, voucher, epoch);
      const codeStep = await stepOfCode(secret, proof.value, clock.now(), used);
      return codeStep === null ? { isRight: false } : { isRight: true, codeStep };
    }
    case 'pass': {
      const pass = await findPass(trx, vault, hashToken(proof.value));
      const isRight =
        pass !== undefined &&
        isTrusted &&
        pass.collector_id === adult?.id &&
        pass.day === day &&
        pass.revoked_at === null &&
        pass.used_stay_id === null;
      return isRight ? { isRight, passId: pass.id } : { isRight: false };
    }
    case 'known':
      return { isRight: true };
    case 'second':
      return { isRight: secondPin !== null && (await isSecondPerson(context, tx, secondPin)) };
  }
}

/** An accepted hand-over, before the stay ends. */
export interface Accepted {
  readonly stay: StayToEnd;
  readonly adult: KnownAdult | null;
  readonly proof: ProofKind | null;
  readonly secondBy: string | null;
  readonly checked: Checked | null;
  readonly document: ReleaseBody['document'];
  /** The guardians who may learn who took the child; see {@link readersOf}. */
  readonly readers: ReadonlySet<string>;
}

/**
 * Decides on the hand-over of a locked child. A refusal writes its counters and records before it is thrown, and the
 * transaction of a 409 commits them. Throws the refusals of {@link ReleaseRefusal}.
 */
export async function decideHandOver(
  context: Context,
  tx: Tx,
  actor: Actor,
  child: { readonly id: string; readonly parent_id: string },
  { body, secondPin }: AskedRelease,
): Promise<Accepted> {
  const { clock, vault } = context;
  const stay = await findStayToEnd(tx.trx, child.id);
  if (!stay) throw new AppError('not_inside');
  const settings = await readSettings(tx.trx, context.config);
  const day = localDay(clock.now(), settings.timeZone);
  const { adults, barred, notTaking, trusted } = await readKnownAdults(context, tx.trx, child);
  const limit: Limit = {
    scope: 'release proof',
    key: vault.mac('throttle', stay.id),
    most: WRONG_PROOFS,
    windowMs: WRONG_PROOFS_MS,
  };
  const adultId = body.collectorId ?? null;
  const adult = adults.find(({ id }) => id === adultId);
  const facts: ReleaseFacts = {
    isInside: true,
    isLocked: (await secondsUntilRoom(tx.trx, [limit], clock.now())) !== null,
    adults,
    barred,
    hasNotTaking: notTaking.length > 0,
    day,
    weekday: new Date(day).getUTCDay(),
    mode: settings.handover,
    staffProofs: settings.handoverStaffProofs,
  };
  const { proof } = body;
  const question = { child, stay, adult, day, trusted, secondPin };
  const checked = proof ? await checkProof(context, tx, proof, question) : null;
  // Nobody can tell two people apart without knowing who is barred.
  const notBarred = may(actor, 'barred.view') ? (body.notBarred ?? []) : [];
  if (adult !== undefined && body.isBarred !== true) {
    const ruledOut = doubtsAbout(adult, barred).filter((doubt) => isAnswered(doubt, notBarred));
    await recordRuledOut(context, tx, actor, { child, stay, adult, ruledOut });
  }
  const decision = decideRelease(facts, {
    adultId,
    shown: body.version ?? null,
    proof: proof && checked ? { kind: proof.kind, isRight: checked.isRight } : null,
    hasDocument: body.document !== undefined,
    isBarred: body.isBarred === true,
    notBarred,
  });
  if (!decision.released) {
    const isGuess = proof !== undefined && GUESSABLE.has(proof.kind);
    await recordRefusal(context, tx, actor, {
      refusal: decision.refusal,
      isGuess,
      child,
      stay,
      adultId,
      hasBarred: barred.length > 0,
      limit,
    });
    throw new AppError(decision.refusal);
  }
  return {
    stay,
    adult: adult ?? null,
    proof: proof?.kind ?? null,
    secondBy: proof?.kind === 'second' ? proof.staffId : null,
    checked,
    document: body.document,
    readers: adult ? readersOf(adult, trusted) : new Set(),
  };
}

/** A hand-over that has happened at a tablet without a connection. */
export interface PastHandOver {
  readonly collectorId: string;
  /** No proof that can be guessed: a tablet cannot check one. Null: its value is not kept, so only the adult is judged. */
  readonly proof: Extract<PickupProof, { readonly kind: 'slip' | 'pass' | 'known' }> | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Judges a hand-over that has happened by what is known now, as strictly as where a facility requires a proof. It is recorded in any case:
 * `refusal` says why it would be refused. An adult who is not listed is not recorded as one, nor is a wrong proof. Call it with the
 * child locked.
 */
export async function judgePastHandOver(
  context: Context,
  tx: Tx,
  child: { readonly id: string; readonly parent_id: string },
  stay: StayToEnd,
  { collectorId, proof, at }: PastHandOver,
): Promise<{ readonly accepted: Accepted; readonly refusal: ReleaseRefusal | null }> {
  const settings = await readSettings(tx.trx, context.config);
  const day = localDay(at, settings.timeZone);
  const { adults, barred, notTaking, trusted } = await readKnownAdults(context, tx.trx, child);
  const adult = adults.find(({ id }) => id === collectorId);
  const question = { child, stay, adult, day, trusted, secondPin: null };
  const checked = proof && (await checkProof(context, tx, proof, question));
  const given = proof && checked && { kind: proof.kind, isRight: checked.isRight };
  const decision = decideRelease(
    {
      isInside: true,
      isLocked: false,
      adults,
      barred,
      hasNotTaking: notTaking.length > 0,
      day,
      weekday: new Date(day).getUTCDay(),
      mode: 'require',
      staffProofs: settings.handoverStaffProofs,
    },
    {
      adultId: collectorId,
      shown: null,
      proof: given ?? { kind: 'slip', isRight: true },
      hasDocument: false,
      isBarred: false,
      notBarred: [],
    },
  );
  const refusal = decision.released ? null : decision.refusal;
  return {
    accepted: {
      stay,
      adult: adult ?? null,
      proof: adult && proof && checked?.isRight ? proof.kind : null,
      secondBy: null,
      checked: adult && checked?.isRight ? checked : null,
      document: undefined,
      readers: adult ? readersOf(adult, trusted) : new Set(),
    },
    refusal,
  };
}

/**
 * Records of which bars staff have said that the adult is another person; also where the release is refused for another reason:
 * the word was given.
 */
async function recordRuledOut(
  context: Context,
  tx: Tx,
  actor: Actor,
  said: {
    readonly child: { readonly id: string };
    readonly stay: StayToEnd;
    readonly adult: KnownAdult;
    readonly ruledOut: readonly Doubt[];
  },
): Promise<void> {
  const { child, stay, adult, ruledOut } = said;
  if (ruledOut.length === 0) return;
  await context.audit.append(tx, {
    actor,
    action: 'barred.ruled_out',
    subject: { kind: 'child', id: child.id },
    details: { stayId: stay.id, adultId: adult.id, barIds: ruledOut.map(({ barredId }) => barredId) },
  });
}

/** Refusals that the ledger keeps of each child; of a child with a bar it keeps all. */
const RECORDED: ReadonlySet<ReleaseRefusal> = new Set([
  'pickup_locked',
  'barred_person',
  'barred_person_doubt',
  'collector_changed',
  'wrong_pickup_proof',
]);

async function recordRefusal(
  context: Context,
  tx: Tx,
  actor: Actor,
  refused: {
    readonly refusal: ReleaseRefusal;
    /** Whether the proof was one that can be guessed. */
    readonly isGuess: boolean;
    readonly child: { readonly id: string };
    readonly stay: StayToEnd;
    readonly adultId: string | null;
    readonly hasBarred: boolean;
    readonly limit: Limit;
  },
): Promise<void> {
  const { refusal, isGuess, child, stay, adultId, hasBarred, limit } = refused;
  const at = context.clock.now();
  if (refusal === 'wrong_pickup_proof' && isGuess) await countHit(tx.trx, [limit], at);
  if (refusal === 'barred_person')
    await addRefusal(tx.trx, {
      stay_id: stay.id,
      child_id: child.id,
      adult_id: adultId,
      by_id: actor.id,
      at,
    });
  // Whoever tries one adult after the other learns by the refusals whose name sounds like a barred one's.
  if (RECORDED.has(refusal) || hasBarred)
    await context.audit.append(tx, {
      actor,
      action: 'child.release_refused',
      subject: { kind: 'child', id: child.id },
      details: { stayId: stay.id, refusal },
    });
}

/** Ends the codes of the guardians who have no other child inside to take: the next visit has codes of its own. */
async function endCodesOfVisit({ trx }: Tx, child: Question['child']): Promise<void> {
  const guardians = (await findGuardians(trx, [child])).get(child.id) ?? [];
  // In one order, so that the checkouts of two siblings do not wait for each other.
  for (const id of guardians.map(({ parentId }) => parentId).sort())
    if (!(await acrossFacilities(() => hasChildToTake(trx, id)))) await endPickupCodes(trx, id);
}

/** Records an accepted hand-over by `by` after the stay has ended, at `at`: uses its proof up and confirms the collector. */
export async function recordRelease(
  context: Context,
  tx: Tx,
  actor: Actor,
  child: { readonly id: string; readonly parent_id: string },
  { stay, adult, proof, secondBy, checked, document }: Accepted,
  { by, at }: Mark,
): Promise<void> {
  await keepRelease(tx.trx, {
    stay_id: stay.id,
    child_id: child.id,
    adult_kind: adult?.kind ?? null,
    adult_id: adult?.id ?? null,
    proof,
    code_step: checked?.codeStep ?? null,
    released_by: by,
    second_by: secondBy,
    had_document: document ? 1 : 0,
    at,
    unexpected_by: null,
    unexpected_at: null,
    unexpected_also: '[]',
  });
  if (checked?.passId !== undefined) await setPassUsed(tx.trx, checked.passId, stay.id);
  await endCodesOfVisit(tx, child);
  if (adult?.kind !== 'collector' || adult.isConfirmed || !document) return;
  const { name, phone } = adult;
  const sealed = await sealCollector(
    context,
    tx,
    { id: adult.id, childId: child.id },
    { name, relation: adult.relation ?? '', phone, document },
  );
  await updateCollector(tx.trx, adult.id, { sealed, confirmed_at: at, confirmed_by: actor.id });
  await context.audit.append(tx, {
    actor,
    action: 'collector.confirmed',
    subject: { kind: 'child', id: child.id },
    details: { collectorId: adult.id, document: document.kind },
  });
}
