/** People, devices and things of one facility, with which a test makes each call of the contract. */
import { createECDH, randomUUID } from 'node:crypto';
import type { Permission } from '@haris/contract/permissions';
import { insertApproval } from '../db/approvals.ts';
import { inFacility, MAIN_FACILITY } from '../facility.ts';
import { fakePhoto } from './fake-vision.ts';
import type { Employee, Family, TestApp } from './harness.ts';
import { makeNationalId } from './people.ts';
import { shownVersion } from './shown-version.ts';

let number = 0;

/** Numbers what must be unique. */
export function nextNumber(): number {
  return ++number;
}

export const newSensor = () => ({ name: 'Window', area: 'Playroom', kind: 'haris' });
export const newParent = () => ({ name: 'New', email: `new${nextNumber()}@family.test` });
export const newRole = (permissions: readonly Permission[] = ['families.view']) => ({
  name: `Role ${nextNumber()}`,
  permissions,
});
export const newPushDevice = () => {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  return {
    endpoint: `https://push.invalid/${nextNumber()}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: 'A'.repeat(22) },
    device: 'A phone',
  };
};

interface WorldParts {
  /** Sends its requests at the facility. */
  readonly app: TestApp;
  /** Token of the first administrator. */
  readonly staff: string;
  readonly own: Family;
  /** A deleted staff member. */
  readonly gone: Employee;
  readonly facility?: string;
}

export type ExampleWorld = Awaited<ReturnType<typeof makeExampleWorld>>;

/** The world of one facility, by default the main one. Pairs a kiosk. Each function makes something new. */
export async function makeExampleWorld(parts: WorldParts) {
  const { own } = parts;
  const facility = parts.facility ?? MAIN_FACILITY;
  const things = makeThings(parts);
  const kiosks = makeKiosks(parts);
  const { token: device } = await parts.app.expect(200, 'POST', '/api/kiosk/pair', {
    json: { code: await kiosks.kioskCode(await kiosks.newKiosk()) },
  });
  const world = { ...parts, facility, device, ...things, ...kiosks, ...makePeopleOf({ ...parts, facility }) };
  return {
    ...world,
    ...makeVisits({ ...parts, device }),
    child: async () => (await parts.app.makeChild(own))._id,
    async childInside(): Promise<string> {
      const { _id } = await parts.app.makeChild(own);
      await parts.app.expect(200, 'POST', `/api/children/checkin-child/${_id}`, { token: parts.staff });
      return _id;
    },
  };
}
function makeThings({ app, staff: token, own }: WorldParts) {
  return {
    async makeSensor(): Promise<string> {
      return (await app.expect(201, 'POST', '/api/sensors', { token, json: newSensor() })).sensor._id;
    },
    async makeRoom(): Promise<string> {
      const json = { name: `Room ${nextNumber()}` };
      return (await app.expect(201, 'POST', '/api/rooms', { token, json })).room._id;
    },
    async camera(): Promise<string> {
      const json = { name: 'Door', area: 'Hall', kind: 'browser' };
      return (await app.expect(201, 'POST', '/api/cameras', { token, json })).camera._id;
    },
    async evacuate(): Promise<string> {
      return (await app.expect(201, 'POST', '/api/evacuations', { token })).evacuation._id;
    },
    /** The path of somebody whom staff have asked to become a guardian of a child of the family. */
    async askedGuardian(): Promise<string> {
      const url = `/api/children/${(await app.makeChild(own))._id}/guardians`;
      await app.proveNow(token);
      const { guardian } = await app.expect(201, 'POST', url, { token, json: newParent() });
      return `${url}/${guardian.parentId}`;
    },
    /** The child of another family, whose guardian staff have asked the family to become. */
    async askedOwn(): Promise<string> {
      const { _id } = await app.makeChild(await app.makeFamily());
      await app.proveNow(token);
      const json = { name: own.name, email: own.email };
      await app.expect(201, 'POST', `/api/children/${_id}/guardians`, { token, json });
      return _id;
    },
    /** A collector of a child of the family. */
    async collector(): Promise<string> {
      const json = { name: `Samia Hassan ${nextNumber()}`, relation: 'Grandmother' };
      const url = `/api/children/${(await app.makeChild(own))._id}/collectors`;
      return (await app.expect(201, 'POST', url, { token: own.token, json })).collector._id;
    },
    /** A bar of a child with a collector of the same name, in a family of its own: later children of a family have its bars. */
    async bar(): Promise<{ id: string; adultId: string; version: string }> {
      const family = await app.makeFamily();
      const { _id } = await app.makeChild(family);
      const name = `Karim Adel ${nextNumber()}`;
      const url = `/api/children/${_id}`;
      const json = { name, relation: 'Uncle' };
      const { collector } = await app.expect(201, 'POST', `${url}/collectors`, { token: family.token, json });
      const { barred } = await app.expect(201, 'POST', `${url}/barred`, { token, json: { name } });
      const adult = collector._id;
      const version = await shownVersion(app, token, { child: _id, adult });
      return { id: barred._id, adultId: adult, version };
    },
    async visitor(): Promise<string> {
      const json = { name: 'A visitor' };
      return (await app.expect(201, 'POST', '/api/visitors', { token, json })).visitor._id;
    },
    /** When a child that is checked in for half an hour must be fetched. */
    async dueOf(childId: string): Promise<string> {
      const { child } = await app.expect(200, 'POST', `/api/children/checkin-child/${childId}`, { token });
      return new Date(Date.parse(String(child.entryTime)) + 30 * 60_000).toISOString();
    },
  };
}

function makePeopleOf({ app, staff, own, facility }: WorldParts & { readonly facility: string }) {
  return {
    async makeRole(permissions?: readonly Permission[]): Promise<string> {
      const json = newRole(permissions);
      return (await app.expect(201, 'POST', '/api/roles', { token: staff, json })).role._id;
    },
    async staffLink(): Promise<string> {
      const { id } = await app.makeEmployee();
      const link = { id: randomUUID(), issuer: 'https://id.test', subject: id, staff_id: id, created_at: 0 };
      await app.context.db
        .insertInto('oidc_links')
        .values({ ...link, confirmed_at: 0, ended_at: null })
        .execute();
      return `/api/admin/${id}/links/${link.id}`;
    },
    async staffPhoto(): Promise<string> {
      const { token } = await app.makeEmployee();
      await app.proveNow(token);
      const form = { photo: fakePhoto() };
      const { admin } = await app.expect(200, 'PUT', '/api/admin/me/profile', { token, form });
      return String(admin.photo);
    },
    /** A question that waits, by default one of somebody else. */
    async makeApproval(by?: string): Promise<string> {
      const id = randomUUID();
      const { db, clock } = app.context;
      const subject = { subject_kind: 'parent', subject_id: own.id } as const;
      const asked = {
        action: 'deleteParent',
        target: `${own.id}?`,
        asked_by: by ?? 'somebody',
        ...subject,
      } as const;
      await inFacility(facility, () =>
        db.transaction().execute((trx) => insertApproval(trx, id, asked, clock.now())),
      );
      return id;
    },
    async ownId(): Promise<string> {
      return (await app.expect(200, 'GET', '/api/admin/info', { token: staff })).admin._id;
    },
    /** A session of somebody with this role. */
    async signInWith(roleId: string): Promise<string> {
      const { id, token } = await app.makeEmployee();
      const json = { roles: [{ roleId, facilityId: facility }] };
      await app.expect(200, 'PUT', `/api/admin/${id}/roles`, { token: staff, json });
      return token;
    },
    async unverifiedEmployee(): Promise<string> {
      await app.forgetLimits();
      const json = {
        name: 'New',
        email: `new${nextNumber()}@haris.test`,
        password: 'a-staff-password',
        nationalId: makeNationalId(),
      };
      return (await app.expect(201, 'POST', '/api/admin/create-admin', { token: staff, json })).admin._id;
    },
  };
}

function makeKiosks({ app, staff: token }: WorldParts) {
  let spare: Promise<string> | undefined;
  const newKiosk = async (): Promise<string> =>
    (await app.expect(201, 'POST', '/api/kiosks', { token, json: { name: 'Door' } })).kiosk._id;
  /** A kiosk beside the one that makes the calls. */
  const kiosk = (): Promise<string> => {
    spare ??= newKiosk();
    return spare;
  };
  const kioskCode = async (id?: string): Promise<string> => {
    const url = `/api/kiosks/${id ?? (await kiosk())}/pairing`;
    return (await app.expect(201, 'POST', url, { token })).code;
  };
  /** Pairs a new desk tablet; returns its token. */
  const pairDesk = async (): Promise<string> => {
    const json = { name: 'Desk', kind: 'desk' };
    const { kiosk: made } = await app.expect(201, 'POST', '/api/kiosks', { token, json });
    const code = await kioskCode(made._id);
    return (await app.expect(200, 'POST', '/api/kiosk/pair', { json: { code, kind: 'desk' } })).token;
  };
  return { newKiosk, kiosk, kioskCode, pairDesk };
}

/** The family at the kiosk. */
function makeVisits({ app, staff, own, device }: WorldParts & { readonly device: string }) {
  const parentCode = async (): Promise<string> =>
    (await app.expect(201, 'POST', '/api/account/kiosk-code', { token: own.token })).code;
  const grant = async (): Promise<string> => {
    const json = { code: await parentCode() };
    return (await app.expect(200, 'POST', '/api/kiosk/identify', { token: device, json })).grant;
  };
  /** The visit and the request of a child that was announced at the kiosk. */
  const askedFor = async (childId: string): Promise<{ visit: string; id: string }> => {
    const json = { grant: await grant(), kind: 'check_in', childIds: [childId] };
    const { visit } = await app.expect(201, 'POST', '/api/kiosk/requests', { token: device, json });
    const { requests } = await app.expect(200, 'GET', '/api/kiosk-requests', { token: staff });
    return { visit, id: String(requests.find((one) => one.visit === visit)?._id) };
  };
  return { parentCode, grant, askedFor };
}
