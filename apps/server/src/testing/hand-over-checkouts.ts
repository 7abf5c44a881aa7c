/** Checkouts of a random sequence at two desks: right ones, wrong ones, replays, and two at once; compared with the model. */
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import type { HandOver } from '@haris/contract/http/hand-over';
import type { Random } from '@haris/painter/random';
import { any, type Desks, type Sent, type Step, tell, worldOf } from './hand-over-desks.ts';
import {
  type AskedCheckout,
  codeOf,
  guardiansOf,
  isInsideToTake,
  type ModelChild,
  mayRelease,
  stepOf,
  voucherOf,
} from './hand-over-model.ts';

const DOCUMENT = { kind: 'passport', last: '12AB' };

/** A proof: mostly one that may be right, else one of somebody else, of before, or made up. */
async function makeProof(
  desks: Desks,
  random: Random,
  child: ModelChild,
  collectorId: string | undefined,
): Promise<AskedCheckout['proof']> {
  const { app, staff, slips, passes, secrets } = desks;
  const kind = random.pick(['slip', 'slip', 'code', 'code', 'pass', 'pass', 'known', 'second'] as const);
  if (kind === 'known') return { kind };
  if (kind === 'second') {
    const value = random.pick([worldOf(desks).second.pin, worldOf(desks).second.pin, '835163']);
    return { kind, staffId: random.pick(staff).id, value };
  }
  if (kind === 'slip') {
    const own = child.stay && random.chance(0.6) ? child.stay.slip : any(random, slips);
    return { kind, value: own ?? 'none' };
  }
  if (kind === 'pass') {
    const own = passes.filter(({ collector }) => collector === collectorId);
    return { kind, value: any(random, random.chance(0.7) ? own : passes)?.token ?? 'none' };
  }
  const guardians = guardiansOf(child);
  const known = any(
    random,
    secrets.filter(({ family }) => guardians.includes(family) || random.chance(0.2)),
  );
  if (!known) return { kind, value: '000000' };
  const at = app.clock.now() + random.pick([0, 0, 0, -60_000, 60_000, -180_000]);
  return { kind, value: await codeOf(known.secret, at) };
}

/** That the collector, as it is now, is none of the barred adults. */
function answerOf({ bars, collectors }: ModelChild, collectorId: string | undefined) {
  const version = collectors.find(({ id }) => id === collectorId)?.version ?? 1;
  return bars.filter(({ isLifted }) => !isLifted).map(({ id }) => ({ barredId: id, version }));
}

/** The version of an adult as the desk reads it now, or one that it has read before; undefined: the desk says nothing. */
async function lookAt(
  desks: Desks,
  random: Random,
  { id: child, collectors }: ModelChild,
  adultId: string | undefined,
): Promise<string | undefined> {
  const { app, owner, seen } = desks;
  const { body } = await app.ask('GET', `/api/children/${child}/hand-over`, { token: owner });
  for (const { _id, version } of (body as unknown as HandOver).adults)
    seen.set(version, {
      id: _id,
      version: desks.families.some(({ id }) => id === _id)
        ? 1
        : (collectors.find(({ id }) => id === _id)?.version ?? 0),
    });
  const own = [...seen].filter(([, { id }]) => id === adultId).map(([version]) => version);
  if (random.chance(0.4)) return undefined;
  return random.chance(0.8) ? own.at(-1) : any(random, [...own, ...seen.keys()]);
}

async function makeCheckout(desks: Desks, random: Random): Promise<Sent> {
  const { sent, children } = desks;
  const again = random.chance(0.15) ? any(random, sent) : undefined;
  if (again) return random.chance(0.5) ? again : { ...again, key: undefined };
  const inside = children.filter(({ stay }) => stay !== null);
  const child = any(random, inside) ?? random.pick(children);
  const ids = child.collectors.map(({ id }) => id);
  const stranger = random.pick(children).collectors[0]?.id;
  const guardians = desks.families.map(({ id }) => id);
  const collectorId = any(random, [
    ...[
      child.family.id,
      desks.furthers.get(child.id)?.id ?? child.family.id,
      any(random, guardians) ?? child.family.id,
    ],
    ...[...ids, ...ids, ...(stranger ? [stranger] : [])],
  ]);
  const asked: AskedCheckout = {
    ...(random.chance(0.95) ? { collectorId } : {}),
    version: await lookAt(desks, random, child, collectorId),
    ...(random.chance(0.9) ? { proof: await makeProof(desks, random, child, collectorId) } : {}),
    ...(random.chance(0.6) ? { document: DOCUMENT } : {}),
    ...(random.chance(0.6) ? { notBarred: answerOf(child, collectorId) } : {}),
    ...(random.chance(0.03) ? { isBarred: true } : {}),
  };
  const key = random.chance(0.3) ? `key-${desks.keys++}` : undefined;
  return { child, json: asked, key };
}

/** Sends one checkout, or the same child's at both desks at once; compares the answers with the model. */
export const checkOutTwice: Step = async (desks, random) => {
  const { app, staff } = desks;
  const first = await makeCheckout(desks, random);
  const other = await makeCheckout(desks, random);
  const isRace = random.chance(0.3) && other.child === first.child;
  const all = isRace ? [first, other] : [first];
  const world = worldOf(desks);
  const tries = await Promise.all(
    all.map(async (one, index) => {
      const by = random.pick(staff);
      const at = isRace ? (staff[index] ?? by) : by;
      const key = one.key && `${one.key}-${at.id}`;
      const isReplay = key !== undefined && desks.answered.has(key);
      return { ...one, key, at, isReplay, isRight: await mayRelease(one.child, at.id, one.json, world) };
    }),
  );
  const answers = await Promise.all(
    tries.map(({ child, json, key, at }) =>
      app.ask('POST', `/api/children/checkout-child/${child.id}`, {
        ...{ token: at.token, json },
        ...(key === undefined ? {} : { headers: { [IDEMPOTENCY_KEY_HEADER]: key } }),
      }),
    ),
  );
  desks.sent.push(...all);
  for (const [index, one] of tries.entries()) {
    const { status, body } = answers[index] ?? { status: 0, body: { code: undefined } };
    const what = `${JSON.stringify(one.json)} by ${staff.indexOf(one.at)}: ${status} ${body.code ?? ''}`;
    tell(desks, `${isRace ? 'at once with another ' : ''}checkout ${what}`, one.child);
    if (one.key !== undefined && (status === 200 || status === 409)) desks.answered.add(one.key);
    // The same key again gets the old answer, and must change nothing: the end of the sequence compares.
    if (one.isReplay) continue;
    if (status === 200) await recordRelease(desks, one, one.isRight);
    else judgeRefusal(desks, { ...one, isRace, code: body.code });
  }
};

async function recordRelease(
  desks: Desks,
  { child, json }: Sent & { readonly json: AskedCheckout },
  isRight: boolean,
): Promise<void> {
  const { stay } = child;
  const { proof, collectorId } = json;
  if (!isRight || !stay) desks.faults.push(`released against the model: ${JSON.stringify(json)}`);
  if (!stay) return;
  desks.released++;
  const pass = proof?.kind === 'pass' ? desks.passes.find(({ token }) => token === proof.value) : undefined;
  if (pass) pass.isUsed = true;
  if (proof?.kind === 'code')
    stay.usedStep = await stepOf(
      voucherOf(child, collectorId).secret,
      proof.value ?? '',
      desks.app.clock.now(),
    );
  const collector = child.collectors.find(({ id }) => id === collectorId);
  if (collector && json.document) collector.isConfirmed = true;
  child.exit = { stay, pass, at: desks.app.clock.now() };
  child.stay = null;
  for (const guardian of guardiansOf(child))
    if (!desks.children.some((one) => isInsideToTake(one, guardian))) guardian.secret = null;
}

/** Refusals that the model does not know: too many guesses. */
const LOCKED = new Set(['pickup_locked', 'too_many_attempts']);

function judgeRefusal(
  desks: Desks,
  one: Sent & { readonly isRight: boolean; readonly isRace: boolean; readonly code: string | undefined },
): void {
  desks.refused++;
  if (!one.isRight || one.isRace || LOCKED.has(String(one.code))) return;
  desks.faults.push(`refused against the model: ${one.code} ${JSON.stringify(one.json)}`);
}
