/** Sessions, PINs, second factors, sign-in elsewhere, links, tickets, and limits of tries. */
import type { Generated } from 'kysely';
import type { AccountKindColumn, SessionFactor } from './columns.ts';

interface SessionsTable {
  token_hash: string;
  kind: AccountKindColumn;
  account_id: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** Time of the last proof: the sign-in, or a later one. */
  proved_at: number;
  /** Factor with which the person signed in. With `mail` the session may only set up a second factor. */
  factor: Generated<SessionFactor>;
  /** Browser and system, for the owner's list. */
  agent: Generated<string | null>;
  /** Network address of the sign-in. */
  address: Generated<string | null>;
  /** The desk tablet that the session belongs to; null elsewhere (decision 045). */
  desk_id: Generated<string | null>;
  /** After this time without a press the session ends; null: the time of all staff sessions. Milliseconds. */
  idle_ms: Generated<number | null>;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

/** The PIN of a staff member for desk tablets. */
interface StaffPinsTable {
  staff_id: string;
  /** argon2id of a keyed hash, because six digits can be guessed from a plain hash. */
  pin_hash: string;
  set_at: number;
}

/** A passkey or an authenticator app (decision 041). It counts once confirmed. */
interface SecondFactorsTable {
  id: string;
  account_kind: AccountKindColumn;
  account_id: string;
  kind: 'passkey' | 'app';
  name: string;
  /** The app's secret. */
  secret_sealed: Uint8Array | null;
  /** The app's last time step that was used; older and equal ones are refused. */
  last_step: number | null;
  /** Base64url, as WebAuthn gives it. */
  credential_id: string | null;
  public_key: Uint8Array | null;
  counter: number | null;
  /** JSON. */
  transports: string | null;
  created_at: number;
  confirmed_at: number | null;
  last_used_at: number | null;
}

interface RecoveryCodesTable {
  /** Keyed hash. */
  code_mac: string;
  account_kind: AccountKindColumn;
  account_id: string;
}

/** Challenges for a second factor: each can be answered once, within 5 minutes and 5 tries. */
interface FactorChallengesTable {
  challenge_hash: string;
  purpose: 'sign_in' | 'proof' | 'add' | 'desk' | 'passkey';
  account_kind: AccountKindColumn;
  account_id: string;
  /** `sign_in`: hash of the password's hash at that time; `desk`: the tablet's token; otherwise the session. */
  binding: string;
  /** Keyed hash of the mailed code. */
  code_mac: string | null;
  tries: number;
  expires_at: number;
  /** The link by which the identity provider did the first step; null for a password. */
  oidc_link: Generated<string | null>;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

/** A person of the organisation's identity provider, and the staff account of that person (decision 046). */
interface OidcLinksTable {
  id: string;
  issuer: string;
  subject: string;
  staff_id: string;
  created_at: number;
  /** Null until the second factor that the account had of its own was given. */
  confirmed_at: number | null;
  /** When the person's roles at the provider stopped permitting a sign-in; null while they permit it. */
  ended_at: number | null;
  /** JSON: ids of the facilities at which the claim gave a role last; empty text: at every facility. */
  given: Generated<string>;
  /** When the person last signed in, or gave a proof, at the provider; null if never, or not to the end. */
  used_at: Generated<number | null>;
  /** 1 if the second factor of the provider was enough at the last sign-in. */
  used_factor: Generated<number>;
}

/** Sign-ins and proofs for which the identity provider has not answered yet. */
interface OidcAttemptsTable {
  state_hash: string;
  /** Hash of the cookie of the browser that began. */
  browser_hash: string;
  purpose: 'sign_in' | 'proof';
  /** The session to be proven; null for a sign-in. */
  session_hash: string | null;
  issuer: string;
  /** Nonce and code verifier, as JSON. */
  secrets_sealed: Uint8Array;
  return_to: string | null;
  created_at: number;
  expires_at: number;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

interface OneTimeTokensTable {
  token_hash: string;
  /** `disown`: verified, and the owner may still deny having registered. `start`: the browser that registered. */
  purpose: 'verify' | 'reset' | 'invitation' | 'disown' | 'email_change' | 'start';
  kind: AccountKindColumn;
  account_id: string;
  /** The address that the token proves. */
  email: string;
  created_at: number;
  expires_at: number;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

interface TicketsTable {
  ticket_hash: string;
  /** The facility at which the session worked; null for a parent of several facilities. */
  facility_id: Generated<string | null>;
  session_hash: string;
  purpose: string;
  subject_id: string;
  expires_at: number;
  /** See `row-seals.ts`; null in rows of an older version, which are not believed. */
  seal: string | null;
}

interface ThrottleHitsTable {
  id: string;
  scope: string;
  /** Keyed hash of the account or address. */
  key: string;
  at: number;
}

export interface SignInTables {
  sessions: SessionsTable;
  staff_pins: StaffPinsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  factor_challenges: FactorChallengesTable;
  oidc_links: OidcLinksTable;
  oidc_attempts: OidcAttemptsTable;
  one_time_tokens: OneTimeTokensTable;
  tickets: TicketsTable;
  throttle_hits: ThrottleHitsTable;
}
