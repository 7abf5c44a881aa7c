/** Second factors, recovery codes and the second step of a sign-in (decision 041). */
import * as z from 'zod/mini';
import { nameSchema, sixDigitsSchema, toAsciiDigits } from '../fields.ts';
import { adminSchema, momentSchema, parentSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

const NOT_A_PASSKEY = 'is not the answer of a passkey';
const base64url = (most: number) =>
  z.string(NOT_A_PASSKEY).check(z.maxLength(most, NOT_A_PASSKEY), z.regex(/^[\w-]+$/, NOT_A_PASSKEY));

const credentialShape = {
  id: base64url(1500),
  rawId: base64url(1500),
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(z.enum(['platform', 'cross-platform']))),
  clientExtensionResults: z._default(z.record(z.string(), z.unknown()), {}),
};

/** The browser's answer to a sign-in with a passkey (WebAuthn, as JSON). */
export const passkeyAnswerSchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: base64url(8000),
    authenticatorData: base64url(8000),
    signature: base64url(8000),
    userHandle: z.optional(z.nullable(base64url(200))),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswerSchema>;

/** The browser's answer when it has made a passkey. */
export const newPasskeySchema = z.object({
  ...credentialShape,
  response: z.object({
    clientDataJSON: base64url(8000),
    attestationObject: base64url(60_000),
    transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
  }),
});
export type NewPasskey = z.output<typeof newPasskeySchema>;

/** Options for `navigator.credentials`, as the WebAuthn JSON that the server made. */
const passkeyOptionsSchema = z.record(z.string(), z.unknown());

/** Alphabet of recovery codes: no letter that is read as another. */
export const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const NOT_A_RECOVERY_CODE = 'must be a recovery code like abcde-23456';
/** Ten characters in any case; blanks and dashes are ignored. */
export const recoveryCodeSchema = z.pipe(
  z.pipe(
    z.string({ error: NOT_A_RECOVERY_CODE }),
    z.transform((text) => toAsciiDigits(text).toLowerCase().replace(/[\s-]/g, '')),
  ),
  z.string().check(z.regex(/^[2-9a-hjkmnp-z]{10}$/, NOT_A_RECOVERY_CODE)),
);

/** `app`: a code of an authenticator app. `mail`: a mailed code, only to set up the first factor. */
const SECOND_STEP_METHODS = ['passkey', 'app', 'recovery', 'mail'] as const;
export const secondStepMethodSchema = z.enum(SECOND_STEP_METHODS);
export type SecondStepMethod = z.infer<typeof secondStepMethodSchema>;

/**
 * The answer to a sign-in that needs a second step, instead of a token. `passkey` has the options if the account has a
 * passkey.
 */
export const secondStepSchema = z
  .object({
    step: z.literal('second_factor'),
    methods: z.array(secondStepMethodSchema),
    challenge: z.string(),
    passkey: z.optional(passkeyOptionsSchema),
  })
  .register(z.globalRegistry, { id: 'SecondStep' });
export type SecondStep = z.output<typeof secondStepSchema>;

const challengeSchema = z
  .string({ error: 'The challenge is required' })
  .check(z.minLength(1, 'The challenge is required'), z.maxLength(200, 'The challenge is not valid'));

/** Answers of a second factor; a body has exactly one. */
export const factorAnswerShape = {
  passkey: z.optional(passkeyAnswerSchema),
  code: z.optional(sixDigitsSchema),
  recoveryCode: z.optional(recoveryCodeSchema),
};
const secondStepBodySchema = z
  .object({ challenge: challengeSchema, ...factorAnswerShape, mailCode: z.optional(sixDigitsSchema) })
  .check(
    z.refine(
      (body) =>
        [body.passkey, body.code, body.recoveryCode, body.mailCode].filter((one) => one !== undefined)
          .length === 1,
      { path: ['code'], error: 'Send one of passkey, code, recoveryCode and mailCode' },
    ),
  );
export type SecondStepBody = z.output<typeof secondStepBodySchema>;

/** A second factor of the caller's account. `lastUsedAt` is null until it has been used. */
export const factorSchema = z
  .object({
    _id: z.string(),
    kind: z.enum(['passkey', 'app']),
    name: z.string(),
    addedAt: momentSchema,
    lastUsedAt: z.nullable(momentSchema),
  })
  .register(z.globalRegistry, { id: 'Factor' });
export type Factor = z.output<typeof factorSchema>;

const ownFactorsAnswer = z.object({
  factors: z.array(factorSchema),
  recoveryCodesLeft: z.int(),
  /** Whether this person must have a second factor. */
  isRequired: z.boolean(),
});
/** `recoveryCodes` is present once: with the first factor. */
const addedFactorAnswer = z.object({
  factor: factorSchema,
  recoveryCodes: z.optional(z.array(z.string())),
});

const sessionAnswer = z.union([
  z.object({ token: z.string(), admin: adminSchema }),
  z.object({ token: z.string(), parent: parentSchema }),
]);

export const factorRoutes = {
  finishSignIn: defineRoute({
    id: 'finishSignIn',
    method: 'POST',
    path: '/api/session/second-factor',
    access: 'visitor',
    summary:
      'Second step of a sign-in: one of passkey, code, recoveryCode and mailCode; answers what the sign-in would have answered',
    body: secondStepBodySchema,
    status: 200,
    answer: sessionAnswer,
    errors: ['invalid_credentials', 'wrong_code', 'too_many_attempts', 'account_blocked', 'oidc_no_access'],
  }),
  beginPasskeySignIn: defineRoute({
    id: 'beginPasskeySignIn',
    method: 'POST',
    path: '/api/session/passkey/options',
    access: 'visitor',
    summary:
      'Begin a sign-in with a passkey alone: the options for the browser, valid for 5 minutes and one answer. `kind`: whose page asks',
    body: z.object({ kind: z.enum(['parent', 'admin']) }),
    status: 200,
    answer: z.object({ challenge: z.string(), passkey: passkeyOptionsSchema }),
    errors: ['too_many_attempts'],
  }),
  signInByPasskey: defineRoute({
    id: 'signInByPasskey',
    method: 'POST',
    path: '/api/session/passkey',
    access: 'visitor',
    summary:
      'Sign in with a passkey alone, whichever kind of account it belongs to; answers what the sign-in of that account would have answered',
    body: z.object({ challenge: challengeSchema, passkey: passkeyAnswerSchema }),
    status: 200,
    answer: sessionAnswer,
    errors: [
      'invalid_credentials',
      'too_many_attempts',
      'email_not_verified',
      'account_blocked',
      'oidc_no_access',
      'sign_in_elsewhere',
    ],
  }),
  listFactors: defineRoute({
    id: 'listFactors',
    method: 'GET',
    path: '/api/account/factors',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    summary: 'Second factors of the calling account',
    status: 200,
    answer: ownFactorsAnswer,
    errors: [],
  }),
  beginApp: defineRoute({
    id: 'beginApp',
    method: 'POST',
    path: '/api/account/factors/app',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    proof: 'always',
    summary:
      'Begin to add an authenticator app: a secret, also as an otpauth address for a QR code. It counts once confirmed; a new one replaces one that was not',
    body: z.object({ name: nameSchema }),
    status: 201,
    answer: z.object({ _id: z.string(), secret: z.string(), uri: z.string() }),
    errors: ['too_many_factors', 'too_many_attempts'],
  }),
  confirmApp: defineRoute({
    id: 'confirmApp',
    method: 'POST',
    path: '/api/account/factors/app/{id}/confirm',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    proof: 'always',
    summary: 'Confirm an authenticator app with a code that it shows',
    body: z.object({ code: sixDigitsSchema }),
    status: 200,
    answer: addedFactorAnswer,
    errors: ['not_found', 'wrong_code', 'too_many_attempts', 'too_many_factors'],
  }),
  beginPasskey: defineRoute({
    id: 'beginPasskey',
    method: 'POST',
    path: '/api/account/factors/passkey/options',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    proof: 'always',
    summary: 'Begin to add a passkey: the options for the browser, valid for 5 minutes in this session',
    status: 200,
    answer: z.object({ challenge: z.string(), passkey: passkeyOptionsSchema }),
    errors: ['too_many_factors'],
  }),
  addPasskey: defineRoute({
    id: 'addPasskey',
    method: 'POST',
    path: '/api/account/factors/passkey',
    access: 'signed-in',
    permission: 'own',
    limited: true,
    proof: 'always',
    summary: 'Add the passkey that the browser has made',
    body: z.object({ challenge: challengeSchema, name: nameSchema, passkey: newPasskeySchema }),
    status: 201,
    answer: addedFactorAnswer,
    errors: ['wrong_code', 'too_many_factors'],
  }),
  removeFactor: defineRoute({
    id: 'removeFactor',
    method: 'DELETE',
    path: '/api/account/factors/{id}',
    access: 'signed-in',
    permission: 'own',
    proof: 'always',
    summary: 'Remove a second factor of the calling account; with the last one the recovery codes end',
    status: 200,
    answer: ownFactorsAnswer,
    errors: ['not_found', 'last_factor'],
  }),
  renewRecoveryCodes: defineRoute({
    id: 'renewRecoveryCodes',
    method: 'POST',
    path: '/api/account/recovery-codes',
    access: 'signed-in',
    permission: 'own',
    proof: 'always',
    summary: 'New recovery codes, shown once; the older ones end',
    status: 200,
    answer: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['no_factor'],
  }),
  resetStaffFactors: defineRoute({
    id: 'resetStaffFactors',
    method: 'DELETE',
    path: '/api/admin/{id}/factors',
    access: 'staff',
    permission: 'security.manage',
    proof: 'always',
    summary:
      "An administrator removes another staff member's second factors (a lost phone): that person's sessions end, and a mail says so",
    status: 204,
    answer: null,
    errors: ['not_found', 'own_account', 'beyond_own_rights'],
  }),
  resetParentFactors: defineRoute({
    id: 'resetParentFactors',
    method: 'DELETE',
    path: '/api/parent/{id}/factors',
    access: 'staff',
    permission: 'families.block',
    proof: 'always',
    summary:
      "Remove a parent's second factors, for somebody who stands at the desk: the sessions end, and a mail says so",
    status: 204,
    answer: null,
    errors: ['beyond_own_rights', 'not_found'],
  }),
};
