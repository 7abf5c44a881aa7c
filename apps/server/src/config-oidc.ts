/** The settings of the organisation's identity provider (decision 046): the variables `OIDC_…`, off unless set. */
import { ConfigError } from '@haris/runtime/config';
import { isOwnMachine } from '@haris/runtime/own-machine';
import { z } from 'zod';
import { ALL_FACILITIES, MAIN_FACILITY } from './facility.ts';

/** Roles that a claim can give. The provider's operator never becomes an owner. */
const CLAIMED_ROLES = ['manager', 'teacher', 'desk', 'inspector'] as const;
type ClaimedRole = (typeof CLAIMED_ROLES)[number];

/** A role that a claim gives at a facility, or at all of them (`ALL_FACILITIES`). */
export interface ClaimedMembership {
  readonly role: ClaimedRole;
  /** Perhaps the id of no facility: the variable is read before the database is open. */
  readonly facility: string;
}

export interface OidcSettings {
  /** As configured; the provider's own spelling of its issuer is what links are stored with. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Shown on the button. */
  readonly name: string;
  readonly scope: string;
  /** Value of `acr` that stands for a second factor; null if no value does. */
  readonly mfaAcr: string | null;
  /** Null: accounts are only linked, and keep the role that they have in Haris. */
  readonly roles: {
    readonly claim: string;
    /** Of each facility the first pair counts whose value the person has; after one for all facilities, none does. */
    readonly pairs: readonly (ClaimedMembership & { readonly value: string })[];
  } | null;
}

const ROLE_PAIRS = `must be value=role or value=role@facility pairs, separated by commas, with the roles ${CLAIMED_ROLES.join(', ')} and the id of a facility or *`;
/** In a pair: every facility, also those to come. */
const EVERYWHERE = '*';

const rolePairs = z.string().transform((text, context) => {
  const pairs: (ClaimedMembership & { value: string })[] = [];
  for (const pair of text.split(',')) {
    // A value may contain the sign itself, as the names of LDAP groups do.
    const at = pair.lastIndexOf('=');
    const value = pair.slice(0, Math.max(at, 0)).trim();
    const given = membershipOf(pair.slice(at + 1).trim());
    if (value === '' || given === null) {
      context.addIssue({ code: 'custom', message: ROLE_PAIRS });
      return z.NEVER;
    }
    pairs.push({ value, ...given });
  }
  return pairs;
});

/** Reads `role` (at the main facility), `role@facility` or `role@*`; null if it is none of them. */
function membershipOf(text: string): ClaimedMembership | null {
  const [, name, place = MAIN_FACILITY] = /^([a-z]+)(?:@([\w-]{1,100}|\*))?$/.exec(text) ?? [];
  const role = CLAIMED_ROLES.find((one) => one === name);
  return role === undefined ? null : { role, facility: place === EVERYWHERE ? ALL_FACILITIES : place };
}

const line = (max: number) =>
  z
    .string()
    .transform((value) => value.trim())
    .refine(
      (value) => value.length <= max && !/\p{Cc}/u.test(value),
      `must be one line of up to ${max} characters`,
    );

/** The variables, for the schema of all settings. */
export const OIDC_VARIABLES = {
  OIDC_ISSUER: z
    .string()
    .transform((value) => value.trim())
    .refine(isIssuer, 'must be an address like https://login.example.org, or http:// on this machine')
    .optional(),
  OIDC_CLIENT_ID: line(200).optional(),
  OIDC_CLIENT_SECRET: line(2000).optional(),
  OIDC_NAME: line(40).optional(),
  OIDC_SCOPE: line(200)
    .refine((value) => value.split(/ +/).includes('openid'), 'must contain openid')
    .default('openid email profile'),
  OIDC_MFA_ACR: line(200).optional(),
  OIDC_ROLE_CLAIM: line(200).optional(),
  OIDC_ROLES: rolePairs.optional(),
};

function isIssuer(value: string): boolean {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return false;
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOwnMachine(url.hostname));
}

type Read = z.infer<z.ZodObject<typeof OIDC_VARIABLES>>;

/** Throws ConfigError for variables without those that they need. */
export function readOidc(read: Read): OidcSettings | null {
  const need = (name: keyof Read, beside: keyof Read): void => {
    if (read[name] === undefined && read[beside] !== undefined)
      throw new ConfigError(`${name} must be set with ${beside} (it is not set)`);
  };
  for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const)
    need(name, 'OIDC_ISSUER');
  for (const name of [
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
    'OIDC_NAME',
    'OIDC_MFA_ACR',
    'OIDC_ROLE_CLAIM',
  ] as const)
    need('OIDC_ISSUER', name);
  need('OIDC_ROLES', 'OIDC_ROLE_CLAIM');
  need('OIDC_ROLE_CLAIM', 'OIDC_ROLES');
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = read;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const { OIDC_ROLE_CLAIM: claim, OIDC_ROLES: pairs } = read;
  return {
    issuer,
    clientId,
    clientSecret,
    name: read.OIDC_NAME ?? '',
    scope: read.OIDC_SCOPE,
    mfaAcr: read.OIDC_MFA_ACR ?? null,
    roles: claim === undefined || pairs === undefined ? null : { claim, pairs },
  };
}
