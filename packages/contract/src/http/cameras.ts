/** Cameras, their sightings, and the pictures they send (contract §4; issue "Live"). */
import * as z from 'zod/mini';
import { areaSchema, nameSchema } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, listQueryShape, messageSchema, pageShape } from './route.ts';

export const CAMERA_KINDS = ['rtsp', 'mjpeg', 'v4l2', 'file', 'browser'] as const;
const CAMERA_STATES = ['connecting', 'live', 'stalled', 'off'] as const;
/** Most privacy zones per camera, and the number of points of each: 3 to this many. */
export const ZONES_MAX = 16;
export const ZONE_POINTS_MAX = 32;
/** Lifetime of a pairing code, in milliseconds; it works once. */
export const PAIRING_MS = 10 * 60_000;

const partOfPicture = z
  .number('must be from 0 to 1')
  .check(z.gte(0, 'must be from 0 to 1'), z.lte(1, 'must be from 0 to 1'));
/** A privacy zone: corners [x, y] as fractions (0–1) of the picture's width and height, origin top left. */
export const zoneSchema = z
  .array(z.tuple([partOfPicture, partOfPicture]))
  .check(
    z.minLength(3, 'A privacy zone has at least 3 corners'),
    z.maxLength(ZONE_POINTS_MAX, `A privacy zone has at most ${ZONE_POINTS_MAX} corners`),
  );
export type Zone = z.infer<typeof zoneSchema>;
const zonesSchema = z
  .array(zoneSchema)
  .check(z.maxLength(ZONES_MAX, `A camera has at most ${ZONES_MAX} privacy zones`));

/**
 * Address of a camera: `rtsp://user:password@host/…` (rtsp, rtsps), `http(s)://…` (mjpeg), `/dev/videoN` (v4l2), a
 * path relative to `DATA_DIR/media` (file); none for `browser`. {@link findAddressProblem} checks it against the
 * kind.
 */
const urlSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000));

export const cameraSchema = z
  .object({
    _id: z.string(),
    name: z.string(),
    area: z.string(),
    kind: z.enum(CAMERA_KINDS),
    /** Without user and password, which never leave the server; null for `browser`. */
    url: z.nullable(z.string()),
    /** Whether the address has a user or password. */
    hasCredentials: z.boolean(),
    zones: z.array(zoneSchema),
    enabled: z.boolean(),
    state: z.enum(CAMERA_STATES),
    /** Code of the latest problem, which the screens translate; null while the camera works. */
    problem: z.nullable(
      z.enum([
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
      ]),
    ),
    /** Measured pictures per second; null before the first picture. */
    fps: z.nullable(z.number().check(z.nonnegative())),
    /** Pixels. */
    width: z.nullable(z.int().check(z.positive())),
    height: z.nullable(z.int().check(z.positive())),
    lastFrameAt: z.nullable(momentSchema),
    /** Reconnections since the camera was added or the engine started. */
    reconnects: z.int().check(z.nonnegative()),
  })
  .register(z.globalRegistry, { id: 'Camera' });
export type Camera = z.infer<typeof cameraSchema>;

const cameraFields = {
  name: nameSchema,
  area: areaSchema,
  kind: z.enum(CAMERA_KINDS, { error: `Kind must be one of ${CAMERA_KINDS.join(', ')}` }),
  url: z.optional(urlSchema),
  zones: z.optional(zonesSchema),
};

/** The problem of an address for its kind, or null. Pure; browser and server share it. */
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
    /** 0–1: 1 is identical to the enrolled face, 0 is at the threshold. */
    confidence: z.number().check(z.gte(0), z.lte(1)),
  })
  .register(z.globalRegistry, { id: 'Sighting' });
export type Sighting = z.infer<typeof sightingSchema>;

export const cameraRoutes = {
  listCameras: defineRoute({
    id: 'listCameras',
    method: 'GET',
    path: '/api/cameras',
    access: 'staff',
    permission: 'cameras.view',
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
    permission: 'cameras.manage',
    proof: 'always',
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
    permission: 'cameras.view',
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
    permission: 'cameras.manage',
    proof: 'by-body',
    summary:
      'Change a camera; an address without user and password keeps the stored ones if the host is the same; another kind, address, area or zones, and switching it off, need a proof',
    body: z.object({
      name: z.optional(nameSchema),
      area: z.optional(areaSchema),
      kind: z.optional(cameraFields.kind),
      url: z.optional(urlSchema),
      zones: z.optional(zonesSchema),
      enabled: z.optional(z.boolean()),
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
    permission: 'cameras.manage',
    proof: 'always',
    summary: 'Delete a camera with its sightings',
    status: 200,
    answer: messageSchema,
    errors: ['not_found'],
  }),
  createPairing: defineRoute({
    id: 'createPairing',
    method: 'POST',
    path: '/api/cameras/{id}/pairing',
    access: 'staff',
    permission: 'cameras.manage',
    proof: 'always',
    summary:
      'Create a pairing code for `/camera/{code}`, which turns a device into this camera (kind `browser`); it replaces older codes',
    status: 201,
    answer: z.object({ code: z.string(), expiresAt: momentSchema }),
    errors: ['not_found', 'not_a_device'],
  }),
  pairDevice: defineRoute({
    id: 'pairDevice',
    method: 'POST',
    path: '/api/cameras/pair',
    access: 'visitor',
    summary: 'Exchange a pairing code for a token that only allows sending pictures',
    body: z.object({
      code: z
        .string('code is required')
        .check(z.trim(), z.minLength(1, 'code is required'), z.maxLength(100, 'code is not valid')),
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
    permission: 'sightings.view',
    rows: { sightings: ['childId', 'cameraId', 'from'] },
    summary: 'Where and when children were seen, newest first',
    query: z.object({
      ...listQueryShape,
      childId: z.optional(z.string().check(z.maxLength(100))),
      since: z.optional(z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' })),
    }),
    status: 200,
    answer: z.object({ sightings: z.array(sightingSchema), ...pageShape }),
    errors: [],
  }),
};
