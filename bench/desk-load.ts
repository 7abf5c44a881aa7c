/** The load of a desk for benches: check-in with checkout, and reads of staff. */
import autocannon from 'autocannon';
import { nurseryStaff } from '../apps/server/src/testing/nursery.ts';

export const CONNECTIONS = 10;

interface Figures {
  answers: number;
  seconds: number;
  ms: number[];
}

export const children = '/api/children';
export const workloads = ['check-in + checkout', 'children inside (50)', 'staff info'] as const;
type Workload = (typeof workloads)[number];

/** Sends requests for some seconds; throws if a response is not 200. */
export async function load(
  url: string,
  token: string,
  workload: Workload,
  seconds: number,
  ids: string[],
): Promise<Figures> {
  const free = [...ids];
  const ms: number[] = [];
  let wrong: string | undefined;
  const path =
    workload === 'staff info' ? '/api/admin/info' : `${children}/get-all-children?inside=true&limit=50`;
  const run = autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
    ...(workload === 'check-in + checkout'
      ? {
          // One child per connection, checked in and out alternately.
          setupClient(client) {
            const id = free.pop();
            client.setRequests([
              { method: 'POST', path: `${children}/checkin-child/${id}` },
              { method: 'POST', path: `${children}/checkout-child/${id}` },
            ]);
          },
        }
      : { requests: [{ method: 'GET', path }] }),
  });
  run.on('response', (_client, status, _bytes, took) => {
    if (status !== 200) wrong = `${workload}: ${status}`;
    ms.push(took);
  });
  run.on('reqError', (error) => {
    wrong = error.message;
  });
  const { duration } = await run;
  if (wrong) throw new Error(`${url}: ${wrong}`);
  return { answers: ms.length, seconds: duration, ms };
}

/** Signs the first administrator in; returns the token. */
export async function signIn(url: string): Promise<string> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = nurseryStaff;
  const answer = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { token: string }).token;
}

/** Checks out everyone whom a measurement left inside, except those who should be inside. */
export async function settle(url: string, token: string, ids: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  for (const id of ids) await fetch(`${url}${children}/checkout-child/${id}`, { method: 'POST', headers });
}
