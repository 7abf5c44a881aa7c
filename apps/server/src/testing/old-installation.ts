/**
 * Data folders and backups of older versions, made by those versions with `scripts/old-installation.mjs`: a family with two
 * children, an evacuation that ended, an acknowledged incident, sessions, and a sensor with three readings.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** Versions and the commits of the fixtures, the newest first. */
export const OLD_INSTALLATIONS = [
  ['0.2.0', '64216f8'],
  ['0.1.0', '33399eb'],
  ['0.1.0', '7788eca'],
] as const;

interface Account {
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface OldInstallation {
  /** Path in the data folder → bytes in base64. */
  readonly files: Readonly<Record<string, string>>;
  readonly backup: string;
  readonly recoveryKey: string;
  /** 33399eb could not back up readings: there the backup was made before them and before the incident. */
  readonly hasReadings: boolean;
  /** When the installation was stopped, milliseconds since 1970. */
  readonly now: number;
  readonly admin: Account;
  readonly employee: Account;
  readonly parent: Account;
  readonly inside: string;
  readonly gone: string;
  /** Id of a child → bytes in base64. */
  readonly photos: Readonly<Record<string, string>>;
  readonly evacuation: string;
  readonly incident: string;
  readonly sensor: { readonly id: string; readonly key: string };
}

export function readOldInstallation(commit: string): OldInstallation {
  const packed = readFileSync(new URL(`../backup/fixtures/${commit}.json.br`, import.meta.url));
  return JSON.parse(brotliDecompressSync(packed).toString());
}

/** Writes a copy of the data folder. */
export function unpackInto(folder: string, { files }: OldInstallation): void {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), Buffer.from(bytes, 'base64'));
  }
}
