/**
 * The product's WebSockets and streams: who may open each, and what the OpenAPI document says of it. The files beside this
 * one define their messages.
 */
import * as z from 'zod/mini';
import type { ErrorCode } from '../errors.ts';
import { operationRoutes } from '../http/operations.ts';
import type { Route, RoutePermission } from '../http/route.ts';
import type { TicketFor } from '../http/tickets.ts';
import { videoRoutes } from '../http/video.ts';
import { eventSchema, statusSchema } from './events.ts';
import { READINGS_NOT_YOURS, READINGS_PATH, readingsSocketSchema } from './readings.ts';
import {
  DEVICE_REPLACED,
  DEVICE_STREAM_PATH,
  DEVICE_UNPAIRED,
  devicePictureSchema,
  LIVE_PATH,
  liveNoteSchema,
  liveTakenSchema,
  pictureHeaderSchema,
} from './video.ts';

export interface SocketMessages {
  /** JSON schema of text messages. */
  readonly text?: z.ZodMiniType;
  /** Schema of the JSON header of binary messages: u32 (big endian) length, the JSON, then the bytes of JPEG images. */
  readonly binaryHeader?: z.ZodMiniType;
  readonly note?: string;
}

/**
 * Which people may open a socket or stream: those with a session of this kind, and of staff those with the permission
 * (decision 042). It is asked when they open it, and again as long as it is open. `by-subject`: it depends on what they
 * ask to see, or on each message.
 */
export interface PeopleOpening {
  readonly access: 'staff' | 'signed-in';
  readonly permission: Exclude<RoutePermission, 'own'>;
  /** What a ticket must be for that opens it in place of a token; absent: tickets do not open it. */
  readonly ticket?: TicketFor['for'];
  /** A program may send its token in the header `Authorization` of the upgrade too. */
  readonly acceptsHeader?: true;
}

/** Which devices may open a socket: those with the token of a paired camera, and no person. */
interface DeviceOpening {
  readonly access: 'camera';
  /** Close code of a socket whose token is no longer valid; a browser cannot read a refused upgrade. */
  readonly deadToken: number;
}

/** The token comes as `Sec-WebSocket-Protocol: <scheme>, <token>`; the server echoes the scheme. */
type SocketOpening =
  | (PeopleOpening & { readonly scheme: 'bearer'; readonly deadToken?: never })
  | (DeviceOpening & { readonly scheme: 'device'; readonly permission?: never; readonly ticket?: never });

interface SocketBase {
  /** Stable name: the OpenAPI operationId. */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  /** Query parameters of the upgrade, including the ticket if the socket accepts one. */
  readonly query?: z.ZodMiniObject;
  readonly server: SocketMessages;
  readonly client: SocketMessages;
  /** Close codes with their meaning, in addition to those of RFC 6455. */
  readonly closes: Readonly<Record<number, string>>;
  /** Errors that refuse the upgrade. */
  readonly errors: readonly ErrorCode[];
}

/** A socket. It does not compile without who may open it. */
export type Socket = SocketBase & SocketOpening;

/** Keeps the literal types of a socket. */
function defineSocket<const S extends Socket>(socket: S): S {
  return socket;
}

const SERVER_STOPS = 'The server stops or cannot check the session: connect again.';

const video = videoRoutes.getVideoFeed;

export const sockets = {
  readingsSocket: defineSocket({
    id: 'readingsSocket',
    access: 'signed-in',
    permission: 'sensors.view',
    ticket: 'sensors',
    path: READINGS_PATH,
    summary: 'Readings of all sensors: the latest of each when it opens, then every new one',
    query: z.pick(video.query, { ticket: true }),
    scheme: 'bearer',
    server: { text: readingsSocketSchema },
    client: { note: 'None; messages are ignored.' },
    closes: {
      [READINGS_NOT_YOURS]: 'The session is over, or the account has too many sockets: do not connect again.',
      1012: SERVER_STOPS,
    },
    errors: ['unauthenticated', 'invalid_ticket', 'forbidden'],
  }),
  liveSocket: defineSocket({
    id: 'liveSocket',
    access: video.access,
    permission: video.permission,
    ticket: 'video',
    acceptsHeader: true,
    path: LIVE_PATH,
    summary:
      'Live pictures in layers: for parents the coarse room with their own children sharp, for staff the whole picture',
    query: video.query,
    scheme: 'bearer',
    server: { text: liveNoteSchema, binaryHeader: pictureHeaderSchema },
    client: {
      text: liveTakenSchema,
      note: 'One for each picture drawn; at most two pictures are under way.',
    },
    closes: { 1008: 'A message breaks the protocol.', 1012: SERVER_STOPS },
    errors: ['unauthenticated', ...video.errors.filter((code) => code !== 'no_camera')],
  }),
  deviceCameraSocket: defineSocket({
    id: 'deviceCameraSocket',
    access: 'camera',
    deadToken: DEVICE_UNPAIRED,
    path: DEVICE_STREAM_PATH,
    summary: 'Pictures from a paired phone or tablet that serves as a camera',
    scheme: 'device',
    server: { note: 'None.' },
    client: {
      binaryHeader: devicePictureSchema,
      note: 'The header is followed by one JPEG of at most 2 MiB; 30 pictures a second at most.',
    },
    closes: {
      1003: 'The message is not a picture.',
      1008: 'A message breaks the protocol.',
      1012: SERVER_STOPS,
      [DEVICE_UNPAIRED]: 'The token is dead: do not connect again.',
      [DEVICE_REPLACED]: 'Another connection with this token has taken its place: do not connect again.',
    },
    errors: ['unauthenticated'],
  }),
} as const satisfies Readonly<Record<string, Socket>>;

/** A call whose answer never ends: messages of `text/event-stream`, or the parts of a multipart body. */
export interface Stream {
  /** Says who may open it. */
  readonly route: Route & Pick<PeopleOpening, 'access' | 'permission'>;
  readonly ticket?: PeopleOpening['ticket'];
  /** JSON schemas of `data:`, by what `event:` says; `*` is every other event. */
  readonly events?: Readonly<Record<string, z.ZodMiniType>>;
  readonly note: string;
}

export const streams = {
  streamEvents: {
    route: operationRoutes.streamEvents,
    events: { status: statusSchema, '*': eventSchema },
    note: 'Every event but `status` has an `id`; `Last-Event-ID` resumes after it. Comments are heartbeats. The stream ends with its session: connect again only with another.',
  },
  getVideoFeed: {
    route: video,
    ticket: 'video',
    note: 'Each part is one JPEG, with the moment of the picture (seconds since 1970) in `X-Timestamp`.',
  },
} as const satisfies Readonly<Record<string, Stream>>;
