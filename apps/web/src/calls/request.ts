/**
 * Sends one request over fetch: address, token, time limit, server clock. Callers parse the response, so that the first
 * load needs no schemas. Throws {@link ApiError}; shows no message.
 */
import { EVENT_POSITION_HEADER, FACILITY_HEADER, SERVER_TIME_HEADER } from '@haris/contract/constants';
import type { Route } from '@haris/contract/http/route';
import { breathe } from '../start/breathe.ts';
import { ApiError } from './api-error.ts';
import { recordEventPosition } from './event-position.ts';
import { chosenFacility } from './facility-choice.ts';
import { recordServerTime } from './server-clock.ts';
import { getTokenState } from './token-store.ts';

type Scalar = string | number | boolean | null | undefined;

export interface CommonInput {
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Milliseconds until the call fails with TIMEOUT_ERROR; default 20 s. */
  timeoutMs?: number;
  /** Sends no token: an anonymous call, even with a session. */
  anonymous?: boolean;
  /** Sends and stores the cookie by which the server recognises this browser (contract §3). */
  device?: boolean;
  /** Base URL of another host (`registerUrl` of `/api/config`); by default this origin. */
  baseUrl?: string;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** The parts of a request, before the contract's types narrow it. */
export interface RequestInput extends CommonInput {
  params?: Record<string, string> | undefined;
  query?: Record<string, Scalar> | undefined;
  body?: unknown;
  form?: FormData | undefined;
}

/** Sends the request; resolves when the head of the response has arrived. */
export async function send(
  route: Pick<Route, 'method' | 'path' | 'answer'>,
  input: RequestInput,
): Promise<{ response: Response; token: string | null }> {
  const token = input.anonymous === true ? null : getTokenState().token;
  const headers = new Headers(input.headers);
  const facility = token === null ? null : chosenFacility();
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (facility !== null) headers.set(FACILITY_HEADER, facility);
  if (input.body !== undefined) headers.set('content-type', 'application/json');
  // Event streams and exports have no time limit, because they may take any time.
  const streaming = route.answer === 'text/event-stream' || route.answer === 'text/csv';
  headers.set('accept', typeof route.answer === 'string' ? route.answer : 'application/json');
  const signals = [
    ...(input.signal === undefined ? [] : [input.signal]),
    ...(streaming ? [] : [AbortSignal.timeout(input.timeoutMs ?? DEFAULT_TIMEOUT_MS)]),
  ];
  // Run each request in its own task: one takes a slow phone 10 ms, and a screen sends eight while it renders.
  await breathe();
  const startedAt = { wall: Date.now(), steady: performance.now() };
  let response: Response;
  try {
    response = await fetch(urlOf(route, input), {
      method: route.method,
      headers,
      body: input.form ?? (input.body === undefined ? null : JSON.stringify(input.body)),
      signal: AbortSignal.any(signals),
      // The token is the only credential; the device cookie grants no access.
      credentials: input.device === true ? 'same-origin' : 'omit',
      cache: 'no-store',
    });
  } catch (error) {
    throw translateFetchError(error, input.signal);
  }
  const serverTime = response.headers.get(SERVER_TIME_HEADER);
  if (serverTime !== null) recordServerTime(serverTime, startedAt);
  recordEventPosition(response.headers.get(EVENT_POSITION_HEADER));
  return { response, token };
}

function urlOf(route: Pick<Route, 'path'>, input: RequestInput): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const search = query.size === 0 ? '' : `?${query}`;
  return `${(input.baseUrl ?? '').replace(/\/$/, '')}${path}${search}`;
}

/** Reads the body of a response; a connection that breaks meanwhile is a network failure. */
export async function readBody<T>(read: () => Promise<T>, input: CommonInput): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SyntaxError) throw networkError('PARSING_ERROR', 200);
    throw translateFetchError(error, input.signal);
  }
}

function translateFetchError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return error;
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
  return networkError(timedOut ? 'TIMEOUT_ERROR' : 'FETCH_ERROR', 0);
}

const networkSentences = {
  FETCH_ERROR: 'Haris cannot be reached. Please check your connection.',
  TIMEOUT_ERROR: 'Haris did not answer in time. Please try again.',
  PARSING_ERROR: 'An unexpected error occurred.',
} as const;

/** Creates the error for a network failure: no response, or an invalid one. */
export function networkError(code: keyof typeof networkSentences, status: number): ApiError {
  return new ApiError({ code, status, message: networkSentences[code] });
}
