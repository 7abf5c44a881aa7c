/** Two desks, three households and their children, two of whom have a second guardian, with the model that a random sequence of hand-overs is compared with. */
import type { Random } from '@haris/painter/random';
import { ofGuardian } from '../db/guardians/conditions.ts';
import { addGuardian, changeGuardian } from './guardians.ts';
import type { ModelChild, ModelFamily, ModelPass, ModelWorld, SeenAdult } from './hand-over-model.ts';
import type { TestApp } from './harness.ts';

const SECOND_PIN = '835162';
const TIME_ZONE = 'Africa/Cairo';

/** A step of a sequence. */
export type Step = (desks: Desks, random: Random) => Promise<void>;

/** A checkout that was sent before, to be sent again. */
export interface Sent {
  readonly child: ModelChild;
  readonly json: object;
  readonly key: string | undefined;
}

export interface Desks {
  readonly app: TestApp;
  owner: string;
  /** Id and session of the staff at each desk. */
  readonly staff: readonly [
    { readonly id: string; readonly token: string },
    { readonly id: string; readonly token: string },
  ];
  readonly families: readonly ModelFamily[];
  /** The first guardian that each child begins with, by the child's id. */
  readonly firsts: ReadonlyMap<string, ModelFamily>;
  /** The further guardian of each child that has one, by the child's id. */
  readonly furthers: ReadonlyMap<string, ModelFamily>;
  /** The first two are siblings. The first one alone has a further guardian who can become its first one. */
  readonly children: readonly [ModelChild, ModelChild, ModelChild];
  passes: ModelPass[];
  staffProofs: readonly string[];
  /** Versions that a desk has read, with the adult. */
  readonly seen: Map<string, SeenAdult>;
  sent: Sent[];
  /** Texts of slips that were printed, also those that no longer count. */
  slips: string[];
  /** Secrets that phones have, with the family. */
  secrets: { readonly family: ModelFamily; readonly secret: string }[];
  /** Idempotency keys that were answered. */
  readonly answered: Set<string>;
  /** Numbers the idempotency keys. */
  keys: number;
  /** What happened in this sequence, for the message of a failure. */
  story: string[];
  readonly faults: string[];
  released: number;
  refused: number;
}

export async function makeDesks(app: TestApp): Promise<Desks> {
  const owner = await app.staff();
  const json = { handover: 'require', timeZone: TIME_ZONE };
  await app.expect(200, 'PUT', '/api/settings', { token: owner, json });
  const staff = [await app.makeEmployee(), await app.makeEmployee()] as const;
  await app.expect(200, 'PUT', '/api/account/desk-pin', { token: staff[1].token, json: { pin: SECOND_PIN } });
  const makeFamily = async (name: string, person: string): Promise<ModelFamily> => {
    const { id, email, password, token } = await app.makeFamily({ name });
    return { id, email, password, token, person, isBlocked: false, secret: null };
  };
  const first = await makeFamily('Mona Ali', 'mona');
  const other = await makeFamily('Samia Hassan', 'samia');
  // No bar is on this name, only on the account.
  const third = await makeFamily('Hoda Ramzy', 'hoda');
  const makeChild = async (
    family: ModelFamily,
    further?: ModelFamily,
    rights?: { readonly may_live: 0 },
  ): Promise<ModelChild> => {
    const { _id: id } = await app.makeChild(family);
    if (further) await addGuardian(app, id, further.id, rights);
    return {
      ...{ id, family, mayTake: true, further: further ? { family: further, mayTake: true } : null },
      ...{ stay: null, exit: null, collectors: [], bars: [] },
    };
  };
  const children: Desks['children'] = [
    await makeChild(first, third),
    await makeChild(first),
    // It lacks a right, so that the child is passed on to nobody: it would get the bars of that one's other children.
    await makeChild(other, first, { may_live: 0 }),
  ];
  return {
    ...{ app, owner, staff, families: [first, other, third], children },
    firsts: new Map(children.map(({ id, family }) => [id, family])),
    furthers: new Map(children.flatMap(({ id, further }) => (further ? [[id, further.family]] : []))),
    ...{ passes: [], staffProofs: [], sent: [], slips: [], secrets: [] },
    ...{ answered: new Set(), keys: 0, seen: new Map() },
    ...{ story: [], faults: [], released: 0, refused: 0 },
  };
}

export function worldOf({ app, passes, staffProofs, staff, seen }: Desks): ModelWorld {
  const now = app.clock.now();
  const second = { id: staff[1].id, pin: SECOND_PIN };
  return { passes, staffProofs, seen, second, now, day: dayAt(now) };
}

/** The local day of the facility. */
export function dayAt(moment: number): string {
  return new Date(moment).toLocaleDateString('en-CA', { timeZone: TIME_ZONE });
}

/** Shortly before midnight in Cairo, in winter. */
export const START = Date.parse('2026-11-20T21:45:00.000Z');

/** Begins a sequence: an empty nursery, without limits, shortly before midnight. */
export async function resetDesks(desks: Desks, random: Random): Promise<void> {
  const { app } = desks;
  const { db } = app.context;
  app.clock.advance(START - app.clock.now());
  desks.owner = await app.staff();
  const at = app.clock.now();
  await app.forgetLimits();
  await db.deleteFrom('releases').execute();
  await db.deleteFrom('collector_passes').execute();
  await db.deleteFrom('stay_corrections').execute();
  await db.deleteFrom('release_refusals').execute();
  await db.updateTable('stays').set({ exit_time: at, voided_at: at }).execute();
  await db.deleteFrom('pickup_codes').execute();
  await db.updateTable('collectors').set({ ended_at: at }).where('ended_at', 'is', null).execute();
  await db.updateTable('barred_adults').set({ lifted_at: at }).where('lifted_at', 'is', null).execute();
  for (const family of desks.families) {
    if (family.isBlocked) await setBlocked(desks, family, false);
    family.secret = null;
  }
  for (const child of desks.children) {
    const further = desks.furthers.get(child.id);
    if (further)
      await changeGuardian(app, child.id, further.id, { ended_at: null, ended_by: null, may_take: 1 });
    child.further = further ? { family: further, mayTake: true } : null;
    const family = desks.firsts.get(child.id) ?? child.family;
    await db.updateTable('children').set(ofGuardian(family.id)).where('id', '=', child.id).execute();
    await changeGuardian(app, child.id, family.id, { ended_at: null, ended_by: null, may_take: 1 });
    const fresh = { family, mayTake: true, stay: null, exit: null, collectors: [], bars: [] };
    Object.assign(child, fresh satisfies Partial<ModelChild>);
  }
  const staffProofs = random.pick<readonly string[]>([[], ['known'], ['second'], ['known', 'second']]);
  Object.assign(desks, { passes: [], sent: [], slips: [], secrets: [], story: [], staffProofs });
  const json = { handover: 'require', handoverStaffProofs: staffProofs };
  await app.expect(200, 'PUT', '/api/settings', { token: desks.owner, json });
}

/** Blocks a family, or lets it in again with a new session. */
export async function setBlocked(desks: Desks, family: ModelFamily, isBlocked: boolean): Promise<void> {
  const { app, owner } = desks;
  await app.proveNow(owner);
  const json = { access: isBlocked ? 'blocked' : 'allowed' };
  await app.expect(200, 'PUT', `/api/parent/${family.id}/block`, { token: owner, json });
  family.isBlocked = isBlocked;
  if (isBlocked) family.secret = null;
  else family.token = await app.signIn('parent', family.email, family.password);
}

/** Undefined for an empty list. */
export const any = <T>(random: Random, list: readonly T[]): T | undefined => {
  const [first, ...rest] = list;
  return first === undefined ? undefined : random.pick([first, ...rest]);
};
/** Adds a line to the story. */
export const tell = (desks: Desks, what: string, child?: ModelChild) =>
  desks.story.push(child ? `${what} (child ${desks.children.indexOf(child)})` : what);
