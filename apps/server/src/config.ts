/** All settings of the server, and the few of the commands, read from the environment once. `.env.example` and the README list the same settings. */
import { isAbsolute, join, resolve } from 'node:path';
import { staffEmailSchema, staffPasswordSchema, timeZoneSchema } from '@haris/contract/fields';
import { ConfigError, parseConfig } from '@haris/runtime/config';
import { isOwnMachine } from '@haris/runtime/own-machine';
import { type Certificate, readCertificate, readSettingFile } from '@haris/runtime/setting-files';
import { z } from 'zod';
import { OIDC_VARIABLES, type OidcSettings, readOidc } from './config-oidc.ts';
import { areApart } from './data-folder.ts';
import type { Reach } from './reach.ts';

const port = z
  .string()
  .regex(/^[0-9]{1,5}$/, 'must be a port number from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number from 0 to 65535');

const url = (schemes: readonly string[], example: string) =>
  z.string().refine(
    (value) => {
      try {
        return schemes.includes(new URL(value).protocol);
      } catch {
        return false;
      }
    },
    { error: `must be an address like ${example}` },
  );

const distance = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^0(\.[0-9]+)?$/, `must be a distance from 0 to ${max}`)
    .transform(Number)
    .refine((value) => value <= max, `must be a distance from 0 to ${max}`)
    .default(fallback);

const settings = z.object({
  PORT: port.default(3000),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  DATA_DIR: z.string().optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time from 00:00 to 23:59')
    .default('02:30'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/haris').optional(),
  DATABASE_POOL: z
    .string()
    .regex(/^[1-9][0-9]{0,2}$/, 'must be a whole number from 1 to 999')
    .transform(Number)
    .default(10),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtps://user:password@host:465').optional(),
  SMTP_WITHOUT_TLS: z.enum(['yes', 'no'], { error: 'must be yes or no' }).default('no'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'must be an e-mail address, with or without a name')
    .default('Haris <haris@localhost>'),
  AUDIT_MAIL_TO: z
    .string()
    .refine((value) => staffEmailSchema.safeParse(value).success, 'must be an e-mail address')
    .transform((value) => value.trim())
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(
      /^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s/]+\S*|tel:\+?[0-9-]+)$/,
      'must be an address like mailto:security@haris.example.org, https://haris.example.org/security or tel:+201…',
    )
    .optional(),
  PUSH_CONTACT: z
    .string()
    .regex(
      /^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s/]+\S*)$/,
      'must be an address like mailto:desk@haris.example.org or https://haris.example.org',
    )
    .optional(),
  NOTICES_TO_THIS_MACHINE: z.enum(['yes', 'no'], { error: 'must be yes or no' }).default('no'),
  MQTT_URL: url(['mqtt:', 'mqtts:'], 'mqtt://user:password@host:1883').optional(),
  MQTT_PORT: port.optional(),
  MQTT_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address')
    .optional(),
  MQTT_TLS_CERT: z.string().optional(),
  MQTT_TLS_KEY: z.string().optional(),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  PUBLIC_URL: url(['http:', 'https:'], 'https://haris.example.org').optional(),
  REGISTER_URL: url(['http:', 'https:'], 'https://faces.example.org').optional(),
  TRUST_PROXY: z
    .string()
    .regex(/^[0-9]$/, 'must be the number of proxies in front, from 0 to 9')
    .transform(Number)
    .default(0),
  ADMIN_EMAIL: z
    .string()
    .refine((value) => staffEmailSchema.safeParse(value).success, 'must be an e-mail address')
    .transform((value) => value.trim().toLowerCase())
    .optional(),
  ADMIN_PASSWORD: z
    .string()
    .refine((value) => staffPasswordSchema.safeParse(value).success, 'must have 8 to 128 characters')
    .optional(),
  RECOVERY_KEY: z
    .string()
    .transform((value) => value.trim())
    .optional(),
  VISION_URL: url(['http:', 'https:'], 'https://vision-host:3100').optional(),
  VISION_CA: z.string().optional(),
  VISION_WITHOUT_TLS: z.enum(['yes', 'no'], { error: 'must be yes or no' }).default('no'),
  VISION_TOKEN: z
    .string()
    .min(16, 'must have 16 to 200 characters')
    .max(200, 'must have 16 to 200 characters')
    .optional(),
  FACE_THRESHOLD: distance(0.5, 0.6),
  FACE_MARGIN: distance(0.05, 0.3),
  FACE_DUPLICATE_THRESHOLD: distance(0.55, 0.6),
  FACE_QUESTION_THRESHOLD: distance(0.6, 0.7),
  ...OIDC_VARIABLES,
  TIME_ZONE: z.optional(timeZoneSchema),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace'], {
      error: 'must be fatal, error, warn, info, debug or trace',
    })
    .default('info'),
});

/** Default address of the demo's administrator, and the password of everybody in the demo. */
const DEMO_ADMIN_EMAIL = 'director@demo.example';
export const DEMO_PASSWORD = 'haris-demo';

/** The port of MQTT without TLS. */
const MQTT_PORT = 1883;

/** Secrets: messages never repeat the values of these variables. */
const SECRETS = [
  'DATABASE_URL',
  'SMTP_URL',
  'MQTT_URL',
  'ADMIN_PASSWORD',
  'RECOVERY_KEY',
  'VISION_TOKEN',
  'OIDC_CLIENT_SECRET',
];

/** The MQTT broker of the sensors. */
export interface MqttSettings {
  /** Address of another broker; null for the embedded one. */
  readonly url: string | null;
  /** 0: no broker. */
  readonly port: number;
  /** False if `port` is the default value. */
  readonly portIsChosen: boolean;
  readonly host: string;
  readonly tls: Certificate | null;
  /** Falls back to a free port if the default one is in use: only the demo's own sensor connects to it. */
  readonly takesAnyPort: boolean;
}

/** Where an installation is: what a command that starts no server needs. */
export interface PlaceConfig {
  /** Absolute. */
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Master key for a restore without a key file, in the form that `npm run backup -- --recovery-key` prints. */
  readonly recoveryKey: string | null;
  readonly logLevel: string;
}

export interface Config extends PlaceConfig {
  readonly port: number;
  readonly host: string;
  /** Where backups are made each night, and from which time of the facility on (`HH:MM`); null: none are. */
  readonly nightlyBackup: { readonly folder: string; readonly at: string } | null;
  readonly databasePool: number;
  readonly smtpUrl: string | null;
  /** Whether mails may be sent unencrypted if the mail server offers no TLS. */
  readonly smtpWithoutTls: boolean;
  readonly mailFrom: string;
  /** Contact for vulnerability reports: `mailto:`, `https:` or `tel:`. */
  readonly securityContact: string;
  /** Recipient of the daily mail with the head of the audit log; null: no mail. */
  readonly auditMailTo: string | null;
  readonly notifications: {
    /** Address by which a push service can reach the operator: `mailto:` or `https:`. */
    readonly pushContact: string;
    /** Allows push services and webhooks on this machine and without TLS; for tests. */
    readonly mayStayHere: boolean;
  };
  readonly mqtt: MqttSettings;
  /** The certificate with which the server speaks HTTPS on `port`; null: it speaks plain HTTP. */
  readonly tls: Certificate | null;
  /** Without a trailing slash; null: this machine's own name, once the port is known ({@link linkBase}). */
  readonly publicUrl: string | null;
  readonly registerUrl: string;
  readonly trustProxy: number;
  readonly adminEmail: string | null;
  readonly adminPassword: string | null;
  /** A face engine that runs elsewhere; null: the server runs its own engine. */
  readonly vision: {
    /** Without a trailing slash. */
    readonly url: string;
    readonly token: string;
    /** PEM certificate of the authority that signed the engine's certificate; null: a public authority. */
    readonly ca: string | null;
  } | null;
  /** The identity provider of the organisation; null: nobody signs in by one. */
  readonly oidc: OidcSettings | null;
  readonly recognition: {
    readonly threshold: number;
    readonly margin: number;
    readonly duplicateThreshold: number;
    readonly questionThreshold: number;
  };
  /** IANA time zone until staff change it. */
  readonly timeZone: string;
  /** Whether the environment names the time zone; otherwise it is the server's. */
  readonly timeZoneIsChosen: boolean;
  readonly demo: boolean;
}

/** A sender's address, with or without a name. */
function addressOf(sender: string): string {
  return /[^\s@<>]+@[^\s@<>]+/.exec(sender)?.[0] ?? sender;
}

/** Throws ConfigError for an address without a token, and for an address of another machine without TLS. */
function readVision(read: z.infer<typeof settings>, base: string): Config['vision'] {
  if (read.VISION_URL === undefined) return null;
  if (read.VISION_TOKEN === undefined)
    throw new ConfigError('VISION_TOKEN must be set with VISION_URL (it is not set)');
  const { protocol, hostname } = new URL(read.VISION_URL);
  if (protocol === 'http:' && read.VISION_WITHOUT_TLS === 'no' && !isOwnMachine(hostname))
    throw new ConfigError(
      `VISION_URL must begin with https:// where the face engine is on another machine; VISION_WITHOUT_TLS=yes sends children's pictures without TLS (it is "${read.VISION_URL}")`,
    );
  return {
    url: read.VISION_URL.replace(/\/+$/, ''),
    token: read.VISION_TOKEN,
    ca: read.VISION_CA === undefined ? null : readSettingFile('VISION_CA', read.VISION_CA, base),
  };
}

/** Throws ConfigError for a folder that lies in the data folder or around it: with the disk or the key, both would be lost. */
function readNightlyBackup(
  { BACKUP_DIR, BACKUP_AT }: z.infer<typeof settings>,
  dataDir: string,
  base: string,
): Config['nightlyBackup'] {
  if (BACKUP_DIR === undefined) return null;
  const folder = resolve(base, BACKUP_DIR);
  // By the names alone: whether it is there is asked at night, because a share that hangs must not hold up the start.
  if (!areApart(folder, resolve(base, dataDir)))
    throw new ConfigError(
      `BACKUP_DIR must be a folder apart from DATA_DIR, best on another disk (it is ${JSON.stringify(BACKUP_DIR)})`,
    );
  return { folder, at: BACKUP_AT };
}

const placeSettings = settings.pick({
  DATA_DIR: true,
  DATABASE_URL: true,
  RECOVERY_KEY: true,
  LOG_LEVEL: true,
});
const linkSettings = settings.pick({ PORT: true, PUBLIC_URL: true, TLS_CERT: true, TLS_KEY: true });

function placeOf(
  read: z.infer<typeof placeSettings>,
  { demo, base }: { demo: boolean; base: string },
): PlaceConfig {
  const folder = read.DATA_DIR ?? './data';
  const dataDir = isAbsolute(folder) ? folder : resolve(base, folder);
  return {
    dataDir: demo ? `${dataDir.replace(/\/+$/, '')}-demo` : dataDir,
    databaseUrl: demo ? null : (read.DATABASE_URL ?? null),
    recoveryKey: read.RECOVERY_KEY ?? null,
    logLevel: read.LOG_LEVEL,
  };
}

const withoutSlash = (value: string | undefined): string | null => value?.replace(/\/+$/, '') ?? null;

/**
 * Reads only the settings of a command that starts no server, as {@link loadConfig} does. Whatever else is wrong, such as
 * a certificate that is not back yet, must not keep a restore from running.
 */
export function loadPlace(
  env: Readonly<Record<string, string | undefined>>,
  options: { demo: boolean; base: string },
): PlaceConfig {
  return placeOf(parseConfig(placeSettings, env, SECRETS), options);
}

/** {@link linkBase} for a command: reads no certificate. Throws ConfigError like {@link loadConfig}. */
export function loadLinkBase(env: Readonly<Record<string, string | undefined>>): string {
  const { PORT, PUBLIC_URL, TLS_CERT, TLS_KEY } = parseConfig(linkSettings, env, SECRETS);
  return linkBase({ publicUrl: withoutSlash(PUBLIC_URL), tls: TLS_CERT ?? TLS_KEY ?? null }, PORT);
}

/**
 * Reads the settings. `demo` uses its own data folder and never an external database. Throws ConfigError with one line
 * that names the variable.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  { demo, base }: { demo: boolean; base: string },
): Config {
  const read = parseConfig(settings, env, SECRETS);
  for (const name of ['FACE_DUPLICATE_THRESHOLD', 'FACE_QUESTION_THRESHOLD'] as const)
    if (read[name] < read.FACE_THRESHOLD)
      throw new ConfigError(`${name} must not be below FACE_THRESHOLD (it is "${read[name]}")`);
  const place = placeOf(read, { demo, base });
  return {
    ...place,
    port: read.PORT,
    host: read.HOST,
    nightlyBackup: demo ? null : readNightlyBackup(read, place.dataDir, base),
    databasePool: read.DATABASE_POOL,
    smtpUrl: demo ? null : (read.SMTP_URL ?? null),
    smtpWithoutTls: read.SMTP_WITHOUT_TLS === 'yes',
    mailFrom: read.MAIL_FROM,
    securityContact: read.SECURITY_CONTACT ?? `mailto:${addressOf(read.MAIL_FROM)}`,
    auditMailTo: demo ? null : (read.AUDIT_MAIL_TO ?? null),
    notifications: {
      pushContact: read.PUSH_CONTACT ?? `mailto:${addressOf(read.MAIL_FROM)}`,
      mayStayHere: read.NOTICES_TO_THIS_MACHINE === 'yes',
    },
    mqtt: {
      url: demo ? null : (read.MQTT_URL ?? null),
      port: read.MQTT_PORT ?? MQTT_PORT,
      portIsChosen: read.MQTT_PORT !== undefined,
      host: read.MQTT_HOST ?? read.HOST,
      tls: readCertificate('MQTT_TLS', read.MQTT_TLS_CERT, read.MQTT_TLS_KEY, base),
      takesAnyPort: demo,
    },
    tls: readCertificate('TLS', read.TLS_CERT, read.TLS_KEY, base),
    publicUrl: withoutSlash(read.PUBLIC_URL),
    registerUrl: withoutSlash(read.REGISTER_URL) ?? '',
    trustProxy: read.TRUST_PROXY,
    adminEmail: read.ADMIN_EMAIL ?? (demo ? DEMO_ADMIN_EMAIL : null),
    adminPassword: read.ADMIN_PASSWORD ?? (demo ? DEMO_PASSWORD : null),
    vision: readVision(read, base),
    oidc: readOidc(read),
    recognition: {
      threshold: read.FACE_THRESHOLD,
      margin: read.FACE_MARGIN,
      duplicateThreshold: read.FACE_DUPLICATE_THRESHOLD,
      questionThreshold: read.FACE_QUESTION_THRESHOLD,
    },
    timeZone: read.TIME_ZONE ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    timeZoneIsChosen: read.TIME_ZONE !== undefined,
    demo,
  };
}

/** The address with which links in mails begin: `PUBLIC_URL`, or else one that opens on this machine only. */
export function linkBase(
  { publicUrl, tls }: Pick<Config, 'publicUrl'> & { readonly tls: Certificate | string | null },
  port: number,
): string {
  return publicUrl ?? `${tls === null ? 'http' : 'https'}://localhost:${port}`;
}

/** The folder of mails that are not sent. */
export function outboxFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'outbox');
}

/** Hosts that a mail server may have which staff set: not this machine, whose services trust local connections. */
export function mailReach({ notifications }: Pick<Config, 'notifications'>): Reach {
  return notifications.mayStayHere ? 'anywhere' : 'house';
}
