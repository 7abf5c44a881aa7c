/** Single steps of a random sequence at two desks; each changes the model as it expects the server to change. */
import type { BarredAdult } from '@haris/contract/http/barred';
import { isOpenStay } from '../db/stays.ts';
import { any, type Desks, dayAt, type Step, setBlocked, tell } from './hand-over-desks.ts';
import {
  guardiansOf,
  isInsideToTake,
  type ModelChild,
  type ModelCollector,
  type ModelGuardian,
} from './hand-over-model.ts';
import { shownVersion } from './shown-version.ts';

const DAY_MS = 86_400_000;
/** As long as an undo is possible. */
const UNDO_MS = 13_000;
type Name = readonly [person: string, spelling: string];
/** Spellings of each name. */
const NAMES: readonly [Name, ...Name[]] = [
  ['karim', 'Karim Adel'],
  ['karim', 'Adel Karim'],
  ['karim', 'كريم عادل'],
  ['samia', 'SAMIA hassan'],
  ['mona', 'Mona-Ali'],
  ['nour', 'Nour Fathy'],
  ['nour', 'نور فتحي'],
];
/** A bar's spelling is compared with those of its own script alone. */
const personOf = (person: string, name: string) =>
  /\p{Script=Arabic}/u.test(name) ? `${person} ar` : person;

export const checkIn: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  if (child.stay) return;
  const { app, owner } = desks;
  const url = `/api/children/checkin-child/${child.id}`;
  const { child: inside } = await app.expect(200, 'POST', url, { token: owner });
  const slip = await readSlip(desks, child);
  child.stay = { entryId: String(inside.uniqueEntryId), slip, usedStep: -1 };
  child.exit = null;
  tell(desks, 'checked in', child);
};

/** The text of the slip that counts for the open stay, also one that a bar shows to nobody. */
async function readSlip({ app, slips }: Desks, { id }: ModelChild): Promise<string> {
  const stay = await app.context.db
    .selectFrom('stays')
    .select(['unique_entry_id', 'slip_token'])
    .where('child_id', '=', id)
    .where(isOpenStay)
    .executeTakeFirstOrThrow();
  const slip = `${stay.unique_entry_id}.${stay.slip_token}`;
  slips.push(slip);
  return slip;
}

const nameCollector: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  const { app, owner } = desks;
  const { family } = child;
  const isByFamily = !family.isBlocked && random.chance(0.7);
  const [person, name] = random.pick(NAMES);
  const today = dayAt(app.clock.now());
  const days = random.pick<Pick<ModelCollector, 'from' | 'until'>>([
    { from: null, until: null },
    { from: null, until: today },
    { from: dayAt(app.clock.now() + DAY_MS), until: null },
    { from: null, until: dayAt(app.clock.now() - DAY_MS) },
  ]);
  await app.proveNow(family.token);
  const { collector } = await app.expect(201, 'POST', `/api/children/${child.id}/collectors`, {
    token: isByFamily ? family.token : owner,
    json: { name, relation: 'Friend', ...days },
  });
  child.collectors.push({
    ...{ id: collector._id, isByFamily, person: personOf(person, name), version: 1, ...days },
    ...{ isConfirmed: false, isEnded: false },
  });
  tell(desks, `named ${name} ${JSON.stringify(days)} ${isByFamily ? 'by the family' : 'by staff'}`, child);
};

const open = (child: ModelChild) => child.collectors.filter(({ isEnded }) => !isEnded);

function revokePasses(desks: Desks, { id }: ModelCollector): void {
  for (const pass of desks.passes) if (pass.collector === id) pass.isRevoked = true;
}

const changeCollector: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  const one = any(random, open(child));
  if (!one) return;
  const { app, owner } = desks;
  const url = `/api/collectors/${one.id}`;
  if (random.chance(0.3)) {
    await app.expect(200, 'DELETE', url, { token: owner });
    one.isEnded = true;
    tell(desks, 'ended a collector', child);
  } else {
    const [person, name] = random.pick(NAMES);
    const before = (await app.expect(200, 'GET', `/api/children/${child.id}/collectors`, { token: owner }))
      .collectors;
    const isSame = before.find(({ _id }) => _id === one.id)?.name === name;
    const { from, until } = one;
    const json = { name, relation: 'Friend', from, until };
    await app.expect(200, 'PUT', url, { token: owner, json });
    if (isSame) return;
    Object.assign(one, { person: personOf(person, name), version: one.version + 1, isConfirmed: false });
    tell(desks, `renamed a collector to ${name}`, child);
  }
  revokePasses(desks, one);
};

const makePass: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  const one = any(random, open(child));
  const { app } = desks;
  const { token, isBlocked } = child.family;
  if (!one || isBlocked) return;
  const url = `/api/collectors/${one.id}/pass`;
  if (random.chance(0.2)) {
    // Who may not take the child finds only whom it has named.
    const isHidden = !child.mayTake && !one.isByFamily;
    await app.expect(isHidden ? 404 : 200, 'DELETE', url, { token });
    if (isHidden) return;
    revokePasses(desks, one);
    tell(desks, 'revoked a pass', child);
    return;
  }
  const day = dayAt(app.clock.now() + random.pick([0, 0, DAY_MS]));
  await app.proveNow(token);
  const { status, body } = await app.ask('POST', url, { token, json: { day } });
  if (status !== 201) return;
  if (!child.mayTake) desks.faults.push('an account made a pass that may not take the child');
  revokePasses(desks, one);
  desks.passes.push({
    ...{ token: String(body.token), collector: one.id, day, isUsed: false, isRevoked: false },
  });
  tell(desks, `made a pass for ${day}`, child);
};

const takeSecret: Step = async (desks, random) => {
  const family = any(random, desks.families);
  if (!family || family.isBlocked) return;
  const { secret } = await desks.app.expect(200, 'POST', '/api/account/pickup-code', { token: family.token });
  const isInside = desks.children.some((child) => isInsideToTake(child, family));
  if ((secret !== null) !== isInside)
    desks.faults.push(`a phone got ${secret === null ? 'no secret' : 'a secret'} against the model`);
  family.secret = secret ?? null;
  if (secret) desks.secrets.push({ family, secret });
  tell(desks, `a phone took the secret: ${secret !== null}`);
};

const bar: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  const { app, owner, children } = desks;
  const [person, name] = random.pick(NAMES);
  const adultId = random.chance(0.4)
    ? (any(
        random,
        [...guardiansOf(child), ...child.collectors].map(({ id }) => id),
      ) ?? null)
    : null;
  const siblings = random.chance(0.3);
  const json = { name, adultId, siblings };
  await app.expect(201, 'POST', `/api/children/${child.id}/barred`, { token: owner, json });
  for (const one of siblings ? children.filter(({ family }) => family === child.family) : [child]) {
    const list = await app.expect(200, 'GET', `/api/children/${one.id}/barred`, { token: owner });
    for (const { _id: id, name: entered, adultId: about } of list.barred as unknown as BarredAdult[])
      if (!one.bars.some((known) => known.id === id)) {
        // A bar on a collector is entered by the collector's name too.
        const [who = person] = NAMES.find(([, spelling]) => spelling === entered) ?? [];
        one.bars.push({
          ...{ id, person: personOf(who, entered), adultId: about, others: new Map(), isLifted: false },
        });
      }
    await forgetSlip(desks, one);
    // A bar on a guardian's account ends it, also once it is lifted; the first one if another one can take over.
    if (adultId !== null && one.further?.family.id === adultId) {
      one.further.family.secret = null;
      endAliases(desks, one, one.further);
      one.further = null;
    } else if (one.family.id === adultId) await passOnIn(desks, one);
  }
  tell(desks, `barred ${name}, ${adultId === null ? 'nobody listed' : 'a listed adult'}`, child);
};

/** What was printed before proves nothing, also after an undo. */
async function forgetSlip(desks: Desks, child: ModelChild): Promise<void> {
  if (child.stay) child.stay.slip = await readSlip(desks, child);
  else if (child.exit) child.exit.stay.deadSlip = child.exit.stay.slip;
}

/** Whether the further guardian of this child has what somebody needs who becomes the first one. */
const canTakeOver = ({ children }: Desks, child: ModelChild): boolean =>
  child === children[0] && child.further !== null;

/** Ends in the model the collectors who have the name of a guardian that ends and may not take the child. */
function endAliases(desks: Desks, child: ModelChild, { family, mayTake }: ModelGuardian): void {
  if (mayTake) return;
  for (const one of child.collectors) {
    if (one.isEnded || one.person !== family.person) continue;
    one.isEnded = true;
    revokePasses(desks, one);
  }
}

/** Changes the model as the end of the first guardian does, if another one can take over. */
async function passOnIn(desks: Desks, child: ModelChild): Promise<void> {
  const { family, further } = child;
  if (further === null || !canTakeOver(desks, child)) return;
  family.secret = null;
  endAliases(desks, child, child);
  for (const one of child.collectors) {
    revokePasses(desks, one);
    if (one.isByFamily) one.isEnded = true;
  }
  // The right to take the child stays as it was.
  Object.assign(child, { family: further.family, mayTake: further.mayTake, further: null });
  await forgetSlip(desks, child);
}

/** The desk ends the first guardian of a child, which passes it on, or is refused. */
const endFirst: Step = async (desks, random) => {
  if (!random.chance(0.4)) return;
  const child = random.pick(desks.children);
  const { app, owner } = desks;
  await app.proveNow(owner);
  const url = `/api/children/${child.id}/guardians/${child.family.id}`;
  const { status } = await app.ask('DELETE', url, { token: owner });
  if ((status === 200) !== canTakeOver(desks, child))
    desks.faults.push(`the end of a first guardian was answered by ${status}`);
  if (status === 200) await passOnIn(desks, child);
  tell(desks, `the end of the first guardian: ${status}`, child);
};

/** The desk gives the first guardian the right to take the child, or takes it away. */
const limitFirst: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  const { app, owner } = desks;
  const mayTake = !child.mayTake;
  await app.proveNow(owner);
  const json = { mayLive: true, mayEdit: true, mayCollect: true, mayTake };
  const url = `/api/children/${child.id}/guardians/${child.family.id}`;
  await app.expect(200, 'PUT', url, { token: owner, json });
  child.mayTake = mayTake;
  if (!mayTake) {
    child.family.secret = null;
    for (const one of child.collectors) revokePasses(desks, one);
    await forgetSlip(desks, child);
  }
  tell(desks, `the first guardian may take: ${mayTake}`, child);
};

/** The desk gives a further guardian the right to take the child, or takes it away; rarely ends the guardian. */
const limitGuardian: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  const { further } = child;
  if (!further) return;
  const { app, owner } = desks;
  const url = `/api/children/${child.id}/guardians/${further.family.id}`;
  const isEnd = random.chance(0.15);
  const mayTake = !further.mayTake;
  await app.proveNow(owner);
  if (isEnd) {
    await app.expect(200, 'DELETE', url, { token: owner });
    endAliases(desks, child, further);
    child.further = null;
  } else {
    const mayLive = canTakeOver(desks, child);
    const json = { mayLive, mayEdit: true, mayCollect: true, mayTake };
    await app.expect(200, 'PUT', url, { token: owner, json });
    further.mayTake = mayTake;
  }
  if (isEnd || !mayTake) {
    further.family.secret = null;
    await forgetSlip(desks, child);
  }
  tell(desks, isEnd ? 'ended a further guardian' : `a further guardian may take: ${mayTake}`, child);
};

const liftOrNote: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  const one = any(
    random,
    child.bars.filter(({ isLifted }) => !isLifted),
  );
  if (!one) return;
  const { app } = desks;
  const token = await app.staff();
  if (random.chance(0.5)) {
    await app.expect(200, 'DELETE', `/api/barred/${one.id}`, { token });
    one.isLifted = true;
    tell(desks, 'lifted a bar', child);
    return;
  }
  const adult = any(random, open(child));
  if (!adult) return;
  const version = await shownVersion(app, token, { child: child.id, adult: adult.id });
  const json = { adultId: adult.id, version };
  await app.expect(200, 'POST', `/api/barred/${one.id}/namesakes`, { token, json });
  one.others.set(adult.id, adult.version);
  tell(desks, 'noted a namesake', child);
};

const block: Step = async (desks, random) => {
  const [family] = desks.families;
  if (!family || !random.chance(0.6)) return;
  await setBlocked(desks, family, !family.isBlocked);
  tell(desks, family.isBlocked ? 'blocked the family' : 'let the family in again');
};

const jump: Step = async (desks, random) => {
  const ms = random.pick([1000, 5000, 45_000, 90_000, 1_200_000, -45_000, -90_000, -1_200_000]);
  desks.app.clock.advance(ms);
  tell(desks, `the clock jumped by ${ms / 1000} s`);
};

const undo: Step = async (desks, random) => {
  const child = random.pick(desks.children);
  const { app, staff } = desks;
  const { exit } = child;
  if (!exit || child.stay) return;
  const json = { uniqueEntryId: exit.stay.entryId };
  const url = `/api/children/undo-checkout-child/${child.id}`;
  const { status } = await app.ask('POST', url, { token: staff[0].token, json });
  if (status !== 200) return;
  const ago = app.clock.now() - exit.at;
  if (ago > UNDO_MS) desks.faults.push('an undo came too late and was done');
  if (ago < 0) desks.faults.push('an undo of a checkout in the future was done');
  child.stay = exit.stay;
  child.exit = null;
  child.stay.slip = await readSlip(desks, child);
  if (child.stay.slip === child.stay.deadSlip) desks.faults.push('a slip from before a bar counts again');
  if (exit.pass) exit.pass.isUsed = false;
  tell(desks, 'undid the checkout', child);
};

export const steps: readonly [Step, ...Step[]] = [
  ...([
    checkIn,
    checkIn,
    checkIn,
    nameCollector,
    nameCollector,
    changeCollector,
    makePass,
    makePass,
  ] as const),
  ...([
    takeSecret,
    takeSecret,
    takeSecret,
    bar,
    liftOrNote,
    limitGuardian,
    limitFirst,
    endFirst,
    block,
  ] as const),
  ...([jump, jump, undo, undo] as const),
];
