/** Passkeys of this browser. The library loads on first use. */
import type { NewPasskey, PasskeyAnswer } from '@haris/contract/http/factors';
import { isSecurePage } from '../ui/secure-page.ts';

/** The person closed the browser's dialog, or let it time out. */
export class PasskeyCancelled extends Error {
  override name = 'PasskeyCancelled';
}

/** Whether this page can use passkeys: they need https, or this machine itself. */
export function hasPasskeys(): boolean {
  return isSecurePage() && 'PublicKeyCredential' in window;
}

async function asked<T>(work: (library: typeof import('@simplewebauthn/browser')) => Promise<T>): Promise<T> {
  const library = await import('@simplewebauthn/browser');
  try {
    return await work(library);
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelled();
    throw error;
  }
}

type SignOptions = Parameters<typeof import('@simplewebauthn/browser').startAuthentication>[0]['optionsJSON'];
type MakeOptions = Parameters<typeof import('@simplewebauthn/browser').startRegistration>[0]['optionsJSON'];

/** Signs the server's challenge with a passkey. Throws {@link PasskeyCancelled}. */
export function signWithPasskey(options: Record<string, unknown>): Promise<PasskeyAnswer> {
  return asked(
    ({ startAuthentication }) =>
      startAuthentication({ optionsJSON: options as unknown as SignOptions }) as Promise<PasskeyAnswer>,
  );
}

/** Makes a passkey. Throws {@link PasskeyCancelled}; `InvalidStateError` if this device has one for the account. */
export function createPasskey(options: Record<string, unknown>): Promise<NewPasskey> {
  return asked(
    ({ startRegistration }) =>
      startRegistration({ optionsJSON: options as unknown as MakeOptions }) as Promise<NewPasskey>,
  );
}
