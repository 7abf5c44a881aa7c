/** Kiosks and families at them, made through the calls of a test app. */
import type { KioskChild, KioskRequestKind, KioskVisit } from '@haris/contract/http/kiosk';
import type { Answer, Family, TestApp } from './harness.ts';

export interface TestKiosk {
  readonly id: string;
  readonly token: string;
}

/** The answer to a kiosk for an identified family. */
export interface AtKiosk {
  readonly grant: string;
  readonly children: readonly KioskChild[];
  readonly durationInMinutes: number;
}

export async function makeKiosk(app: TestApp, name = 'Entrance'): Promise<TestKiosk> {
  const token = await app.staff();
  const { kiosk } = await app.expect(201, 'POST', '/api/kiosks', { token, json: { name } });
  return { id: kiosk._id, token: await pairAgain(app, kiosk._id) };
}

/** Pairs a device with an existing kiosk; returns its token. */
export async function pairAgain(app: TestApp, id: string): Promise<string> {
  const { code } = await app.expect(201, 'POST', `/api/kiosks/${id}/pairing`, { token: await app.staff() });
  return (await app.expect(200, 'POST', '/api/kiosk/pair', { json: { code } })).token;
}

/** Sets the PIN of a family with a fresh proof. */
export async function setPin(app: TestApp, family: Family, pin: string): Promise<void> {
  await app.proveNow(family.token);
  await app.expect(200, 'PUT', '/api/account/kiosk-pin', { token: family.token, json: { pin } });
}

/** Tries digits and a PIN at a kiosk. */
export function tryPin(app: TestApp, kiosk: TestKiosk, digits: string, pin: string): Promise<Answer> {
  return app.ask('POST', '/api/kiosk/identify', { token: kiosk.token, json: { digits, pin } });
}

/** Proves a family at a kiosk by the code of its page. */
export async function comeTo(app: TestApp, kiosk: TestKiosk, family: Family): Promise<AtKiosk> {
  const { code } = await app.expect(201, 'POST', '/api/account/kiosk-code', { token: family.token });
  const answer = await app.expect(200, 'POST', '/api/kiosk/identify', { token: kiosk.token, json: { code } });
  return answer as unknown as AtKiosk;
}

export interface Asking {
  readonly kind?: KioskRequestKind;
  readonly durationInMinutes?: number;
}

/** Comes to the kiosk and asks for these children. */
export async function askFor(
  app: TestApp,
  kiosk: TestKiosk,
  family: Family,
  childIds: readonly string[],
  { kind = 'check_in', durationInMinutes }: Asking = {},
): Promise<KioskVisit> {
  const { grant } = await comeTo(app, kiosk, family);
  const json = { grant, kind, childIds, durationInMinutes };
  const visit = await app.expect(201, 'POST', '/api/kiosk/requests', { token: kiosk.token, json });
  return visit as unknown as KioskVisit;
}

/** The outcome of a visit. */
export async function stateOf(
  app: TestApp,
  kiosk: TestKiosk,
  visit: string,
): Promise<KioskVisit['children']> {
  const url = `/api/kiosk/requests/${visit}`;
  return ((await app.expect(200, 'GET', url, { token: kiosk.token })) as unknown as KioskVisit).children;
}
