/**
 * Server of page tests, with handlers typed from the contract. A call without a handler, a violation of the contract, or
 * a call that the signed-in person's role does not include fails the test.
 */
import { SERVER_TIME_HEADER } from '@haris/contract/constants';
import { type ErrorBody, type ErrorCode, errorCatalogue } from '@haris/contract/errors';
import type { PathParams, Route } from '@haris/contract/http/route';
import type { Admin } from '@haris/contract/objects';
import type { Permission } from '@haris/contract/permissions';
import { delay, getResponse, HttpHandler, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { expect } from 'vitest';

type Accepted<S> = S extends { _zod: { input: infer Input } } ? Input : never;
type Parsed<S> = S extends { _zod: { output: infer Output } } ? Output : never;

/** Body of a successful response: the input of the route's schema, nothing, or text or bytes for another media type. */
type Answer<R extends Route> = R['answer'] extends null
  ? undefined
  : R['answer'] extends string
    ? Blob | string | ReadableStream<Uint8Array>
    : Accepted<R['answer']>;

/** Error codes that any call may fail with, besides those of its route. */
type CommonCode =
  | 'invalid_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'proof_required'
  | 'approval_required'
  | 'not_found'
  | 'too_many_attempts'
  | 'internal_error'
  | 'storage_full'
  | 'unavailable';

/** A call as received by the server. */
export interface Call<R extends Route> {
  readonly params: Record<PathParams<R['path']>, string>;
  readonly query: R extends { query: infer Q } ? Parsed<Q> : undefined;
  /** The parsed JSON body; undefined if the call sent a form. */
  readonly body: R extends { body: infer B } ? Parsed<B> : undefined;
  readonly form: FormData | null;
  readonly headers: Headers;
}

class Refusal<C extends ErrorCode> {
  readonly code: C;
  readonly body: ErrorBody;
  readonly retryAfter: number | undefined;
  constructor(code: C, body: ErrorBody, retryAfter: number | undefined) {
    this.code = code;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

const noConnection = Symbol('no connection');
const noAnswer = Symbol('no answer');

type Reply<R extends Route> =
  | Answer<R>
  | Refusal<R['errors'][number] | CommonCode>
  | typeof noConnection
  | typeof noAnswer;

/** A refusal by the server: status and sentence come from the catalogue. `retryAfter` in seconds. */
export function refuse<const C extends ErrorCode>(
  code: C,
  { retryAfter, ...more }: Partial<Omit<ErrorBody, 'code'>> & { retryAfter?: number } = {},
): Refusal<C> {
  return new Refusal(code, { code, message: errorCatalogue[code].message, ...more }, retryAfter);
}

/** The request never reaches the server. */
export const offline: typeof noConnection = noConnection;
/** The server does not respond while the test runs. */
export const pending: typeof noAnswer = noAnswer;

/** Violations of the contract by the page or the test, in words. */
let broken: string[] = [];

/** Records a violation; the test fails at its end. */
function breach(text: string): void {
  broken.push(text);
}

/** Fails if a call has violated the contract since the last check. */
export function expectContractKept(): void {
  const found = broken;
  broken = [];
  expect(found, 'calls against the contract').toEqual([]);
}

/** The staff member whose permissions count; null while no staff member is signed in. */
let staff: Admin | null = null;

/** Sets the signed-in staff member; null for a parent or nobody. */
export function setStaff(admin: Admin | null): void {
  staff = admin;
}

/** The permission behind each purpose of a ticket. */
const TICKET_PERMISSIONS: Readonly<Record<string, Permission>> = {
  photo: 'families.view',
  video: 'live.watch',
  sensors: 'sensors.view',
};

/** The permission that staff need for a call; null if every staff member may make it. */
function neededFor({ id, permission }: Route, body: unknown): Permission | null {
  if (permission === undefined || permission === 'own') return null;
  if (permission !== 'by-subject') return permission;
  if (id === 'getVideoFeed') return 'live.watch';
  const { for: subject = '' } = (body ?? {}) as { for?: string };
  return TICKET_PERMISSIONS[subject] ?? null;
}

/** Records a violation if the signed-in staff member lacks the permission; true if so. `name` identifies the request. */
export function lacks(needed: Permission | null, name: string): boolean {
  if (needed === null || staff === null || staff.permissions?.includes(needed)) return false;
  breach(`${name}: the own role lacks ${needed}`);
  return true;
}

/** The server itself: set-up.ts starts it, tests add handlers with `server.use`. */
export const server = setupServer();

/** Default handler for requests without a handler of the test. */
let house: readonly RequestHandler[] = [];

/** Sets the handlers that apply after those of the test; `[]` for none. */
export function setHouse(handlers: readonly RequestHandler[]): void {
  house = handlers;
}

/** Starts the server: the library intercepts sockets, {@link fetchFromServer} replaces `fetch`. */
export function startServer(): void {
  server.listen({ onUnhandledFrame: ({ frame }) => breach(`no handler for a ${frame.protocol} connection`) });
  globalThis.fetch = fetchFromServer;
}

/** Regular expressions of the handlers' address patterns. */
const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const known = patterns.get(path);
  if (known) return known;
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/:\w+/g, '[^/]+');
  const pattern = new RegExp(`^${source}/?$`);
  patterns.set(path, pattern);
  return pattern;
}

/**
 * False if a handler is for another method or address. The library asks each handler in turn, and each reads all cookies
 * and copies the request first.
 */
function mayAnswer({ info }: HttpHandler, method: string, address: string): boolean {
  if (typeof info.method === 'string' && info.method !== method) return false;
  return typeof info.path !== 'string' || patternOf(info.path).test(address);
}

/**
 * `fetch` that calls the handlers directly. The library's own path through Node's HTTP client takes fifty times as long
 * and cannot carry jsdom's forms.
 */
async function fetchFromServer(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const address = input instanceof Request ? input.url : input;
  const request = new Request(new URL(address, location.href), init);
  const { signal } = init;
  signal?.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Prevents an unhandled rejection if the signal aborts after the response.
  aborted.catch(() => {});
  const { origin, pathname } = new URL(request.url);
  const handlers = [...server.listHandlers(), ...house]
    .filter((handler) => handler instanceof HttpHandler)
    .filter((handler) => mayAnswer(handler, request.method, origin + pathname));
  const response = await Promise.race([getResponse(handlers, request), aborted]);
  if (response === undefined) breach(`no handler for ${request.method} ${new URL(request.url).pathname}`);
  if (response === undefined || response.type === 'error') throw new TypeError('Failed to fetch');
  if (response.body === null || !signal) return response;
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
}

async function readCall<R extends Route>(
  route: R,
  request: Request,
  params: Record<string, unknown>,
): Promise<Call<R>> {
  const name = `${route.method} ${route.path}`;
  const address = new URL(request.url);
  const query = route.query?.safeParse(Object.fromEntries(address.searchParams));
  if (query?.success === false) breach(`${name}: query ${query.error.message}`);
  if (route.query === undefined && address.search !== '') breach(`${name}: takes no query`);
  if (route.access !== 'visitor' && !request.headers.has('authorization')) breach(`${name}: sent no token`);
  const isForm = request.headers.get('content-type')?.startsWith('multipart/') === true;
  if (isForm && !route.accepts?.includes('multipart')) breach(`${name}: takes no form`);
  const form = isForm ? await request.formData() : null;
  const text = isForm ? '' : await request.text();
  const sent: unknown = form === null ? (text === '' ? undefined : JSON.parse(text)) : textParts(form);
  const body = route.body?.safeParse(sent);
  if (body?.success === false) breach(`${name}: body ${body.error.message}`);
  if (route.body === undefined && sent !== undefined && !isForm) breach(`${name}: takes no body`);
  for (const [file, need] of Object.entries(route.files ?? {}))
    if (isForm && need === 'required' && !(form?.get(file) instanceof Blob))
      breach(`${name}: ${file} is missing`);
  return { params, query: query?.data, body: body?.data, form, headers: request.headers } as Call<R>;
}

function textParts(form: FormData): Record<string, string> {
  const parts: Record<string, string> = {};
  form.forEach((value, name) => {
    if (typeof value === 'string') parts[name] = value;
  });
  return parts;
}

function respond(route: Route, answer: unknown): Response {
  const headers = { [SERVER_TIME_HEADER]: new Date().toISOString() };
  const init = { status: route.status, headers };
  if (route.answer === null) return new Response(null, init);
  if (typeof route.answer === 'string')
    return new Response(answer as BodyInit, {
      ...init,
      headers: { ...headers, 'content-type': route.answer },
    });
  const parsed = route.answer.safeParse(answer);
  if (!parsed.success) {
    breach(`${route.method} ${route.path}: the test's own answer ${parsed.error.message}`);
    return Response.error();
  }
  return Response.json(parsed.data, init);
}

/**
 * Handler of one route. `given` is the response, or a function of the call that returns it, possibly as a promise.
 * Accepts only bodies that the route's schema allows, and failures of the route or of any call.
 */
export function handle<R extends Route>(
  route: R,
  given: NoInfer<Reply<R> | ((call: Call<R>) => Reply<R> | Promise<Reply<R>>)>,
): RequestHandler {
  const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
  const path = `*${route.path.replace(/\{(\w+)\}/g, ':$1')}`;
  return http[method](path, async ({ request, params }) => {
    const call = await readCall(route, request, params);
    if (lacks(neededFor(route, call.body), `${route.method} ${route.path}`))
      return Response.json({ code: 'forbidden', message: errorCatalogue.forbidden.message }, { status: 403 });
    const reply = typeof given === 'function' ? await (given as (call: Call<R>) => unknown)(call) : given;
    if (reply === noConnection) return Response.error();
    if (reply === noAnswer) {
      await delay('infinite');
      return Response.error();
    }
    if (!(reply instanceof Refusal)) return respond(route, reply);
    const { code, body, retryAfter } = reply as Refusal<ErrorCode>;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return Response.json(body, { status: errorCatalogue[code].status, headers });
  });
}
