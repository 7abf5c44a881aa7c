/** A request that the server has taken and whose body the test sends when it wants to. */
import { once } from 'node:events';
import { request } from 'node:http';

/** Resolves when the server has asked for the body; `finish` sends it and resolves with the status of the answer. */
export async function holdRequest(url: string, json: object): Promise<{ finish(): Promise<number> }> {
  const body = JSON.stringify(json);
  const outgoing = request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    outgoing.on('error', reject);
  });
  // A request that the test gives up must not fail the run outside of any test.
  answered.catch(() => {});
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  return {
    finish() {
      outgoing.end(body);
      return answered;
    },
  };
}
