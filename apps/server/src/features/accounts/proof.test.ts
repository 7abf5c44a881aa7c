/** Actions that require a fresh proof (contract §6), its lifetime, and the actors concerned. */
import { randomUUID } from 'node:crypto';
import type { Route } from '@haris/contract/http/route';
import { routes } from '@haris/contract/http/routes';
import type { Settings } from '@haris/contract/objects';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fakePhoto } from '../../testing/fake-vision.ts';
import { addGuardian } from '../../testing/guardians.ts';
import {
  ADMIN_EMAIL,
  ADMIN_PASSWORD,
  type Ask,
  type Family,
  startTestApp,
  type TestApp,
} from '../../testing/harness.ts';
import { changeSessions } from '../../testing/sessions.ts';
import { shownVersion } from '../../testing/shown-version.ts';

type RouteId = keyof typeof routes;

const MINUTE = 60_000;

let app: TestApp;
let family: Family;
beforeAll(async () => {
  app = await startTestApp();
  family = await app.makeFamily();
});
afterAll(() => app.close());
// Beyond the window in which wrong passwords are counted.
beforeEach(() => app.clock.advance(16 * MINUTE));

const staff = () => app.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD);
const parent = () => app.signIn('parent', family.email, family.password);
const prove = (token: string | undefined, password: unknown) =>
  app.ask('POST', '/api/session/proof', { token, json: { password } });
const refusal = {
  status: 403,
  body: {
    code: 'proof_required',
    message: 'Please confirm that it is you first.',
    methods: ['password'],
  },
};

const makeCamera = async (): Promise<string> => {
  const json = { name: 'Door', area: 'Hall', kind: 'browser' };
  return (await app.expect(201, 'POST', '/api/cameras', { token: await staff(), json })).camera._id;
};
const makeSensor = async (): Promise<string> => {
  const json = { name: `Sensor ${Math.random()}`, area: 'Hall', kind: 'haris' };
  return (await app.expect(201, 'POST', '/api/sensors', { token: await app.staff(), json })).sensor._id;
};
const makeRoom = async (): Promise<string> => {
  const json = { name: `Room ${randomUUID()}`, capacity: 10, ratios: [] };
  return (await app.expect(201, 'POST', '/api/rooms', { token: await app.staff(), json })).room._id;
};
const zone = [
  [0, 0],
  [0.5, 0],
  [0.5, 0.5],
] as const;

type Changed = readonly [about: string, change: (now: Settings) => Partial<Settings>];
/** Changes of settings that need a proof, by their effect. */
const changedSettings: readonly Changed[] = [
  [
    'another threshold of faces',
    (now) => ({ recognitionMargin: now.recognitionMargin === 0.06 ? 0.07 : 0.06 }),
  ],
  ...(['rawReadingDays', 'meanReadingDays', 'sightingsDays', 'incidentDays', 'visitorDays'] as const).map(
    (name): Changed => [`a shorter ${name}`, (now) => ({ [name]: now[name] - 1 })],
  ),
  ['children who are missed later', (now) => ({ notSeenAfterMinutes: now.notSeenAfterMinutes + 1 })],
  ['no alert about missing backups', (now) => ({ backupDueDays: now.backupDueDays === null ? 7 : null })],
  [
    'another limit of the air',
    ({ alarms }) => ({ alarms: { ...alarms, capacity: (alarms.capacity ?? 0) + 1 } }),
  ],
  ['other hand-overs', (now) => ({ handover: now.handover === 'record' ? 'require' : 'record' })],
  [
    'other proofs of staff',
    (now) => ({ handoverStaffProofs: now.handoverStaffProofs.length > 0 ? [] : ['known'] }),
  ],
  ['desk tablets that stay open for longer', (now) => ({ deskIdleMinutes: now.deskIdleMinutes + 1 })],
  ['desk tablets that write without a connection', (now) => ({ deskOffline: !now.deskOffline })],
];
const changedCameras: readonly (readonly [about: string, json: object])[] = [
  ['other zones', { name: 'Gate', zones: [zone] }],
  ['another source', { kind: 'mjpeg', url: 'http://camera.invalid/' }],
  ['another area', { area: 'Garden' }],
  ['no watching', { enabled: false }],
];

async function linkOf(staffId: string): Promise<string> {
  const id = randomUUID();
  const link = { id, issuer: `https://${id}.test`, subject: id, staff_id: staffId, created_at: 0 };
  await app.context.db
    .insertInto('oidc_links')
    .values({ ...link, confirmed_at: 0, ended_at: null })
    .execute();
  return id;
}

interface Wanted {
  readonly by: 'staff' | 'parent';
  readonly id: RouteId;
  readonly about: string;
  readonly prepare: () => Promise<{ url: string; ask?: Ask }>;
}

const MAIL_SERVER = {
  ...{ host: 'smtp.invalid', port: 465, security: 'tls', user: null, from: 'desk@haris.test' },
};

let roles = 0;
const newRole = () => ({ name: `Role ${++roles}`, permissions: ['families.view'] });
const makeRole = async () =>
  (await app.expect(201, 'POST', '/api/roles', { token: await app.staff(), json: newRole() })).role._id;

const newCollector = { name: 'Samia Hassan', relation: 'Grandmother' };
const makeCollector = async (of = family): Promise<{ readonly id: string; readonly childId: string }> => {
  const { _id: childId } = await app.makeChild(of);
  const { collector } = await app.expect(201, 'POST', `/api/children/${childId}/collectors`, {
    token: await staff(),
    json: newCollector,
  });
  return { id: collector._id, childId };
};
const makeBar = async (childId: string): Promise<string> =>
  (
    await app.expect(201, 'POST', `/api/children/${childId}/barred`, {
      token: await staff(),
      json: { name: newCollector.name },
    })
  ).barred._id;

const wanted: readonly Wanted[] = [
  {
    by: 'parent',
    id: 'addCollector',
    about: 'somebody who may take the child',
    prepare: async () => ({
      url: `/api/children/${(await app.makeChild(family))._id}/collectors`,
      ask: { json: newCollector },
    }),
  },
  {
    by: 'parent',
    id: 'updateCollector',
    about: 'another name of somebody who may take the child',
    prepare: async () => ({
      url: `/api/collectors/${(await makeCollector()).id}`,
      ask: { json: newCollector },
    }),
  },
  {
    by: 'parent',
    id: 'setCollectorPhoto',
    about: 'another face of somebody who may take the child',
    prepare: async () => ({
      url: `/api/collectors/${(await makeCollector()).id}/photo`,
      ask: { form: { photo: fakePhoto() } },
    }),
  },
  {
    by: 'parent',
    id: 'removeCollectorPhoto',
    about: 'the face of somebody who may take the child',
    prepare: async () => ({ url: `/api/collectors/${(await makeCollector()).id}/photo` }),
  },
  {
    by: 'parent',
    id: 'createCollectorPass',
    about: 'a pass to take the child',
    prepare: async () => ({ url: `/api/collectors/${(await makeCollector()).id}/pass` }),
  },
  {
    by: 'staff',
    id: 'addBarred',
    about: 'a bar that also blocks the account',
    async prepare() {
      const { id: adultId, ...other } = await app.makeFamily();
      const { _id: childId } = await app.makeChild({ id: adultId });
      return {
        url: `/api/children/${childId}/barred`,
        ask: { json: { name: other.name, adultId, blockAccount: true } },
      };
    },
  },
  {
    by: 'staff',
    id: 'askGuardian',
    about: 'somebody who becomes a guardian',
    async prepare() {
      const { _id } = await app.makeChild(await app.makeFamily());
      const json = { name: 'New', email: `guardian-${_id}@family.test` };
      return { url: `/api/children/${_id}/guardians`, ask: { json } };
    },
  },
  {
    by: 'staff',
    id: 'setGuardianRights',
    about: 'a further right of a guardian',
    async prepare() {
      const { _id } = await app.makeChild(await app.makeFamily());
      const url = `/api/children/${_id}/guardians`;
      const json = { name: 'New', email: `limited-${_id}@family.test` };
      const { guardian } = await app.expect(201, 'POST', url, { token: await staff(), json });
      const all = { mayLive: true, mayEdit: true, mayCollect: true, mayTake: true };
      return { url: `${url}/${guardian.parentId}`, ask: { json: all } };
    },
  },
  {
    by: 'staff',
    id: 'liftBarred',
    about: 'lifting a bar',
    async prepare() {
      // Later children of a family have its bars.
      const { childId } = await makeCollector(await app.makeFamily());
      return { url: `/api/barred/${await makeBar(childId)}` };
    },
  },
  {
    by: 'staff',
    id: 'setBarredPhoto',
    about: 'another face of a barred adult',
    async prepare() {
      const { childId } = await makeCollector(await app.makeFamily());
      return { url: `/api/barred/${await makeBar(childId)}/photo`, ask: { form: { photo: fakePhoto() } } };
    },
  },
  {
    by: 'staff',
    id: 'removeBarredPhoto',
    about: 'the face of a barred adult',
    async prepare() {
      const { childId } = await makeCollector(await app.makeFamily());
      return { url: `/api/barred/${await makeBar(childId)}/photo` };
    },
  },
  {
    by: 'staff',
    id: 'endGuardian',
    about: 'the end of the first guardian',
    async prepare() {
      const [own, next] = [await app.makeFamily(), await app.makeFamily()];
      const { _id } = await app.makeChild(own);
      await addGuardian(app, _id, next.id);
      return { url: `/api/children/${_id}/guardians/${own.id}` };
    },
  },
  {
    by: 'staff',
    id: 'markNamesake',
    about: 'a namesake of a barred adult',
    async prepare() {
      const { id, childId } = await makeCollector(await app.makeFamily());
      const url = `/api/barred/${await makeBar(childId)}/namesakes`;
      const version = await shownVersion(app, await staff(), { child: childId, adult: id });
      return { url, ask: { json: { adultId: id, version } } };
    },
  },
  {
    by: 'parent',
    id: 'beginApp',
    about: 'a second factor of the own account',
    prepare: async () => ({ url: '/api/account/factors/app', ask: { json: { name: 'My phone' } } }),
  },
  {
    by: 'staff',
    id: 'beginPasskey',
    about: 'a passkey of the own account',
    prepare: async () => ({ url: '/api/account/factors/passkey/options' }),
  },
  {
    by: 'staff',
    id: 'resetStaffFactors',
    about: "removal of a colleague's second factors",
    prepare: async () => ({ url: `/api/admin/${(await app.makeEmployee()).id}/factors` }),
  },
  {
    by: 'staff',
    id: 'resetParentFactors',
    about: "removal of a parent's second factors",
    prepare: async () => ({ url: `/api/parent/${(await app.makeFamily()).id}/factors` }),
  },
  {
    by: 'staff',
    id: 'blockParent',
    about: 'blocking a family',
    prepare: async () => ({
      url: `/api/parent/${(await app.makeFamily()).id}/block`,
      ask: { json: { access: 'blocked' } },
    }),
  },
  {
    by: 'parent',
    id: 'updateParent',
    about: 'a new e-mail of the own account',
    prepare: async () => ({
      url: `/api/parent/update-parent/${family.id}`,
      ask: { json: { email: `new${Math.random().toString(36).slice(2)}@family.test` } },
    }),
  },
  {
    by: 'staff',
    id: 'updateParent',
    about: 'a new e-mail of a family',
    prepare: async () => ({
      url: `/api/parent/update-parent/${family.id}`,
      ask: { json: { email: `new${Math.random().toString(36).slice(2)}@family.test` } },
    }),
  },
  {
    by: 'staff',
    id: 'resendParentLink',
    about: 'a colleague’s agreement to a new e-mail',
    async prepare() {
      const { id } = await app.makeFamily();
      const url = `/api/parent/resend-verification/${id}`;
      // As if a colleague had asked for it.
      const pending = { pending_email: `new${id}@family.test`, pending_email_by: 'x', pending_email_at: 0 };
      await app.context.db.updateTable('parents').set(pending).where('id', '=', id).execute();
      return { url };
    },
  },
  {
    by: 'parent',
    id: 'deleteChild',
    about: 'the deletion of a child by the parent',
    prepare: async () => ({ url: `/api/children/delete-child/${(await app.makeChild(family))._id}` }),
  },
  {
    by: 'parent',
    id: 'startParentRecognition',
    about: 'recognition of the own face on',
    async prepare() {
      const form = { photo: fakePhoto() };
      const url = `/api/parent/update-parent/${family.id}`;
      await app.expect(200, 'PUT', url, { token: await staff(), form });
      return { url: `/api/parent/${family.id}/recognition` };
    },
  },
  {
    by: 'parent',
    id: 'stopParentRecognition',
    about: 'recognition of the own face off',
    prepare: async () => ({ url: `/api/parent/${family.id}/recognition` }),
  },
  {
    by: 'staff',
    id: 'startOwnRecognition',
    about: 'recognition of the own face on',
    prepare: async () => ({ url: '/api/admin/me/recognition', ask: { form: { photo: fakePhoto() } } }),
  },
  {
    by: 'staff',
    id: 'stopOwnRecognition',
    about: 'recognition of the own face off',
    prepare: async () => ({ url: '/api/admin/me/recognition' }),
  },
  {
    by: 'staff',
    id: 'deleteAdmin',
    about: 'the deletion of staff',
    prepare: async () => ({ url: `/api/admin/delete-admin/${(await app.makeEmployee()).id}` }),
  },
  {
    by: 'staff',
    id: 'createAdmin',
    about: 'a further employee, whose sign-in would be a proof',
    prepare: async () => ({
      url: '/api/admin/create-admin',
      ask: {
        json: {
          name: 'Second',
          email: `second${Math.random().toString(36).slice(2)}@staff.test`,
          password: 'a-second-way-in',
          nationalId: `2900101${String(Math.random()).slice(2, 9).padEnd(7, '7')}`,
        },
      },
    }),
  },
  {
    by: 'staff',
    id: 'createRole',
    about: 'a role',
    prepare: async () => ({ url: '/api/roles', ask: { json: newRole() } }),
  },
  {
    by: 'staff',
    id: 'updateRole',
    about: 'a role',
    prepare: async () => ({ url: `/api/roles/${await makeRole()}`, ask: { json: newRole() } }),
  },
  {
    by: 'staff',
    id: 'deleteRole',
    about: 'a role',
    prepare: async () => ({ url: `/api/roles/${await makeRole()}` }),
  },
  {
    by: 'staff',
    id: 'setStaffRoles',
    about: 'the roles of staff',
    prepare: async () => ({
      url: `/api/admin/${(await app.makeEmployee()).id}/roles`,
      ask: { json: { roles: [{ roleId: 'teacher', facilityId: null }] } },
    }),
  },
  {
    by: 'staff',
    id: 'changeStaffEmail',
    about: 'the e-mail of staff',
    prepare: async () => ({
      url: `/api/admin/${(await app.makeEmployee()).id}/email`,
      ask: { json: { email: `moved${Math.random().toString(36).slice(2)}@staff.test` } },
    }),
  },
  {
    by: 'staff',
    id: 'exportAudit',
    about: 'the audit log as CSV',
    prepare: async () => ({ url: '/api/audit.csv' }),
  },
  {
    by: 'staff',
    id: 'createFacility',
    about: 'a facility',
    async prepare() {
      // A second one would change who may do what.
      await app.context.db.deleteFrom('facilities').where('id', '!=', 'main').execute();
      return { url: '/api/facilities', ask: { json: { name: `House ${randomUUID()}` } } };
    },
  },
  {
    by: 'staff',
    id: 'updateOwnProfile',
    about: 'the own name',
    prepare: async () => ({ url: '/api/admin/me/profile', ask: { json: { name: `Name ${randomUUID()}` } } }),
  },
  {
    by: 'staff',
    id: 'removeStaffLink',
    about: 'the link of a colleague',
    async prepare() {
      const { id } = await app.makeEmployee();
      return { url: `/api/admin/${id}/links/${await linkOf(id)}` };
    },
  },
  {
    by: 'staff',
    id: 'removeOwnPhoto',
    about: 'the own photo',
    prepare: async () => ({ url: '/api/admin/me/photo' }),
  },
  {
    by: 'staff',
    id: 'exportAttendance',
    about: 'attendance as CSV',
    prepare: async () => ({ url: '/api/reports/attendance.csv' }),
  },
  ...changedSettings.map(
    ([about, change]): Wanted => ({
      by: 'staff',
      id: 'updateSettings',
      about,
      async prepare() {
        const { settings } = await app.expect(200, 'GET', '/api/settings', { token: await app.staff() });
        return { url: '/api/settings', ask: { json: change(settings) } };
      },
    }),
  ),
  ...changedCameras.map(
    ([about, json]): Wanted => ({
      by: 'staff',
      id: 'updateCamera',
      about,
      prepare: async () => ({ url: `/api/cameras/${await makeCamera()}`, ask: { json } }),
    }),
  ),
  {
    by: 'staff',
    id: 'createCamera',
    about: 'a camera, which may have no zones where another one has them',
    prepare: async () => ({
      url: '/api/cameras',
      ask: { json: { name: 'Door', area: 'Hall', kind: 'browser' } },
    }),
  },
  {
    by: 'staff',
    id: 'deleteCamera',
    about: 'a camera with its zones and sightings',
    prepare: async () => ({ url: `/api/cameras/${await makeCamera()}` }),
  },
  {
    by: 'staff',
    id: 'updateSensor',
    about: 'another area of a sensor',
    prepare: async () => ({
      url: `/api/sensors/${await makeSensor()}`,
      ask: { json: { area: 'Shed' } },
    }),
  },
  {
    by: 'staff',
    id: 'updateSensor',
    about: 'a sensor that may be silent for longer',
    prepare: async () => ({ url: `/api/sensors/${await makeSensor()}`, ask: { json: { period: 3_600 } } }),
  },
  {
    by: 'staff',
    id: 'deleteSensor',
    about: 'a sensor',
    prepare: async () => ({ url: `/api/sensors/${await makeSensor()}` }),
  },
  {
    by: 'staff',
    id: 'deleteHomeAssistantAccount',
    about: 'what Home Assistant hears',
    async prepare() {
      const { account } = await app.expect(201, 'POST', '/api/home-assistant-accounts', {
        token: await app.staff(),
        json: { name: 'Home' },
      });
      return { url: `/api/home-assistant-accounts/${account._id}` };
    },
  },
  ...(
    [
      { capacity: null },
      { capacityKind: 'hard' },
      { ratios: [{ underMonths: 24, childrenPerStaff: 9 }] },
    ] as const
  ).map(
    (json): Wanted => ({
      by: 'staff',
      id: 'updateRoom',
      about: `another ${Object.keys(json)[0]}`,
      prepare: async () => ({ url: `/api/rooms/${await makeRoom()}`, ask: { json } }),
    }),
  ),
  {
    by: 'staff',
    id: 'deleteRoom',
    about: 'a room with its limits',
    prepare: async () => ({ url: `/api/rooms/${await makeRoom()}` }),
  },
  {
    by: 'staff',
    id: 'deleteParent',
    about: 'the deletion of a family',
    prepare: async () => ({ url: `/api/parent/delete-parent/${(await app.makeFamily()).id}` }),
  },
  {
    by: 'staff',
    id: 'deleteChild',
    about: 'the deletion of a child by staff',
    prepare: async () => ({ url: `/api/children/delete-child/${(await app.makeChild(family))._id}` }),
  },
  {
    by: 'staff',
    id: 'removeChildPhoto',
    about: 'the deletion of a photo',
    async prepare() {
      const face = `many ${randomUUID()}`;
      const { _id } = await app.makeChild(family, 'Many', fakePhoto({ face }));
      const token = await app.staff();
      const form = { photo: fakePhoto({ face, away: 0.3 }) };
      await app.expect(201, 'POST', `/api/children/${_id}/photos`, { token, form });
      const { facePhotos } = await app.expect(200, 'GET', `/api/children/get-child/${_id}`, { token });
      return { url: `/api/children/${_id}/photos/${facePhotos[1]?._id}` };
    },
  },
  {
    by: 'staff',
    id: 'importParents',
    about: 'many invitations at once',
    prepare: async () => ({
      url: '/api/imports/parents',
      ask: {
        json: { rows: [{ name: 'Imported', email: `${randomUUID()}@family.test`, phone: '' }] },
        headers: { 'idempotency-key': randomUUID() },
      },
    }),
  },
  {
    by: 'staff',
    id: 'createPairing',
    about: 'the pairing of a device',
    prepare: async () => ({ url: `/api/cameras/${await makeCamera()}/pairing` }),
  },
  {
    by: 'staff',
    id: 'createKioskPairing',
    about: 'the pairing of a kiosk',
    prepare: async () => {
      const json = { name: 'Entrance' };
      const { kiosk } = await app.expect(201, 'POST', '/api/kiosks', { token: await app.staff(), json });
      return { url: `/api/kiosks/${kiosk._id}/pairing` };
    },
  },
  {
    by: 'parent',
    id: 'setKioskPin',
    about: 'the PIN for the kiosk',
    prepare: async () => ({ url: '/api/account/kiosk-pin', ask: { json: { pin: '8305' } } }),
  },
  {
    by: 'staff',
    id: 'setDeskPin',
    about: 'the PIN for desk tablets',
    prepare: async () => ({ url: '/api/account/desk-pin', ask: { json: { pin: '835162' } } }),
  },
  {
    by: 'staff',
    id: 'resetDeskPin',
    about: 'the PIN of somebody else',
    prepare: async () => ({ url: `/api/admin/${(await app.makeEmployee()).id}/desk-pin` }),
  },
  {
    by: 'staff',
    id: 'createSensor',
    about: 'the keys of a sensor',
    prepare: async () => ({
      url: '/api/sensors',
      ask: { json: { name: `Sensor ${Math.random()}`, area: 'Hall', kind: 'haris' } },
    }),
  },
  {
    by: 'staff',
    id: 'renewSensorSecrets',
    about: 'new keys of a sensor',
    async prepare() {
      const json = { name: `Sensor ${Math.random()}`, area: 'Hall', kind: 'haris' };
      const { sensor } = await app.expect(201, 'POST', '/api/sensors', { token: await staff(), json });
      return { url: `/api/sensors/${sensor._id}/secrets` };
    },
  },
  {
    by: 'staff',
    id: 'createHomeAssistantAccount',
    about: 'the password of a Home Assistant account',
    prepare: async () => ({ url: '/api/home-assistant-accounts', ask: { json: { name: 'Home' } } }),
  },
  {
    by: 'staff',
    id: 'markAdminVerified',
    about: 'vouching for the e-mail of an employee',
    async prepare() {
      const json = {
        name: 'Unverified',
        email: `unverified${Math.random().toString(36).slice(2)}@staff.test`,
        password: 'a-staff-password',
        nationalId: `2900101${String(Math.random()).slice(2, 9).padEnd(7, '7')}`,
      };
      const { admin } = await app.expect(201, 'POST', '/api/admin/create-admin', {
        token: await staff(),
        json,
      });
      return { url: `/api/admin/mark-verified/${admin._id}` };
    },
  },
  ...(['updateMailServer', 'testMailServer', 'deleteMailServer'] as const).map((id) => ({
    by: 'staff' as const,
    id,
    about: 'the server that gets every mail',
    prepare: async () => ({
      url: id === 'testMailServer' ? '/api/mail-server/test' : '/api/mail-server',
      ask: id === 'deleteMailServer' ? {} : { json: MAIL_SERVER },
    }),
  })),
  {
    by: 'staff',
    id: 'updateWebhook',
    about: 'the secret of the webhook',
    prepare: async () => ({
      url: '/api/notices/webhook',
      ask: { json: { url: 'https://hooks.invalid/haris' } },
    }),
  },
];

test('every call whose rule asks for a proof is tried here, or with the own password', () => {
  const all: readonly Route[] = Object.values(routes);
  const ruled = all.flatMap(({ id, proof }) => (proof === undefined ? [] : [id]));
  // The first administrator sets the own address once (setup.test.ts); these need a second factor (factors.test.ts).
  const factors = ['confirmApp', 'addPasskey', 'removeFactor', 'renewRecoveryCodes'];
  // A second person's decision (approvals.test.ts); a removal that ends all other sessions (oidc-own-links.test.ts).
  const elsewhere = ['changePassword', 'setOwnAddress', 'decideApproval', 'removeOwnLink', ...factors];
  // What a person has written about a release (take-entry.test.ts, conflicts.test.ts).
  elsewhere.push('settleDeskConflict', 'keepDeskConflicts');
  expect(new Set<string>([...wanted.map(({ id }) => id), ...elsewhere])).toEqual(new Set(ruled));
});

describe.each(wanted.map((one) => [`${one.id}, ${one.about}, by ${one.by}`, one] as const))(
  '%s',
  (_title, { by, id, prepare }) => {
    test('works 9:59 after the sign-in, is refused at 10:01, and works again after a proof', async () => {
      const token = await (by === 'staff' ? staff() : parent());
      const signedInAt = app.clock.now();
      const early = await prepare();
      app.clock.advance(9 * MINUTE + 59_000 - (app.clock.now() - signedInAt));
      const { method, status } = routes[id];
      await app.expect(status, method, early.url, { ...early.ask, token });
      const late = await prepare();
      app.clock.advance(2_000);
      expect(await app.ask(method, late.url, { ...late.ask, token })).toMatchObject(refusal);
      const password = by === 'staff' ? ADMIN_PASSWORD : family.password;
      expect((await prove(token, password)).status).toBe(204);
      await app.expect(status, method, late.url, { ...late.ask, token });
    });
  },
);

describe('without a proof', () => {
  test('what needs none goes on: other fields, values that stay as they are, and longer retention', async () => {
    const [token, own, camera] = [await staff(), await parent(), await makeCamera()];
    const [sensor, room] = [await makeSensor(), await makeRoom()];
    const zones = [zone];
    await app.expect(200, 'PUT', `/api/cameras/${camera}`, { token, json: { zones } });
    const { settings } = await app.expect(200, 'GET', '/api/settings', { token });
    app.clock.advance(20 * MINUTE);
    const unchanged = { area: 'Hall', kind: 'browser', enabled: true, zones };
    await app.expect(200, 'PUT', `/api/cameras/${camera}`, { token, json: { name: 'Gate', ...unchanged } });
    await app.expect(200, 'PUT', `/api/sensors/${sensor}`, {
      token,
      json: { name: 'Shelf', area: 'Hall', period: null },
    });
    const limits = { capacity: 10, capacityKind: 'soft', ratios: [] };
    await app.expect(200, 'PUT', `/api/rooms/${room}`, { token, json: { name: randomUUID(), ...limits } });
    const longer = { sightingsDays: settings.sightingsDays + 1, facilityPhone: '0223456789' };
    await app.expect(200, 'PUT', '/api/settings', { token, json: { ...settings, ...longer } });
    await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
      token: own,
      json: { name: family.name, email: family.email, phone: '01012345678' },
    });
    await app.expect(200, 'PUT', `/api/parent/update-parent/${family.id}`, {
      token,
      json: { name: family.name, email: family.email },
    });
  });

  test('a change that is refused changes nothing', async () => {
    const token = await staff();
    const before = (await app.expect(200, 'GET', '/api/settings', { token })).settings;
    app.clock.advance(11 * MINUTE);
    const json = { recognitionThreshold: 0.6, duplicateThreshold: 0.6, sightingsDays: 1 };
    expect(await app.ask('PUT', '/api/settings', { token, json })).toMatchObject(refusal);
    expect((await app.expect(200, 'GET', '/api/settings', { token })).settings).toEqual(before);
  });

  test('the order of refusals stays: 401, another rank 403, another family 404, then the proof, then 400', async () => {
    const [token, own] = [await staff(), await parent()];
    const other = await app.makeFamily();
    const child = await app.makeChild(other);
    app.clock.advance(11 * MINUTE);
    expect((await app.ask('GET', '/api/audit.csv')).body.code).toBe('unauthenticated');
    expect((await app.ask('GET', '/api/audit.csv', { token: own })).body.code).toBe('forbidden');
    const childUrl = `/api/children/delete-child/${child._id}`;
    expect((await app.ask('DELETE', childUrl, { token: own })).body.code).toBe('not_found');
    expect((await app.ask('DELETE', '/api/admin/delete-admin/nobody', { token })).body.code).toBe(
      'not_found',
    );
    expect((await app.ask('GET', '/api/audit.csv?from=never', { token })).body.code).toBe('proof_required');
    const broken = { token, payload: '{', headers: { 'content-type': 'application/json' } };
    expect((await app.ask('POST', '/api/sensors', broken)).body.code).toBe('proof_required');
  });

  test('a clock that was set back makes no proof last longer', async () => {
    const token = await staff();
    await changeSessions(app.context, { proved_at: app.clock.now() + 3_600_000 });
    expect(await app.ask('GET', '/api/audit.csv', { token })).toMatchObject(refusal);
  });
});

describe('families that staff add one by one', () => {
  const add = (token: string) =>
    app.ask('POST', '/api/parent/create-parent', {
      token,
      json: { name: 'Added', email: `${randomUUID()}@family.test` },
    });

  test('need a proof beyond 30 in an hour, and go on with one', async () => {
    const { token, password } = await app.makeEmployee();
    app.clock.advance(11 * MINUTE);
    for (let n = 0; n < 30; n++) expect((await add(token)).status).toBe(201);
    expect(await add(token)).toMatchObject(refusal);
    expect((await add(await app.staff())).status).toBe(201);
    expect((await prove(token, password)).status).toBe(204);
    expect((await add(token)).status).toBe(201);
    app.clock.advance(61 * MINUTE);
    expect((await add(token)).status).toBe(201);
  });
});

describe('a proof', () => {
  test('counts for its own session alone', async () => {
    const [here, there] = [await staff(), await staff()];
    app.clock.advance(11 * MINUTE);
    expect((await prove(there, ADMIN_PASSWORD)).status).toBe(204);
    expect(await app.ask('GET', '/api/audit.csv', { token: here })).toMatchObject(refusal);
    expect((await app.ask('GET', '/api/audit.csv', { token: there })).status).toBe(200);
  });

  test('holds for ten minutes of its own', async () => {
    const token = await staff();
    app.clock.advance(11 * MINUTE);
    await prove(token, ADMIN_PASSWORD);
    app.clock.advance(9 * MINUTE + 59_000);
    expect((await app.ask('GET', '/api/audit.csv', { token })).status).toBe(200);
    app.clock.advance(2_000);
    expect(await app.ask('GET', '/api/audit.csv', { token })).toMatchObject(refusal);
  });

  test('is the own password: another account’s, a wrong one and none are refused', async () => {
    const token = await parent();
    app.clock.advance(11 * MINUTE);
    expect((await prove(undefined, family.password)).status).toBe(401);
    expect(await prove(token, ADMIN_PASSWORD)).toMatchObject({
      status: 403,
      body: { code: 'wrong_password', message: 'This password is wrong.' },
    });
    expect((await prove(token, '')).status).toBe(400);
    const url = `/api/parent/update-parent/${family.id}`;
    const json = { email: 'thief@family.test' };
    expect(await app.ask('PUT', url, { token, json })).toMatchObject(refusal);
  });

  test('after five wrong ones the session waits, also with the right one; no other session does', async () => {
    const [token, other] = [await parent(), await parent()];
    app.clock.advance(11 * MINUTE);
    for (let n = 0; n < 5; n++) expect((await prove(token, `wrong ${n}`)).status).toBe(403);
    const refused = await prove(token, family.password);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    expect((await prove(other, family.password)).status).toBe(204);
    expect((await app.ask('GET', '/api/parent/info', { token })).status).toBe(200);
    app.clock.advance(16 * MINUTE);
    expect((await prove(token, family.password)).status).toBe(204);
  });

  test('a hundred wrong ones at once are five', async () => {
    const token = await parent();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => prove(token, `wrong ${n}`)));
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'wrong_password')).toHaveLength(5);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(25);
  });

  test('is a row of the audit log, and so is one that failed; in a loop it is one a minute', async () => {
    const token = await staff();
    app.clock.advance(11 * MINUTE);
    const from = new Date(app.clock.now()).toISOString();
    await prove(token, 'not it');
    for (let n = 0; n < 5; n++) await prove(token, ADMIN_PASSWORD);
    const { entries } = await app.expect(200, 'GET', `/api/audit?from=${from}`, { token });
    expect(entries.map(({ action }) => action).filter((action) => action.includes('.proof'))).toEqual([
      'admin.proof_failed',
    ]);
    expect(entries.filter(({ action }) => action === 'admin.proved')).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain('not it');
  });
});
