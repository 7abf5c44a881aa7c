import { accountRoutes } from '@haris/contract/http/accounts';
import { childRoutes } from '@haris/contract/http/children';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { call } from './http.ts';
import { listenForDeadToken, setToken } from './token-store.ts';

const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock);
  setToken('secret');
});

afterEach(() => {
  setToken(null);
  listenForDeadToken(() => {});
  fetchMock.mockReset();
  vi.unstubAllGlobals();
});

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  fetchMock.mockResolvedValueOnce(Response.json(body, { status, headers }));
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw new Error(`Expected an ApiError, got ${String(error)}`);
  return error;
}

function sent() {
  const [url, init] = fetchMock.mock.calls[0] ?? [];
  return { url, init, headers: new Headers(init?.headers) };
}

const admin = {
  _id: 'a',
  name: 'A',
  email: 'a@b.co',
  nationalId: null,
  emailVerified: true,
  language: null,
  setUpBy: null,
  roles: [],
};

describe('call', () => {
  it('sends the token, fills the path and leaves empty queries out', async () => {
    answer(200, { children: [], total: 0, nextCursor: null });
    await call(childRoutes.listChildren, {
      query: { search: 'a b&c', inside: true, cursor: '', limit: undefined },
    });
    expect(sent().url).toBe('/api/children/get-all-children?search=a+b%26c&inside=true');
    expect(sent().headers.get('authorization')).toBe('Bearer secret');
    fetchMock.mockClear();
    answer(200, { message: 'Deleted' });
    await call(childRoutes.deleteChild, { params: { id: 'x/../y' } });
    expect(sent().url).toBe('/api/children/delete-child/x%2F..%2Fy');
    expect(sent().init?.method).toBe('DELETE');
  });

  it('sends no token where the call is a visitor’s, and a refusal of it ends no session', async () => {
    const died = vi.fn();
    listenForDeadToken(died);
    answer(401, { code: 'unauthenticated', message: 'Please sign in' });
    const body = { name: 'A', email: 'a@b.co', phone: '01012345678', password: 'secret' };
    await failureOf(call(accountRoutes.addParent, { body, anonymous: true }));
    expect(sent().headers.has('authorization')).toBe(false);
    expect(died).not.toHaveBeenCalled();
  });

  it('sends JSON bodies, and answers what the schema says', async () => {
    answer(200, { token: 't', admin, surplus: 1 });
    const body = { email: 'a@b.co', password: 'password' };
    expect(await call(accountRoutes.adminLogin, { body })).toEqual({
      token: 't',
      admin: { ...admin, photo: null },
    });
    expect(sent().headers.get('content-type')).toBe('application/json');
    expect(sent().init?.body).toBe(JSON.stringify(body));
  });

  it('answers undefined for 204', async () => {
    fetchMock.mockResolvedValueOnce(new Response(null, { status: 204 }));
    expect(await call(accountRoutes.logout)).toBeUndefined();
  });

  it('throws what the server said, with fields, candidates and Retry-After', async () => {
    answer(400, {
      code: 'invalid_request',
      message: 'Invalid email format',
      fields: { email: 'Invalid email format' },
    });
    expect(await failureOf(call(accountRoutes.adminInfo))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: 'Invalid email format',
      fields: { email: 'Invalid email format' },
      isNetworkError: false,
    });
    answer(429, { code: 'too_many_attempts', message: 'Too many' }, { 'retry-after': '120' });
    expect((await failureOf(call(accountRoutes.adminInfo))).retryAfter).toBe(120);
  });

  it('names the failures of the network', async () => {
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect((await failureOf(call(accountRoutes.adminInfo))).code).toBe('FETCH_ERROR');
    fetchMock.mockRejectedValueOnce(new DOMException('late', 'TimeoutError'));
    expect((await failureOf(call(accountRoutes.adminInfo))).code).toBe('TIMEOUT_ERROR');
    fetchMock.mockResolvedValueOnce(new Response('<html>'));
    expect((await failureOf(call(accountRoutes.adminInfo))).code).toBe('PARSING_ERROR');
    answer(200, { admin: { name: 'no id' } });
    expect(await failureOf(call(accountRoutes.adminInfo))).toMatchObject({
      code: 'PARSING_ERROR',
      message: 'An unexpected error occurred.',
    });
    fetchMock.mockResolvedValueOnce(new Response('Bad gateway', { status: 502 }));
    expect(await failureOf(call(accountRoutes.adminInfo))).toMatchObject({
      code: 'PARSING_ERROR',
      status: 502,
    });
  });

  it('gives up after the time it was given', async () => {
    fetchMock.mockImplementationOnce(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    );
    expect((await failureOf(call(accountRoutes.adminInfo, { timeoutMs: 20 }))).code).toBe('TIMEOUT_ERROR');
  });

  it("rethrows the caller's own abort as it is", async () => {
    const controller = new AbortController();
    controller.abort();
    fetchMock.mockRejectedValueOnce(controller.signal.reason);
    await expect(call(accountRoutes.adminInfo, { signal: controller.signal })).rejects.toBe(
      controller.signal.reason,
    );
  });

  it('tells once that a session died, and not for a wrong password or without a token', async () => {
    const died = vi.fn();
    listenForDeadToken(died);
    answer(401, { code: 'invalid_credentials', message: 'Invalid email or password' });
    await failureOf(call(accountRoutes.adminLogin, { body: { email: 'a@b.co', password: 'x' } }));
    expect(died).not.toHaveBeenCalled();
    answer(401, { code: 'unauthenticated', message: 'Please sign in' });
    await failureOf(call(accountRoutes.adminInfo));
    expect(died).toHaveBeenCalledExactlyOnceWith('secret');
    setToken(null);
    answer(401, { code: 'unauthenticated', message: 'Please sign in' });
    await failureOf(call(accountRoutes.adminInfo));
    expect(died).toHaveBeenCalledOnce();
  });
});
