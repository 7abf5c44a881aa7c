/** Files that settings name: certificates and keys. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from './config.ts';

/** The text of a file that the setting `name` names, relative to `base`. Throws ConfigError for one that cannot be read. */
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
 * Certificate and key that `<prefix>_CERT` and `<prefix>_KEY` name; null where neither is set. Throws ConfigError for one
 * without the other, and for what cannot be read.
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
