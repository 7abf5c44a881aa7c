/**
 * Sample data to try Haris with: painted families, a painted room and a simulated sensor. They exist only while no real
 * family does, and removing them leaves nothing behind.
 */
import { randomUUID } from 'node:crypto';
import { SAMPLE_MAIL_DOMAIN } from '@haris/contract/fields';
import { createLimiter } from '@haris/runtime/limiter';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import type { Context } from './context.ts';
import { findCameras, openAddress } from './db/cameras.ts';
import { findChildrenOf, lockChild } from './db/children.ts';
import { findDemoSensorId } from './db/demo.ts';
import { insertParent, updateParentRow } from './db/parents.ts';
import { deleteTracesOfSample, findSampleParents, hasRealParent } from './db/sample.ts';
import type { CameraRow } from './db/schema.ts';
import { lockSettings } from './db/settings.ts';
import { endStay, isAnyInside } from './db/stays.ts';
import { inTransaction } from './db/transaction.ts';
import { startDemoSensor } from './demo-sensor.ts';
import { currentFacility } from './facility.ts';
import { deleteParent } from './features/accounts/parents.ts';
import { createCamera, deleteCamera } from './features/cameras/service.ts';
import { createChild } from './features/children/service.ts';
import { deleteSensor } from './features/environment/service.ts';
import { checkIn } from './features/stays/service.ts';
import { deleteUnusedRoom } from './rooms/areas.ts';

/** Names say that the people are samples, because names appear on every screen, list and export. */
const FAMILIES = [
  {
    mailbox: 'mona',
    name: 'Mona Hassan (sample)',
    phone: '01000000001',
    language: 'en',
    children: ['Omar Hassan (sample)', 'Layla Hassan (sample)'],
  },
  {
    mailbox: 'ahmed',
    name: 'أحمد علي (تجريبي)',
    phone: '01000000002',
    language: 'ar',
    children: ['يوسف أحمد (تجريبي)'],
  },
  {
    mailbox: 'sara',
    name: 'Sara Ibrahim (sample)',
    phone: '01000000003',
    language: 'en',
    children: ['Nour Ibrahim (sample)', 'Adam Ibrahim (sample)'],
  },
] as const;

/** The children in the painted room, by their place among all children, with the minutes of their stays. */
const INSIDE = [
  { child: 0, minutes: 60 },
  { child: 2, minutes: 120 },
  { child: 3, minutes: 240 },
] as const;

const ROOM_FILE = 'sample-room.mp4';
const ROOM = { name: 'Sample camera', area: 'Playroom', kind: 'file', url: ROOM_FILE } as const;

export interface SampleData {
  /** Throws `not_empty`, `sample_data_present`, `face_engine_unavailable`. */
  add(actor: Actor): Promise<void>;
  /** Erases the sample data; none is not an error. */
  remove(actor: Actor): Promise<void>;
  isPresent(): Promise<boolean>;
  /** Starts the simulated sensor again after a restart. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Cameras that show the painted room. */
export async function findSampleCameras({ db, vault }: Pick<Context, 'db' | 'vault'>): Promise<CameraRow[]> {
  const cameras = await findCameras(db);
  return cameras.filter((camera) => camera.kind === 'file' && openAddress(vault, camera) === ROOM_FILE);
}

/** Paints the people and their room. */
export interface SamplePainter {
  /** Portrait of a child by its place among all children, from 0. */
  paintChild(place: number): Promise<Buffer>;
  /** Writes the clip of the room below the media folder. */
  paintRoom(dataDir: string, name: string): Promise<void>;
}

/** A demo already has painted families, so there is no sample data in it. The painter is loaded when it is needed. */
export function openSampleData(
  context: Context,
  loadPainter: () => Promise<SamplePainter> = () => import('./demo.ts'),
): SampleData {
  let stopSensor: (() => Promise<void>) | null = null;
  /** Removing sample data while it is being added would leave the part that is added afterwards. */
  const mutex = createLimiter(1);
  async function startSensor(): Promise<void> {
    // Its account is one of the embedded broker, and its program is this one.
    if (stopSensor || context.config.mqtt.url !== null) return;
    stopSensor = await startDemoSensor(context, { heat: () => 0 });
  }
  async function endSensor(): Promise<void> {
    const stop = stopSensor;
    stopSensor = null;
    await stop?.();
  }
  async function isPresent(): Promise<boolean> {
    if (context.config.demo) return false;
    if ((await findSampleParents(context.db)).length > 0) return true;
    return (
      (await findDemoSensorId(context.db)) !== undefined || (await findSampleCameras(context)).length > 0
    );
  }
  async function remove(actor: Actor): Promise<void> {
    if (context.config.demo) return;
    await endSensor();
    await removeSample(context, actor);
  }
  async function add(actor: Actor): Promise<void> {
    if (context.config.demo) throw new AppError('not_empty');
    if (await isPresent()) throw new AppError('sample_data_present');
    if (!(await context.vision.healthy())) throw new AppError('face_engine_unavailable');
    await claimPlace(context, actor);
    try {
      await fill(context, actor, await loadPainter());
      await startSensor();
    } catch (error) {
      // Half a sample would look like a defect.
      await remove(actor);
      throw error;
    }
  }
  return {
    isPresent,
    remove: (actor) => mutex.run(() => remove(actor)),
    add: (actor) => mutex.run(() => add(actor)),
    async resume() {
      if (!context.config.demo && (await findDemoSensorId(context.db)) !== undefined) await startSensor();
    },
    stop: endSensor,
  };
}

/** Adds the families without children, in one step, so that two desks do not add them twice. Throws as `add` does. */
async function claimPlace(context: Context, actor: Actor): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockSettings(tx.trx);
    if ((await findSampleParents(tx.trx)).length > 0) throw new AppError('sample_data_present');
    if (await hasRealParent(tx.trx)) throw new AppError('not_empty');
    for (const { mailbox, name, phone, language } of FAMILIES) {
      const id = randomUUID();
      const email = `${mailbox}@${SAMPLE_MAIL_DOMAIN}`;
      const createdAt = context.clock.now();
      // Nobody can sign in: there is no password, and no mail is sent.
      await insertParent(tx.trx, {
        ...{ id, name, email, phone, language, createdAt },
        passwordHash: null,
        madeFrom: null,
      });
      await updateParentRow(tx.trx, id, { email_verified: 1 });
      await context.events.append(tx, { type: 'parent.created', parentId: id });
    }
    await context.audit.append(tx, { actor, action: 'sample_data.added' });
    await context.events.append(tx, { type: 'settings.updated' });
  });
}

async function fill(context: Context, actor: Actor, painter: SamplePainter): Promise<void> {
  const clip = painter.paintRoom(context.config.dataDir, ROOM_FILE);
  // Awaited below; without a handler, an earlier rejection would end the process.
  clip.catch(() => undefined);
  const parents = new Map((await findSampleParents(context.db)).map(({ email, id }) => [email, id]));
  const children: string[] = [];
  for (const family of FAMILIES)
    for (const name of family.children) {
      const parentId = parents.get(`${family.mailbox}@${SAMPLE_MAIL_DOMAIN}`);
      if (parentId === undefined) throw new AppError('not_found');
      const photo = await painter.paintChild(children.length);
      const { child } = await createChild(context, actor, parentId, {
        ...{ name, photo, encoding: undefined, confirmed: true },
      });
      children.push(child.id);
    }
  for (const { child, minutes } of INSIDE) {
    const id = children[child];
    if (id !== undefined) await checkIn(context, actor, id, minutes, null);
  }
  await clip;
  await createCamera(context, actor, ROOM);
}

async function removeSample(context: Context, actor: Actor): Promise<void> {
  const { db } = context;
  const parents = await findSampleParents(db);
  const childIds = (
    await findChildrenOf(
      db,
      parents.map(({ id }) => id),
    )
  ).map(({ id }) => id);
  const cameras = (await findSampleCameras(context)).map(({ id }) => id);
  const sensor = await findDemoSensorId(db);
  const since = Math.min(...parents.map(({ created_at }) => created_at));
  const nothing = parents.length === 0 && cameras.length === 0 && sensor === undefined;
  if (nothing) return;
  for (const id of childIds) if (await isAnyInside(db, [id])) await endSampleStay(context, actor, id);
  for (const { id } of parents) await deleteParent(context, actor, id).catch(unless('not_found'));
  for (const id of cameras) await deleteCamera(context, actor, id).catch(unless('not_found'));
  if (sensor !== undefined) await deleteSensor(context, actor, sensor).catch(unless('not_found'));
  await inTransaction(db, async (tx) => {
    const others = [...cameras, ...(sensor === undefined ? [] : [sensor])];
    if (since < Number.POSITIVE_INFINITY) {
      const place = { actor, facility: currentFacility() };
      await deleteUnusedRoom(context, tx, place, { area: ROOM.area, since });
    }
    const open = await deleteTracesOfSample(tx.trx, childIds, others);
    await context.audit.append(tx, { actor, action: 'sample_data.removed' });
    for (const incidentId of open) await context.events.append(tx, { type: 'alert.cleared', incidentId });
    await context.events.append(tx, { type: 'settings.updated' });
  });
}

/** Ends the stay of a painted child without a hand-over: a facility that requires one could not remove the sample. */
async function endSampleStay(context: Context, actor: Actor, childId: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const child = await lockChild(tx.trx, childId);
    const stay = child && (await endStay(tx.trx, childId, { by: actor.id, at: context.clock.now() }));
    if (!stay) return;
    const subject = { kind: 'child', id: childId } as const;
    const details = { stayId: stay.id };
    await context.audit.append(tx, { actor, action: 'child.checked_out', subject, details });
    await context.events.append(tx, {
      type: 'child.checked_out',
      childId,
      parentId: child.parent_id,
      audience: 'guardians',
    });
  });
}

/** Another desk may have removed the same row meanwhile. */
function unless(code: 'not_found') {
  return (error: unknown): void => {
    if (!(error instanceof AppError && error.code === code)) throw error;
  };
}
