/** Calls of the contract over fetch, typed from the route table. Throws {@link ApiError}; shows no message. */
import { APPROVAL_HEADER } from '@haris/contract/constants';
import { errorBodySchema } from '@haris/contract/errors';
import type { PathParams, Route } from '@haris/contract/http/route';
import { ApiError } from './api-error.ts';
import { waitForApproval } from './approval.ts';
import { askForProof } from './proof.ts';
import { type CommonInput, networkError, type RequestInput, readBody, send } from './request.ts';
import { forgetFacility } from './switch-facility.ts';
import { tokenDied } from './token-store.ts';

type Parsed<S> = S extends { _zod: { output: infer Output } } ? Output : never;
type Accepted<S> = S extends { _zod: { input: infer Input } } ? Input : never;
type Scalar = string | number | boolean | null | undefined;

/** Result of a route: the output of its schema, `undefined` without a body, a Blob for an image. */
export type AnswerOf<R extends Route> = R['answer'] extends null
  ? undefined
  : R['answer'] extends string
    ? Blob
    : Parsed<R['answer']>;

type ParamsInput<R extends Route> = [PathParams<R['path']>] extends [never]
  ? { params?: undefined }
  : { params: Record<PathParams<R['path']>, string> };
/** Query values that are undefined, null or '' are omitted. */
type QueryInput<R extends Route> = R extends { query: infer Q }
  ? { query?: { [K in keyof Accepted<Q>]?: Scalar } }
  : { query?: undefined };
type BodyInput<R extends Route> = R extends { accepts: readonly (infer A)[] }
  ? 'multipart' extends A
    ? 'json' extends A
      ? { form: FormData; body?: undefined } | { form?: undefined; body: Accepted<R['body']> }
      : { form: FormData; body?: undefined }
    : { body: Accepted<R['body']>; form?: undefined }
  : R extends { body: infer B }
    ? { body: Accepted<B>; form?: undefined }
    : { body?: undefined; form?: undefined };

export type CallInput<R extends Route> = ParamsInput<R> & QueryInput<R> & BodyInput<R> & CommonInput;
/** The input is optional for a route that needs none. */
type InputArguments<R extends Route> =
  Record<never, never> extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>];

/**
 * Makes a call of the contract. Throws {@link ApiError} for every failure; an abort by the caller's own signal is
 * rethrown unchanged.
 */
export async function call<R extends Route>(route: R, ...[given]: InputArguments<R>): Promise<AnswerOf<R>> {
  const input: RequestInput = given ?? {};
  const response = await sendProved(route, input);
  const answer = route.answer;
  if (answer === null) return undefined as AnswerOf<R>;
  if (typeof answer === 'string') return (await readBody(() => response.blob(), input)) as AnswerOf<R>;
  const parsed = answer.safeParse(await readBody(() => response.json(), input));
  if (!parsed.success) throw networkError('PARSING_ERROR', response.status);
  return parsed.data as AnswerOf<R>;
}

/** Opens a stream. Resolves once the head of the response is there; the caller reads the body. */
export async function openStream(
  route: Route,
  input: Pick<RequestInput, 'headers' | 'query'> & { signal: AbortSignal },
): Promise<Response> {
  return sendProved(route, input);
}

/**
 * Sends a request; if the server requires a proof or a second person, asks once for each and sends again. Throws
 * {@link ApiError} for every failure.
 */
async function sendProved(route: Route, given: RequestInput): Promise<Response> {
  const asked = new Set<string>();
  let input = given;
  for (;;) {
    const { response, token } = await send(route, input);
    if (response.ok) return response;
    const failure = await failureOf(response, token);
    if (asked.has(failure.code)) throw failure;
    asked.add(failure.code);
    if (failure.code === 'proof_required') {
      const outcome = await askForProof(failure.methods, input.signal);
      failure.isDeclined = outcome === 'declined';
      if (outcome !== 'proved') throw failure;
    } else if (failure.code === 'approval_required' && failure.approval !== null) {
      if (!(await waitForApproval(failure.approval, input.signal))) throw failure;
      // A second person may answer after the proof that was given before has become too old.
      asked.delete('proof_required');
      input = { ...input, headers: { ...input.headers, [APPROVAL_HEADER]: failure.approval } };
    } else throw failure;
  }
}

async function failureOf(response: Response, token: string | null): Promise<ApiError> {
  const body = errorBodySchema.safeParse(await response.json().catch(() => null));
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  const error = body.success
    ? new ApiError({
        status: response.status,
        ...body.data,
        retryAfter: Number.isFinite(wait) ? wait : undefined,
      })
    : networkError('PARSING_ERROR', response.status);
  const sessionIsDead = response.status === 401 && (!body.success || body.data.code === 'unauthenticated');
  if (sessionIsDead && token !== null) tokenDied(token);
  if (error.code === 'unknown_facility') forgetFacility();
  return error;
}
