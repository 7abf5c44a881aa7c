/** Where the face engine listens, and how it is asked: the token, the id of this server, and the authority of its certificate. */
import { randomUUID } from 'node:crypto';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { VISION_SERVER_HEADER } from '@haris/contract/vision';

export interface VisionAddress {
  readonly url: string;
  readonly token: string;
  /** By what the engine knows this server from another; one for each start of a server. */
  readonly server: string;
  /** PEM of the authority that signed the engine's certificate; null: a public one. */
  readonly ca: string | null;
}

/** An id for {@link VisionAddress}. */
export function makeServerId(): string {
  return randomUUID();
}

/** Headers of every call and of the live wire's upgrade. */
export function headersFor({ token, server }: VisionAddress): Record<string, string> {
  return { authorization: `Bearer ${token}`, [VISION_SERVER_HEADER]: server };
}

export interface VisionCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** Asks the engine. Rejects when it cannot be reached, has no right certificate, or does not answer in time. */
export function callVision(
  address: VisionAddress,
  path: string,
  { method, headers, body }: VisionCall,
  withinMs: number,
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const isTls = address.url.startsWith('https:');
    const options = {
      method,
      headers: { ...headersFor(address), ...headers },
      // A connection of its own: the engine may be another one by the next call.
      agent: false,
      signal: AbortSignal.timeout(withinMs),
    } as const;
    const url = new URL(address.url + path);
    const asked = isTls
      ? requestTls(url, { ...options, ...(address.ca !== null && { ca: address.ca }) })
      : requestPlain(url, options);
    asked.on('error', reject);
    asked.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }));
    });
    asked.end(body);
  });
}
