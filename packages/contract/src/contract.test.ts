/** The contract as a whole: the OpenAPI document, its calls and its errors. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { errorBodySchema, errorCatalogue, errorCodes } from './errors.ts';
import type { Route } from './http/route.ts';
import { routes } from './http/routes.ts';
import { momentSchema } from './objects.ts';
import { buildOpenApi } from './openapi.ts';
import { photoProblemSchema } from './vision.ts';

const all = Object.values(routes) as readonly Route[];
const document = buildOpenApi(routes, { sockets: [], streams: [] }, '1.2.3') as {
  info: { version: string };
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
  components: { schemas: Record<string, { additionalProperties?: boolean }> };
};

test('the OpenAPI document is valid 3.1', async () => {
  const verdict = await new Validator().validate(structuredClone(document));
  expect(verdict).toMatchObject({ valid: true });
  expect(document.info.version).toBe('1.2.3');
});

test('all references of the document lead somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
  expect(references.length).toBeGreaterThan(10);
  for (const target of references)
    expect(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)).toContain(
      target,
    );
});

test('the objects of the wire have no more fields than they name', () => {
  for (const name of ['Parent', 'Child', 'Admin', 'Error', 'Settings', 'AuditEntry'])
    expect(document.components.schemas[name], name).toMatchObject({ additionalProperties: false });
  for (const name of ['Parent', 'Child', 'Admin']) {
    // Whether there is a password may be told: the own account asks for a proof at the provider without one.
    const schema = JSON.stringify(document.components.schemas[name]).replaceAll('"hasNoPassword"', '""');
    expect(schema, name).not.toMatch(/password|encoding|hash/i);
  }
});

describe('calls', () => {
  test('have ids and paths of their own', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
    for (const [name, route] of Object.entries(routes)) expect(route.id).toBe(name);
  });

  test('that need a session tell of 401, those of one rank of 403', () => {
    for (const { access, path, method, id, proof, limited } of all) {
      const told = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
      expect(told.includes('401') || access === 'visitor', id).toBe(true);
      // A parent whose e-mail is not verified or whose account is blocked, or who requests a whole camera; staff who may
      // not add families.
      const refuses = [
        'adminLogin',
        'parentLogin',
        'addParent',
        'getVideoFeed',
        'proveSession',
        'finishSignIn',
        'createDeskCode',
        'finishOidc',
        'signInByPasskey',
      ].includes(id);
      const wantsProof = proof !== undefined;
      // A session that may only set up its second factor.
      const wantsFactor = access === 'signed-in' && limited !== true;
      expect(told.includes('403'), id).toBe(
        ['staff', 'parent', 'kiosk', 'desk'].includes(access) || refuses || wantsProof || wantsFactor,
      );
    }
  });

  test('of the contract’s table are all there', () => {
    const table = `POST /api/admin/login
POST /api/parent/get-parent-by-email-and-password
POST /api/logout
POST /vendor/forgot
POST /vendor/reset
GET /api/admin/info
GET /api/parent/info
GET /api/parent/get-parent-by-token
GET /api/admin/verify/email/{token}
GET /api/parent/verify/email/{token}
POST /api/parent/add
POST /api/parent/create-parent
GET /api/parent/get-all-parents
PUT /api/parent/update-parent/{id}
DELETE /api/parent/delete-parent/{id}
GET /api/children/get-all-children
POST /api/children/create-child/{parentId}
PUT /api/children/update-child/{id}
DELETE /api/children/delete-child/{id}
POST /api/children/checkin-child/{id}
POST /api/children/checkout-child/{id}
POST /api/admin/create-admin
GET /api/admin/get-all-admins
DELETE /api/admin/delete-admin/{id}
POST /register-child
POST /check-face
GET /api/photos/{id}
POST /api/tickets
GET /api/events
GET /api/settings
PUT /api/settings
GET /api/audit
GET /video_feed
GET /api/cameras
POST /api/cameras
GET /api/cameras/{id}
PUT /api/cameras/{id}
DELETE /api/cameras/{id}
POST /api/cameras/{id}/pairing
GET /api/sightings
GET /api/sensors
POST /api/sensors
PUT /api/sensors/{id}
DELETE /api/sensors/{id}
POST /api/sensors/{id}/readings
GET /api/sensors/{id}/history
GET /api/incidents
POST /api/incidents/{id}/acknowledge`.split('\n');
    const known = new Set(all.map(({ method, path }) => `${method} ${path}`));
    expect(table.filter((call) => !known.has(call))).toEqual([]);
  });
});

describe('errors', () => {
  test('have a sentence for a person and a status of the contract', () => {
    for (const code of errorCodes) {
      const { status, message } = errorCatalogue[code];
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503, 507], code).toContain(status);
      expect(message, code).toMatch(/^[A-Z]/);
      expect(errorBodySchema.safeParse({ code, message }).success).toBe(true);
    }
    expect(errorBodySchema.safeParse({ code: 'unknown_code', message: 'x' }).success).toBe(false);
  });

  test('for every problem of a photo: 422, each with its own sentence', () => {
    const messages = photoProblemSchema.options.map((code) => {
      expect(errorCatalogue[code].status).toBe(422);
      return errorCatalogue[code].message;
    });
    expect(new Set(messages).size).toBe(photoProblemSchema.options.length);
  });

  test('that every call may answer are told with every call', () => {
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, { responses }] of Object.entries(operations))
        for (const status of ['500', '503'])
          expect(Object.keys(responses), `${method} ${path}`).toContain(status);
  });
});

test('a moment is ISO 8601 in UTC with milliseconds', () => {
  expect(momentSchema.safeParse('2026-11-20T10:15:00.000Z').success).toBe(true);
  for (const odd of [
    '2026-11-20T10:15:00Z',
    '2026-11-20T10:15:00.000+02:00',
    '2026-11-20',
    '2026-13-20T10:15:00.000Z',
  ])
    expect(momentSchema.safeParse(odd).success, odd).toBe(false);
});
