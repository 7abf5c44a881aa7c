/**
 * Decides whether a child may be handed to an adult (decision 049). Pure and without input or output, so that the server
 * and a desk without a connection decide alike.
 */
import { toAsciiDigits } from './fields.ts';
import { foldForSearch } from './search/folding.ts';
import { namesSoundAlike } from './search/names-alike.ts';

/** How an adult, or the desk, proves that the hand-over is right. The first three are live secrets of the stay. */
export const PROOF_KINDS = ['slip', 'code', 'pass', 'known', 'second'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** Proofs by staff alone, without a secret of the family. A facility may forbid each. */
export const STAFF_PROOFS = ['known', 'second'] as const;
export type StaffProof = (typeof STAFF_PROOFS)[number];

/**
 * `record`: staff may say who takes the child; `require`: they must, with a proof. A child with a bar always asks for both, and one with a
 * guardian who may not take it for the adult.
 */
export const HAND_OVER_MODES = ['record', 'require'] as const;
export type HandOverMode = (typeof HAND_OVER_MODES)[number];

/** Proofs whose value can be guessed: too many wrong ones lock them. A slip's code has 128 bits. */
export const GUESSABLE: ReadonlySet<ProofKind> = new Set(['code', 'pass', 'second']);

/** An adult to whom this child may be handed. Days are `YYYY-MM-DD` at the facility, both inclusive; null: no limit. */
export interface ListedAdult {
  readonly id: string;
  readonly kind: 'guardian' | 'collector';
  readonly name: string;
  readonly phone: string | null;
  readonly from: string | null;
  readonly until: string | null;
  /** 0 (Sunday) to 6; empty: every day. */
  readonly weekdays: readonly number[];
  /** Whether staff have seen an identity document; always true for a guardian. */
  readonly isConfirmed: boolean;
  /** Changes with name, phone and photo; a collector who was never changed in these has 1. */
  readonly version: number;
  /** Changes with everything that the desk is shown of the adult: name, relation, phone and photo. */
  readonly shown: string;
}

/** An adult to whom this child must not be handed. */
export interface BarredAdult {
  /** Id of the bar, whose name and phone never change. */
  readonly id: string;
  readonly name: string;
  readonly phone: string | null;
  /** Account or collector that is this person; null if staff named none. */
  readonly adultId: string | null;
  /** Listed adults with the same name or phone who are somebody else, as the owner recorded for this version of each. */
  readonly others: readonly { readonly id: string; readonly version: number }[];
}

export interface ReleaseFacts {
  readonly isInside: boolean;
  /** Whether too many wrong proofs were tried for this stay. */
  readonly isLocked: boolean;
  readonly adults: readonly ListedAdult[];
  readonly barred: readonly BarredAdult[];
  /** Whether a guardian of the child may not take it home. */
  readonly hasNotTaking: boolean;
  /** Today at the facility, `YYYY-MM-DD`, and its weekday, 0 (Sunday) to 6. */
  readonly day: string;
  readonly weekday: number;
  readonly mode: HandOverMode;
  readonly staffProofs: readonly StaffProof[];
}

export interface ReleaseRequest {
  /** Null if staff said nobody. */
  readonly adultId: string | null;
  /** `shown` of the adult whom staff have compared with the person; null if the caller does not say. */
  readonly shown: string | null;
  /** `isRight`: whether the value fits this adult, child and time. Null without a proof. */
  readonly proof: { readonly kind: ProofKind; readonly isRight: boolean } | null;
  /** Whether staff have seen an identity document now. */
  readonly hasDocument: boolean;
  /** Whether staff say that the adult is the barred one. */
  readonly isBarred: boolean;
  /** Doubts about the adult to which staff who may see the bars have said: another person. They count for this release. */
  readonly notBarred: readonly Doubt[];
}

/** A bar that a listed adult may be, because the names sound alike, with the adult's version that staff have seen. */
export interface Doubt {
  readonly barredId: string;
  readonly version: number;
}

/** In the order in which they are found. */
export const RELEASE_REFUSALS = [
  'not_inside',
  'pickup_locked',
  'barred_person',
  'barred_person_doubt',
  'collector_not_listed',
  'collector_changed',
  'wrong_pickup_proof',
  'collector_required',
  'proof_of_pickup_required',
  'document_required',
] as const;
export type ReleaseRefusal = (typeof RELEASE_REFUSALS)[number];

export type ReleaseDecision =
  | { readonly released: true; readonly adult: ListedAdult | null }
  | { readonly released: false; readonly refusal: ReleaseRefusal };

/** A name as it is compared: two spellings of it are equal ({@link foldForSearch}), and signs separate words. */
export function foldPersonName(name: string): string {
  return foldForSearch(name)
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim();
}

/** Whether two names can be those of one person: in any order of the words, and however they are joined. */
export function isSameName(one: string, other: string): boolean {
  const [a, b] = [foldPersonName(one).split(' '), foldPersonName(other).split(' ')];
  return a.join('') === b.join('') || a.toSorted().join(' ') === b.toSorted().join(' ');
}

/** Digits that tell two phone numbers apart, however the country code is written. */
const PHONE_DIGITS = 9;

/** The last nine digits of a phone number in Latin digits; null if it has fewer. */
export function phoneTail(phone: string | null): string | null {
  const digits = toAsciiDigits(phone ?? '').replace(/\D/g, '');
  return digits.length < PHONE_DIGITS ? null : digits.slice(-PHONE_DIGITS);
}

type NameAndPhone = Pick<ListedAdult, 'name' | 'phone'>;

/** Whether two adults can be one person, by name or phone. */
export function canBeSamePerson(one: NameAndPhone, other: NameAndPhone): boolean {
  const tail = phoneTail(one.phone);
  return isSameName(one.name, other.name) || (tail !== null && tail === phoneTail(other.phone));
}

/** What of a listed adult is compared with a barred one. */
export type ComparedAdult = Pick<ListedAdult, 'id' | 'name' | 'phone' | 'version'>;

/** Whether the owner has recorded that a listed adult, as it is now, is another person than the barred one. */
const isNotedOther = ({ id, version }: ComparedAdult, { others }: BarredAdult) =>
  others.some((other) => other.id === id && other.version === version);

/** Whether a listed adult is this barred one, by identity, name or phone. */
const isBarredBy = (adult: ComparedAdult, bar: BarredAdult) =>
  bar.adultId === adult.id || (!isNotedOther(adult, bar) && canBeSamePerson(bar, adult));

/** Whether a listed adult is a barred one, by identity, name or phone. */
export function isBarred(adult: ComparedAdult, barred: readonly BarredAdult[]): boolean {
  return barred.some((bar) => isBarredBy(adult, bar));
}

/** Bars whose name only sounds like that of a listed adult: staff must say whether it is the same person. */
export function doubtsAbout(adult: ComparedAdult, barred: readonly BarredAdult[]): Doubt[] {
  return barred
    .filter(
      (bar) => !isBarredBy(adult, bar) && !isNotedOther(adult, bar) && namesSoundAlike(bar.name, adult.name),
    )
    .map(({ id }) => ({ barredId: id, version: adult.version }));
}

/** The days on which an adult may take the child. */
type ListedDays = Pick<ListedAdult, 'from' | 'until' | 'weekdays'>;

/** Whether an adult may take the child on a day (`YYYY-MM-DD`; weekday 0 is Sunday). */
export function isListedOn({ from, until, weekdays }: ListedDays, day: string, weekday: number): boolean {
  if (from !== null && day < from) return false;
  if (until !== null && day > until) return false;
  return weekdays.length === 0 || weekdays.includes(weekday);
}

/** What the hand-over of a child asks for, besides that the adult is listed. */
export interface ReleaseDemands {
  readonly mustName: boolean;
  readonly mustProve: boolean;
  /** Proofs by staff alone that count for this child. */
  readonly staffProofs: readonly StaffProof[];
}

/**
 * What the hand-over asks for at a facility with these settings. For a child with a bar in both modes an adult and a proof,
 * and more than that one member of staff knows somebody: a barred adult is mostly one whom staff know. For a child with a guardian who may
 * not take it an adult in both modes: without a name, staff who know the guardian would hand the child over.
 */
export function demandsOf(
  { mode, staffProofs, hasNotTaking }: Pick<ReleaseFacts, 'mode' | 'staffProofs' | 'hasNotTaking'>,
  hasBarred: boolean,
): ReleaseDemands {
  const isRequired = mode === 'require' || hasBarred;
  return {
    mustName: isRequired || hasNotTaking,
    mustProve: isRequired,
    staffProofs: hasBarred ? staffProofs.filter((proof) => proof !== 'known') : staffProofs,
  };
}

function refusalOf(
  facts: ReleaseFacts,
  { adultId, shown, proof, hasDocument, isBarred: isSaidBarred, notBarred }: ReleaseRequest,
): ReleaseRefusal | null {
  const { adults, barred, day, weekday } = facts;
  if (!facts.isInside) return 'not_inside';
  if (facts.isLocked && proof !== null && GUESSABLE.has(proof.kind)) return 'pickup_locked';
  const adult = adults.find(({ id }) => id === adultId);
  // Without a bar there is nobody of whom it can be said: it would raise a danger on every staff screen.
  if (isSaidBarred)
    return adult !== undefined && barred.length > 0 ? 'barred_person' : 'collector_not_listed';
  if (adultId !== null && barred.some((one) => one.adultId === adultId)) return 'barred_person';
  if (adult !== undefined && isBarred(adult, barred)) return 'barred_person';
  if (adult !== undefined && doubtsAbout(adult, barred).some((doubt) => !isAnswered(doubt, notBarred)))
    return 'barred_person_doubt';
  if (adultId !== null && (adult === undefined || !isListedOn(adult, day, weekday)))
    return 'collector_not_listed';
  if (adult !== undefined && isAnotherThanShown(adult, shown, hasDocument)) return 'collector_changed';
  if (proof !== null && (adult === undefined || !proof.isRight)) return 'wrong_pickup_proof';
  const { mustName, mustProve, staffProofs } = demandsOf(facts, barred.length > 0);
  if (adult === undefined) return mustName ? 'collector_required' : null;
  if (mustProve && !isEnough(proof, staffProofs)) return 'proof_of_pickup_required';
  if (!adult.isConfirmed && !hasDocument) return 'document_required';
  return null;
}

/**
 * Whether staff have compared the person with another name, photo, phone or relation than the adult has now. Who does not say
 * what staff saw is believed, unless the hand-over confirms a collector whom somebody has changed since it was named.
 */
function isAnotherThanShown(
  { kind, isConfirmed, version, shown: now }: ListedAdult,
  shown: string | null,
  hasDocument: boolean,
): boolean {
  if (shown !== null) return shown !== now;
  return hasDocument && kind === 'collector' && !isConfirmed && version > 1;
}

/** Whether staff have said of a doubt that it is another person. */
export function isAnswered({ barredId, version }: Doubt, notBarred: readonly Doubt[]): boolean {
  return notBarred.some((answered) => answered.barredId === barredId && answered.version === version);
}

/** Whether a right proof is one that counts. */
function isEnough(proof: ReleaseRequest['proof'], staffProofs: readonly StaffProof[]): boolean {
  if (proof === null) return false;
  return (proof.kind !== 'known' && proof.kind !== 'second') || staffProofs.includes(proof.kind);
}

/** Decides on a hand-over; refusals are found in the order of {@link RELEASE_REFUSALS}. */
export function decideRelease(facts: ReleaseFacts, request: ReleaseRequest): ReleaseDecision {
  const refusal = refusalOf(facts, request);
  if (refusal !== null) return { released: false, refusal };
  return { released: true, adult: facts.adults.find(({ id }) => id === request.adultId) ?? null };
}
