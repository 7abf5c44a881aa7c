/** The certificate of the server's own HTTPS (`TLS_CERT`, `TLS_KEY`): its options, and loading it again once its files change. */
import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Server } from 'node:https';
import { ConfigError } from '@haris/runtime/config';
import { describeFailure, type Logger } from '@haris/runtime/log';
import { type Certificate, checkCertificate, unreadableFile } from '@haris/runtime/setting-files';
import type { Clock } from './clock.ts';

const LOOK_EVERY_MS = 60_000;
/** Time for a handshake: a connection that never ends it holds a place. Milliseconds. */
const HANDSHAKE_MS = 15_000;

/** Options of the HTTPS server. */
export function tlsOptions({ cert, key }: Pick<Certificate, 'cert' | 'key'>) {
  return { cert, key, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS } as const;
}

export interface TlsFiles {
  /** Loads the files if they have changed and fit each other. */
  look(): Promise<void>;
  /** Starts to look every minute. */
  start(): void;
  stop(): void;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

/** Changes when the file does, also when a link leads to another file, or when its permissions change. */
async function stampOf(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(':');
  } catch (error) {
    return codeOf(error);
  }
}

/** Rejects with ConfigError if a file cannot be read. */
async function readAgain(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadableFile(name, file, codeOf(error));
  }
}

/**
 * Gives `server` the certificate again whenever its files have changed: renewals replace files or links, so the files
 * are looked at, not watched. New ones that do not fit, as while they are being written, change nothing and are logged
 * once; open connections go on.
 */
export function watchTlsFiles(
  server: Pick<Server, 'setSecureContext'>,
  loaded: Certificate,
  { log, clock }: { readonly log: Logger; readonly clock: Clock },
): TlsFiles {
  const { certFile, keyFile } = loaded;
  let current = loaded;
  /** Of the files that are in use. Unknown at first: they may have changed since they were read. */
  let stamp = '';
  let told: string | null = null;
  let isLooking = false;
  let timer: NodeJS.Timeout | undefined;

  function tellIfOver(): void {
    const endsAt = new X509Certificate(current.cert).validToDate;
    if (endsAt.getTime() <= clock.now())
      log.warn({ endedAt: endsAt.toISOString() }, 'the certificate in TLS_CERT has expired');
  }

  async function load(): Promise<void> {
    const found = `${await stampOf(certFile)} ${await stampOf(keyFile)}`;
    if (found === stamp) return;
    const [cert, key] = [await readAgain('TLS_CERT', certFile), await readAgain('TLS_KEY', keyFile)];
    const next = { cert, key, certFile, keyFile };
    checkCertificate('TLS', next);
    stamp = found;
    told = null;
    if (cert === current.cert && key === current.key) return;
    server.setSecureContext(tlsOptions(next));
    current = next;
    log.info({ endsAt: new X509Certificate(cert).validToDate.toISOString() }, 'a new certificate is in use');
    tellIfOver();
  }

  async function look(): Promise<void> {
    // A share that hangs must not collect waiting looks.
    if (isLooking) return;
    isLooking = true;
    try {
      await load();
    } catch (error) {
      const problem = error instanceof ConfigError ? error.message : null;
      const reason = problem ?? codeOf(error);
      if (reason !== told)
        log.warn(
          problem === null ? describeFailure(error) : { problem },
          'the certificate files have changed and cannot be used: the certificate before stays in use',
        );
      told = reason;
    } finally {
      isLooking = false;
    }
  }

  return {
    look,
    start() {
      tellIfOver();
      timer = setInterval(() => void look(), LOOK_EVERY_MS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
