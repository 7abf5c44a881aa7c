/** A request whose body arrives after its headers: the server reads it after it has looked at the token. */
import { Readable } from 'node:stream';
import type { Ask } from './ask.ts';
import { encodeForm } from './form.ts';
import type { TestApp } from './harness.ts';

/** Sends the headers, and the body only once `meanwhile` is done. */
export async function askSlowly(
  { app }: Pick<TestApp, 'app'>,
  method: 'POST' | 'PUT',
  url: string,
  { token, json, form, headers: more }: Pick<Ask, 'token' | 'json' | 'form' | 'headers'>,
  meanwhile: () => Promise<unknown>,
): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const sent = form === undefined ? undefined : await encodeForm(form);
  const body = sent?.payload ?? Buffer.from(JSON.stringify(json));
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
    'content-type': sent?.contentType ?? 'application/json',
    'content-length': String(body.length),
    ...more,
  };
  const answer = await app.inject({ method, url, headers, payload });
  return { status: answer.statusCode, code: (answer.json() as { code?: string }).code };
}
