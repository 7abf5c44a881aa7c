/** The organisation's identity provider, at which staff may sign in. */
import { useQuery } from '@tanstack/react-query';
import { configAnswerQuery } from '../start/config-answer.ts';

/** Its name, isolated so that it stays together in Arabic text; null without one. */
export function useProviderName(): string | null {
  const { data } = useQuery(configAnswerQuery);
  if (typeof data !== 'object' || data === null || !('oidc' in data)) return null;
  const { oidc } = data;
  return typeof oidc === 'object' && oidc !== null && 'name' in oidc && typeof oidc.name === 'string'
    ? `\u2068${oidc.name}\u2069`
    : null;
}
