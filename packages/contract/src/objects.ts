/** The objects of the wire (contract §4): what of a person may leave the server, and nothing else. */
import { z } from 'zod';
import { areaAlarmsSchema, placeAlarmsSchema } from './alarms.ts';
import { languageSchema, timeZoneSchema } from './fields.ts';

/** A moment: ISO 8601 in UTC with milliseconds, `2026-11-20T10:15:00.000Z`. */
export const momentSchema = z.iso.datetime({ precision: 3 });

/** What of a child a parent gave and staff have not confirmed yet; `photos` are more photos of the face. */
export const childPendingSchema = z.enum(['photo', 'name', 'photos']);

/** What of an own account a parent changed and staff have not confirmed yet. */
export const parentPendingSchema = z.enum(['photo', 'name', 'phone', 'recognition']);

/**
 * What a parent gave, as staff see it beside what was confirmed. A decision names its `revision`: another one is there as
 * soon as the parent gives something else.
 */
export const proposalSchema = z
  .object({
    revision: z.string(),
    /** When the newest part of it was given. */
    at: momentSchema,
    name: z.string().optional(),
    phone: z.string().optional(),
    /** Path below `/api/photos/`. */
    photo: z.string().optional(),
    /** More photos of the face: paths below `/api/photos/`. */
    photos: z.array(z.string()).optional(),
  })
  .meta({ id: 'Proposal' });
export type Proposal = z.infer<typeof proposalSchema>;

export const childSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    /** Path below `/api/photos/`. */
    photo: z.string().nullable(),
    status: z.enum(['Inside', 'Outside']),
    isInside: z.boolean(),
    entryTime: momentSchema.nullable(),
    /** Whole minutes. */
    duration: z.number().int().nullable(),
    uniqueEntryId: z.string().nullable(),
    parent: z.object({ _id: z.string(), name: z.string() }),
    /** What waits for staff: to the parent the object shows it already, to staff what was confirmed before. */
    pending: z.array(childPendingSchema).default([]),
    /** To staff only, and only where something waits. */
    proposal: proposalSchema.optional(),
    /**
     * Where a camera saw the child last during this stay; null while outside or not seen yet. In lists only, and only
     * where there is a camera.
     */
    lastSeen: z.object({ cameraId: z.string(), area: z.string(), at: momentSchema }).nullable().optional(),
  })
  .meta({ id: 'Child' });
export type Child = z.infer<typeof childSchema>;

export const parentSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    /** Path below `/api/photos/`. */
    photo: z.string().nullable(),
    /** Chosen by the person for screens and mails; null until then: the device decides. */
    language: languageSchema.nullable(),
    emailVerified: z.boolean(),
    /** There only after whoever owns the e-mail has said not to have registered: the desk must clear it up. */
    disownedAt: momentSchema.optional(),
    /** As with a child. */
    pending: z.array(parentPendingSchema).default([]),
    /** To staff only, and only where something waits. */
    proposal: proposalSchema.optional(),
    children: z.array(childSchema),
  })
  .meta({ id: 'Parent' });
export type Parent = z.infer<typeof parentSchema>;

export const adminSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    email: z.string(),
    /**
     * Id of the member of staff who made this account and so knows how to sign in to it; null once the person has chosen
     * what to sign in with.
     */
    setUpBy: z.string().nullable(),
    /** Masked to its last 4 digits in lists; null for the first administrator. */
    nationalId: z.string().nullable(),
    /** Chosen by the person for screens and mails; null until then: the device decides. */
    language: languageSchema.nullable(),
    emailVerified: z.boolean(),
  })
  .meta({ id: 'Admin' });
export type Admin = z.infer<typeof adminSchema>;

function distanceBetween(least: number, most: number) {
  const message = `must be a distance from ${least} to ${most}`;
  return z.number(message).min(least, message).max(most, message);
}

function daysUpTo(most: number) {
  const message = `must be a whole number of days from 1 to ${most}`;
  return z.number(message).int(message).min(1, message).max(most, message);
}

const minutesMessage = 'must be a whole number of minutes from 1 to 240';

/**
 * Face recognition: Euclidean distances between encodings. Below `recognitionThreshold` a face is named when it is also
 * `recognitionMargin` nearer than the second child; below `questionThreshold` or `duplicateThreshold` (the larger counts)
 * staff are asked whether it is another family's child. Days of reports are those of `timeZone`. Readings
 * of the air are kept one by one for `rawReadingDays`, and as means of minutes and hours for `meanReadingDays`. Sightings are
 * kept for `sightingsDays`; a child inside whom no live camera saw for `notSeenAfterMinutes` is told of. `alarms` hold for the
 * whole place, `areaAlarms` say what differs where. A backup is overdue after `backupDueDays`; null: after a week, once one was
 * made. Incidents that are over are kept for `incidentDays`.
 */
export const settingsSchema = z
  .object({
    recognitionThreshold: distanceBetween(0.2, 0.6),
    recognitionMargin: distanceBetween(0, 0.3),
    duplicateThreshold: distanceBetween(0.2, 0.6),
    questionThreshold: distanceBetween(0.2, 0.7),
    timeZone: timeZoneSchema,
    rawReadingDays: daysUpTo(90),
    meanReadingDays: daysUpTo(3650),
    sightingsDays: daysUpTo(365),
    notSeenAfterMinutes: z
      .number(minutesMessage)
      .int(minutesMessage)
      .min(1, minutesMessage)
      .max(240, minutesMessage),
    alarms: placeAlarmsSchema,
    areaAlarms: areaAlarmsSchema,
    backupDueDays: daysUpTo(365).nullable(),
    incidentDays: daysUpTo(3650),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof settingsSchema>;

/**
 * What is wrong with thresholds that each fit alone, or null: a face that Haris itself would name as another child must
 * never be enrolled without a refusal or a question.
 */
export function findThresholdProblem(settings: Settings): { field: keyof Settings; message: string } | null {
  for (const field of ['duplicateThreshold', 'questionThreshold'] as const)
    if (settings[field] < settings.recognitionThreshold)
      return { field, message: `${field} must not lie below recognitionThreshold` };
  return null;
}

export const auditEntrySchema = z
  .object({
    seq: z.number().int().positive(),
    at: momentSchema,
    /** Who: null for the system itself. `name` is kept as it was for staff. */
    actor: z.object({ kind: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
    action: z.string(),
    /** Whom or what it was done to. */
    subject: z.object({ kind: z.string(), id: z.string() }).nullable(),
    /** Network address it came from. */
    from: z.string().nullable(),
    requestId: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;
