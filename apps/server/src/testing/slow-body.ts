/** A request whose body arrives after its headers: the server reads it after it has looked at the token. */
import { Readable } from 'node:stream';
import type { Ask } from './ask.ts';
import type { TestApp } from './harness.ts';

/** Sends the headers, and the body only once `meanwhile` is done. */
export async function askSlowly(
  { app }: Pick<TestApp, 'app'>,
  method: 'POST' | 'PUT',
  url: string,
  { token, json, headers: more }: Pick<Ask, 'token' | 'json' | 'headers'>,
  meanwhile: () => Promise<unknown>,
): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const body = Buffer.from(JSON.stringify(json));
  let isAsked = false;
  const payload = new Readable({
    read() {
      if (isAsked) return;
      isAsked = true;
      void meanwhile().then(() => {
        this.push(body);
        this.push(null);
      });
    },
  });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...more,
  };
  const answer = await app.inject({ method, url, headers, payload });
  return { status: answer.statusCode, code: (answer.json() as { code?: string }).code };
}
