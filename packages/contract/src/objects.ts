/** The objects on the wire (contract §4): exactly the personal data that may leave the server. */
import * as z from 'zod/mini';
import { areaAlarmsSchema, notSeenMinutesSchema, placeAlarmsSchema } from './alarms.ts';
import {
  facilityAddressSchema,
  facilityPhoneSchema,
  languageSchema,
  nameSchema,
  regionSchema,
  STAY_ENDS,
  timeZoneSchema,
} from './fields.ts';
import { holidaysSchema, openingHoursSchema } from './opening-hours.ts';
import { permissionSchema } from './permissions.ts';
import { HAND_OVER_MODES, STAFF_PROOFS } from './release.ts';

/** A moment: ISO 8601 in UTC with milliseconds, `2026-11-20T10:15:00.000Z`. */
export const momentSchema = z.iso.datetime({ precision: 3 });

/**
 * What staff have to confirm of a child: changes by a parent, and a photo or name that was never confirmed; `photos` are
 * additional photos of the face.
 */
export const childPendingSchema = z.enum(['photo', 'name', 'birthDate', 'photos']);

/** Unconfirmed changes by a parent to the parent's own account. */
export const parentPendingSchema = z.enum(['photo', 'name', 'phone', 'recognition']);

/**
 * A parent's proposal, which staff see beside the confirmed state. A decision names its `revision`, which changes
 * whenever the parent sends another change.
 */
export const proposalSchema = z
  .object({
    revision: z.string(),
    /** When its newest part was sent. */
    at: momentSchema,
    name: z.optional(z.string()),
    birthDate: z.optional(z.string()),
    phone: z.optional(z.string()),
    /** Path below `/api/photos/`. */
    photo: z.optional(z.string()),
    /** Additional photos of the face: paths below `/api/photos/`. */
    photos: z.optional(z.array(z.string())),
  })
  .register(z.globalRegistry, { id: 'Proposal' });
export type Proposal = z.infer<typeof proposalSchema>;

/** Where a pick-up was announced: on the parent's phone or at the kiosk. */
export const pickupSourceSchema = z.enum(['phone', 'kiosk']);
export type PickupSource = z.infer<typeof pickupSourceSchema>;

/** A detail that staff compare people with, and when it last changed. */
export const detailChangeSchema = z
  .object({
    what: z.enum(['name', 'photo', 'parentName', 'parentPhone', 'parentPhoto']),
    at: momentSchema,
  })
  .register(z.globalRegistry, { id: 'DetailChange' });
export type DetailChange = z.infer<typeof detailChangeSchema>;

export const childSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    /** Path below `/api/photos/`. */
    photo: z.nullable(z.string()),
    status: z.enum(['Inside', 'Outside']),
    isInside: z.boolean(),
    entryTime: z.nullable(momentSchema),
    /** Whole minutes. */
    duration: z.nullable(z.int()),
    uniqueEntryId: z.nullable(z.string()),
    /** The child's room and its name; null while the child is outside, and for parents also if nobody chose the room. */
    roomId: z._default(z.nullable(z.string()), null),
    room: z._default(z.nullable(z.string()), null),
    /** `YYYY-MM-DD`; null if it is not known. */
    birthDate: z._default(z.nullable(z.string()), null),
    /** For staff only: the room in which a check-in puts the child; null: the default room. */
    homeRoomId: z.optional(z.nullable(z.string())),
    /**
     * For staff with `children.check_in` only, while inside: the text of the QR code on the slip, `uniqueEntryId` and a
     * token (decision 049). While an adult is barred from taking the child, only the answer to the check-in has it.
     */
    slipCode: z.optional(z.string()),
    /** For staff only: left out unless the desk is asked who takes the child: it has a collector, a further guardian or a barred adult. */
    asksTaker: z.optional(z.literal(true)),
    /** Since when the child is in that room; left out if that is not known. */
    roomSince: z.optional(momentSchema),
    /**
     * `name` is empty for staff without `families.view`. `phone` is for staff with that permission only; null if the family
     * has given none.
     */
    parent: z.object({ _id: z.string(), name: z.string(), phone: z.optional(z.nullable(z.string())) }),
    /**
     * What staff have to confirm. The parent already sees the new state in this object; staff see the confirmed one.
     */
    pending: z._default(z.array(childPendingSchema), []),
    /** For staff only, and only if a change by the parent waits. */
    proposal: z.optional(proposalSchema),
    /** For staff and the own family: which of photo and name staff never confirmed; left out if they confirmed both. */
    unconfirmed: z.optional(z.array(z.enum(['photo', 'name']))),
    /**
     * For staff only: what changed since the child's last stay began here, oldest first; left out if nothing did, or if
     * the child was never here.
     */
    changes: z.optional(z.array(detailChangeSchema)),
    /**
     * Where a camera last saw the child during this stay; null while outside or not yet seen. In lists only, and only
     * if there are cameras.
     */
    lastSeen: z.optional(z.nullable(z.object({ cameraId: z.string(), area: z.string(), at: momentSchema }))),
    /** The announced pick-up, while there is one: when one of its guardians arrives, and when that one said so. */
    onMyWay: z.optional(
      z.object({
        arrivesAt: momentSchema,
        announcedAt: momentSchema,
        source: pickupSourceSchema,
        /** When staff said at the desk that they have seen this announcement; left out until then. */
        seenAt: z.optional(momentSchema),
        /** For staff with `families.view`: the name of the guardian who comes; left out for the first guardian. */
        by: z.optional(z.string()),
      }),
    ),
    /** For a guardian who may not take the child home: false; left out for all others. */
    mayTake: z.optional(z.literal(false)),
    /** The latest visit that has ended, for the parent in lists only; null if there is none. */
    lastVisit: z.optional(z.nullable(z.object({ entryTime: momentSchema, exitTime: momentSchema }))),
  })
  .register(z.globalRegistry, { id: 'Child' });
export type Child = z.infer<typeof childSchema>;

export const parentSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.nullable(z.string()),
    /** Path below `/api/photos/`. */
    photo: z.nullable(z.string()),
    /** Language that the person chose for screens and mails; null until then, and the device decides. */
    language: z.nullable(languageSchema),
    emailVerified: z.boolean(),
    /** Present only after the owner of the e-mail has denied having registered: the desk must clarify it. */
    disownedAt: z.optional(momentSchema),
    /** For staff only, and only while the family is blocked. */
    blockedAt: z.optional(momentSchema),
    /** Changes that wait for staff, as for a child. */
    pending: z._default(z.array(parentPendingSchema), []),
    /** For staff only, and only if something is pending. */
    proposal: z.optional(proposalSchema),
    children: z.array(childSchema),
  })
  .register(z.globalRegistry, { id: 'Parent' });
export type Parent = z.infer<typeof parentSchema>;

/** A place where people work. `name` is null until staff have given one. */
export const facilityEntrySchema = z
  .object({ _id: z.string(), name: z.nullable(z.string()) })
  .register(z.globalRegistry, { id: 'FacilityEntry' });
export type FacilityEntry = z.output<typeof facilityEntrySchema>;

/** The facilities of a staff member, and the permissions at all of them. */
const ownWorkSchema = z.object({
  /** The facility at which this request works. */
  facilityId: z.string(),
  /** Facilities at which the person has a role, oldest first. */
  facilities: z.array(facilityEntrySchema),
  /** Permissions at every facility: they are needed to change what all facilities share. */
  everywhere: z.array(permissionSchema),
});
export type OwnWork = z.output<typeof ownWorkSchema>;

export const adminSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    email: z.string(),
    /**
     * Id of the staff member who created this account and therefore knows its credentials; null once the person has
     * set their own.
     */
    setUpBy: z.nullable(z.string()),
    /** In lists masked to the last 4 digits; null for the first administrator. */
    nationalId: z.nullable(z.string()),
    /** Path below `/api/admin/photos/`. */
    photo: z._default(z.nullable(z.string()), null),
    /** Language that the person chose for screens and mails; null until then, and the device decides. */
    language: z.nullable(languageSchema),
    emailVerified: z.boolean(),
    /** Present only for the caller's account in a session that may do nothing but set up its second factor. */
    mustAddFactor: z.optional(z.literal(true)),
    /**
     * Present only for the caller's account if it has no password: the person signs in at the identity provider
     * (decision 046).
     */
    signsInElsewhere: z.optional(z.literal(true)),
    /** The person's roles (decision 042). `name` is null for a role that comes with Haris. */
    roles: z.array(
      z.object({
        roleId: z.string(),
        name: z.nullable(z.string()),
        /** Null: at every facility. */
        facilityId: z.nullable(z.string()),
      }),
    ),
    /** Present only for the caller's account: the permissions here. */
    permissions: z.optional(z.array(permissionSchema)),
    /** Present only for the caller's account if there are several facilities (decision 048). */
    work: z.optional(ownWorkSchema),
    /** For staff lists: whether the person signs in with a second factor. */
    hasSecondFactor: z.optional(z.boolean()),
    /** For staff lists: the new e-mail, present while its link waits to be opened. */
    pendingEmail: z.optional(z.string()),
  })
  .register(z.globalRegistry, { id: 'Admin' });
export type Admin = z.infer<typeof adminSchema>;

function distanceBetween(least: number, most: number) {
  const message = `must be a distance from ${least} to ${most}`;
  return z.number(message).check(z.gte(least, message), z.lte(most, message));
}

const DESK_IDLE = 'must be a whole number of minutes from 1 to 15';
const deskIdleSchema = z.int(DESK_IDLE).check(z.gte(1, DESK_IDLE), z.lte(15, DESK_IDLE));

function daysUpTo(most: number) {
  const message = `must be a whole number of days from 1 to ${most}`;
  return z.int(message).check(z.gte(1, message), z.lte(most, message));
}

/**
 * Face recognition uses Euclidean distances between encodings. A face gets a name below `recognitionThreshold` (with one
 * photo of the person below `ONE_PHOTO_THRESHOLD`) if the second-nearest child is at least `recognitionMargin` further away. Below `questionThreshold` or
 * `duplicateThreshold` (the larger counts) staff must decide whether the face is another family's child.
 * `facilityName`, `facilityPhone`, `facilityAddress` and `openingHours` are null until staff enter them. Opening hours and
 * `holidays` are in local times and dates of `timeZone`. `language` is the language of new accounts whose form names
 * none; `region` decides the formats of dates and times. Days of reports, and times on screens and in mails, are those
 * of `timeZone`. The server stores single air readings for `rawReadingDays`, means per minute and hour for
 * `meanReadingDays`, and sightings for `sightingsDays`. `notSeenAfterMinutes` is the initial value when "Not seen" is
 * switched on for an area; on its own it opens no incident. `alarms` apply to the whole facility, `areaAlarms` override
 * them per area. A backup is overdue after `backupDueDays`; null: a week after the latest one, if there is one. The
 * server stores closed incidents for `incidentDays`, and the names of visitors for `visitorDays`. With
 * `staffSecondFactor` a password alone opens no staff account (decision 041); with `secondPerson` a colleague agrees to
 * deletions and exports (decision 047). A desk tablet locks itself after `deskIdleMinutes` without a press (decision
 * 045); with `deskOffline` its sign-ins let it write down what happens without a connection (decision 055). `handover` and
 * `handoverStaffProofs` say what a checkout asks for (decision 049). With `slipAllergies` entry slips name the child's allergies (decision
 * 050). `stayEnds`: which ends a check-in offers besides the periods.
 */
export const settingsSchema = z
  .object({
    recognitionThreshold: distanceBetween(0.2, 0.6),
    recognitionMargin: distanceBetween(0, 0.3),
    duplicateThreshold: distanceBetween(0.2, 0.6),
    questionThreshold: distanceBetween(0.2, 0.7),
    facilityName: z.nullable(nameSchema),
    facilityPhone: z.nullable(facilityPhoneSchema),
    facilityAddress: z.nullable(facilityAddressSchema),
    openingHours: z.nullable(openingHoursSchema),
    holidays: holidaysSchema,
    timeZone: timeZoneSchema,
    language: languageSchema,
    region: regionSchema,
    rawReadingDays: daysUpTo(90),
    meanReadingDays: daysUpTo(3650),
    sightingsDays: daysUpTo(365),
    notSeenAfterMinutes: notSeenMinutesSchema,
    alarms: placeAlarmsSchema,
    areaAlarms: areaAlarmsSchema,
    backupDueDays: z.nullable(daysUpTo(365)),
    incidentDays: daysUpTo(3650),
    visitorDays: daysUpTo(365),
    staffSecondFactor: z.boolean('must be true or false'),
    deskIdleMinutes: deskIdleSchema,
    deskOffline: z.boolean('must be true or false'),
    secondPerson: z.boolean('must be true or false'),
    handover: z.enum(HAND_OVER_MODES, { error: 'must be record or require' }),
    handoverStaffProofs: z
      .array(z.enum(STAFF_PROOFS, { error: 'must be known or second' }))
      .check(
        z.refine((proofs) => new Set(proofs).size === proofs.length, { error: 'must name each proof once' }),
      ),
    slipAllergies: z.boolean('must be true or false'),
    stayEnds: z
      .array(z.enum(STAY_ENDS, { error: 'must be until, closing or booking' }))
      .check(z.refine((ends) => new Set(ends).size === ends.length, { error: 'must name each end once' })),
  })
  .register(z.globalRegistry, { id: 'Settings' });
export type Settings = z.infer<typeof settingsSchema>;

/**
 * The facility's data that every screen needs, even before sign-in. `timeZone` is an IANA name, `region` an ISO 3166
 * code.
 */
export const facilitySchema = z
  .object({
    name: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    timeZone: z.string(),
    region: z.string(),
  })
  .register(z.globalRegistry, { id: 'Facility' });
export type Facility = z.infer<typeof facilitySchema>;

/**
 * A contradiction between thresholds that are valid on their own, or null. A face that Haris itself would recognise
 * as another child must never be enrolled without a refusal or a question.
 */
export function findThresholdProblem(settings: Settings): { field: keyof Settings; message: string } | null {
  for (const field of ['duplicateThreshold', 'questionThreshold'] as const)
    if (settings[field] < settings.recognitionThreshold)
      return { field, message: `${field} must not lie below recognitionThreshold` };
  return null;
}

/**
 * `name` and `photo` are null for anything that was deleted since, or has none; `photo` is a path below `/api/photos/`.
 * The name of an incident is its room.
 */
const auditPersonSchema = z.object({
  kind: z.string(),
  id: z.string(),
  name: z.nullable(z.string()),
  photo: z.nullable(z.string()),
});

export const auditEntrySchema = z
  .object({
    seq: z.int().check(z.positive()),
    at: momentSchema,
    /** Null: the system itself. For staff, `name` is the name at that time; for parents, the current one. */
    actor: z.nullable(auditPersonSchema),
    action: z.string(),
    /** Person or thing that the action concerned, with its current name. */
    subject: z.nullable(auditPersonSchema),
    /** Network address of the request. */
    from: z.nullable(z.string()),
    requestId: z.nullable(z.string()),
    details: z.record(z.string(), z.unknown()),
  })
  .register(z.globalRegistry, { id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;
