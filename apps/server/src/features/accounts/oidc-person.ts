/** Reads a person and the roles of the claim from an identity provider's answer (decision 046). Pure. */
import { nameSchema, staffEmailSchema } from '@haris/contract/fields';
import * as z from 'zod/mini';
import type { ClaimedMembership, OidcSettings } from '../../config-oidc.ts';
import { ALL_FACILITIES } from '../../facility.ts';

/** A person at the provider. */
export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case; null if there is none, or it is not an address. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /** Null if there is none that Haris accepts. */
  readonly name: string | null;
  /** Empty if no value of the claim is mapped, or no claim is configured. At most one for each facility. */
  readonly roles: readonly ClaimedMembership[];
  /** Whether the provider asked for a second factor. */
  readonly hasSecondFactor: boolean;
  /** When the provider last asked the person. Milliseconds since 1970; null if it does not say. */
  readonly authenticatedAt: number | null;
}

type Claims = Readonly<Record<string, unknown>>;

/** Values of `amr` (RFC 8176) for something that the person has. Alone, `otp` may be a code that was mailed. */
const POSSESSIONS = ['hwk', 'otp'];

/** Values of `amr` for something that the person knows or is. */
const KNOWLEDGE_OR_BODY = ['pwd', 'pin', 'fpt', 'face'];

// PostgreSQL stores no NUL, and OpenID Connect allows 255 ASCII characters.
const subjectSchema = z.string().check(z.minLength(1), z.regex(/^[\x20-\x7e]{1,255}$/));

/** Reads the claims of the ID token and of the userinfo endpoint; null without a usable subject. */
export function readPerson(
  settings: OidcSettings,
  token: Claims & { readonly iss: string },
  info: Claims,
): OidcPerson | null {
  const subject = z.safeParse(subjectSchema, token.sub);
  if (!subject.success) return null;
  // Address and whether it is verified come from one place.
  const source = typeof token.email === 'string' && token.email_verified !== undefined ? token : info;
  const email = z.safeParse(staffEmailSchema, source.email);
  const name = z.safeParse(nameSchema, token.name ?? info.name);
  const { amr, acr, auth_time: time } = token;
  return {
    issuer: token.iss,
    subject: subject.data,
    email: email.success ? email.data : null,
    isEmailVerified: email.success && source.email_verified === true,
    name: name.success ? name.data : null,
    roles: rolesOf(settings, token, info),
    hasSecondFactor: namesTwoFactors(amr) || (settings.mfaAcr !== null && acr === settings.mfaAcr),
    authenticatedAt: typeof time === 'number' && Number.isFinite(time) ? time * 1000 : null,
  };
}

/** Whether `amr` says `mfa`, or names something that the person has beside something that the person knows or is. */
function namesTwoFactors(amr: unknown): boolean {
  const methods: unknown[] = Array.isArray(amr) ? amr : [];
  const names = (values: readonly string[]) => values.some((value) => methods.includes(value));
  return names(['mfa']) || (names(POSSESSIONS) && names(KNOWLEDGE_OR_BODY));
}

/** Of each facility the role of the first pair whose value the person has; after one for all facilities, none. */
function rolesOf({ roles }: OidcSettings, token: Claims, info: Claims): ClaimedMembership[] {
  if (roles === null) return [];
  const claim = claimOf(token, roles.claim) ?? claimOf(info, roles.claim);
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  const given = new Map<string, ClaimedMembership>();
  for (const { value, role, facility } of roles.pairs) {
    if (!values.includes(value) || given.has(facility)) continue;
    given.set(facility, { role, facility });
    if (facility === ALL_FACILITIES) break;
  }
  return [...given.values()];
}

/** A claim by its name, or by the path to it: `realm_access.roles`. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.'))
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, part)
        ? (found as Record<string, unknown>)[part]
        : undefined;
  return found;
}
