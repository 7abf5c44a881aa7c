/** Fills an empty data folder with the demo: painted people only, made through the same services as real ones. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '@haris/contract/fields';
import { type Clip, writeClip } from '@haris/painter/clip';
import { paintPortrait } from '@haris/painter/portrait';
import { chosenSeeds } from '@haris/painter/seeds';
import type { Actor, Origin } from './actor.ts';
import { type Config, DEMO_PASSWORD } from './config.ts';
import type { Context } from './context.ts';
import { findAdminByEmail } from './db/admins.ts';
import { findChildrenOf } from './db/children.ts';
import { findParentByEmail } from './db/parents.ts';
import { inTransaction } from './db/transaction.ts';
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

/** The children of the clip, one of each family, by their order in the seeds; they are checked in for these minutes. */
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

/** The face engine needs about a second; on a slow machine more. Milliseconds. */
const ENGINE_WITHIN_MS = 60_000;

/** Says in the database that the demo is complete; a start that was cut short is taken up again by the next. */
const FILLED = 'demo_filled';

/** Makes the demo's people that are not there yet; nothing once it was complete. Rejects without a face engine. */
export async function fillDemo(context: Context): Promise<void> {
  const { db } = context;
  if (await db.selectFrom('meta').select('key').where('key', '=', FILLED).executeTakeFirst()) return;
  const clip = paintRoom(context.config.dataDir);
  // Waited for below; a failure until then is not one that nobody heard of.
  clip.catch(() => undefined);
  await engineReady(context);
  const director = await db
    .selectFrom('admins')
    .select(['id', 'name'])
    .orderBy('created_at')
    .executeTakeFirstOrThrow();
  const origin: Origin = { address: 'demo', requestId: 'demo' };
  const staff: Actor = {
    kind: 'admin',
    id: director.id,
    name: director.name,
    session: '',
    provedAt: context.clock.now(),
    passwordSetBy: null,
    origin,
  };

  if (!(await findAdminByEmail(db, EMPLOYEE.email)))
    await createEmployee(context, staff, { ...EMPLOYEE, password: DEMO_PASSWORD, language: 'en' });
  const seeds = chosenSeeds[Symbol.iterator]();
  for (const family of FAMILIES) {
    const parent =
      (await findParentByEmail(db, family.email)) ??
      (await addParent(context, staff, { ...family, password: DEMO_PASSWORD })).parent;
    const present = new Set((await findChildrenOf(db, [parent.id])).map((child) => child.name));
    for (const name of family.children) {
      const seed = seeds.next().value;
      if (seed === undefined) throw new Error('the painter has too few seeds');
      if (present.has(name)) continue;
      const photo = await paintPortrait({ seed });
      await createChild(context, staff, parent.id, { name, photo, encoding: undefined, confirmed: true });
    }
  }
  // Nobody reads the demo's mail.
  await inTransaction(db, async ({ trx }) => {
    await trx.updateTable('parents').set({ email_verified: 1 }).execute();
    await trx.updateTable('admins').set({ email_verified: 1 }).execute();
    await trx.deleteFrom('one_time_tokens').execute();
  });
  const children = await db.selectFrom('children').select('id').orderBy('created_at').execute();
  const inside = await db.selectFrom('stays').select('id').executeTakeFirst();
  for (const { child, minutes } of inside ? [] : WALKERS) {
    const row = children[child];
    if (row) await checkIn(context, staff, row.id, minutes, null);
  }
  await clip;
  const camera = await db.selectFrom('cameras').select('id').executeTakeFirst();
  if (!camera)
    await createCamera(context, staff, { name: 'DEMO room', area: 'Playroom', kind: 'file', url: ROOM_FILE });
  await db
    .insertInto('meta')
    .values({ key: FILLED, value: new Date(context.clock.now()).toISOString() })
    .execute();
}

async function paintRoom(dataDir: string): Promise<void> {
  const file = join(mediaFolder(dataDir), ROOM_FILE);
  if (!existsSync(file)) await writeClip(ROOM_CLIP, file);
}

/** What to tell the person who started the demo. */
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
