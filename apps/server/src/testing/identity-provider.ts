/** A real identity provider (`oidc-provider`) on the loopback interface, and a browser that signs in there. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type InteractionResults } from 'oidc-provider';

const CLIENT_ID = 'haris';
const CLIENT_SECRET = 'the secret of the client';
export const PROVIDER_NAME = 'Sunrise Group';

type Claims = Record<string, unknown>;

/** The person who signs in next, and the provider's claims about them. */
export interface Visitor {
  readonly sub: string;
  /** For the userinfo endpoint: `email`, `email_verified`, `name`, `groups`. */
  readonly claims?: Claims;
  readonly amr?: string[];
  readonly acr?: string;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Settings of Haris for this provider. */
  readonly config: Readonly<Record<string, string>>;
  visitor: Visitor;
  /** Error with which the person comes back instead of signing in; null to sign in. */
  refusal: string | null;
  /** Changes the ID token's claims, which are then signed again; null to leave them. */
  rewrite: ((claims: Claims) => Claims) | null;
  /** Changes the signed ID token. */
  tamper: ((token: string) => string) | null;
  /** Number of interactions in which the person was asked. */
  asked: number;
  /** Answers 500 to everything. */
  isDown: boolean;
  /** A new browser, with no session at the provider. Signs in and returns the query of the page that it ends at. */
  browser(): (url: string) => Promise<Record<string, string>>;
  close(): Promise<void>;
}

function makeKey(): { jwk: Record<string, unknown>; key: KeyObject } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  return { jwk, key: createPrivateKey({ key: jwk as never, format: 'jwk' }) };
}

/** Signs claims as the provider does. */
function signToken(key: KeyObject, claims: Claims): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${encode({ alg: 'RS256', typ: 'JWT', kid: 'one' })}.${encode(claims)}`;
  return `${body}.${sign('RSA-SHA256', Buffer.from(body), key).toString('base64url')}`;
}

function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims;
}

function makeProvider(
  issuer: string,
  redirectUri: string,
  jwk: Record<string, unknown>,
  me: IdentityProvider,
) {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [jwk] } as never,
    cookies: { keys: ['a key for the cookies'] },
    claims: {
      openid: ['sub', 'amr', 'acr', 'auth_time'],
      email: ['email', 'email_verified'],
      profile: ['name', 'groups'],
    },
    features: { devInteractions: { enabled: false } },
    ttl: {
      IdToken: 600,
      AccessToken: 600,
      AuthorizationCode: 300,
      Grant: 600,
      Interaction: 600,
      Session: 86_400,
    },
    acrValues: ['urn:two-factors'],
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: async (_context, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, ...(sub === me.visitor.sub ? me.visitor.claims : {}) }),
    }),
    // Everybody has agreed already.
    async loadExistingGrant({ oidc: { provider, client, session } }) {
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    renderError: async (context, out) => {
      context.body = out;
    },
  });
}

/** Replaces the ID token in an answer of the token endpoint, as `me` says. */
function rewriteAnswer(me: IdentityProvider, key: KeyObject, response: ServerResponse): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    const text = String(body ?? '');
    if (!text.includes('"id_token":')) return end(body);
    const answer = JSON.parse(text) as { id_token: string };
    let token = answer.id_token;
    if (me.rewrite) token = signToken(key, me.rewrite(claimsOf(token)));
    if (me.tamper) token = me.tamper(token);
    const changed = JSON.stringify({ ...answer, id_token: token });
    response.setHeader('content-length', Buffer.byteLength(changed));
    return end(changed);
  }) as typeof response.end;
}

/** Opens a provider that knows Haris at `publicUrl`. */
export async function openIdentityProvider(publicUrl: string, port = 0): Promise<IdentityProvider> {
  const { jwk, key } = makeKey();
  let handle = (_request: IncomingMessage, _response: ServerResponse): void => {};
  const server: Server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${publicUrl}/oidc`;
  const me: IdentityProvider = {
    issuer,
    config: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: PROVIDER_NAME,
    },
    visitor: { sub: 'nobody' },
    refusal: null,
    rewrite: null,
    tamper: null,
    asked: 0,
    isDown: false,
    browser: () => openBrowser(redirectUri),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = makeProvider(issuer, redirectUri, jwk, me);
  const answer = provider.callback();
  handle = (request, response) => {
    if (me.isDown) {
      response.writeHead(500).end('down');
    } else if (request.url?.startsWith('/interaction/')) {
      me.asked += 1;
      const { sub: accountId, amr, acr } = me.visitor;
      const result: InteractionResults =
        me.refusal === null
          ? { login: { accountId, ...(amr ? { amr } : {}), ...(acr ? { acr } : {}) } }
          : { error: me.refusal, error_description: 'refused by the test' };
      void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    } else {
      rewriteAnswer(me, key, response);
      void answer(request, response);
    }
  };
  return me;
}

/** Follows redirects with cookies, until one leads to Haris. */
function openBrowser(redirectUri: string): (url: string) => Promise<Record<string, string>> {
  const jar = new Map<string, string>();
  return async (start) => {
    let url = start;
    for (let hops = 0; hops < 10; hops++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      const next = response.headers.get('location');
      if (next === null)
        throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
      url = new URL(next, url).href;
      if (url.startsWith(redirectUri)) return Object.fromEntries(new URL(url).searchParams);
    }
    throw new Error('the provider sends in circles');
  };
}
