/** Talks to the organisation's identity provider (decision 046). Knows no account. */
import { OIDC_PAGE } from '@haris/contract/constants';
import type { OidcAnswer } from '@haris/contract/http/oidc';
import type { Configuration, ServerMetadata } from 'openid-client';
import { AppError } from '../../app-error.ts';
import type { OidcSettings } from '../../config-oidc.ts';
import type { Context } from '../../context.ts';
import { type OidcPerson, readPerson } from './oidc-person.ts';

/** Loaded on first use: most installations have no provider. */
const library = () => import('openid-client');

/** Whole time of a step, with all its requests. Milliseconds. */
const STEP_MS = 10_000;
/** The provider's addresses are read again after this long. Milliseconds. */
const METADATA_MS = 3_600_000;
/** Accepted difference of the clocks. Seconds. */
const SKEW_S = 60;
/** Age of the provider's own session at which it asks the person again. Seconds. */
const MAX_AGE_S = 12 * 3600;

/** Secrets of an attempt, kept until the provider answers. */
export interface AttemptSecrets {
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcProvider {
  readonly settings: OidcSettings;
  /** The address at which the person signs in. `again`: even if the person is already signed in at the provider. */
  begin(
    state: string,
    options: { again: boolean },
  ): Promise<{ url: string; issuer: string; secrets: AttemptSecrets }>;
  /** The person for whom the provider answered. Throws `oidc_failed`, `oidc_denied`, `oidc_unavailable`. */
  finish(answer: OidcAnswer, issuer: string, secrets: AttemptSecrets): Promise<OidcPerson>;
}

/** The configured provider; null if none is configured. Connects on first use. */
export function openOidcProvider(context: Context): OidcProvider | null {
  const settings = context.config.oidc;
  if (settings === null) return null;
  const redirectUri = () => `${context.publicUrl()}${OIDC_PAGE}`;
  const readMetadata = openMetadata(context, settings);

  /** Runs a step with a time limit, and translates what goes wrong. */
  const step = async <T>(work: (configuration: Configuration) => Promise<T>): Promise<T> => {
    const deadline = AbortSignal.timeout(STEP_MS);
    try {
      return await work(await configure(context, settings, await readMetadata(), deadline));
    } catch (error) {
      throw await translate(context, error);
    }
  };

  return {
    settings,
    begin: (state, { again }) =>
      step(async (configuration) => {
        const client = await library();
        const secrets = { nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri(),
          scope: settings.scope,
          state,
          nonce: secrets.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
          ...(settings.mfaAcr === null ? {} : { acr_values: settings.mfaAcr }),
          ...(again ? { prompt: 'login', max_age: '0' } : { max_age: String(MAX_AGE_S) }),
        });
        return { url: url.href, issuer: configuration.serverMetadata().issuer, secrets };
      }),
    finish: (answer, issuer, { nonce, verifier }) =>
      step(async (configuration) => {
        const client = await library();
        // Another provider was configured meanwhile.
        if (configuration.serverMetadata().issuer !== issuer) throw new AppError('oidc_failed');
        const answered = new URL(redirectUri());
        for (const [name, value] of Object.entries(answer))
          if (value !== undefined) answered.searchParams.set(name, value);
        const tokens = await client.authorizationCodeGrant(configuration, answered, {
          expectedState: answer.state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new AppError('oidc_failed');
        // Many providers tell e-mail and roles there only.
        const info =
          configuration.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
        const person = readPerson(settings, claims, info);
        if (!person) throw new AppError('oidc_failed');
        return person;
      }),
  };
}

/** Reads the provider's metadata, and keeps it for an hour. Simultaneous readers share a request. */
function openMetadata(context: Context, settings: OidcSettings): () => Promise<ServerMetadata> {
  let kept: { readonly at: number; readonly metadata: ServerMetadata } | undefined;
  let reading: Promise<ServerMetadata> | undefined;
  const read = async (): Promise<ServerMetadata> => {
    const client = await library();
    const found = await client.discovery(new URL(settings.issuer), settings.clientId, undefined, undefined, {
      timeout: STEP_MS / 1000,
      ...(isPlain(settings) ? { execute: [client.allowInsecureRequests] } : {}),
    });
    kept = { at: context.clock.now(), metadata: found.serverMetadata() };
    return kept.metadata;
  };
  return async () => {
    if (kept && Math.abs(context.clock.now() - kept.at) < METADATA_MS) return kept.metadata;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Only an issuer on this machine may be without TLS: see config-oidc.ts. */
function isPlain({ issuer }: OidcSettings): boolean {
  return new URL(issuer).protocol === 'http:';
}

async function configure(
  context: Context,
  settings: OidcSettings,
  metadata: ServerMetadata,
  deadline: AbortSignal,
): Promise<Configuration> {
  const client = await library();
  const methods = metadata.token_endpoint_auth_methods_supported;
  const secret = settings.clientSecret;
  const configuration = new client.Configuration(
    metadata,
    settings.clientId,
    {
      [client.clockSkew]: Math.round((context.clock.now() - Date.now()) / 1000),
      [client.clockTolerance]: SKEW_S,
    },
    methods === undefined || methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret),
  );
  // The signature is checked too, not only the connection that the token came over.
  client.enableNonRepudiationChecks(configuration);
  if (isPlain(settings)) client.allowInsecureRequests(configuration);
  configuration[client.customFetch] = (url, { signal, ...options }) =>
    fetch(url, {
      ...options,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    } as RequestInit);
  return configuration;
}

/** Errors of an authorization response after which the person can try again at once. */
const BUSY = ['server_error', 'temporarily_unavailable'];
/** Codes of the library for answers that no working provider gives. */
const BROKEN = [
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/** The error for the person; the log gets only its code. */
async function translate(context: Context, error: unknown): Promise<AppError> {
  if (error instanceof AppError) return error;
  const client = await library();
  const reason = error instanceof Error && 'code' in error ? String(error.code) : nameOf(error);
  const detail =
    error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError
      ? error.error.slice(0, 60)
      : undefined;
  context.log.warn({ reason, ...(detail === undefined ? {} : { detail }) }, 'the identity provider refused');
  if (error instanceof client.AuthorizationResponseError)
    return new AppError(BUSY.includes(error.error) ? 'oidc_unavailable' : 'oidc_denied');
  // Anything but a code that is used, old or somebody else's is a wrong setting here or there.
  if (error instanceof client.ResponseBodyError)
    return new AppError(error.error === 'invalid_grant' ? 'oidc_failed' : 'oidc_unavailable');
  const isAway = error instanceof TypeError || nameOf(error) === 'TimeoutError' || BROKEN.includes(reason);
  return new AppError(isAway ? 'oidc_unavailable' : 'oidc_failed');
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
