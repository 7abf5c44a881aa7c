/** Sends requests to a test app, and checks each response against its OpenAPI document. */
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { makeAnswerChecker, type OpenApiDocument } from './answers.ts';
import type { AnyBody } from './any-body.ts';
import { encodeForm, type FormParts } from './form.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** Parsed JSON; an empty object if the response has none. */
  readonly body: AnyBody;
}

export interface Ask {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart. */
  readonly form?: FormParts;
  /** Sent unchanged, with `headers`. */
  readonly payload?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Network address of the client; failed sign-ins are counted by it. */
  readonly from?: string;
}

export interface Asker {
  /** Sends a request, and checks the response against the OpenAPI document. */
  ask(method: Method, url: string, ask?: Ask): Promise<Answer>;
  /** Like {@link ask}, but fails the test for a different status. */
  expect(status: number, method: Method, url: string, ask?: Ask): Promise<AnyBody>;
}

/** Headers and payload of a request. */
async function encodeAsk({ token, json, form, payload, headers }: Ask) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (json !== undefined)
    return {
      payload: JSON.stringify(json),
      headers: { ...authorization, 'content-type': 'application/json', ...headers },
    };
  if (!form)
    return { ...(payload === undefined ? {} : { payload }), headers: { ...authorization, ...headers } };
  const encoded = await encodeForm(form);
  return {
    payload: encoded.payload,
    headers: { ...authorization, 'content-type': encoded.contentType, ...headers },
  };
}

export function makeAsker(app: FastifyInstance, document: OpenApiDocument): Asker {
  const checker = makeAnswerChecker(document);

  const ask: Asker['ask'] = async (method, url, asked = {}) => {
    const answer = await app.inject({
      method,
      url,
      ...(await encodeAsk(asked)),
      ...(asked.from ? { remoteAddress: asked.from } : {}),
    });
    const bytes = answer.rawPayload;
    checker.check(method, url, { status: answer.statusCode, headers: answer.headers, bytes });
    const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json');
    const body = (isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : {}) as AnyBody;
    return { status: answer.statusCode, headers: answer.headers, bytes, body };
  };

  return {
    ask,
    async expect(status, method, url, asked) {
      const answer = await ask(method, url, asked);
      expect(answer.status, `${method} ${url}: ${answer.bytes.toString('utf8').slice(0, 300)}`).toBe(status);
      return answer.body;
    },
  };
}
