/**
 * Calls for incidents and evacuations. An incident covers one run of a condition and has a timeline; an evacuation
 * also has a roll call.
 */
import * as z from 'zod/mini';
import { INCIDENT_KINDS, INCIDENT_SEVERITIES } from '../incident-kinds.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, pageShape } from './route.ts';

const NOTE_MAX = 500;
const noteSchema = z.optional(
  z.pipe(
    z.pipe(
      z.string('The note must be text'),
      z.transform((text) => text.trim()),
    ),
    z.string().check(z.maxLength(NOTE_MAX, `The note may have up to ${NOTE_MAX} characters`)),
  ),
);
/** All fields are optional, so the body may be missing. */
const noteBodySchema = z._default(z.object({ note: noteSchema }), {});

/** Largest number of incidents in one acknowledgement. */
const ACKNOWLEDGE_MAX = 500;
/** Largest number of subjects in one acknowledgement. */
const SHOWN_MAX = 5_000;

/** A staff member, with the name at that time. */
const personSchema = z.object({ _id: z.string(), name: z.string() });

/** A sensor, camera, child or room with the trouble; `name` is null after its deletion. */
export const subjectSchema = z.object({
  kind: z.enum(['sensor', 'camera', 'child', 'room']),
  _id: z.string(),
  name: z.nullable(z.string()),
});

/** A subject with its area, and when it joined and left the incident; `until` is null while it is in it. */
export const subjectTimeSchema = z.object({
  ...subjectSchema.shape,
  area: z.nullable(z.string()),
  since: momentSchema,
  until: z.nullable(momentSchema),
});
export type IncidentSubject = z.infer<typeof subjectTimeSchema>;

/**
 * An event of the incident. `updated`: a new worst value; `escalated`: the next step of its ladder (step 1 follows
 * the opening).
 */
export const timelineEntrySchema = z.object({
  at: momentSchema,
  what: z.enum(['raised', 'updated', 'escalated', 'acknowledged', 'cleared']),
  /** Null: the system. Always null for parents, who do not see staff names. */
  by: z.nullable(personSchema),
  step: z.nullable(z.int()),
  value: z.nullable(z.number()),
  note: z.nullable(z.string()),
});

export const incidentSchema = z
  .object({
    _id: z.string(),
    kind: z.enum(INCIDENT_KINDS),
    severity: z.enum(INCIDENT_SEVERITIES),
    /** Null: the whole facility, or subjects in several areas. */
    area: z.nullable(z.string()),
    /** The first of `subjects` that is still in it. Null: the whole facility. */
    subject: z.nullable(subjectSchema),
    /** Everybody and everything that the incident covers, in the order of joining. */
    subjects: z._default(z.array(subjectTimeSchema), []),
    /** The worst value so far and the limit, in the unit of the kind: °C, raw MQ-2, children, bytes free, days, minutes unseen. */
    value: z.nullable(z.number()),
    limit: z.nullable(z.number()),
    /**
     * For staff: where a missing child was last when the danger was raised, by a camera, with its time, else by its room, with null.
     * Null for other kinds.
     */
    lastPlace: z._default(z.nullable(z.object({ area: z.string(), at: z.nullable(momentSchema) })), null),
    raisedAt: momentSchema,
    clearedAt: z.nullable(momentSchema),
    acknowledgedAt: z.nullable(momentSchema),
    acknowledgedBy: z.nullable(personSchema),
    timeline: z.array(timelineEntrySchema),
  })
  .register(z.globalRegistry, { id: 'Incident' });
export type Incident = z.infer<typeof incidentSchema>;

/** `away`, for adults only: not in the building. */
const newestTickSchema = z.object({
  state: z.enum(['present', 'missing', 'away']),
  at: momentSchema,
  by: personSchema,
  device: z.string(),
});

/** A child on the roll call: inside when the evacuation began, or checked in since; or inside by the word of a desk tablet alone. */
const rollCallChildSchema = z.object({
  childId: z.string(),
  name: z.string(),
  /** Path below `/api/photos/`. */
  photo: z.nullable(z.string()),
  /** Left out if staff confirmed both the photo and the name. */
  unconfirmed: z.optional(z.literal(true)),
  /** Null for who has neither `families.view` nor `evacuation.run`. */
  guardian: z.nullable(z.object({ _id: z.string(), name: z.string(), phone: z.nullable(z.string()) })),
  /** False: the child has been checked out since. */
  isInside: z.boolean(),
  /** Where a camera last saw the child during this stay. */
  lastSeen: z.nullable(z.object({ area: z.string(), at: momentSchema })),
  /** Where staff put the child, and since when; `since` is null if that is not known. */
  room: z._default(z.nullable(z.object({ name: z.string(), since: z.nullable(momentSchema) })), null),
  /** The newest tick from all devices; null: none yet. */
  tick: z.nullable(newestTickSchema),
  /**
   * A desk tablet told something of this child that nobody has settled yet: that it came in, of which Haris knows nothing, or that it
   * left, while Haris has it inside. Left out if there is nothing.
   */
  unsettled: z.optional(z.object({ kind: z.enum(['check_in', 'check_out']), at: momentSchema })),
});
export type RollCallChild = z.infer<typeof rollCallChildSchema>;

/** An adult on the roll call: staff with a recent session, and everybody who was signed in by name. */
const rollCallPersonSchema = z.object({
  personId: z.string(),
  kind: z.enum(['staff', 'visitor']),
  name: z.string(),
  /** Null for who has neither `visitors.view` nor `evacuation.run`. */
  phone: z.nullable(z.string()),
  /** Why a visitor is here; null for the same. */
  reason: z.nullable(z.string()),
  /** False: signed out since. */
  isInside: z.boolean(),
  /** The newest tick from all devices; null: none yet. */
  tick: z.nullable(newestTickSchema),
});
export type RollCallPerson = z.infer<typeof rollCallPersonSchema>;

const rollCallShape = {
  children: z.array(rollCallChildSchema),
  people: z._default(z.array(rollCallPersonSchema), []),
};

/** Everybody in the building at one moment; all ticks are null. */
export const rollCallSchema = z
  .object({ at: momentSchema, ...rollCallShape })
  .register(z.globalRegistry, { id: 'RollCall' });
export type RollCall = z.infer<typeof rollCallSchema>;

/** One tick: staff member, time and device. Ticks are never overwritten. Has either a `childId` or a `personId`. */
const rollCallTickSchema = z.object({
  childId: z.optional(z.string()),
  personId: z.optional(z.string()),
  state: z.enum(['present', 'missing', 'away']),
  at: momentSchema,
  by: personSchema,
  device: z.string(),
});

export const evacuationSchema = z
  .object({
    _id: z.string(),
    startedAt: momentSchema,
    startedBy: z.nullable(personSchema),
    endedAt: z.nullable(momentSchema),
    ...rollCallShape,
    /** All ticks, oldest first. */
    ticks: z.array(rollCallTickSchema),
  })
  .register(z.globalRegistry, { id: 'Evacuation' });
export type Evacuation = z.infer<typeof evacuationSchema>;

/** Largest number of ticks in one request: a device may have been offline during the whole evacuation. */
const TICKS_MAX = 2_000;
const subjectIdSchema = z.optional(z.string().check(z.minLength(1), z.maxLength(100)));
const tickSchema = z
  .object({
    childId: subjectIdSchema,
    personId: subjectIdSchema,
    state: z.enum(['present', 'missing', 'away'], { error: 'state must be present, missing or away' }),
    /** Time of the device, corrected by the server's clock. */
    at: z.iso.datetime({ offset: true, error: 'at must be an ISO 8601 time' }),
  })
  .check(
    z.refine(({ childId, personId }) => (childId === undefined) !== (personId === undefined), {
      error: 'A tick has either a childId or a personId',
    }),
    z.refine(({ childId, state }) => childId === undefined || state !== 'away', {
      error: 'A child is present or missing',
    }),
  );

const incidentFilterShape = {
  kind: z.optional(z.enum(INCIDENT_KINDS, { error: 'kind must be a kind of incident' })),
  severity: z.optional(z.enum(INCIDENT_SEVERITIES, { error: 'severity must be safety, care or operation' })),
  /** Incidents of the area, or with a subject in it. */
  area: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
};
export type IncidentFilter = z.infer<z.ZodMiniObject<typeof incidentFilterShape>>;

export const incidentRoutes = {
  listIncidents: defineRoute({
    id: 'listIncidents',
    method: 'GET',
    path: '/api/incidents',
    access: 'signed-in',
    permission: 'incidents.view',
    summary:
      'Incidents, newest first, each covering one cause. A parent gets the end of their own children’s time (`stay_due`, `time_up`) and, while one of them is inside, open incidents of air, temperature and evacuation',
    query: z.object({
      limit: listQueryShape.limit,
      cursor: listQueryShape.cursor,
      state: z._default(z.enum(['open', 'all'], { error: 'state must be open or all' }), 'open'),
      ...incidentFilterShape,
    }),
    status: 200,
    answer: z.object({ incidents: z.array(incidentSchema), ...pageShape }),
    errors: [],
  }),
  acknowledgeIncident: defineRoute({
    id: 'acknowledgeIncident',
    method: 'POST',
    path: '/api/incidents/{id}/acknowledge',
    access: 'staff',
    permission: 'incidents.acknowledge',
    summary:
      'Acknowledge an incident: the escalation stops. The first acknowledgement stays; repeating the call changes nothing',
    body: noteBodySchema,
    status: 200,
    answer: z.object({ incident: incidentSchema }),
    errors: ['not_found'],
  }),
  acknowledgeIncidents: defineRoute({
    id: 'acknowledgeIncidents',
    method: 'POST',
    path: '/api/incidents/acknowledge',
    access: 'staff',
    permission: 'incidents.acknowledge',
    summary:
      'Acknowledge many open incidents: those with the given ids, or all that match the filter. Dangers (`safety`) are left out, because each is acknowledged by itself. Subjects that are not in `shown` are left out, too. Repeating the call changes nothing. `left` counts requested ids that are a danger or unknown, or of which nothing was shown',
    body: z
      .object({
        ids: z.optional(
          z
            .array(z.string().check(z.minLength(1), z.maxLength(100)))
            .check(z.maxLength(ACKNOWLEDGE_MAX, `At most ${ACKNOWLEDGE_MAX} ids`)),
        ),
        filter: z.optional(z.object(incidentFilterShape)),
        /**
         * Ids of the subjects that the person saw. Others are not acknowledged: they stay in an incident of their own.
         * Without it, all subjects are meant.
         */
        shown: z.optional(
          z
            .array(z.string().check(z.minLength(1), z.maxLength(100)))
            .check(z.maxLength(SHOWN_MAX, `At most ${SHOWN_MAX} subjects`)),
        ),
        note: noteSchema,
      })
      .check(
        z.refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
          error: 'Send either ids or a filter',
        }),
      ),
    status: 200,
    answer: z.object({ incidents: z.array(incidentSchema), left: z.int().check(z.nonnegative()) }),
    errors: [],
  }),
  reportMissingChild: defineRoute({
    id: 'reportMissingChild',
    method: 'POST',
    path: '/api/children/{id}/missing',
    access: 'staff',
    permission: 'children.check_in',
    summary:
      'Raise the danger that a child who is inside, or on the roll call by the word of a desk tablet, is missing; if it is raised already, it is returned. No parent is told',
    status: 201,
    answer: z.object({ incident: incidentSchema }),
    errors: ['not_found', 'not_inside'],
  }),
  markChildFound: defineRoute({
    id: 'markChildFound',
    method: 'POST',
    path: '/api/incidents/{id}/found',
    access: 'staff',
    permission: 'children.check_in',
    summary:
      'End the danger of a missing child: it was found, and `note` says where. The first call stays; repeating it changes nothing',
    body: noteBodySchema,
    status: 200,
    answer: z.object({ incident: incidentSchema }),
    errors: ['not_found'],
  }),
  startEvacuation: defineRoute({
    id: 'startEvacuation',
    method: 'POST',
    path: '/api/evacuations',
    access: 'staff',
    permission: 'evacuation.run',
    summary: 'Begin an evacuation; if one is open already, it is returned',
    body: noteBodySchema,
    status: 201,
    answer: z.object({ evacuation: evacuationSchema }),
    errors: [],
  }),
  getEvacuation: defineRoute({
    id: 'getEvacuation',
    method: 'GET',
    path: '/api/evacuations/current',
    access: 'staff',
    permission: 'incidents.view',
    summary: 'The roll call of the open evacuation, or null',
    status: 200,
    answer: z.object({ evacuation: z.nullable(evacuationSchema) }),
    errors: [],
  }),
  getRollCall: defineRoute({
    id: 'getRollCall',
    method: 'GET',
    path: '/api/roll-call',
    access: 'staff',
    permission: 'incidents.view',
    summary:
      'Everybody in the building now: children inside, staff with a recent session, visitors. The same list as in an evacuation, without ticks',
    status: 200,
    answer: z.object({ rollCall: rollCallSchema }),
    errors: [],
  }),
  sendEvacuationTicks: defineRoute({
    id: 'sendEvacuationTicks',
    method: 'POST',
    path: '/api/evacuations/{id}/ticks',
    access: 'staff',
    permission: 'evacuation.run',
    summary:
      'Upload the ticks of one device, including those made offline or after the end. All are kept, and the newest for each child counts. Repeated ticks change nothing; people who are not on the roll call are ignored. `away` (not in the building) is for adults only',
    body: z.object({
      device: z
        .string('The device is required')
        .check(z.trim(), z.minLength(1, 'The device is required'), z.maxLength(100)),
      ticks: z.array(tickSchema).check(z.maxLength(TICKS_MAX)),
    }),
    status: 200,
    answer: z.object({ evacuation: evacuationSchema }),
    errors: ['not_found'],
  }),
  endEvacuation: defineRoute({
    id: 'endEvacuation',
    method: 'POST',
    path: '/api/evacuations/{id}/end',
    access: 'staff',
    permission: 'evacuation.run',
    summary: 'End an evacuation; repeating the call changes nothing',
    body: noteBodySchema,
    status: 200,
    answer: z.object({ evacuation: evacuationSchema }),
    errors: ['not_found'],
  }),
};
