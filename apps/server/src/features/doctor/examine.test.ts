/** What the checks of `npm run doctor` make of their surroundings. */
import { LANGUAGES } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import type { HealthState } from '@haris/contract/http/health';
import { describe, expect, test } from 'vitest';
import { type Config, loadConfig } from '../../config.ts';
import { MasterKeyError } from '../../vault/master-key.ts';
import { examine } from './examine.ts';
import { type Told, tell } from './judgement.ts';
import { reportOf } from './report.ts';
import { day, days, say, size } from './sentence.ts';
import {
  type CertificateFacts,
  type NightlyFacts,
  NotKnownError,
  type Surroundings,
} from './surroundings.ts';
import { WORDS } from './words.ts';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const DAY = 24 * 3_600_000;
const GB = 1e9;
const PATIENT_MS = 600_000;

const configWith = (env: Record<string, string> = {}): Config =>
  loadConfig(
    { PUBLIC_URL: 'https://haris.example.org', TRUST_PROXY: '1', ...env },
    { demo: false, base: '/srv' },
  );
const haris =
  (parts: object = {}) =>
  async () =>
    ({
      state: 'haris',
      version: '1.2.3',
      parts: { database: 'ok', faces: 'ok', broker: 'ok', ...parts },
    }) as const;
const stopped = async () => ({ state: 'none' }) as const;
const sqlite = { kind: 'SQLite', bytes: 12_300_000, pending: 0, isExempt: false } as const;

/** Surroundings in which all is well, but for what a test says. */
function around(over: Partial<Surroundings> = {}): Surroundings {
  return {
    config: configWith(),
    now: NOW,
    version: '1.2.3',
    node: { version: '24.1.0', pinned: '24.1.0' },
    folder: async () => ({ isOwn: true, isWritable: true, isOpenToOthers: false, unreadableBars: 0 }),
    disk: async () => ({ freeBytes: 50 * GB, totalBytes: 100 * GB }),
    server: haris(),
    isTaken: async () => false,
    database: async () => sqlite,
    explain: (error) => (error instanceof MasterKeyError ? error.message : undefined),
    damage: async () => 'whole',
    knownTime: async () => NOW - 30_000,
    key: async () => ({ at: NOW - 100 * DAY, isOpenToOthers: false, unreadableBars: 0 }),
    backup: async () => ({ last: NOW - DAY, dueDays: null, hasFamilies: true, nightly: null }),
    restoredAt: async () => NOW - 20 * DAY,
    mail: async () => ({ host: 'smtp.example.org', kept: 0, tried: 0, failed: 0 }),
    publicAddress: async () => ({ state: 'haris', certificateEndsAt: NOW + 60 * DAY }),
    certificate: async () => null,
    phoneSeenAt: async () => NOW - DAY,
    brokerCertificateEndsAt: async () => null,
    engineAnswers: async () => false,
    cameras: async () => ({ watched: 3, down: 0 }),
    ...over,
  };
}

const nightly = (over: Partial<NightlyFacts>, last: number | null = NOW - DAY): Partial<Surroundings> => ({
  backup: async () => ({
    ...{ last, dueDays: null, hasFamilies: true },
    nightly: {
      madeAt: last,
      failedAt: null,
      missing: 0,
      triedAt: null,
      trialFailedAt: null,
      isLate: false,
      running: null,
      ...over,
    },
  }),
});

/** A server that speaks HTTPS itself, without a proxy. */
const own = (over: Partial<CertificateFacts>): Partial<Surroundings> => ({
  config: configWith({ TRUST_PROXY: '0' }),
  certificate: async () => ({
    ...{ startsAt: NOW - DAY, endsAt: NOW + 60 * DAY, isForPublicUrl: true },
    ...{ isInUse: true, waiting: null, isKeyOpenToOthers: false },
    ...over,
  }),
});

async function examineWith(over: Partial<Surroundings>, language: Language = 'en'): Promise<Told[]> {
  return (await examine(around(over), PATIENT_MS)).map((finding) => tell(finding, language));
}

async function find(id: string, over: Partial<Surroundings>, language?: Language): Promise<Told> {
  const found = (await examineWith(over, language)).find((finding) => finding.id === id);
  if (!found) throw new Error(`there is no check ${id}`);
  return found;
}

test('where all is well, every check says so and asks for nothing', async () => {
  const findings = await examineWith({});
  expect(findings.filter(({ state, todo }) => state !== 'ok' || todo !== undefined)).toEqual([]);
  expect(findings.map(({ id, detail }) => `${id}: ${detail}`)).toEqual([
    'version: 1.2.3',
    'node: 24.1.0',
    'folder: /srv/data',
    'disk: 50.0 GB of 100.0 GB are free.',
    'clock: 2026-11-20 08:00 UTC',
    'database: SQLite, 12.3 MB, no damage known',
    'keys: The master key is of 2026-08-12, 100 days old.',
    'backup: The last one is 1 day old.',
    'restore: This data was restored on 2026-10-31.',
    'server: Haris answers at port 3000.',
    'https: https://haris.example.org, certificate for 60 days',
    'phones: A phone opened Haris on 2026-11-19.',
    'mail: Sent by smtp.example.org',
    'engine: The face engine of this server answers.',
    'broker: Port 1883',
    'cameras: 3 of 3 give pictures.',
  ]);
});

test.each([
  ['write', 'One is being made now: 1200 of 5000 rows, 3 of 40 photos.', 'يجري الآن إنشاء نسخة'],
  ['check', 'is being read back: 1200 of 5000 rows, 3 of 40 photos.', 'وتجري قراءتها'],
] as const)(
  'a nightly backup that is being made says how far it is (%s), and changes no verdict',
  async (step, said, arabic) => {
    const running = { step, rows: 1_200, allRows: 5_000, photos: 3, allPhotos: 40 };
    const found = await find('backup', nightly({ running }));
    expect(found).toMatchObject({ state: 'ok', detail: expect.stringContaining(said) });
    expect(found.detail).toMatch(/^The last one is 1 day old\. /);
    expect((await find('backup', nightly({ running }), 'ar')).detail).toContain(arabic);
    expect((await find('backup', nightly({ running, isLate: true }))).state).toBe('bad');
  },
);

const remote = { VISION_URL: 'https://engine.example.org:3100', VISION_TOKEN: 'a-token-of-the-engine' };
const postgres = { DATABASE_URL: 'postgres://haris:secret@db.example.org/haris' };

test.each<[what: string, id: string, state: HealthState, over: Partial<Surroundings>]>([
  ['the server runs another version', 'version', 'warn', { version: '1.2.4' }],
  ['another Node', 'node', 'warn', { node: { version: '22.1.0', pinned: '24.1.0' } }],
  ['a Node that came along', 'node', 'ok', { node: { version: '24.1.0', pinned: null } }],
  ['no data folder', 'folder', 'bad', { folder: async () => null }],
  [
    'another user’s folder',
    'folder',
    'warn',
    { folder: async () => ({ isOwn: false, isWritable: false, isOpenToOthers: false, unreadableBars: 0 }) },
  ],
  [
    'a folder that cannot be written',
    'folder',
    'bad',
    { folder: async () => ({ isOwn: true, isWritable: false, isOpenToOthers: false, unreadableBars: 0 }) },
  ],
  [
    'a bars.log that somebody changed',
    'folder',
    'warn',
    {
      folder: async () => ({ isOwn: true, isWritable: true, isOpenToOthers: false, unreadableBars: 1 }),
    },
  ],
  [
    'a folder open to others',
    'folder',
    'warn',
    { folder: async () => ({ isOwn: true, isWritable: true, isOpenToOthers: true, unreadableBars: 0 }) },
  ],
  ['little room', 'disk', 'warn', { disk: async () => ({ freeBytes: 9 * GB, totalBytes: 100 * GB }) }],
  ['no room', 'disk', 'bad', { disk: async () => ({ freeBytes: 1000, totalBytes: 100 * GB }) }],
  ['a database server without room', 'disk', 'bad', { server: haris({ database: 'full' }) }],
  [
    'too little room for the backup before an update',
    'disk',
    'warn',
    { database: async () => ({ ...sqlite, bytes: 26 * GB }) },
  ],
  ['a disk that tells nothing', 'disk', 'ok', { disk: async () => ({ freeBytes: 0, totalBytes: 0 }) }],
  ['a clock of before this version', 'clock', 'bad', { now: 0 }],
  ['a clock that is behind', 'clock', 'bad', { knownTime: async () => NOW + 2 * DAY }],
  ['a clock that is ahead', 'clock', 'warn', { knownTime: async () => NOW - 2 * DAY }],
  ['no database', 'database', 'bad', { database: async () => null }],
  ['an empty database', 'database', 'bad', { database: async () => ({ ...sqlite, pending: null }) }],
  ['an older database', 'database', 'warn', { database: async () => ({ ...sqlite, pending: 3 }) }],
  ['a damaged database', 'database', 'bad', { server: haris({ database: 'damaged' }) }],
  ['a database that takes no row', 'database', 'bad', { server: haris({ database: 'down' }) }],
  ['damage while Haris is off', 'database', 'bad', { server: stopped, damage: async () => 'damaged' }],
  ['no answer about damage', 'database', 'unknown', { server: stopped, damage: async () => 'unknown' }],
  [
    'a role that skips row-level security',
    'database',
    'warn',
    {
      config: configWith(postgres),
      database: async () => ({ kind: 'PostgreSQL', bytes: null, pending: 0, isExempt: true }),
    },
  ],
  [
    'PostgreSQL while Haris is off',
    'database',
    'ok',
    {
      config: configWith(postgres),
      server: stopped,
      database: async () => ({ kind: 'PostgreSQL', bytes: null, pending: 0, isExempt: false }),
    },
  ],
  [
    'a key that others can read',
    'keys',
    'bad',
    { key: async () => ({ at: NOW, isOpenToOthers: true, unreadableBars: 0 }) },
  ],
  ['no key yet', 'keys', 'unknown', { key: async () => null, database: async () => null }],
  [
    'a backup that is due',
    'backup',
    'bad',
    { backup: async () => ({ last: NOW - 8 * DAY, dueDays: null, hasFamilies: true, nightly: null }) },
  ],
  [
    'a backup within the chosen days',
    'backup',
    'ok',
    { backup: async () => ({ last: NOW - 8 * DAY, dueDays: 14, hasFamilies: true, nightly: null }) },
  ],
  [
    'families without a backup',
    'backup',
    'bad',
    { backup: async () => ({ last: null, dueDays: null, hasFamilies: true, nightly: null }) },
  ],
  [
    'no backup, and no family',
    'backup',
    'warn',
    { backup: async () => ({ last: null, dueDays: null, hasFamilies: false, nightly: null }) },
  ],
  ['a nightly backup that failed', 'backup', 'bad', nightly({ failedAt: NOW - 3_600_000 })],
  ['a nightly backup that is late', 'backup', 'bad', nightly({ isLate: true }, null)],
  ['a nightly backup without some photos', 'backup', 'bad', nightly({ missing: 1 })],
  ['nightly backups that are made', 'backup', 'ok', nightly({})],
  [
    'a backup of tomorrow',
    'backup',
    'unknown',
    { backup: async () => ({ last: NOW + 2 * DAY, dueDays: null, hasFamilies: true, nightly: null }) },
  ],
  ['no known restore', 'restore', 'unknown', { restoredAt: async () => null }],
  [
    'a trial of the nightly backup',
    'restore',
    'ok',
    { ...nightly({ triedAt: NOW - 3 * DAY }), restoredAt: async () => null },
  ],
  [
    'no later trial of the nightly backup for most of a year',
    'restore',
    'unknown',
    { ...nightly({ triedAt: NOW - 300 * DAY }), restoredAt: async () => null },
  ],
  ['nightly backups without a trial', 'restore', 'unknown', { ...nightly({}), restoredAt: async () => null }],
  [
    'a nightly backup that could not be restored',
    'restore',
    'bad',
    nightly({ triedAt: NOW - 8 * DAY, trialFailedAt: NOW - DAY }),
  ],
  ['a restore of last year', 'restore', 'unknown', { restoredAt: async () => NOW - 300 * DAY }],
  ['a stopped server', 'server', 'warn', { server: stopped }],
  ['a server that hangs', 'server', 'bad', { server: async () => ({ state: 'silent' }) }],
  ['another program at the port', 'server', 'bad', { server: async () => ({ state: 'other' }) }],
  ['a port that nobody knows', 'server', 'unknown', { config: configWith({ PORT: '0' }), server: stopped }],
  ['no public address', 'https', 'warn', { config: configWith({ PUBLIC_URL: '' }) }],
  [
    'a public address of this machine',
    'https',
    'warn',
    { config: configWith({ PUBLIC_URL: 'https://localhost' }) },
  ],
  [
    'a public address without TLS',
    'https',
    'warn',
    { config: configWith({ PUBLIC_URL: 'http://haris.example.org' }) },
  ],
  ['a proxy that is not counted', 'https', 'warn', { config: configWith({ TRUST_PROXY: '0' }) }],
  [
    'a proxy to something else',
    'https',
    'bad',
    { publicAddress: async () => ({ state: 'other', certificateEndsAt: null }) },
  ],
  [
    'a certificate that is over',
    'https',
    'bad',
    { publicAddress: async () => ({ state: 'failed', code: 'CERT_HAS_EXPIRED' }) },
  ],
  [
    'a certificate that ends soon',
    'https',
    'warn',
    { publicAddress: async () => ({ state: 'haris', certificateEndsAt: NOW + 5 * DAY }) },
  ],
  [
    'a certificate of an own authority',
    'https',
    'warn',
    { publicAddress: async () => ({ state: 'failed', code: 'SELF_SIGNED_CERT_IN_CHAIN' }) },
  ],
  [
    'an address that does not answer from here',
    'https',
    'warn',
    { publicAddress: async () => ({ state: 'failed', code: 'ENOTFOUND' }) },
  ],
  ['an own certificate', 'https', 'ok', own({})],
  ['an own certificate that is over', 'https', 'bad', own({ endsAt: NOW - DAY })],
  ['an own certificate of tomorrow', 'https', 'bad', own({ startsAt: NOW + DAY })],
  ['an own certificate that ends soon', 'https', 'warn', own({ endsAt: NOW + 5 * DAY })],
  ['an own certificate for another name', 'https', 'bad', own({ isForPublicUrl: false })],
  ['a renewed one that is not taken yet', 'https', 'warn', own({ waiting: { problem: null } })],
  ['one that cannot be taken', 'https', 'warn', own({ waiting: { problem: 'TLS_KEY must fit' } })],
  [
    'one that cannot be taken, and the one before is over',
    'https',
    'bad',
    own({ endsAt: NOW - DAY, waiting: { problem: 'TLS_KEY must fit' } }),
  ],
  ['a private key that others can read', 'https', 'warn', own({ isKeyOpenToOthers: true })],
  ['such a key, and another name', 'https', 'bad', own({ isKeyOpenToOthers: true, isForPublicUrl: false })],
  [
    'an own certificate for another name behind a proxy',
    'https',
    'ok',
    { ...own({ isForPublicUrl: false }), config: configWith() },
  ],
  [
    'an own certificate and no public address',
    'https',
    'warn',
    { ...own({}), config: configWith({ PUBLIC_URL: '' }) },
  ],
  [
    'an own certificate and a public address without TLS',
    'https',
    'bad',
    { ...own({}), config: configWith({ PUBLIC_URL: 'http://haris.example.org' }) },
  ],
  ['another certificate at the port', 'server', 'warn', { server: async () => ({ state: 'certificate' }) }],
  ['no phone yet', 'phones', 'warn', { phoneSeenAt: async () => null }],
  ['no mail server', 'mail', 'warn', { mail: async () => ({ host: null, kept: 4, tried: 0, failed: 0 }) }],
  ['mails that wait', 'mail', 'warn', { mail: async () => ({ host: 'x', kept: 0, tried: 2, failed: 0 }) }],
  [
    'mails that were given up',
    'mail',
    'warn',
    { mail: async () => ({ host: 'x', kept: 0, tried: 0, failed: 1 }) },
  ],
  ['an engine that is down', 'engine', 'bad', { server: haris({ faces: 'down' }) }],
  ['an own engine of a stopped server', 'engine', 'unknown', { server: stopped }],
  [
    'another machine’s engine',
    'engine',
    'ok',
    { config: configWith(remote), server: stopped, engineAnswers: async () => true },
  ],
  ['another machine’s engine that is away', 'engine', 'bad', { config: configWith(remote), server: stopped }],
  [
    'a broker’s certificate that is over',
    'broker',
    'bad',
    { brokerCertificateEndsAt: async () => NOW - DAY },
  ],
  [
    'a broker’s certificate that ends soon',
    'broker',
    'warn',
    { brokerCertificateEndsAt: async () => NOW + 3 * DAY },
  ],
  ['a broker’s certificate', 'broker', 'ok', { brokerCertificateEndsAt: async () => NOW + 90 * DAY }],
  ['no broker', 'broker', 'ok', { config: configWith({ MQTT_PORT: '0' }), server: stopped }],
  ['a broker without a port', 'broker', 'bad', { server: haris({ broker: 'off' }) }],
  ['a broker that stopped', 'broker', 'bad', { server: haris({ broker: 'down' }) }],
  ['a stopped broker', 'broker', 'unknown', { server: stopped }],
  ['a stopped broker whose port is taken', 'broker', 'warn', { server: stopped, isTaken: async () => true }],
  ['another broker', 'broker', 'ok', { config: configWith({ MQTT_URL: 'mqtt://broker.example.org' }) }],
  [
    'another broker that is away',
    'broker',
    'bad',
    { config: configWith({ MQTT_URL: 'mqtt://broker.example.org' }), server: haris({ broker: 'down' }) },
  ],
  ['a camera without a picture', 'cameras', 'warn', { cameras: async () => ({ watched: 3, down: 1 }) }],
  ['cameras of a stopped server', 'cameras', 'unknown', { server: stopped }],
  ['no cameras', 'cameras', 'ok', { cameras: async () => ({ watched: 0, down: 0 }), server: stopped }],
])('%s: %s is %s', async (_what, id, state, over) => {
  const finding = await find(id, over);
  expect(finding).toMatchObject({ id, state });
  // What is bad or should be better has a line that says what to do.
  if (state === 'bad' || state === 'warn') expect(finding.todo).toMatch(/\w/);
  const arabic = await find(id, over, 'ar');
  const texts = [arabic.detail, ...(arabic.todo === undefined ? [] : [arabic.todo])];
  expect(texts.filter((text) => /[{}`]/.test(text))).toEqual([]);
  // What is in order may be a path or a version alone.
  if (state !== 'ok') expect(texts.filter((text) => !/\p{Script=Arabic}/u.test(text))).toEqual([]);
  expect(arabic.todo === undefined).toBe(finding.todo === undefined);
});

describe('the sentences', () => {
  test('have the same values in both languages', () => {
    const valuesOf = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    for (const [word, { en, ar }] of Object.entries(WORDS)) expect(valuesOf(ar), word).toEqual(valuesOf(en));
  });

  test('count days, name days and write sizes as the language does', () => {
    const inArabic = [0, 1, 2, 3, 11, 100].map((count) => days(count * DAY).ar);
    expect(inArabic).toEqual(['أقل من يوم', 'يوم واحد', 'يومين', '٣ أيام', '١١ يومًا', '١٠٠ يوم']);
    expect([0, 1, 2].map((count) => days(count * DAY).en)).toEqual(['0 days', '1 day', '2 days']);
    expect(day(NOW)).toEqual({ en: '2026-11-20', ar: '٢٠ نوفمبر ٢٠٢٦' });
    expect(size(1.25e9)).toEqual({ en: '1.3 GB', ar: expect.stringMatching(/^١٫[٢٣] غيغابايت$/) });
  });

  test('keep a path or a setting together, and nothing in a value moves or fills text', () => {
    const folder = '/srv/\u202e{count}';
    expect(say('folderIsMissing', { folder })).toEqual({
      en: '/srv/ {count} is not there.',
      ar: 'المجلد \u2068/srv/ {count}\u2069 غير موجود.',
    });
    expect(say('anyPort').ar).toContain('\u2068PORT=0\u2069');
    for (const language of LANGUAGES)
      expect(say('barsWereChanged', { folder, count: 4 })[language]).toContain('{count}');
  });
});

describe('a check that fails', () => {
  const missing = new MasterKeyError('the master key is missing.');

  test('over the reason that a start would give is bad, in those words', async () => {
    const fail = async () => Promise.reject(missing);
    expect(await find('database', { database: fail })).toMatchObject({
      state: 'bad',
      detail: 'The master key is missing.',
    });
    expect(await find('keys', { key: async () => null, database: fail })).toMatchObject({ state: 'bad' });
    expect(await find('keys', { key: fail })).toMatchObject({ state: 'bad' });
  });

  test('is unknown, says its reason, and holds up no other', async () => {
    const fail = (error: Error) => async () => Promise.reject(error);
    const findings = await examineWith({
      mail: fail(new NotKnownError('noDatabaseYet')),
      cameras: fail(Object.assign(new Error('secret of a row'), { code: 'ERR_SQLITE_ERROR' })),
      database: fail(new TypeError('secret')),
    });
    const of = (id: string) => findings.find((finding) => finding.id === id);
    expect(of('mail')).toMatchObject({ state: 'unknown', detail: 'There is no database yet.' });
    expect(of('cameras')).toMatchObject({
      state: 'unknown',
      detail: 'It could not be found out (Error ERR_SQLITE_ERROR).',
    });
    expect(of('database')).toMatchObject({
      state: 'unknown',
      detail: 'It could not be found out (TypeError).',
    });
    expect(of('backup')).toMatchObject({ state: 'ok' });
    expect(JSON.stringify(findings)).not.toContain('secret');
  });

  test('but a database server that cannot be asked, for whatever reason, is bad', async () => {
    const database = async () => Promise.reject(new Error('secret of a driver'));
    const findings = await examineWith({
      database,
      config: configWith({ DATABASE_URL: 'postgresql://haris@db.example.org/haris' }),
    });
    expect(findings.find(({ id }) => id === 'database')).toMatchObject({
      state: 'bad',
      detail: 'It cannot be opened (Error).',
    });
  });

  test('and one that never ends, is given up', async () => {
    const findings = await examine(around({ phoneSeenAt: () => new Promise(() => {}) }), 1_000);
    expect(findings.find(({ id }) => id === 'phones')).toMatchObject({
      state: 'unknown',
      detail: { en: 'It took too long to find out.' },
    });
  });
});

test('the screen has the worst first, aligned and within 80 columns, and no text that moves', () => {
  const long = 'word '.repeat(30).trim();
  const screen = reportOf([
    { id: 'node', state: 'ok', detail: '24.1.0' },
    { id: 'mail', state: 'warn', detail: long, todo: long },
    { id: 'keys', state: 'unknown', detail: 'no\u202etxt\u0007' },
    { id: 'database', state: 'bad', detail: 'It is damaged.', todo: 'Restore.' },
  ]);
  const lines = screen.trimEnd().split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.slice(0, 3)).toEqual([
    'bad      database  It is damaged.',
    '                   > Restore.',
    `warn     mail      ${'word '.repeat(12).trim()}`,
  ]);
  expect(lines).toContain('unknown  keys      no txt');
  expect(lines.at(-1)).toBe('1 bad, 1 warn, 1 unknown, 1 ok');
  expect(lines.map((line) => line.split(' ')[0]).filter((word) => word !== '' && word !== '1')).toEqual([
    'bad',
    'warn',
    'unknown',
    'ok',
  ]);
});
