/** Calls of signing in, registering, verifying and setting passwords. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { vouchingRoutes } from '@haris/contract/http/vouching';
import type { AccountKind } from '@haris/contract/roles';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { type SignedIn, startSession } from '../../client/session.tsx';
import { currentLanguage, i18n } from '../../i18n/i18n.ts';
import { notifySuccess } from '../../ui/toast.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** Signs in; on success the session stands and the notice is shown, where to go is the screen's. */
export function useLogin(kind: AccountKind) {
  const client = useQueryClient();
  return useMutation<SignedIn, unknown, Credentials>({
    mutationFn: (body) =>
      kind === 'admin'
        ? call(accountRoutes.adminLogin, { body, device: true })
        : call(accountRoutes.parentLogin, { body, device: true }),
    onSuccess: (signedIn) => {
      startSession(client, signedIn);
      notifySuccess(i18n.t('auth:login.success'));
    },
    onError: (error) => showFailure(error),
  });
}

export interface Registration extends Credentials {
  name: string;
  phone: string;
}

/**
 * Registers a parent; mails are written in the language of the page. Without a token: a dead one that is still kept here
 * would be refused, and that of staff would make it an invitation.
 */
export function useRegister() {
  return useMutation({
    mutationFn: (registration: Registration) =>
      call(accountRoutes.addParent, {
        body: { ...registration, language: currentLanguage() },
        anonymous: true,
      }),
    onError: (error) => showFailure(error, i18n.t('auth:register.failed')),
  });
}

/**
 * Verifies an e-mail. A token works once, so that the call is made exactly once per page: not again on focus, on
 * reconnection or when React mounts twice, and (no `signal`) never aborted half-way.
 */
export function useVerification(kind: AccountKind, token: string) {
  const route = kind === 'admin' ? accountRoutes.verifyAdminEmail : accountRoutes.verifyParentEmail;
  return useQuery({
    queryKey: ['verification', kind, token],
    queryFn: () => call(route, { params: { token }, device: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** "I did not register this": deletes the account that the mailed link belongs to. */
export function useDisownRegistration(token: string) {
  return useMutation({
    mutationFn: () => call(vouchingRoutes.disownRegistration, { params: { token } }),
    onError: (error) => showFailure(error),
  });
}

export function useForgotPassword(kind: AccountKind) {
  return useMutation({
    mutationFn: ({ email }: { email: string }) =>
      call(accountRoutes.forgotPassword, { body: { email, kind }, device: true }),
    onError: (error) => showFailure(error),
  });
}

export function useResetPassword(token: string) {
  return useMutation({
    mutationFn: ({ password }: { password: string }) =>
      call(accountRoutes.resetPassword, { body: { token, password }, device: true }),
    onError: (error) => showFailure(error),
  });
}
