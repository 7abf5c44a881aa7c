/** Calls of the contract over fetch, typed from the route table. Throws {@link ApiError}; never shows anything. */
import { errorBodySchema } from '@haris/contract/errors';
import type { PathParams, Route } from '@haris/contract/http/route';
import { ApiError } from './api-error.ts';
import { askForProof } from './proof.ts';
import { type CommonInput, networkError, type RequestInput, readBody, send } from './request.ts';
import { tokenDied } from './token-store.ts';

type Parsed<S> = S extends { _zod: { output: infer Output } } ? Output : never;
type Accepted<S> = S extends { _zod: { input: infer Input } } ? Input : never;
type Scalar = string | number | boolean | null | undefined;

/** What a route answers: its schema's output, `undefined` without a body, a Blob for an image. */
export type AnswerOf<R extends Route> = R['answer'] extends null
  ? undefined
  : R['answer'] extends string
    ? Blob
    : Parsed<R['answer']>;

type ParamsInput<R extends Route> = [PathParams<R['path']>] extends [never]
  ? { params?: undefined }
  : { params: Record<PathParams<R['path']>, string> };
/** Undefined, null and '' are left out. */
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
/** The input may be left out where a route needs none. */
type InputArguments<R extends Route> =
  Record<never, never> extends CallInput<R> ? [input?: CallInput<R>] : [input: CallInput<R>];

/**
 * Makes a call of the contract.
 * Throws {@link ApiError} for everything but success; an abort by the caller's own signal is rethrown as it is.
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

/** Opens a stream: the response is returned as soon as its head is there, and its body is the caller's. */
export async function openStream(
  route: Route,
  input: Pick<RequestInput, 'headers' | 'query'> & { signal: AbortSignal },
): Promise<Response> {
  return sendProved(route, input);
}

/** Sends; where the call wants a proof, asks for it and sends again. Answers a success, throws {@link ApiError} otherwise. */
async function sendProved(route: Route, input: RequestInput): Promise<Response> {
  for (let isFirst = true; ; isFirst = false) {
    const { response, token } = await send(route, input);
    if (response.ok) return response;
    const failure = await failureOf(response, token);
    const mayAsk = isFirst && failure.code === 'proof_required';
    if (!mayAsk || !(await askForProof(input.signal))) throw failure;
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
  return error;
}
