/** A colleague with a PIN for desk tablets, as the second member of staff of a hand-over. */
import type { TestApp } from './harness.ts';

const PIN = '835162';

/** The body's `proof` of a hand-over that a new colleague confirms. */
export async function makeSecond(app: TestApp): Promise<{ kind: 'second'; staffId: string; value: string }> {
  const { id, token } = await app.makeEmployee();
  await app.expect(200, 'PUT', '/api/account/desk-pin', { token, json: { pin: PIN } });
  return { kind: 'second', staffId: id, value: PIN };
}
