/** Calls for signing in, registering, verifying and setting passwords. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { factorRoutes, type SecondStep } from '@haris/contract/http/factors';
import { type OidcAnswer, oidcRoutes } from '@haris/contract/http/oidc';
import { registrationRoutes } from '@haris/contract/http/registration';
import { vouchingRoutes } from '@haris/contract/http/vouching';
import type { AccountKind } from '@haris/contract/roles';
import { useMutation, useQuery } from '@tanstack/react-query';
import { showFailure } from '../../calls/failure.ts';
import { type AnswerOf, call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { currentLanguage } from '../../i18n/i18n.ts';
import type { FactorAnswer } from '../../second-factor/factor-form.tsx';
import { signWithPasskey } from '../../second-factor/passkeys.ts';
import type { SignedIn } from '../../session/session.tsx';

export type Credentials = { email: string; password: string };

/** The session, or the data for a second step. */
export function login(kind: AccountKind, body: Credentials): Promise<SignedIn | SecondStep> {
  return kind === 'admin'
    ? call(accountRoutes.adminLogin, { body, device: true })
    : call(accountRoutes.parentLogin, { body, device: true });
}

/** Second step of {@link login}. */
export function finishLogin(challenge: string, answer: FactorAnswer): Promise<SignedIn> {
  return call(factorRoutes.finishSignIn, { body: { challenge, ...answer }, device: true, anonymous: true });
}

/** Signs in to either kind of account with only a passkey. Throws `PasskeyCancelled`. */
export async function loginByPasskey(kind: AccountKind): Promise<SignedIn> {
  const options = { device: true, anonymous: true } as const;
  const { challenge, passkey } = await call(factorRoutes.beginPasskeySignIn, { body: { kind }, ...options });
  const answer = await signWithPasskey(passkey);
  return call(factorRoutes.signInByPasskey, { body: { challenge, passkey: answer }, ...options });
}

/** The address of the identity provider. Sent without a token, like {@link login}. */
export function beginAtProvider(returnTo: string) {
  return call(oidcRoutes.beginOidc, { body: { returnTo }, device: true, anonymous: true });
}

/** The session, or the data for a second step. */
export function finishAtProvider(answer: OidcAnswer) {
  return call(oidcRoutes.finishOidc, { body: answer, device: true, anonymous: true });
}

/** Proves the stored session. */
export function proveAtProvider(answer: OidcAnswer) {
  return call(oidcRoutes.finishOidcProof, { body: answer, device: true });
}

export type Registration = Credentials & { name: string; phone: string };

/**
 * Registers a parent; mails are in the language of the page. Sent without a token: the server would refuse a stored
 * dead token, and a staff member's token would turn the call into an invitation.
 */
export function register(registration: Registration) {
  const body = { ...registration, language: currentLanguage() };
  return call(accountRoutes.addParent, { body, anonymous: true });
}

async function verify(kind: AccountKind, token: string): Promise<Verified> {
  const options = { params: { token }, device: true } as const;
  if (kind === 'admin') return call(accountRoutes.verifyAdminEmail, options);
  return call(accountRoutes.verifyParentEmail, { ...options, query: { showUsed: 'true' } });
}

type Verified =
  | AnswerOf<typeof accountRoutes.verifyAdminEmail>
  | AnswerOf<typeof accountRoutes.verifyParentEmail>;

/**
 * Signs in with a link that was opened and the key of the browser that registered. An answer without `signedIn`: only the
 * password does.
 */
export function useStartByLink(token: string) {
  return useMutation({
    mutationFn: (browserKey: string) =>
      call(registrationRoutes.startParent, {
        params: { token },
        body: { browserKey },
        device: true,
        anonymous: true,
      }),
    onError: (error) => showFailure(error),
  });
}

/**
 * Verifies an e-mail. A token works once, so the call must run exactly once per page: never again on focus, on
 * reconnection or when React mounts twice, and never aborted half-way (no `signal`). Otherwise the page would say “already
 * verified” to people who have just opened the link, and a link of staff would look invalid.
 */
export function useVerification(kind: AccountKind, token: string, isWanted: boolean) {
  return useQuery({
    queryKey: [keys.verification, kind, token],
    queryFn: () => verify(kind, token),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** "I did not register this": deletes the account that the mailed link belongs to. */
export function useDisownRegistration(token: string, onSuccess: () => void) {
  return useMutation({
    // Without the session, which ends with the account: the answer would otherwise be taken for a dead one's.
    mutationFn: () => call(vouchingRoutes.disownRegistration, { params: { token }, anonymous: true }),
    onSuccess,
    onError: (error) => showFailure(error),
  });
}
