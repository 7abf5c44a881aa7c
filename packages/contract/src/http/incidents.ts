/** Incidents: one per episode, with its timeline; and evacuations, an incident with the roll call of the children inside. */
import { z } from 'zod';
import { INCIDENT_KINDS, INCIDENT_SEVERITIES } from '../incident-kinds.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, pageShape } from './route.ts';

const NOTE_MAX = 500;
const noteSchema = z
  .string('The note must be text')
  .transform((text) => text.trim())
  .pipe(z.string().max(NOTE_MAX, `The note may have up to ${NOTE_MAX} characters`))
  .optional();
/** A body whose fields are all optional may be missing as a whole. */
const noteBodySchema = z.object({ note: noteSchema }).default({});

/** Staff by name as they were called then. */
const personSchema = z.object({ _id: z.string(), name: z.string() });

/** What happened to it: `updated` is a new worst value, `escalated` the next step of its ladder (1 is the first after raising). */
const timelineEntrySchema = z.object({
  at: momentSchema,
  what: z.enum(['raised', 'updated', 'escalated', 'acknowledged', 'cleared']),
  /** Null: the system itself; and to parents, who are not told which of the staff it was. */
  by: personSchema.nullable(),
  step: z.number().int().nullable(),
  value: z.number().nullable(),
  note: z.string().nullable(),
});

export const incidentSchema = z
  .object({
    _id: z.string(),
    kind: z.enum(INCIDENT_KINDS),
    severity: z.enum(INCIDENT_SEVERITIES),
    area: z.string().nullable(),
    /** What or whom it is about; `name` is null where that is gone. The whole place has none. */
    subject: z
      .object({ kind: z.enum(['sensor', 'camera', 'child']), _id: z.string(), name: z.string().nullable() })
      .nullable(),
    /** The worst so far, and the limit it broke, in the unit of the kind: °C, raw mq2, children, bytes free, days. */
    value: z.number().nullable(),
    limit: z.number().nullable(),
    raisedAt: momentSchema,
    clearedAt: momentSchema.nullable(),
    acknowledgedAt: momentSchema.nullable(),
    acknowledgedBy: personSchema.nullable(),
    timeline: z.array(timelineEntrySchema),
  })
  .meta({ id: 'Incident' });
export type Incident = z.infer<typeof incidentSchema>;

/** A child of the roll call: whoever was inside when it began, or has come in since. */
const rollCallChildSchema = z.object({
  childId: z.string(),
  name: z.string(),
  /** Path below `/api/photos/`. */
  photo: z.string().nullable(),
  guardian: z.object({ _id: z.string(), name: z.string(), phone: z.string().nullable() }),
  /** False: checked out since. */
  isInside: z.boolean(),
  /** Where a camera saw the child last during this stay. */
  lastSeen: z.object({ area: z.string(), at: momentSchema }).nullable(),
  /** The newest tick of all devices; null: nobody has ticked yet. */
  tick: z
    .object({ state: z.enum(['present', 'missing']), at: momentSchema, by: personSchema, device: z.string() })
    .nullable(),
});
export type RollCallChild = z.infer<typeof rollCallChildSchema>;

/** Who ticked whom, when, on which device: nothing of it is overwritten. */
const rollCallTickSchema = z.object({
  childId: z.string(),
  state: z.enum(['present', 'missing']),
  at: momentSchema,
  by: personSchema,
  device: z.string(),
});

export const evacuationSchema = z
  .object({
    _id: z.string(),
    startedAt: momentSchema,
    startedBy: personSchema.nullable(),
    endedAt: momentSchema.nullable(),
    children: z.array(rollCallChildSchema),
    /** All ticks, oldest first. */
    ticks: z.array(rollCallTickSchema),
  })
  .meta({ id: 'Evacuation' });
export type Evacuation = z.infer<typeof evacuationSchema>;

/** Ticks that one request may bring: a device may have been without a connection for the whole of it. */
const TICKS_MAX = 2_000;
const tickSchema = z.object({
  childId: z.string().min(1).max(100),
  state: z.enum(['present', 'missing'], { error: 'state must be present or missing' }),
  /** By the device's clock, set right by the server's as the page knows it. */
  at: z.iso.datetime({ offset: true, error: 'at must be an ISO 8601 time' }),
});

export const incidentRoutes = {
  listIncidents: defineRoute({
    id: 'listIncidents',
    method: 'GET',
    path: '/api/incidents',
    access: 'signed-in',
    summary:
      'Incidents, newest first. To a parent those about the own children, and while one of them is inside the open ones of air, temperature and evacuation',
    query: z.object({
      limit: listQueryShape.limit,
      cursor: listQueryShape.cursor,
      state: z.enum(['open', 'all'], { error: 'state must be open or all' }).default('open'),
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
    summary:
      'Take an incident on: no further step follows. The first name stays; asking again changes nothing',
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
    summary: 'Begin an evacuation; while one is going on, that one is answered',
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
    summary: 'The roll call of the evacuation that goes on, or null',
    status: 200,
    answer: z.object({ evacuation: evacuationSchema.nullable() }),
    errors: [],
  }),
  sendEvacuationTicks: defineRoute({
    id: 'sendEvacuationTicks',
    method: 'POST',
    path: '/api/evacuations/{id}/ticks',
    access: 'staff',
    summary:
      'Bring the ticks of one device, also those made without a connection and after the end: all are kept, the newest of each child counts, the same again changes nothing. Children who are not of the roll call are passed over',
    body: z.object({
      device: z.string('The device is required').trim().min(1, 'The device is required').max(100),
      ticks: z.array(tickSchema).max(TICKS_MAX),
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
    summary: 'End an evacuation; asking again changes nothing',
    body: noteBodySchema,
    status: 200,
    answer: z.object({ evacuation: evacuationSchema }),
    errors: ['not_found'],
  }),
};
