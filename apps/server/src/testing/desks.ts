/** Desk tablets and staff at them, made through the calls of a test app. */
import type { Answer, Employee, TestApp } from './harness.ts';

export interface TestDesk {
  readonly id: string;
  readonly token: string;
}

export async function makeDesk(app: TestApp, name = 'Front desk'): Promise<TestDesk> {
  const json = { name, kind: 'desk' };
  const { kiosk } = await app.expect(201, 'POST', '/api/kiosks', { token: await app.staff(), json });
  return { id: kiosk._id, token: await pairDeskAgain(app, kiosk._id) };
}

/** Pairs a device with an existing desk tablet; returns its token. */
export async function pairDeskAgain(app: TestApp, id: string): Promise<string> {
  const { code } = await app.expect(201, 'POST', `/api/kiosks/${id}/pairing`, { token: await app.staff() });
  return (await app.expect(200, 'POST', '/api/kiosk/pair', { json: { code, kind: 'desk' } })).token;
}

/** An employee with this PIN. */
export async function makeColleague(app: TestApp, name: string, pin: string): Promise<Employee> {
  const employee = await app.makeEmployee({ name });
  await app.expect(200, 'PUT', '/api/account/desk-pin', { token: employee.token, json: { pin } });
  return employee;
}

export function tryStaffPin(app: TestApp, desk: TestDesk, staffId: string, pin: string): Promise<Answer> {
  return app.ask('POST', '/api/desk/sign-in', { token: desk.token, json: { staffId, pin } });
}

/** Signs in at the tablet; returns the session's token. */
export async function takeDesk(app: TestApp, desk: TestDesk, staffId: string, pin: string): Promise<string> {
  const json = { staffId, pin };
  return (await app.expect(200, 'POST', '/api/desk/sign-in', { token: desk.token, json })).token;
}
