/** Reads the files that settings refer to: certificates and keys. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { ConfigError } from './config.ts';

/** What a setting's file should be, and is not. `code`: the system's, for a file that could not be read. */
export function unreadableFile(name: string, path: string, code: unknown): ConfigError {
  const must = code === 'ENOENT' ? 'a file that exists' : 'a file that can be read';
  return new ConfigError(`${name} must be ${must} (it is "${path}")`);
}

/** Reads the file of the setting `name`, relative to `base`. Throws ConfigError if it cannot be read. */
export function readSettingFile(name: string, path: string, base: string): string {
  try {
    return readFileSync(resolve(base, path), 'utf8');
  } catch (error) {
    throw unreadableFile(name, path, error instanceof Error && 'code' in error ? error.code : undefined);
  }
}

export interface Certificate {
  /** PEM: the certificate, then those of the authorities between it and the root. */
  readonly cert: string;
  /** PEM, without a passphrase. */
  readonly key: string;
  /** Absolute. */
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Throws ConfigError, which names the setting `<prefix>_CERT` or `<prefix>_KEY` and its file, if the two are not a
 * certificate and its key. A certificate that has expired passes.
 */
export function checkCertificate(prefix: string, { cert, key, certFile, keyFile }: Certificate): void {
  const refusal = (name: 'CERT' | 'KEY', must: string): ConfigError => {
    const file = name === 'CERT' ? certFile : keyFile;
    return new ConfigError(`${prefix}_${name} must be ${must} (it is "${file}")`);
  };
  const certificate = orNull(() => new X509Certificate(cert));
  if (certificate === null) throw refusal('CERT', 'a file with a certificate in PEM');
  const privateKey = orNull((): KeyObject => createPrivateKey(key));
  if (privateKey === null) throw refusal('KEY', 'a file with a private key in PEM, without a passphrase');
  if (!certificate.checkPrivateKey(privateKey))
    throw refusal('KEY', `the key of the certificate in ${prefix}_CERT`);
  // What else OpenSSL takes exception to: a broken chain, a key that is too short.
  if (orNull(() => createSecureContext({ cert, key })) === null)
    throw refusal('CERT', 'a certificate, with its chain, that OpenSSL accepts');
}

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/**
 * Reads the certificate and key of `<prefix>_CERT` and `<prefix>_KEY`; null if neither is set. Throws ConfigError if
 * only one is set, if a file cannot be read, or if they are not a certificate and its key.
 */
export function readCertificate(
  prefix: string,
  cert: string | undefined,
  key: string | undefined,
  base: string,
): Certificate | null {
  if (cert === undefined && key === undefined) return null;
  const need = (name: string, path: string | undefined): string => {
    if (path === undefined)
      throw new ConfigError(`${name} must be set with the other of the two (it is not set)`);
    return path;
  };
  const [certName, keyName] = [`${prefix}_CERT`, `${prefix}_KEY`];
  const [certPath, keyPath] = [need(certName, cert), need(keyName, key)];
  const read = {
    cert: readSettingFile(certName, certPath, base),
    key: readSettingFile(keyName, keyPath, base),
    certFile: resolve(base, certPath),
    keyFile: resolve(base, keyPath),
  };
  checkCertificate(prefix, read);
  return read;
}
