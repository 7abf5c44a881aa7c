/** What may be handed over, by a model that knows nothing of the server's code: for random sequences of calls (decision 049). */
import { generate } from 'otplib';

/** A further guardian of a child. */
export interface ModelGuardian {
  readonly family: ModelFamily;
  mayTake: boolean;
}

/** A collector as the test has named it. `person` is the same for all spellings of one name. */
export interface ModelCollector {
  readonly id: string;
  readonly isByFamily: boolean;
  person: string;
  version: number;
  readonly from: string | null;
  readonly until: string | null;
  isConfirmed: boolean;
  isEnded: boolean;
}

export interface ModelBar {
  readonly id: string;
  readonly person: string;
  readonly adultId: string | null;
  /** Ids of collectors who are somebody else, with their versions. */
  readonly others: Map<string, number>;
  isLifted: boolean;
}

export interface ModelPass {
  readonly token: string;
  readonly collector: string;
  readonly day: string;
  isUsed: boolean;
  isRevoked: boolean;
}

export interface ModelStay {
  readonly entryId: string;
  slip: string;
  /** A text that proves nothing any more, since somebody was barred. */
  deadSlip?: string;
  /** Step of the newest code that ended it; -1 without one. */
  usedStep: number;
}

/** A checkout that can be undone. */
export interface ModelExit {
  readonly stay: ModelStay;
  readonly pass: ModelPass | undefined;
  readonly at: number;
}

export interface ModelFamily {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly person: string;
  token: string;
  isBlocked: boolean;
  /** The secret in force, in base32. */
  secret: string | null;
}

export interface ModelChild {
  readonly id: string;
  /** The first guardian: another one once the child was passed on. */
  family: ModelFamily;
  /** Whether the first guardian may take it. */
  mayTake: boolean;
  /** Null if it has none, once a bar on the account has ended it, and once it is the first one. */
  further: ModelGuardian | null;
  stay: ModelStay | null;
  exit: ModelExit | null;
  collectors: ModelCollector[];
  bars: ModelBar[];
}

/** What a desk sends with a checkout. */
export interface AskedCheckout {
  readonly collectorId?: string | undefined;
  readonly version?: string | undefined;
  readonly proof?:
    | {
        readonly kind: string;
        readonly value?: string | undefined;
        readonly staffId?: string | undefined;
      }
    | undefined;
  readonly document?: object | undefined;
  readonly isBarred?: boolean | undefined;
  readonly notBarred?: readonly { readonly barredId: string; readonly version: number }[] | undefined;
}

/** An adult as a desk has seen it; an account has the version 1. */
export interface SeenAdult {
  readonly id: string;
  readonly version: number;
}

export interface ModelWorld {
  readonly passes: ModelPass[];
  readonly staffProofs: readonly string[];
  /** What each version stands for that a desk has read. */
  readonly seen: ReadonlyMap<string, SeenAdult>;
  /** Who may confirm, with the PIN. */
  readonly second: { readonly id: string; readonly pin: string };
  /** Milliseconds since 1970, and the local day. */
  readonly now: number;
  readonly day: string;
}

const CODE_PERIOD_MS = 60_000;

/** The code of a secret at a moment. */
export function codeOf(secret: string, at: number): Promise<string> {
  return generate({ secret, period: CODE_PERIOD_MS / 1000, epoch: Math.floor(at / 1000) });
}

/** The newest step in which a code is right; -1 if there is none. */
export async function stepOf(secret: string | null, code: string, now: number): Promise<number> {
  if (secret === null) return -1;
  for (const at of [now + CODE_PERIOD_MS, now, now - CODE_PERIOD_MS])
    if ((await codeOf(secret, at)) === code) return Math.floor(at / CODE_PERIOD_MS);
  return -1;
}

const barsInForce = ({ bars }: ModelChild) => bars.filter((bar) => !bar.isLifted);

/** Whether this account is a guardian with the right to take the child. */
const hasRight = ({ family: first, mayTake, further }: ModelChild, family: ModelFamily): boolean =>
  (family === first && mayTake) || (further?.family === family && further.mayTake);

/** Whether the account of this guardian may speak for the child. */
function isTrusted(child: ModelChild, family: ModelFamily): boolean {
  if (family.isBlocked || !hasRight(child, family)) return false;
  return !barsInForce(child).some(
    ({ adultId, person, others }) =>
      adultId === family.id || (person === family.person && !others.has(family.id)),
  );
}

function isListed(child: ModelChild, one: ModelCollector, day: string): boolean {
  if (one.isEnded || (one.from ?? day) > day || (one.until ?? day) < day) return false;
  // Who may not take the child as a guardian does not take it as a collector of the same name.
  if (guardiansOf(child).some((family) => !hasRight(child, family) && family.person === one.person))
    return false;
  const isBarred = barsInForce(child).some(
    ({ adultId, person, others }) =>
      adultId === one.id || (person === one.person && others.get(one.id) !== one.version),
  );
  return !isBarred && (one.isConfirmed || !one.isByFamily || isTrusted(child, child.family));
}

/** The person whose name it is, in whatever script. */
const soundOf = (person: string) => person.replace(/ ar$/, '');

/** Whether the desk has said of each bar whose name sounds like the collector's that it is another person. */
function isToldApart(child: ModelChild, one: ModelCollector, { notBarred = [] }: AskedCheckout): boolean {
  return barsInForce(child)
    .filter(
      ({ person, others }) => soundOf(person) === soundOf(one.person) && others.get(one.id) !== one.version,
    )
    .every(({ id }) => notBarred.some(({ barredId, version }) => barredId === id && version === one.version));
}

/** Whether the desk has seen the adult as it is now, or does not say what it has seen. */
function isAsSeen({ id, version }: SeenAdult, asked: AskedCheckout, { seen }: ModelWorld): boolean {
  if (asked.version === undefined) return true;
  const known = seen.get(asked.version);
  return known?.id === id && known.version === version;
}

/** The guardians of a child, also one who may not take it. */
export function guardiansOf({ family, further }: ModelChild): ModelFamily[] {
  return further ? [family, further.family] : [family];
}

const guardianOf = (child: ModelChild, id: string | undefined) =>
  guardiansOf(child).find((one) => one.id === id);

/** The account whose code counts: a guardian's own, and of everybody else that of the first one, who alone names collectors. */
export function voucherOf(child: ModelChild, id: string | undefined): ModelFamily {
  return guardianOf(child, id) ?? child.family;
}

/** Whether the child is inside, and this account may take it. */
export function isInsideToTake(child: ModelChild, account: ModelFamily): boolean {
  return child.stay !== null && hasRight(child, account);
}

/** Whether the proof is a secret that is alive, or staff who count here. */
async function isProved(
  child: ModelChild,
  by: string,
  { collectorId, proof }: AskedCheckout,
  world: ModelWorld,
): Promise<boolean> {
  const { stay } = child;
  if (proof === undefined || stay === null) return false;
  const family = voucherOf(child, collectorId);
  const value = proof.value ?? '';
  switch (proof.kind) {
    case 'slip':
      return value === stay.slip;
    case 'code':
      return isTrusted(child, family) && (await stepOf(family.secret, value, world.now)) > stay.usedStep;
    case 'pass':
      return (
        isTrusted(child, family) &&
        world.passes.some(
          (pass) =>
            pass.token === value &&
            pass.collector === collectorId &&
            pass.day === world.day &&
            !pass.isUsed &&
            !pass.isRevoked,
        )
      );
    case 'second': {
      const { id, pin } = world.second;
      return world.staffProofs.includes('second') && proof.staffId === id && by !== id && value === pin;
    }
    default:
      return world.staffProofs.includes('known') && barsInForce(child).length === 0;
  }
}

/** Whether a facility that requires a hand-over may release the child. `by`: the staff member at the desk. */
export async function mayRelease(
  child: ModelChild,
  by: string,
  asked: AskedCheckout,
  world: ModelWorld,
): Promise<boolean> {
  if (asked.isBarred || child.stay === null || !(await isProved(child, by, asked, world))) return false;
  const guardian = guardianOf(child, asked.collectorId);
  if (guardian) return isTrusted(child, guardian) && isAsSeen({ id: guardian.id, version: 1 }, asked, world);
  const collector = child.collectors.find(({ id }) => id === asked.collectorId);
  if (!collector || !isListed(child, collector, world.day)) return false;
  if (!isToldApart(child, collector, asked) || !isAsSeen(collector, asked, world)) return false;
  if (asked.version === undefined && !collector.isConfirmed && collector.version > 1) return false;
  return collector.isConfirmed || asked.document !== undefined;
}
