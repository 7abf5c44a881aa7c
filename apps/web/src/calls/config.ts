/** The server's public configuration, for the screens that need all of it. */
import { operationRoutes } from '@haris/contract/http/operations';
import type { QueryClient } from '@tanstack/react-query';
import { configAnswerQuery } from '../start/config-answer.ts';
import type { AnswerOf } from './http.ts';
import { networkError } from './request.ts';

const route = operationRoutes.getClientConfig;

/**
 * Reads the configuration, fetched once per page. Throws ApiError; `PARSING_ERROR` for a response that violates the
 * contract.
 */
export async function getConfig(client: QueryClient): Promise<AnswerOf<typeof route>> {
  const parsed = route.answer.safeParse(await client.ensureQueryData(configAnswerQuery));
  if (!parsed.success) throw networkError('PARSING_ERROR', 200);
  return parsed.data;
}
