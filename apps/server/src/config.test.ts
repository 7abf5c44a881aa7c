/** Settings from the environment: defaults, and one line for each that is wrong (contract §1). */
import { readFileSync } from 'node:fs';
import { ConfigError } from '@haris/runtime/config';
import { describe, expect, test } from 'vitest';
import { loadConfig, loadLinkBase, loadPlace } from './config.ts';

const load = (env: Record<string, string>, demo = false) => loadConfig(env, { demo, base: '/srv/haris' });
function refusal(env: Record<string, string>): string {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(env)} was accepted`);
}

test('without any variable: the contract’s defaults', () => {
  expect(load({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: '/srv/haris/data',
    nightlyBackup: null,
    databaseUrl: null,
    databasePool: 10,
    smtpUrl: null,
    smtpWithoutTls: false,
    mailFrom: 'Haris <haris@localhost>',
    auditMailTo: null,
    securityContact: 'mailto:haris@localhost',
    notifications: { pushContact: 'mailto:haris@localhost', mayStayHere: false },
    mqtt: {
      url: null,
      port: 1883,
      portIsChosen: false,
      host: '127.0.0.1',
      tls: null,
      takesAnyPort: false,
    },
    tls: null,
    publicUrl: null,
    registerUrl: '',
    trustProxy: 0,
    adminEmail: null,
    adminPassword: null,
    recoveryKey: null,
    vision: null,
    oidc: null,
    recognition: { threshold: 0.5, margin: 0.05, duplicateThreshold: 0.55, questionThreshold: 0.6 },
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    timeZoneIsChosen: false,
    logLevel: 'info',
    demo: false,
  });
});

test('a blank variable counts as unset, others are none of ours', () => {
  expect(load({ PORT: ' ', SMTP_URL: '', NODE_ENV: 'x', PATH: '/bin' })).toEqual(load({}));
});

test('what is set is taken', () => {
  expect(
    load({
      PORT: '8080',
      HOST: '::1',
      DATA_DIR: '/var/haris',
      DATABASE_URL: 'postgres://u:p@db/haris',
      PUBLIC_URL: 'https://haris.example.org//',
      ADMIN_EMAIL: ' Boss@Example.org ',
      TRUST_PROXY: '2',
      FACE_THRESHOLD: '0.4',
    }),
  ).toMatchObject({
    port: 8080,
    host: '::1',
    dataDir: '/var/haris',
    databaseUrl: 'postgres://u:p@db/haris',
    publicUrl: 'https://haris.example.org',
    adminEmail: 'boss@example.org',
    trustProxy: 2,
    recognition: { threshold: 0.4 },
  });
});

test('the demo has a folder of its own, no database of others, and mails nobody', () => {
  const config = load(
    { DATA_DIR: './mine/', DATABASE_URL: 'postgres://u:p@db/haris', SMTP_URL: 'smtp://mail' },
    true,
  );
  expect(config).toMatchObject({
    dataDir: '/srv/haris/mine-demo',
    databaseUrl: null,
    smtpUrl: null,
    demo: true,
  });
});

test('backups are made each night only where a folder is set, and never of the demo', () => {
  const set = { BACKUP_DIR: './..data/x', BACKUP_AT: '23:05' };
  expect(load(set).nightlyBackup).toEqual({ folder: '/srv/haris/..data/x', at: '23:05' });
  expect(load({ BACKUP_DIR: '/mnt/backup' }).nightlyBackup).toEqual({ folder: '/mnt/backup', at: '02:30' });
  expect(load({ BACKUP_AT: '23:05' }).nightlyBackup).toBeNull();
  expect(load(set, true).nightlyBackup).toBeNull();
});

describe('a command that starts no server', () => {
  const options = { demo: false, base: '/srv/haris' };
  /** As on the day of a disaster: of all this nothing is back yet, or it is half written. */
  const broken = {
    TLS_CERT: '/nowhere.pem',
    TLS_KEY: '/nowhere.key',
    MQTT_TLS_CERT: '/nowhere.pem',
    VISION_URL: 'https://vision-host:3100',
    VISION_CA: '/nowhere.pem',
    OIDC_ISSUER: 'https://login.example.org',
    BACKUP_DIR: './data',
    FACE_THRESHOLD: '7',
    SMTP_URL: 'nobody',
  };

  test('reads its own settings only, and the same as the server', () => {
    expect(() => load(broken)).toThrow(ConfigError);
    expect(loadPlace(broken, options)).toEqual(loadPlace({}, options));
    const mine = { DATA_DIR: './x/', DATABASE_URL: 'postgres://u:p@db/haris', RECOVERY_KEY: ' ab ' };
    expect(loadPlace(mine, options)).toEqual({
      dataDir: '/srv/haris/x',
      databaseUrl: 'postgres://u:p@db/haris',
      recoveryKey: 'ab',
      logLevel: 'info',
    });
    for (const demo of [false, true])
      expect(load(mine, demo)).toMatchObject(loadPlace(mine, { ...options, demo }));
  });

  test('refuses a wrong one of its own, and shows no secret', () => {
    expect(() => loadPlace({ DATABASE_URL: 'mysql://u:hunter2@db' }, options)).toThrow(
      /^DATABASE_URL must be an address like .* \(its value is not shown\)$/,
    );
  });

  test('knows without the certificate’s files that links begin with https', () => {
    expect(loadLinkBase(broken)).toBe('https://localhost:3000');
    expect(loadLinkBase({ ...broken, PUBLIC_URL: 'https://haris.test/' })).toBe('https://haris.test');
    expect(loadLinkBase({ PORT: '8080' })).toBe('http://localhost:8080');
  });
});

describe('a wrong value: one line with the variable, what it must be and what it is', () => {
  const wrong: [string, string, string][] = [
    ['PORT', 'abc', 'must be a port number from 0 to 65535'],
    ['PORT', '70000', 'must be a port number from 0 to 65535'],
    ['PORT', '-1', 'must be a port number from 0 to 65535'],
    ['HOST', 'a b', 'must be a host name or an IP address'],
    ['BACKUP_AT', '2:30', 'must be a time from 00:00 to 23:59'],
    ['BACKUP_AT', '24:00', 'must be a time from 00:00 to 23:59'],
    ['DATABASE_POOL', '0', 'must be a whole number from 1 to 999'],
    ['MAIL_FROM', 'nobody', 'must be an e-mail address, with or without a name'],
    ['PUBLIC_URL', 'haris.example.org', 'must be an address like https://haris.example.org'],
    ['PUBLIC_URL', 'ftp://haris', 'must be an address like https://haris.example.org'],
    ['REGISTER_URL', '/faces', 'must be an address like https://faces.example.org'],
    ['TRUST_PROXY', 'yes', 'must be the number of proxies in front, from 0 to 9'],
    ['ADMIN_EMAIL', 'boss', 'must be an e-mail address'],
    ['VISION_URL', 'vision', 'must be an address like https://vision-host:3100'],
    ['FACE_THRESHOLD', '0.9', 'must be a distance from 0 to 0.6'],
    ['FACE_MARGIN', 'x', 'must be a distance from 0 to 0.3'],
    ['TIME_ZONE', '+02:00', 'must be a time zone like Africa/Cairo'],
    ['LOG_LEVEL', 'loud', 'must be fatal, error, warn, info, debug or trace'],
  ];
  test.each(wrong)('%s=%s', (name, value, must) => {
    expect(refusal({ [name]: value })).toBe(`${name} ${must} (it is ${JSON.stringify(value)})`);
  });

  test.each(['./data', './data/backups/', '/srv/haris/data', '/srv', './x/../data/y'])(
    'BACKUP_DIR=%s, in the data folder or around it',
    (folder) => {
      expect(refusal({ BACKUP_DIR: folder })).toBe(
        `BACKUP_DIR must be a folder apart from DATA_DIR, best on another disk (it is ${JSON.stringify(folder)})`,
      );
    },
  );

  test('VISION_URL without the token that its answers are worth nothing without', () => {
    expect(refusal({ VISION_URL: 'https://vision-host:3100' })).toBe(
      'VISION_TOKEN must be set with VISION_URL (it is not set)',
    );
  });

  test('a face engine of another machine without TLS, unless that was plainly asked for', () => {
    const remote = { VISION_URL: 'http://10.255.0.5:3100', VISION_TOKEN: 'long enough for a token' };
    expect(refusal(remote)).toBe(
      'VISION_URL must begin with https:// where the face engine is on another machine; VISION_WITHOUT_TLS=yes sends children\'s pictures without TLS (it is "http://10.255.0.5:3100")',
    );
    expect(refusal({ ...remote, VISION_URL: 'http://localhost.example.org' })).toMatch(
      /^VISION_URL must begin/,
    );
    for (const url of [
      'http://localhost:1',
      'http://127.0.0.1:1',
      'http://[::1]:1',
      'https://far.example.org/',
    ])
      expect(load({ ...remote, VISION_URL: url }).vision?.url).toBe(url.replace(/\/$/, ''));
    expect(load({ ...remote, VISION_WITHOUT_TLS: 'yes' }).vision).toEqual({
      url: remote.VISION_URL,
      token: remote.VISION_TOKEN,
      ca: null,
    });
    expect(refusal({ ...remote, VISION_URL: 'https://far.example.org', VISION_CA: '/nowhere.pem' })).toBe(
      'VISION_CA must be a file that exists (it is "/nowhere.pem")',
    );
  });

  describe('an identity provider', () => {
    const whole = {
      OIDC_ISSUER: 'https://login.example.org',
      OIDC_CLIENT_ID: 'haris',
      OIDC_CLIENT_SECRET: 'hunter2',
      OIDC_NAME: ' Sunrise Group ',
    };
    const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'cn=leads=manager, staff = teacher' };

    test('is taken as a whole', () => {
      expect(load({ ...whole, ...roles, OIDC_MFA_ACR: 'gold' }).oidc).toEqual({
        issuer: 'https://login.example.org',
        clientId: 'haris',
        clientSecret: 'hunter2',
        name: 'Sunrise Group',
        scope: 'openid email profile',
        mfaAcr: 'gold',
        roles: {
          claim: 'groups',
          pairs: [
            { value: 'cn=leads', role: 'manager', facility: 'main' },
            { value: 'staff', role: 'teacher', facility: 'main' },
          ],
        },
      });
      expect(load(whole).oidc).toMatchObject({ mfaAcr: null, roles: null });
      const placed = 'a@b=teacher@0f8e-1, leads = manager@*,c=desk@main';
      expect(load({ ...whole, ...roles, OIDC_ROLES: placed }).oidc?.roles?.pairs).toEqual([
        { value: 'a@b', role: 'teacher', facility: '0f8e-1' },
        { value: 'leads', role: 'manager', facility: '' },
        { value: 'c', role: 'desk', facility: 'main' },
      ]);
    });

    test('without one of its parts: the line names it', () => {
      for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'])
        expect(refusal({ ...whole, [name]: '' })).toBe(
          `${name} must be set with OIDC_ISSUER (it is not set)`,
        );
      expect(refusal({ OIDC_CLIENT_ID: 'haris' })).toBe(
        'OIDC_ISSUER must be set with OIDC_CLIENT_ID (it is not set)',
      );
      expect(refusal({ ...whole, OIDC_ROLES: 'a=teacher' })).toBe(
        'OIDC_ROLE_CLAIM must be set with OIDC_ROLES (it is not set)',
      );
      expect(refusal({ ...whole, OIDC_ROLE_CLAIM: 'groups' })).toBe(
        'OIDC_ROLES must be set with OIDC_ROLE_CLAIM (it is not set)',
      );
    });

    test('elsewhere without TLS, or with parts that no issuer has', () => {
      for (const issuer of [
        'http://login.example.org',
        'http://localhost.example.org',
        'login.example.org',
        'https://a:b@login.example.org',
        'https://login.example.org/?tenant=1',
        'ftp://login.example.org',
      ])
        expect(refusal({ ...whole, OIDC_ISSUER: issuer })).toBe(
          `OIDC_ISSUER must be an address like https://login.example.org, or http:// on this machine (it is "${issuer}")`,
        );
      for (const issuer of ['http://127.0.0.1:8080', 'http://localhost:1/realms/a', 'http://[::1]:1'])
        expect(load({ ...whole, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer);
    });

    test('nobody becomes an owner by a claim, and a pair that is none is refused', () => {
      for (const pairs of [
        'boss=owner',
        'boss=administrator',
        'boss',
        '=teacher',
        'a=teacher,',
        'a=teacher,b',
        'a=owner@*',
        'a=teacher@',
        'a=teacher@Full Moon',
        'a=teacher@b@c',
      ])
        expect(refusal({ ...whole, ...roles, OIDC_ROLES: pairs })).toBe(
          `OIDC_ROLES must be value=role or value=role@facility pairs, separated by commas, with the roles manager, teacher, desk, inspector and the id of a facility or * (it is "${pairs}")`,
        );
    });

    test('its secret is not shown', () => {
      expect(refusal({ ...whole, OIDC_CLIENT_SECRET: 'hunter2\nhunter2' })).toBe(
        'OIDC_CLIENT_SECRET must be one line of up to 2000 characters (its value is not shown)',
      );
      expect(refusal({ ...whole, OIDC_SCOPE: 'email' })).toBe(
        'OIDC_SCOPE must contain openid (it is "email")',
      );
    });
  });

  test('a line break in a value stays within the line', () => {
    expect(refusal({ LOG_LEVEL: 'a\nb' })).not.toContain('\n');
  });

  const secret: [string, string, string][] = [
    [
      'DATABASE_URL',
      'mysql://u:hunter2@db/haris',
      'must be an address like postgres://user:password@host:5432/haris',
    ],
    ['SMTP_URL', 'hunter2', 'must be an address like smtps://user:password@host:465'],
    ['ADMIN_PASSWORD', 'hunter2', 'must have 8 to 128 characters'],
    ['VISION_TOKEN', 'hunt2', 'must have 16 to 200 characters'],
  ];
  test.each(secret)('%s: its value is not shown', (name, value, must) => {
    expect(refusal({ [name]: value })).toBe(`${name} ${must} (its value is not shown)`);
  });
});

test('a full copy of .env.example changes nothing: containers and the unit set address and folder themselves', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
});

test('.env.example and the README name every setting', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const code = read('config.ts') + read('config-oidc.ts');
  const names = [...code.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name);
  expect(names).toContain('DATA_DIR');
  expect(names).toContain('OIDC_ISSUER');
  const example = read('../../../.env.example');
  const readme = read('../../../README.md');
  expect(names.filter((name) => !new RegExp(`^#?${name}=`, 'm').test(example))).toEqual([]);
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});
