/** Who may take a child, the proofs of a pick-up, and who took it (decision 049). */
import * as z from 'zod/mini';
import { secret, sixDigitsSchema, typedStaffPinSchema } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { HAND_OVER_MODES, PROOF_KINDS, STAFF_PROOFS } from '../release.ts';
import { documentSchema } from './collectors.ts';
import { defineRoute, messageSchema } from './route.ts';

/** Length of a step of the pick-up code in seconds (RFC 6238). */
export const PICKUP_CODE_PERIOD_S = 60;
/** How long a guardian can say that a release was not expected, and sees it on the phone. Milliseconds. */
export const RELEASE_SHOWN_MS = 24 * 3_600_000;

/** Most doubts about an adult: bars of a child. */
const DOUBTS_MAX = 100;

/** A bar whose name sounds like that of a listed adult, in the version that the desk has seen. */
const doubtSchema = z.object({
  barredId: z
    .string('must be an id')
    .check(z.minLength(1, 'must be an id'), z.maxLength(100, 'must be an id')),
  version: z.int('must be a version'),
});

/** An adult whom the desk can choose. */
const choiceSchema = z.object({
  _id: z.string(),
  kind: z.enum(['guardian', 'collector']),
  name: z.string(),
  /** Null for a guardian. */
  relation: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  photo: z.nullable(z.string()),
  /** Whether the adult may take the child today. */
  isToday: z.boolean(),
  isConfirmed: z.boolean(),
  /** Changes with name, relation, phone and photo; the release says by it what the desk has compared with the person. */
  version: z.string(),
  /** For staff with `barred.view` only: bars whose name sounds like this adult's. The release must answer each in `notBarred`. */
  doubts: z.optional(z.array(doubtSchema)),
});
export type HandOverChoice = z.infer<typeof choiceSchema>;

/** Another child inside with the same first name. */
const namesakeSchema = z.object({ _id: z.string(), name: z.string(), photo: z.nullable(z.string()) });
export type HandOverNamesake = z.infer<typeof namesakeSchema>;

/** A guardian without the right to take the child home. */
const notTakingSchema = z.object({ _id: z.string(), name: z.string(), photo: z.nullable(z.string()) });
export type HandOverNotTaking = z.infer<typeof notTakingSchema>;

const handOverSchema = z.object({
  mode: z.enum(HAND_OVER_MODES),
  /** Whether the desk must say who takes the child: the facility requires it, somebody is barred, or a guardian may not take it. */
  mustName: z.boolean(),
  /** Whether the desk must also prove it; for the first two reasons. */
  mustProve: z.boolean(),
  hasBarred: z.boolean(),
  /** Those that count for this child: `known` does not while somebody is barred. */
  staffProofs: z.array(z.enum(STAFF_PROOFS)),
  /** Children with whom this one could be confused, by name. */
  namesakes: z.array(namesakeSchema),
  adults: z.array(choiceSchema),
  /** Guardians of the child who may not take it home, whom staff may know: they are none of `adults`. */
  notTaking: z._default(z.array(notTakingSchema), []),
  /** Colleagues whose PIN counts as a second person. */
  colleagues: z.array(z.object({ _id: z.string(), name: z.string() })),
});
export type HandOver = z.infer<typeof handOverSchema>;

/**
 * Who took a child, for one of its guardians. `adult` is null if the desk named nobody, and for a guardian who must not learn it. A
 * guardian's `name` is null for the reader's own, and empty for one who has ended; a collector's is null for one whose data are erased,
 * and empty if another guardian has named it.
 */
const releaseSchema = z
  .object({
    stayId: z.string(),
    child: z.object({ _id: z.string(), name: z.string() }),
    at: momentSchema,
    adult: z.nullable(
      z.object({
        kind: z.enum(['guardian', 'collector']),
        name: z.nullable(z.string()),
        relation: z.nullable(z.string()),
      }),
    ),
    proof: z.nullable(z.enum(PROOF_KINDS)),
    /** Null after the account's deletion. */
    releasedBy: z.nullable(z.string()),
    secondBy: z.nullable(z.string()),
    /** Whether the reader has said so. */
    isUnexpected: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'Release' });
export type Release = z.infer<typeof releaseSchema>;

/** A proof as the desk sends it. */
const proofSchema = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('slip'), value: secret('The code of the slip') }),
    z.object({ kind: z.literal('code'), value: sixDigitsSchema }),
    z.object({ kind: z.literal('pass'), value: secret('The pass') }),
    z.object({ kind: z.literal('known') }),
    z.object({ kind: z.literal('second'), staffId: secret('A colleague'), value: typedStaffPinSchema }),
  ],
  { error: `kind must be one of ${PROOF_KINDS.join(', ')}` },
);
export type PickupProof = z.infer<typeof proofSchema>;

/** Optional fields of a checkout: who takes the child, and how that is proved. */
export const releaseBodyShape = {
  /** A guardian or a collector of this child. */
  collectorId: z.optional(
    z.string('must be an id').check(z.minLength(1, 'must be an id'), z.maxLength(100, 'must be an id')),
  ),
  /** `version` of this adult as the desk has seen it. If the adult has changed since then, nothing is released. */
  version: z.optional(
    z
      .string('must be a version')
      .check(z.minLength(1, 'must be a version'), z.maxLength(100, 'must be a version')),
  ),
  proof: z.optional(proofSchema),
  document: z.optional(documentSchema),
  /** Staff say that this adult is the barred person: the release is refused as for a barred adult. */
  isBarred: z.optional(z.boolean('must be true or false')),
  /** `doubts` of the adult about whom staff say: another person. For this release; counts with `barred.view` only. */
  notBarred: z.optional(z.array(doubtSchema).check(z.maxLength(DOUBTS_MAX, 'has too many entries'))),
};
/** Whether `version` comes with the adult whose it is: by itself it was compared with nobody. */
export const namesSeenAdult = ({
  collectorId,
  version,
}: {
  readonly collectorId?: string | undefined;
  readonly version?: string | undefined;
}): boolean => version === undefined || collectorId !== undefined;
export const SEEN_WITHOUT_ADULT = { error: 'collectorId is required with version', path: ['collectorId'] };
export const releaseBodySchema = z.prefault(
  z.object(releaseBodyShape).check(z.refine(namesSeenAdult, SEEN_WITHOUT_ADULT)),
  {},
);
export type ReleaseBody = z.infer<typeof releaseBodySchema>;

/** Refusals of a checkout that names an adult or a proof. */
export const releaseErrors = [
  'pickup_locked',
  'barred_person',
  'barred_person_doubt',
  'collector_not_listed',
  'collector_changed',
  'wrong_pickup_proof',
  'collector_required',
  'proof_of_pickup_required',
  'document_required',
] as const;

export const handOverRoutes = {
  getHandOver: defineRoute({
    id: 'getHandOver',
    method: 'GET',
    path: '/api/children/{id}/hand-over',
    access: 'staff',
    permission: 'children.check_in',
    summary: 'Who may take a child, and what the facility asks for',
    status: 200,
    answer: handOverSchema,
    errors: ['not_found'],
  }),
  createPickupCode: defineRoute({
    id: 'createPickupCode',
    method: 'POST',
    path: '/api/account/pickup-code',
    access: 'parent',
    summary: `The secret from which the guardian's phone derives the own pick-up code: RFC 6238, SHA-1, 6 digits, ${PICKUP_CODE_PERIOD_S} seconds; works without a connection until the children have left`,
    status: 200,
    answer: z.object({
      /** Base32; null while no child is inside that the account may take home. */
      secret: z.nullable(z.string()),
    }),
    errors: [],
  }),
  listReleases: defineRoute({
    id: 'listReleases',
    method: 'GET',
    path: '/api/account/releases',
    access: 'parent',
    summary: 'Who took the children whose guardian the account is in the last 24 hours, newest first',
    status: 200,
    answer: z.object({ releases: z.array(releaseSchema) }),
    errors: [],
  }),
  reportUnexpectedRelease: defineRoute({
    id: 'reportUnexpectedRelease',
    method: 'POST',
    path: '/api/account/releases/{stayId}/unexpected',
    access: 'parent',
    summary:
      'Say that a release of the last 24 hours was not expected, which opens an incident; again changes nothing',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
};
