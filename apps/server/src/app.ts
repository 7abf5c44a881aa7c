/** Builds the HTTP application from its parts. Knows neither port nor environment. */

import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import websocket from '@fastify/websocket';
import { REQUEST_ID_HEADER, SERVER_TIME_HEADER } from '@haris/contract/constants';
import { errorCatalogue } from '@haris/contract/errors';
import { routes } from '@haris/contract/http/routes';
import { sockets, streams } from '@haris/contract/live/sockets';
import { buildOpenApi } from '@haris/contract/openapi';
import type { Logger } from '@haris/runtime/log';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { toMoment } from './clock.ts';
import type { Context } from './context.ts';
import { findDiskSpace } from './data-folder.ts';
import { inScopeOf, type RequestScope } from './facility.ts';
import { recognitionFeature } from './features/accounts/recognition-routes.ts';
import { accountFeature } from './features/accounts/routes.ts';
import { approvalFeature } from './features/approvals/routes.ts';
import { auditFeature } from './features/audit/routes.ts';
import { bookingFeature } from './features/bookings/routes.ts';
import { deviceStreamFeature } from './features/cameras/device-stream.ts';
import { cameraFeature } from './features/cameras/routes.ts';
import { careFeature } from './features/care/routes.ts';
import { careLogFeature } from './features/care-log/routes.ts';
import { childFeature } from './features/children/routes.ts';
import { demoFeature } from './features/demo/routes.ts';
import { healthFeature } from './features/doctor/routes.ts';
import { environmentFeature } from './features/environment/routes.ts';
import { sensorLifeOf } from './features/environment/truth.ts';
import { eventFeature } from './features/events/stream.ts';
import { facilityFeature } from './features/facilities/routes.ts';
import { guardianFeature } from './features/guardians/routes.ts';
import { handOverFeature } from './features/hand-over/routes.ts';
import type { IncidentEngine } from './features/incidents/engine.ts';
import { incidentFeature } from './features/incidents/routes.ts';
import { kioskFeature } from './features/kiosk/routes.ts';
import { liveFeature } from './features/live/routes.ts';
import { type Notifications, notificationFeature } from './features/notifications/routes.ts';
import { photoFeature } from './features/photos/routes.ts';
import { pickupFeature } from './features/pickups/routes.ts';
import { reportFeature } from './features/reports/routes.ts';
import { roomFeature } from './features/rooms/routes.ts';
import { searchFeature } from './features/search/routes.ts';
import { settingsFeature } from './features/settings/routes.ts';
import { setupFeature } from './features/setup/routes.ts';
import { sightingFeature } from './features/sightings/routes.ts';
import { stayFeature } from './features/stays/routes.ts';
import { ticketFeature } from './features/tickets/routes.ts';
import { visitorFeature } from './features/visitors/routes.ts';
import type { FireDrill } from './fire-drill.ts';
import { limitBodyTime, UPLOAD_MS } from './http/body-time.ts';
import {
  handleErrors,
  handleUnknown,
  refuseConnection,
  sendFailure,
  translateFailure,
} from './http/failures.ts';
import { multipartLimits } from './http/multipart.ts';
import { refuseUndeclaredSockets } from './http/openings.ts';
import { demandsHttps } from './http/secure.ts';
import { socketOptions } from './http/sockets.ts';
import { serveWebApp } from './http/web-app.ts';
import type { IncidentStepReceiver } from './incident-step.ts';
import { findParts } from './readiness.ts';
import { openSampleData, type SampleData, type SamplePainter } from './sample-data.ts';
import { tlsOptions } from './tls-files.ts';
import { VERSION } from './version.ts';

/** A JSON body has a few fields; photos come as multipart. Bytes. */
const JSON_LIMIT = 256 * 1024;
/** How long `security.txt` is valid. Milliseconds. */
const SECURITY_TXT_MS = 90 * 24 * 3_600_000;
/** Time-out of a whole request: of its headers, and then of its body ({@link limitBodyTime}). Milliseconds. */
const REQUEST_WITHIN_MS = UPLOAD_MS + 15_000;

export interface AppOptions {
  /** Serves the built web app if it exists. */
  readonly web?: boolean;
  /** Sweeps for incidents periodically. Tests turn this off and call the sweep of `app.incidents`. */
  readonly sweepsIncidents?: boolean;
  /** Receives the due steps of incidents; notifications by default. */
  readonly receiveStep?: IncidentStepReceiver;
  /** Only in the demo: no other installation has the call that starts a drill. */
  readonly fireDrill?: FireDrill;
  /** Paints sample data; tests have a quick one. */
  readonly loadPainter?: () => Promise<SamplePainter>;
}

declare module 'fastify' {
  interface FastifyInstance {
    incidents: IncidentEngine;
    notifications: Notifications;
    sample: SampleData;
  }
}

/** The application, ready for `listen` or `inject`. */
export async function buildApp(
  context: Context,
  { web = true, sweepsIncidents = true, fireDrill, receiveStep, loadPainter }: AppOptions = {},
): Promise<FastifyInstance> {
  const { trustProxy: proxies, tls } = context.config;
  const options = {
    loggerInstance: libraryLog(context.log),
    // Fastify would log whole URLs with search terms.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: (_address: string, hop: number) => hop < proxies,
    bodyLimit: JSON_LIMIT,
    requestTimeout: REQUEST_WITHIN_MS,
    routerOptions: { maxParamLength: 500 },
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    // Handles errors that occur before any hook has run.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.header(REQUEST_ID_HEADER, request.id);
      sendFailure(reply, translateFailure(error));
    },
  };
  const app = (tls ? Fastify({ ...options, https: tlsOptions(tls) }) : Fastify(options)) as FastifyInstance;
  app.decorateRequest('harisActor', null);
  app.decorateRequest('harisSubject', null);
  scopeRequests(app);

  handleErrors(app);
  observe(app, context);
  await app.register(helmet, securityHeaders(context));
  limitBodyTime(app);
  acceptBodies(app);
  await app.register(multipart, { limits: { ...multipartLimits }, throwFileSizeLimit: false });
  await app.register(websocket, { options: socketOptions });
  refuseUndeclaredSockets(app);
  await documentApi(app);
  health(app, context);
  tellSecurityContact(app, context);

  accountFeature(app, context);
  recognitionFeature(app, context);
  childFeature(app, context);
  careFeature(app, context);
  careLogFeature(app, context);
  stayFeature(app, context);
  pickupFeature(app, context);
  handOverFeature(app, context);
  guardianFeature(app, context);
  bookingFeature(app, context);
  roomFeature(app, context);
  facilityFeature(app, context);
  searchFeature(app, context);
  photoFeature(app, context);
  ticketFeature(app, context);
  cameraFeature(app, context);
  kioskFeature(app, context);
  approvalFeature(app, context);
  auditFeature(app, context);
  visitorFeature(app, context);
  reportFeature(app, context);
  settingsFeature(app, context);
  const sample = openSampleData(context, loadPainter);
  setupFeature(app, context, sample);
  healthFeature(app, context);
  const notifications = await notificationFeature(app, context);
  const streams = eventFeature(app, context);
  const devices = deviceStreamFeature(app, context);
  const environment = await environmentFeature(app, context);
  const sightings = sightingFeature(app, context);
  const relay = liveFeature(app, context);
  const incidents = incidentFeature(app, context, {
    onReading: (listener) =>
      environment.onReading(({ message, ...accepted }) => listener({ ...accepted, truth: message.truth })),
    sensors: () => environment.all().map((view) => sensorLifeOf(view, context.clock.now())),
    disk: () => findDiskSpace(context.config.dataDir),
    receiveStep: receiveStep ?? notifications.onStep,
  });
  if (fireDrill) demoFeature(app, context, fireDrill);
  app.decorate('incidents', incidents);
  app.decorate('sample', sample);
  app.decorate('notifications', notifications);
  if (sweepsIncidents) incidents.start();
  app.addHook('preClose', async () => {
    streams.stop();
    await sample.stop();
    devices.stop();
    await environment.stop();
    await relay.stop();
    await incidents.stop();
    await notifications.stop();
  });
  app.addHook('onClose', () => sightings.stop());

  handleUnknown(app, web ? await serveWebApp(app, { demo: context.config.demo }) : null);
  await app.ready();
  return app;
}

/** The log for Fastify and its plugins, which would log whole headers with bearer tokens below `info`. */
function libraryLog(log: Logger): FastifyBaseLogger {
  return log.child({}, { level: log.isLevelEnabled('info') ? 'info' : log.level }) as FastifyBaseLogger;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The facility that the request works at: of none until its sender is known (decision 048). */
    facilityScope: RequestScope;
  }
}

/** Until it is known who sends a request, no query on a table of facilities succeeds. */
function scopeRequests(app: FastifyInstance): void {
  app.decorateRequest('facilityScope');
  app.addHook('onRequest', (request, _reply, done) => {
    request.facilityScope = { scope: 'none' };
    inScopeOf(request.facilityScope, done);
  });
}

/** Logs each response by route, never by URL; sends the request id and the server's time as headers. */
function observe(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    reply.header('permissions-policy', 'camera=(self), microphone=(), geolocation=()');
    reply.header(SERVER_TIME_HEADER, toMoment(context.clock.now()));
  });
  app.addHook('onResponse', async (request, reply) => {
    const actor = request.harisActor;
    context.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(actor && actor.kind !== 'visitor' ? { actor: actor.kind, actorId: actor.id } : {}),
      },
      'answered',
    );
  });
}

function securityHeaders(context: Context) {
  const register = context.config.registerUrl;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'blob:', 'data:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...(register ? [new URL(register).origin] : [])],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: demandsHttps(context) ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    // As `frame-ancestors`, for browsers that do not know it.
    frameguard: { action: 'deny' as const },
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: true,
  };
}

/** Parses JSON as Fastify does, but accepts an empty body, because some clients send the content type without a body. */
function acceptBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });
}

/** The content security policy of the API page; the plugin's default would allow styles from anywhere. */
const DOCS_POLICY = {
  'default-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

async function documentApi(app: FastifyInstance): Promise<void> {
  const document = buildOpenApi(
    routes,
    { sockets: Object.values(sockets), streams: Object.values(streams) },
    VERSION,
  );
  await app.register(swagger, {
    mode: 'static',
    specification: { document: document as never },
  });
  app.get('/api/openapi.json', async (_request, reply) => reply.send(document));
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: DOCS_POLICY });
}

/** Serves the address for vulnerability reports (RFC 9116). */
function tellSecurityContact(app: FastifyInstance, context: Context): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const lines = [
      `Contact: ${context.config.securityContact}`,
      // Computed for each request, so that cached copies expire.
      `Expires: ${toMoment(context.clock.now() + SECURITY_TXT_MS)}`,
      'Preferred-Languages: en, ar',
      `Canonical: ${context.publicUrl()}/.well-known/security.txt`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

function health(app: FastifyInstance, context: Context): void {
  app.get('/healthz', async () => ({ status: 'ok', version: VERSION }));
  app.get('/readyz', async (_request, reply) => {
    const parts = await findParts(context);
    const { database, faces, broker } = parts;
    if (database === 'ok' && faces === 'ok' && broker !== 'down') return { status: 'ok', parts };
    return reply.code(503).send({ code: 'unavailable', message: errorCatalogue.unavailable.message, parts });
  });
}
