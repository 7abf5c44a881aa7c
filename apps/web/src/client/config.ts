/** What the server tells the web app before anyone signs in, for the screens that need all of it. */
import { operationRoutes } from '@haris/contract/http/operations';
import type { QueryClient } from '@tanstack/react-query';
import { configAnswerQuery } from './config-answer.ts';
import type { AnswerOf } from './http.ts';
import { networkError } from './request.ts';

const route = operationRoutes.getClientConfig;

/** Fetched once per page. Throws ApiError; `PARSING_ERROR` for an answer that is not the contract's. */
export async function getConfig(client: QueryClient): Promise<AnswerOf<typeof route>> {
  const parsed = route.answer.safeParse(await client.ensureQueryData(configAnswerQuery));
  if (!parsed.success) throw networkError('PARSING_ERROR', 200);
  return parsed.data;
}
