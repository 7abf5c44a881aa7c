/** What the checks look at, and the facts that it gives. */
import type { Progress } from '../../backup/progress.ts';
import type { Config } from '../../config.ts';
import type { Parts } from '../../readiness.ts';
import { type Sentence, say } from './sentence.ts';
import type { Word } from './words.ts';

/** Why a check cannot find something out; `reason` is for the operator. */
export class NotKnownError extends Error {
  override name = 'NotKnownError';
  readonly reason: Sentence;

  constructor(word: Word) {
    const reason = say(word);
    super(reason.en);
    this.reason = reason;
  }
}

/** Who answers at the address of this server. */
export type ServerFacts =
  /** `certificate`: it has another one than `TLS_CERT`. */
  | { readonly state: 'none' | 'silent' | 'other' | 'certificate' }
  | {
      readonly state: 'haris';
      readonly version: string;
      /** Null if it did not say. */
      readonly parts: Parts | null;
    };

/** Who answers at `PUBLIC_URL`. `code`: the error without its message. */
export type PublicFacts =
  | { readonly state: 'haris' | 'other'; readonly certificateEndsAt: number | null }
  | { readonly state: 'failed'; readonly code: string };

/** The certificate of the server's own HTTPS. Milliseconds since 1970. */
export interface CertificateFacts {
  /** False: nobody answered with one, so these are the facts of the file in `TLS_CERT`. */
  readonly isInUse: boolean;
  readonly startsAt: number;
  readonly endsAt: number;
  /** Whether it covers the host of `PUBLIC_URL`. */
  readonly isForPublicUrl: boolean;
  /** What is in the files, if that is not in use. `problem`: why it cannot be, in words. */
  readonly waiting: { readonly problem: string | null } | null;
  /** Whether other users of this machine may read or write the file of the private key. */
  readonly isKeyOpenToOthers: boolean;
}

export interface DatabaseFacts {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** Of the embedded database. */
  readonly bytes: number | null;
  /** Changes of the schema that the next start makes; null if the database is empty. */
  readonly pending: number | null;
  /** Whether PostgreSQL does not keep facilities apart by itself. */
  readonly isExempt: boolean;
}

export interface NightlyFacts {
  /** When the last one was made, by whatever server. Milliseconds since 1970. */
  readonly madeAt: number | null;
  /** The last failure since the last backup. Milliseconds since 1970. */
  readonly failedAt: number | null;
  /** Photos that the last backup is without. */
  readonly missing: number;
  /** When the backup was made that was last restored for a trial. Milliseconds since 1970. */
  readonly triedAt: number | null;
  /** When the backup was made that could not be restored, since the last good trial. */
  readonly trialFailedAt: number | null;
  readonly isLate: boolean;
  /** How far the one is that is being made; null if none is. */
  readonly running: Progress | null;
}

/** What the checks look at. Each function reads once; it rejects with `NotKnownError` if something else is in the way. */
export interface Surroundings {
  readonly config: Config;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly version: string;
  /** `pinned`: null where Haris comes with its Node. */
  readonly node: { readonly version: string; readonly pinned: string | null };
  /** The data folder; null if there is none. */
  folder(): Promise<{
    readonly isOwn: boolean;
    readonly isWritable: boolean;
    readonly isOpenToOthers: boolean;
    /** Lines of `bars.log` that were changed or come from elsewhere. */
    readonly unreadableBars: number;
  } | null>;
  disk(): Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  server(): Promise<ServerFacts>;
  /** Whether any program accepts connections there. */
  isTaken(host: string, port: number): Promise<boolean>;
  /** Null if there is none. Rejects with the error of the start that this database would refuse. */
  database(): Promise<DatabaseFacts | null>;
  /** Why a start would be refused, in words; undefined for an unexpected error. */
  explain(error: unknown): string | undefined;
  /** Whether the embedded database is damaged, if its server did not say. */
  damage(): Promise<'unknown' | 'whole' | 'damaged'>;
  /** The last time that the installation knows. Milliseconds since 1970. */
  knownTime(): Promise<number>;
  /** The file of the master key; null if there is none. Rejects with `MasterKeyError`. */
  key(): Promise<{ readonly at: number; readonly isOpenToOthers: boolean } | null>;
  /** `last`: of the last backup; null if there was none. `nightly`: null if none is made each night, or none was due yet. */
  backup(): Promise<{
    readonly last: number | null;
    readonly dueDays: number | null;
    readonly hasFamilies: boolean;
    readonly nightly: NightlyFacts | null;
  }>;
  /** When this data was restored from a backup; null if it never was. */
  restoredAt(): Promise<number | null>;
  mail(): Promise<{
    /** `host`: null for mails that are not sent. */
    readonly host: string | null;
    readonly kept: number;
    readonly tried: number;
    readonly failed: number;
  }>;
  publicAddress(): Promise<PublicFacts>;
  /** Null if the server speaks plain HTTP. */
  certificate(): Promise<CertificateFacts | null>;
  /** When a phone last opened its code; null if none has. */
  phoneSeenAt(): Promise<number | null>;
  /** Of the embedded broker; null without TLS. Milliseconds since 1970. */
  brokerCertificateEndsAt(): Promise<number | null>;
  /** Whether an engine on another machine answers. */
  engineAnswers(): Promise<boolean>;
  cameras(): Promise<{ readonly watched: number; readonly down: number }>;
}
