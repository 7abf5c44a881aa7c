/**
 * The checks of `npm run doctor`: each judges one fact about the installation and says what to do. They read nothing by
 * themselves; their surroundings do.
 */
import { describeFailure } from '@haris/runtime/log';
import { EARLIEST_MS, FAR_MS } from './clock-guard.ts';
import type { Config } from './config.ts';
import { LEAST_ROOM } from './db/storage.ts';
import { FULL, isBelow, judgeBackup } from './features/incidents/kinds/machine.ts';
import { findLinkAddress } from './features/setup/reach.ts';
import { MasterKeyError } from './vault/master-key.ts';

/** `bad`: something does not work or is not safe. `warn`: it works, and should be better. `unknown`: not found out. */
export type FindingState = 'ok' | 'warn' | 'bad' | 'unknown';

export interface Finding {
  readonly id: string;
  readonly state: FindingState;
  /** No secret, and no name of a person. */
  readonly detail: string;
  /** What to do about it. */
  readonly todo?: string;
}

/** Why a check cannot find something out; `message` is for the operator. */
export class NotKnownError extends Error {
  override name = 'NotKnownError';
}

/** Who answers at the address of this server. */
export type ServerFacts =
  | { readonly state: 'none' | 'silent' | 'other' }
  | {
      readonly state: 'haris';
      readonly version: string;
      /** Null if it did not say. */
      readonly parts: {
        readonly database: 'ok' | 'full' | 'down' | 'damaged';
        readonly faces: 'ok' | 'down';
        readonly broker: 'ok' | 'down' | 'off';
      } | null;
    };

/** Who answers at `PUBLIC_URL`. `code`: the error without its message. */
export type PublicFacts =
  | { readonly state: 'haris' | 'other'; readonly certificateEndsAt: number | null }
  | { readonly state: 'failed'; readonly code: string };

export interface DatabaseFacts {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** Of the embedded database. */
  readonly bytes: number | null;
  /** Changes of the schema that the next start makes; null if the database is empty. */
  readonly pending: number | null;
  /** Whether PostgreSQL does not keep facilities apart by itself. */
  readonly isExempt: boolean;
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
  } | null>;
  disk(): Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  server(): Promise<ServerFacts>;
  /** Whether any program accepts connections there. */
  isTaken(host: string, port: number): Promise<boolean>;
  /** Null if there is none. Rejects with the error of the start that this database would refuse. */
  database(): Promise<DatabaseFacts | null>;
  /** Why a start would be refused, in words; undefined for an unexpected error. */
  explain(error: unknown): string | undefined;
  /** Looks through the pages of the embedded database while Haris does not run. */
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
    readonly nightly: { readonly failedAt: number | null; readonly isLate: boolean } | null;
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
  /** When a phone last opened its code; null if none has. */
  phoneSeenAt(): Promise<number | null>;
  /** Of the embedded broker; null without TLS. Milliseconds since 1970. */
  brokerCertificateEndsAt(): Promise<number | null>;
  /** Whether an engine on another machine answers. */
  engineAnswers(): Promise<boolean>;
  cameras(): Promise<{ readonly watched: number; readonly down: number }>;
}

const DAY_MS = 24 * 3_600_000;
/** A certificate that ends sooner should have been renewed by now. Milliseconds. */
const CERTIFICATE_ENDS_SOON_MS = 14 * DAY_MS;
/** Operators are asked to try a restore twice a year. Milliseconds. */
const RESTORE_EVERY_MS = 183 * DAY_MS;
/** Codes of a certificate that no device takes. One of the operator's own authority may be unknown on this machine only. */
const CERTIFICATE_CODE = /^CERT_(HAS_EXPIRED|NOT_YET_VALID|REVOKED)$|ALTNAME/;

type Judgement = Omit<Finding, 'id'>;
type Look = (surroundings: Surroundings) => Promise<Judgement>;

const ok = (detail: string): Judgement => ({ state: 'ok', detail });
const warn = (detail: string, todo: string): Judgement => ({ state: 'warn', detail, todo });
const bad = (detail: string, todo?: string): Judgement => ({
  state: 'bad',
  detail,
  ...(todo === undefined ? {} : { todo }),
});
const unknown = (detail: string, todo?: string): Judgement => ({
  state: 'unknown',
  detail,
  ...(todo === undefined ? {} : { todo }),
});

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function days(ms: number): string {
  const whole = Math.floor(ms / DAY_MS);
  return whole === 1 ? '1 day' : `${whole} days`;
}

function size(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const notTold = ({ state }: ServerFacts): NotKnownError =>
  new NotKnownError(state === 'haris' ? 'Haris did not say.' : 'Haris does not run here.');
const SAME_SETTINGS =
  'Start Haris once, or give this command the settings of the server, above all DATA_DIR: set -a; . FILE; set +a';

async function checkVersion({ version, server }: Surroundings): Promise<Judgement> {
  const answer = await server();
  if (answer.state === 'haris' && answer.version !== version)
    return warn(`${version}, but the running server is ${answer.version}.`, 'Restart Haris.');
  return ok(version);
}

async function checkNode({ node: { version, pinned } }: Surroundings): Promise<Judgement> {
  return pinned === null || version === pinned
    ? ok(version)
    : warn(
        `This command runs with Node ${version}; Haris is made for ${pinned}.`,
        'Run node scripts/prepare.mjs, which installs it, and use npm run doctor.',
      );
}

async function checkFolder({ config, folder }: Surroundings): Promise<Judgement> {
  const { dataDir } = config;
  const found = await folder();
  if (!found) return bad(`${dataDir} is not there.`, SAME_SETTINGS);
  if (!found.isOwn)
    return warn(`${dataDir} belongs to another user.`, 'Run this as the user that runs Haris (sudo -u).');
  if (!found.isWritable)
    return bad(`${dataDir} cannot be written.`, 'Make the folder and its disk writable for this user.');
  if (found.isOpenToOthers)
    return warn(
      `Other users of this machine can open ${dataDir}.`,
      'Start Haris again: that closes it to them.',
    );
  return ok(dataDir);
}

async function checkDisk({ config, disk, server, database }: Surroundings): Promise<Judgement> {
  const space = await disk();
  const answer = await server();
  const isFull = answer.state === 'haris' && answer.parts?.database === 'full';
  const todo = 'Make room on the disk.';
  const detail = `${size(space.freeBytes)} of ${size(space.totalBytes)} are free.`;
  if (isFull || (space.totalBytes > 0 && space.freeBytes < LEAST_ROOM))
    return bad(
      `${isFull && config.databaseUrl ? 'The database is full.' : detail} Nothing can be saved.`,
      todo,
    );
  if (space.totalBytes > 0 && isBelow(space, FULL)) return warn(detail, todo);
  const bytes = (await database().catch(() => null))?.bytes ?? 0;
  // As much as a start needs before it changes the schema.
  if (space.totalBytes > 0 && space.freeBytes < 2 * bytes)
    return warn(`${detail} That is too little for the backup before an update.`, todo);
  return ok(detail);
}

async function checkClock({ now, knownTime }: Surroundings): Promise<Judgement> {
  const time = `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const todo = 'Set the clock, and let the machine ask for the time (NTP).';
  if (now < EARLIEST_MS) return bad(`It says ${time}.`, todo);
  const known = await knownTime();
  if (now - known < -FAR_MS)
    return bad(`It says ${time}, ${days(known - now)} before the last time that Haris knows.`, todo);
  if (now - known > FAR_MS)
    return warn(
      `It says ${time}, ${days(now - known)} after the last time that Haris knows.`,
      `If Haris was off for so long, nothing. Otherwise: ${todo}`,
    );
  return ok(time);
}

async function checkServer({ config: { host, port }, server }: Surroundings): Promise<Judgement> {
  if (port === 0) return unknown('With PORT=0 the server takes any free port.');
  const answer = await server();
  const place = `port ${port}`;
  switch (answer.state) {
    case 'haris':
      return ok(`Haris answers at ${place}.`);
    case 'none':
      return warn(
        `Nothing answers at ${place} of ${host}.`,
        'Start Haris. If it runs, give this command its settings (PORT, HOST).',
      );
    case 'silent':
      return bad(`The program at ${place} gives no answer.`, 'Restart Haris; look at its log.');
    default:
      return bad(`Another program uses ${place}.`, 'End it, or set another PORT.');
  }
}

async function checkDatabase(surroundings: Surroundings): Promise<Judgement> {
  const { database, explain, server, damage, config } = surroundings;
  let facts: DatabaseFacts | null;
  try {
    facts = await database();
  } catch (error) {
    const words = explain(error);
    if (words === undefined) throw error;
    return bad(
      capital(words),
      config.databaseUrl ? 'Look at that database server, and at DATABASE_URL.' : undefined,
    );
  }
  if (!facts) return bad(`There is none in ${config.dataDir}.`, SAME_SETTINGS);
  if (facts.pending === null) return bad('It is empty.', SAME_SETTINGS);
  const answer = await server();
  const parts = answer.state === 'haris' ? answer.parts : null;
  const found =
    parts?.database === 'damaged'
      ? 'damaged'
      : parts?.database === 'ok'
        ? 'whole'
        : config.databaseUrl
          ? 'unknown'
          : await damage();
  if (found === 'damaged') return bad('It is damaged.', 'Restore the last backup: npm run restore -- FILE');
  if (parts?.database === 'down') return bad('Haris cannot write to it.', 'Look at the log of Haris.');
  const detail = `${facts.kind}${facts.bytes === null ? '' : `, ${size(facts.bytes)}`}`;
  if (facts.pending > 0)
    return warn(
      `${detail}, of an older version.`,
      'Make a backup. The next start of this version brings the database up to date.',
    );
  if (facts.isExempt)
    return warn(`${detail}; its role skips row-level security.`, 'See "PostgreSQL" in docs/operating.md.');
  // A PostgreSQL server looks for damage itself.
  if (found === 'unknown' && !config.databaseUrl)
    return unknown(`${detail}. Whether it is damaged was not found out.`);
  return ok(found === 'whole' ? `${detail}, no damage known` : detail);
}

async function checkKey({ config, key, explain, now, database }: Surroundings): Promise<Judgement> {
  let file: Awaited<ReturnType<typeof key>>;
  try {
    file = await key();
  } catch (error) {
    const words = explain(error);
    if (words === undefined) throw error;
    return bad(capital(words));
  }
  if (!file) {
    const facts = await database().catch((error: unknown) => error);
    if (facts === null) return unknown('There is no master key yet; the first start makes it.');
    return facts instanceof MasterKeyError
      ? bad('The master key is missing.', 'Put it back: without it nothing can be read.')
      : unknown(`There is none in ${config.dataDir}/keys.`);
  }
  if (file.isOpenToOthers)
    return bad(
      'Other users of this machine can read the master key.',
      'Start Haris again: that closes it to them.',
    );
  return ok(`The master key is of ${day(file.at)}, ${days(Math.max(0, now - file.at))} old.`);
}

async function checkBackup({ backup, now }: Surroundings): Promise<Judgement> {
  const { last, dueDays, hasFamilies, nightly } = await backup();
  if (nightly !== null) return judgeNightly(nightly, last, now);
  const todo = 'Set BACKUP_DIR, or npm run backup -- FILE every day, and keep a copy in another building.';
  const { age, days: limit, isDue } = judgeBackup(now, last, dueDays);
  if (last === null || age === null)
    return hasFamilies || isDue ? bad('There was none yet.', todo) : warn('There was none yet.', todo);
  if (age < -FAR_MS)
    return unknown(`The last one is of ${day(last)}, which is to come.`, 'Look at the clock.');
  const detail = `The last one is ${days(Math.max(0, age))} old.`;
  return isDue ? bad(`${detail} One is due every ${limit} days.`, todo) : ok(detail);
}

function judgeNightly(
  { failedAt, isLate }: { readonly failedAt: number | null; readonly isLate: boolean },
  last: number | null,
  now: number,
): Judgement {
  const todo =
    'Look whether BACKUP_DIR is there, can be written and has room; the log of Haris names the reason.';
  const detail =
    last === null ? 'There was none yet.' : `The last one is ${days(Math.max(0, now - last))} old.`;
  if (failedAt !== null) return bad(`${detail} The one of ${day(failedAt)} failed.`, todo);
  return isLate ? bad(`${detail} One is due each night.`, todo) : ok(detail);
}

async function checkRestore({ restoredAt, now }: Surroundings): Promise<Judgement> {
  const todo = 'Try one twice a year, on another machine: "Restore" in docs/operating.md.';
  const at = await restoredAt();
  // A restore that was tried elsewhere leaves no trace in this installation.
  if (at === null) return unknown('No restore of this data is known.', todo);
  const detail = `This data was restored on ${day(at)}.`;
  return now - at > RESTORE_EVERY_MS ? unknown(`${detail} No later one is known.`, todo) : ok(detail);
}

async function checkMail({ config, mail }: Surroundings): Promise<Judgement> {
  const { host, kept, tried, failed } = await mail();
  if (host === null)
    return config.demo
      ? ok('The demo sends none.')
      : warn(
          `None is sent: ${kept} ${kept === 1 ? 'lies' : 'lie'} in DATA_DIR/outbox.`,
          'Set a mail server under Settings, Mail.',
        );
  if (tried + failed > 0)
    return warn(
      `Sent by ${host}: ${tried} could not be sent so far, ${failed} were given up.`,
      'Send a test under Settings, Mail, which shows the reply.',
    );
  return ok(`Sent by ${host}`);
}

async function checkHttps({ config, publicAddress, now }: Surroundings): Promise<Judgement> {
  const named = config.publicUrl;
  const setIt =
    'Put a proxy with HTTPS in front ("Behind HTTPS" in README.md), and set PUBLIC_URL and TRUST_PROXY.';
  if (named === null) return warn('PUBLIC_URL is not set: links in mails open on this machine only.', setIt);
  const { origin, protocol, host } = new URL(named);
  if (findLinkAddress({ publicUrl: () => named }).onlyHere)
    return warn(`PUBLIC_URL is ${origin}, which opens on this machine only.`, setIt);
  if (protocol !== 'https:')
    return warn(`PUBLIC_URL is ${origin}: without HTTPS phones open no camera.`, setIt);
  const answer = await publicAddress();
  if (answer.state === 'failed')
    return CERTIFICATE_CODE.test(answer.code)
      ? bad(`The certificate of ${host} is not valid (${answer.code}).`, 'Renew it at the proxy.')
      : warn(
          `${origin} does not answer as it should from this machine (${answer.code}).`,
          'Open it on a phone. If it fails there too, look at the proxy, the DNS name and the firewall.',
        );
  if (answer.state === 'other')
    return bad(`${origin} answers, but not as Haris.`, 'Let the proxy pass everything to Haris.');
  const left = answer.certificateEndsAt === null ? null : answer.certificateEndsAt - now;
  if (left !== null && left < CERTIFICATE_ENDS_SOON_MS)
    return warn(`The certificate of ${host} ends in ${days(Math.max(0, left))}.`, 'Renew it at the proxy.');
  if (config.trustProxy === 0)
    return warn(
      `${origin} answers, but TRUST_PROXY is 0: Haris takes everybody for one address.`,
      'Set TRUST_PROXY to the number of proxies in front, usually 1.',
    );
  return ok(`${origin}${left === null ? '' : `, certificate for ${days(left)}`}`);
}

async function checkPhones({ config, phoneSeenAt }: Surroundings): Promise<Judgement> {
  if (config.demo) return ok('A demo needs none.');
  const at = await phoneSeenAt();
  return at === null
    ? warn('No phone has opened Haris by its code yet.', 'Scan the code under Settings, Phones.')
    : ok(`A phone opened Haris on ${day(at)}.`);
}

async function checkEngine({ config, server, engineAnswers }: Surroundings): Promise<Judgement> {
  const place = config.vision === null ? 'of this server' : `at ${new URL(config.vision.url).origin}`;
  const answer = await server();
  const told = answer.state === 'haris' ? answer.parts?.faces : undefined;
  if (told === undefined && config.vision === null) throw notTold(answer);
  if (told === 'ok' || (told === undefined && (await engineAnswers())))
    return ok(`The face engine ${place} answers.`);
  return bad(
    `The face engine ${place} does not answer.`,
    config.vision === null
      ? 'After a start it takes a minute. Then look at log lines with "program":"vision".'
      : 'Start it there; compare VISION_URL, VISION_TOKEN and VISION_CA.',
  );
}

async function checkBroker(surroundings: Surroundings): Promise<Judgement> {
  const { config, server, isTaken, brokerCertificateEndsAt, now } = surroundings;
  const { url, port, host } = config.mqtt;
  if (url === null && port === 0) return ok('Off (MQTT_PORT=0).');
  const answer = await server();
  const told = answer.state === 'haris' ? answer.parts?.broker : undefined;
  if (url !== null) {
    const broker = new URL(url);
    const place = `${broker.hostname}${broker.port === '' ? '' : `:${broker.port}`}`;
    if (told === undefined) throw notTold(answer);
    return told === 'ok'
      ? ok(`Connected to ${place}`)
      : bad(
          `${place} does not take the connection.`,
          'Start that broker; compare user and password in MQTT_URL.',
        );
  }
  const endsAt = await brokerCertificateEndsAt();
  if (endsAt !== null && endsAt < now)
    return bad(`The certificate in MQTT_TLS_CERT ended on ${day(endsAt)}.`, 'Renew it, and restart Haris.');
  const todo = 'set another MQTT_PORT, or MQTT_URL if that program is a broker.';
  if (told === undefined) {
    // With PORT=0, or without the settings of the server, Haris itself may run unseen.
    if (answer.state === 'none' && (await isTaken(host, port)))
      return warn(`A program uses port ${port}, and Haris was not found.`, `If it is not Haris, ${todo}`);
    throw notTold(answer);
  }
  if (told === 'off') return bad(`Another program uses port ${port}: sensors cannot connect.`, capital(todo));
  if (told === 'down') return bad('The broker of this server has stopped.', 'Restart Haris.');
  if (endsAt !== null && endsAt - now < CERTIFICATE_ENDS_SOON_MS)
    return warn(
      `Port ${port}; the certificate in MQTT_TLS_CERT ends in ${days(endsAt - now)}.`,
      'Renew it, and restart Haris.',
    );
  return ok(`Port ${port}`);
}

async function checkCameras({ cameras, server }: Surroundings): Promise<Judgement> {
  const { watched, down } = await cameras();
  if (watched === 0) return ok('None is set up.');
  const answer = await server();
  if (answer.state !== 'haris') throw notTold(answer);
  const detail = `${down} of ${watched} ${down === 1 ? 'gives' : 'give'} no picture.`;
  return down === 0
    ? ok(`${watched} of ${watched} give pictures.`)
    : warn(detail, 'The page of each camera says why.');
}

/** All checks, in the order of a start: first what the others rest on. */
const CHECKS: readonly { readonly id: string; readonly look: Look }[] = [
  { id: 'version', look: checkVersion },
  { id: 'node', look: checkNode },
  { id: 'folder', look: checkFolder },
  { id: 'disk', look: checkDisk },
  { id: 'clock', look: checkClock },
  { id: 'database', look: checkDatabase },
  { id: 'keys', look: checkKey },
  { id: 'backup', look: checkBackup },
  { id: 'restore', look: checkRestore },
  { id: 'server', look: checkServer },
  { id: 'https', look: checkHttps },
  { id: 'phones', look: checkPhones },
  { id: 'mail', look: checkMail },
  { id: 'engine', look: checkEngine },
  { id: 'broker', look: checkBroker },
  { id: 'cameras', look: checkCameras },
];

/** Runs all checks at once. One that fails or takes longer than `withinMs` is `unknown`. Never rejects. */
export function examine(surroundings: Surroundings, withinMs: number): Promise<Finding[]> {
  return Promise.all(
    CHECKS.map(async ({ id, look }): Promise<Finding> => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Judgement>((resolve) => {
        timer = setTimeout(() => resolve(unknown('It took too long to find out.')), withinMs);
      });
      try {
        return { id, ...(await Promise.race([look(surroundings), late])) };
      } catch (error) {
        return { id, ...unknown(reasonOf(surroundings, error)) };
      } finally {
        clearTimeout(timer);
      }
    }),
  );
}

/** Never the message of an unexpected error, which may quote data. */
function reasonOf({ explain }: Surroundings, error: unknown): string {
  if (error instanceof NotKnownError) return error.message;
  const words = explain(error);
  if (words !== undefined) return capital(words);
  const { failure, code } = describeFailure(error);
  return `It could not be found out (${failure}${code === undefined ? '' : ` ${code}`}).`;
}
