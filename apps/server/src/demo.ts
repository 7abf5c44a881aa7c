/** Fills an empty data folder with the demo: painted people only, added through the same services as real people. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '@haris/contract/fields';
import { DEFAULT_ROLE_ID, PERMISSIONS } from '@haris/contract/permissions';
import { type Clip, writeClip } from '@haris/painter/clip';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import type { Actor, Origin } from './actor.ts';
import { type Config, DEMO_PASSWORD } from './config.ts';
import type { Context } from './context.ts';
import { hasCameras } from './db/cameras.ts';
import { findChildrenOf } from './db/children.ts';
import { findChildIds, hasStays, verifyAllAccounts } from './db/demo.ts';
import { readMeta, writeMeta } from './db/meta.ts';
import { findParentByEmail } from './db/parents.ts';
import { findRooms } from './db/rooms.ts';
import { findFirstStaffMember, findStaffMemberByEmail } from './db/staff.ts';
import { inTransaction } from './db/transaction.ts';
import { fillCareLog } from './demo-care-log.ts';
import { inFacility, MAIN_FACILITY } from './facility.ts';
import { addParent } from './features/accounts/parents.ts';
import { createEmployee } from './features/accounts/staff.ts';
import { createCamera } from './features/cameras/service.ts';
import { createChild } from './features/children/service.ts';
import { checkIn } from './features/stays/service.ts';
import { mediaFolder } from './vision/media.ts';

const EMPLOYEE = { name: 'Nadia Farouk', email: 'desk@demo.example', nationalId: '29503120101234' };

const FAMILIES: readonly {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly language: Language;
  readonly children: readonly string[];
}[] = [
  {
    name: 'Mona Hassan',
    email: 'mona@demo.example',
    phone: '01012345678',
    language: 'en',
    children: ['Omar Hassan', 'Layla Hassan'],
  },
  {
    name: 'أحمد علي',
    email: 'ahmed@demo.example',
    phone: '01123456789',
    language: 'ar',
    children: ['يوسف أحمد'],
  },
  {
    name: 'Sara Ibrahim',
    email: 'sara@demo.example',
    phone: '01234567890',
    language: 'en',
    children: ['Nour Ibrahim', 'Adam Ibrahim'],
  },
];

/** The room that the camera films. */
const ROOM = 'Playroom';

/** The children in the clip, one per family, in the order of their seeds, with the minutes of their stays. */
const WALKERS = [
  { child: 0, minutes: 60 },
  { child: 2, minutes: 120 },
  { child: 3, minutes: 240 },
] as const;
const [omar, , youssef, nour] = chosenSeeds;
export const ROOM_CLIP: Clip = {
  width: 960,
  height: 540,
  fps: 15,
  frames: 240,
  people: [
    { seed: omar, x: { middle: 0.25, swing: 0.18 }, y: { middle: 0.4, swing: 0.02, times: 2 }, head: 0.24 },
    {
      seed: youssef,
      x: { middle: 0.55, swing: 0.2, phase: 0.35 },
      y: { middle: 0.42, swing: 0.02, times: 3 },
      head: 0.27,
    },
    { seed: nour, x: { middle: 0.8, swing: 0.14, phase: 0.6 }, y: { middle: 0.4 }, head: 0.25 },
  ],
};
const ROOM_FILE = 'demo-room.mp4';

/** Maximum wait for the face engine, which starts within about a second. Milliseconds. */
const ENGINE_WITHIN_MS = 60_000;

/** Key in `meta` that is set once the demo is complete; the next start resumes an interrupted one. */
const FILLED = 'demo_filled';

/** Adds the demo's missing people; does nothing once the demo is complete. Rejects without a face engine. */
export async function fillDemo(context: Context): Promise<void> {
  if ((await readMeta(context.db, FILLED)) !== null) return;
  await inFacility(MAIN_FACILITY, () => fillMain(context));
}

async function fillMain(context: Context): Promise<void> {
  const { db } = context;
  const clip = paintRoom(context.config.dataDir, ROOM_FILE);
  // Awaited below; without a handler, an earlier rejection would end the process.
  clip.catch(() => undefined);
  await engineReady(context);
  const director = await findFirstStaffMember(db);
  if (!director) throw new Error('the demo has no administrator');
  const origin: Origin = { address: 'demo', requestId: 'demo' };
  const staff: Actor = {
    kind: 'admin',
    id: director.id,
    facility: MAIN_FACILITY,
    permissions: new Set(PERMISSIONS),
    everywhere: new Set(PERMISSIONS),
    name: director.name,
    session: '',
    factor: 'password',
    deskId: null,
    provedAt: context.clock.now(),
    passwordSetBy: null,
    origin,
  };

  if (!(await findStaffMemberByEmail(db, EMPLOYEE.email)))
    await createEmployee(context, staff, {
      ...EMPLOYEE,
      password: DEMO_PASSWORD,
      language: 'en',
      roleId: DEFAULT_ROLE_ID,
    });
  let place = 0;
  for (const family of FAMILIES) {
    const parent =
      (await findParentByEmail(db, family.email)) ??
      (await addParent(context, staff, { ...family, password: DEMO_PASSWORD })).view.parent;
    const present = new Set((await findChildrenOf(db, [parent.id])).map((child) => child.name));
    for (const name of family.children) {
      const own = place++;
      if (present.has(name)) continue;
      const photo = await paintChild(own);
      await createChild(context, staff, parent.id, { name, photo, encoding: undefined, confirmed: true });
    }
  }
  await inTransaction(db, ({ trx }) => verifyAllAccounts(trx));
  await clip;
  if (!(await hasCameras(db)))
    await createCamera(context, staff, { name: 'DEMO room', area: ROOM, kind: 'file', url: ROOM_FILE });
  // Put the children into the room that the camera shows, not into the default room.
  const roomId = (await findRooms(db, MAIN_FACILITY)).find(({ name }) => name === ROOM)?.id;
  const children = await findChildIds(db);
  for (const { child, minutes } of (await hasStays(db)) ? [] : WALKERS) {
    const id = children[child];
    if (id) await checkIn(context, staff, id, minutes, null, { confirm: false, revision: undefined, roomId });
  }
  if (children[0]) await fillCareLog(context, staff, children[0]);
  await writeMeta(db, FILLED, new Date(context.clock.now()).toISOString());
}

/** The portrait of a child by its place among all children, from 0; the first, third and fourth are in the room. */
export function paintChild(place: number): Promise<Buffer> {
  const seed = chosenSeeds[place];
  if (seed === undefined) throw new Error('the painter has too few seeds');
  return paintPortrait({ seed });
}

/** Paints the clip of the room as a file below the media folder, unless it is there. */
export async function paintRoom(dataDir: string, name: string): Promise<void> {
  const file = join(mediaFolder(dataDir), name);
  if (!existsSync(file)) await writeClip(ROOM_CLIP, file);
}

/** Text for the person who started the demo. */
export function demoWelcome(config: Config): string {
  const isOwn = config.adminPassword !== null && config.adminPassword !== DEMO_PASSWORD;
  return [
    'DEMO: everything here is painted or made up, and lies in a folder of its own.',
    `  Staff:   ${config.adminEmail} or ${EMPLOYEE.email}`,
    `  Parents: ${FAMILIES.map((family) => family.email).join(', ')}`,
    `  Password: ${DEMO_PASSWORD}${isOwn ? ` (${config.adminEmail}: what ADMIN_PASSWORD was at the first start)` : ''}`,
  ].join('\n');
}

async function engineReady(context: Context): Promise<void> {
  const until = Date.now() + ENGINE_WITHIN_MS;
  while (!(await context.vision.healthy())) {
    if (Date.now() > until) throw new Error('the face engine did not start');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
