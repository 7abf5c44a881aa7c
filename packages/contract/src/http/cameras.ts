/** Cameras, who was seen by them, and the pictures they send (contract §4; issue "Live"). */
import { z } from 'zod';
import { areaSchema, nameSchema } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, messageSchema, pageShape } from './route.ts';

export const CAMERA_KINDS = ['rtsp', 'mjpeg', 'v4l2', 'file', 'browser'] as const;
const CAMERA_STATES = ['connecting', 'live', 'stalled', 'off'] as const;
/** A camera has at most this many privacy zones, each of 3 to this many points. */
export const ZONES_MAX = 16;
export const ZONE_POINTS_MAX = 32;
/** A pairing code lives this long and works once. Milliseconds. */
export const PAIRING_MS = 10 * 60_000;

const partOfPicture = z
  .number('must be from 0 to 1')
  .min(0, 'must be from 0 to 1')
  .max(1, 'must be from 0 to 1');
/** A privacy zone: corners [x, y] as parts (0–1) of the picture's width and height, origin top left. */
export const zoneSchema = z
  .array(z.tuple([partOfPicture, partOfPicture]))
  .min(3, 'A privacy zone has at least 3 corners')
  .max(ZONE_POINTS_MAX, `A privacy zone has at most ${ZONE_POINTS_MAX} corners`);
export type Zone = z.infer<typeof zoneSchema>;
const zonesSchema = z.array(zoneSchema).max(ZONES_MAX, `A camera has at most ${ZONES_MAX} privacy zones`);

/**
 * Address of a camera: `rtsp://user:password@host/…` (rtsp, rtsps), `http(s)://…` (mjpeg), `/dev/videoN` (v4l2), a path
 * relative to `DATA_DIR/media` (file); none for `browser`. Checked against the kind by {@link findAddressProblem}.
 */
const urlSchema = z.string().trim().min(1).max(2000);

export const cameraSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    area: z.string(),
    kind: z.enum(CAMERA_KINDS),
    /** Without user and password, which never leave the server; null for `browser`. */
    url: z.string().nullable(),
    /** Whether a user or password is kept with the address. */
    hasCredentials: z.boolean(),
    zones: z.array(zoneSchema),
    enabled: z.boolean(),
    state: z.enum(CAMERA_STATES),
    /** What went wrong last, in one word for the screen's texts; null while all is well. */
    problem: z
      .enum([
        'unreachable',
        'refused',
        'unauthorized',
        'no_picture',
        'unsupported',
        'frozen',
        'hung',
        'redirected',
        'not_allowed',
        'not_paired',
        'engine_down',
      ])
      .nullable(),
    /** Pictures per second, measured; null until one came. */
    fps: z.number().nonnegative().nullable(),
    /** Pixels. */
    width: z.number().int().positive().nullable(),
    height: z.number().int().positive().nullable(),
    lastFrameAt: momentSchema.nullable(),
    /** Connections made anew since the camera was added or the engine started. */
    reconnects: z.number().int().nonnegative(),
  })
  .meta({ id: 'Camera' });
export type Camera = z.infer<typeof cameraSchema>;

const cameraFields = {
  name: nameSchema,
  area: areaSchema,
  kind: z.enum(CAMERA_KINDS, { error: `Kind must be one of ${CAMERA_KINDS.join(', ')}` }),
  url: urlSchema.optional(),
  zones: zonesSchema.optional(),
};

/** What is wrong with an address for its kind, or null. Pure; the same check in the browser and on the server. */
export function findAddressProblem(
  kind: (typeof CAMERA_KINDS)[number],
  url: string | undefined,
): string | null {
  if (kind === 'browser') return url === undefined ? null : 'A device needs no address';
  if (url === undefined) return 'Address is required';
  const protocols = { rtsp: ['rtsp:', 'rtsps:'], mjpeg: ['http:', 'https:'] } as const;
  switch (kind) {
    case 'v4l2':
      return /^\/dev\/video[0-9]{1,3}$/.test(url)
        ? null
        : 'Address must be a video device such as /dev/video0';
    case 'file': {
      const parts = url.split('/');
      const safe = parts.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]/.test(url);
      return safe ? null : 'Address must be the name of a file below the media folder';
    }
    default: {
      const parsed = URL.canParse(url) ? new URL(url) : null;
      const allowed: readonly string[] = protocols[kind];
      if (!parsed || !allowed.includes(parsed.protocol) || parsed.hostname === '')
        return `Address must start with ${allowed.map((protocol) => `${protocol}//`).join(' or ')}`;
      return null;
    }
  }
}

export const sightingSchema = z
  .object({
    childId: z.string(),
    cameraId: z.string(),
    area: z.string(),
    from: momentSchema,
    to: momentSchema,
    /** 0–1: 1 is a face like the enrolled one, 0 lies at the threshold. */
    confidence: z.number().min(0).max(1),
  })
  .meta({ id: 'Sighting' });
export type Sighting = z.infer<typeof sightingSchema>;

export const cameraRoutes = {
  listCameras: defineRoute({
    id: 'listCameras',
    method: 'GET',
    path: '/api/cameras',
    access: 'staff',
    summary: 'All cameras with their state',
    query: z.object(listQueryShape),
    status: 200,
    answer: z.object({ cameras: z.array(cameraSchema), ...pageShape }),
    errors: [],
  }),
  createCamera: defineRoute({
    id: 'createCamera',
    method: 'POST',
    path: '/api/cameras',
    access: 'staff',
    summary: 'Add a camera',
    body: z.object(cameraFields),
    status: 201,
    answer: z.object({ message: z.string(), camera: cameraSchema }),
    errors: [],
  }),
  getCamera: defineRoute({
    id: 'getCamera',
    method: 'GET',
    path: '/api/cameras/{id}',
    access: 'staff',
    summary: 'One camera',
    status: 200,
    answer: z.object({ camera: cameraSchema }),
    errors: ['not_found'],
  }),
  updateCamera: defineRoute({
    id: 'updateCamera',
    method: 'PUT',
    path: '/api/cameras/{id}',
    access: 'staff',
    proof: 'by-body',
    summary:
      'Change a camera; an address without user and password keeps those that are kept for the same host; other zones want a proof',
    body: z.object({
      name: nameSchema.optional(),
      area: areaSchema.optional(),
      kind: cameraFields.kind.optional(),
      url: urlSchema.optional(),
      zones: zonesSchema.optional(),
      enabled: z.boolean().optional(),
    }),
    status: 200,
    answer: z.object({ message: z.string(), camera: cameraSchema }),
    errors: ['not_found'],
  }),
  deleteCamera: defineRoute({
    id: 'deleteCamera',
    method: 'DELETE',
    path: '/api/cameras/{id}',
    access: 'staff',
    summary: 'Remove a camera; its sightings go too',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  createPairing: defineRoute({
    id: 'createPairing',
    method: 'POST',
    path: '/api/cameras/{id}/pairing',
    access: 'staff',
    proof: 'always',
    summary:
      'A code for `/camera/{code}`, with which a device becomes this camera (kind `browser`); ends older ones',
    status: 201,
    answer: z.object({ code: z.string(), expiresAt: momentSchema }),
    errors: ['not_found', 'not_a_device'],
  }),
  pairDevice: defineRoute({
    id: 'pairDevice',
    method: 'POST',
    path: '/api/cameras/pair',
    access: 'visitor',
    summary: 'A device gives its code and gets the token with which it may send pictures, and nothing else',
    body: z.object({
      code: z.string('code is required').trim().min(1, 'code is required').max(100, 'code is not valid'),
    }),
    status: 200,
    answer: z.object({ cameraId: z.string(), name: z.string(), area: z.string(), token: z.string() }),
    errors: ['invalid_token', 'too_many_attempts'],
  }),
  listSightings: defineRoute({
    id: 'listSightings',
    method: 'GET',
    path: '/api/sightings',
    access: 'staff',
    summary: 'Where and when children were seen, newest first',
    query: z.object({
      ...listQueryShape,
      childId: z.string().max(100).optional(),
      since: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' }).optional(),
    }),
    status: 200,
    answer: z.object({ sightings: z.array(sightingSchema), ...pageShape }),
    errors: [],
  }),
};
