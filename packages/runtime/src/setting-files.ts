/** Reads the files that settings refer to: certificates and keys. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from './config.ts';

/** Reads the file of the setting `name`, relative to `base`. Throws ConfigError if it cannot be read. */
export function readSettingFile(name: string, path: string, base: string): string {
  try {
    return readFileSync(resolve(base, path), 'utf8');
  } catch {
    throw new ConfigError(`${name} must be a file that can be read (it is "${path}")`);
  }
}

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the certificate and key of `<prefix>_CERT` and `<prefix>_KEY`; null if neither is set. Throws ConfigError if
 * only one is set, or if a file cannot be read.
 */
export function readCertificate(
  prefix: string,
  cert: string | undefined,
  key: string | undefined,
  base: string,
): Certificate | null {
  if (cert === undefined && key === undefined) return null;
  const read = (name: string, path: string | undefined): string => {
    if (path === undefined)
      throw new ConfigError(`${name} must be set with the other of the two (it is not set)`);
    return readSettingFile(name, path, base);
  };
  return { cert: read(`${prefix}_CERT`, cert), key: read(`${prefix}_KEY`, key) };
}
