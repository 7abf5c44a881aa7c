/** Checks responses against the OpenAPI document that the server serves. */

import { errorBodySchema } from '@haris/contract/errors';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import * as z from 'zod/mini';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { content?: Record<string, unknown> }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** Sockets and streams by path. */
  readonly 'x-sockets': Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

export interface AnswerChecker {
  /** Fails the test if the document does not describe the response. */
  check(method: string, url: string, answer: RawAnswer): void;
  /** Fails the test if the value does not match the schema at this place (a JSON pointer) of the document. */
  checkValue(pointer: string, value: unknown): void;
}

/** Escapes one part of a JSON pointer. */
export function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Made once: making a schema takes longer than parsing by it. */
const strictError = z.strictObject(errorBodySchema.shape);

/** Checkers by document: all apps of a run share one document, and compiling its schemas costs more than most tests. */
const checkers = new Map<string, AnswerChecker>();

/** Returns a checker of responses against this document. */
export function makeAnswerChecker(document: OpenApiDocument): AnswerChecker {
  const key = JSON.stringify(document);
  const known = checkers.get(key) ?? compileChecker(document);
  checkers.set(key, known);
  return known;
}

function compileChecker(document: OpenApiDocument): AnswerChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package is CommonJS; its function is the default export's default.
  (addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
  const validators = new Map<string, ValidateFunction>();

  function validator(pointer: string): ValidateFunction {
    let known = validators.get(pointer);
    if (!known) {
      known = ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
      validators.set(pointer, known);
    }
    return known;
  }

  const paths = Object.entries(document.paths).map(([template, operations]) => ({
    template,
    operations,
    pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

  function findOperation(method: string, path: string): [string, Operation] | undefined {
    for (const { template, operations, pattern } of paths) {
      const operation = operations[method.toLowerCase()];
      if (operation && pattern.test(path)) return [template, operation];
    }
    return undefined;
  }

  /** Builds the message only for a failure: it holds the whole value. */
  function validate(pointer: string, what: string, value: unknown): void {
    const isValid = validator(pointer);
    if (isValid(value)) return;
    expect.fail(`${what}: ${ajv.errorsText(isValid.errors)}\n${JSON.stringify(value)}`);
  }

  return {
    checkValue: (pointer, value) => validate(pointer, pointer, value),
    check(method, url, { status, headers, bytes }) {
      const path = url.split('?', 1)[0] ?? '';
      const what = `${method} ${path} → ${status}`;
      expect(headers['x-request-id'], `${what}: request id`).toMatch(/^[0-9a-f-]{36}$/);
      const type = String(headers['content-type'] ?? '').split(';', 1)[0];
      if (status >= 400) {
        expect(type, `${what}: type`).toBe('application/json');
        expect(headers['cache-control'], `${what}: cache`).toBe('no-store');
        strictError.parse(JSON.parse(bytes.toString('utf8')));
      }
      const found = findOperation(method, path);
      if (!found) return;
      const [template, operation] = found;
      const response = operation.responses[String(status)];
      expect(
        response,
        `${what} is not in the OpenAPI document: ${bytes.toString('utf8').slice(0, 300)}`,
      ).toBeDefined();
      if (!response?.content) {
        expect(bytes.length, `${what}: no body`).toBe(0);
        return;
      }
      expect(Object.keys(response.content), `${what}: type`).toContain(type);
      if (type !== 'application/json') {
        expect(String(headers['cache-control']), `${what}: cache`).toMatch(/^private|no-store/);
        return;
      }
      expect(headers['cache-control'], `${what}: cache`).toBe('no-store');
      validate(
        `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${status}/content/${escaped(type)}/schema`,
        what,
        JSON.parse(bytes.toString('utf8')),
      );
    },
  };
}
