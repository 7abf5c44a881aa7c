/** The first run: its checklist, the mail server, reaching Haris from a phone, sample data (contract §6). */
import * as z from 'zod/mini';
import { nameSchema, staffEmailSchema } from '../fields.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute, messageSchema } from './route.ts';

/** Items of the checklist, in their order. */
export const SETUP_ITEMS = [
  'locale',
  'facility',
  'account',
  'mail',
  'phones',
  'family',
  'camera',
  'sensor',
  'secondFactor',
] as const;
const setupItemSchema = z.enum(SETUP_ITEMS, { error: 'must be an item of the checklist' });
export type SetupItem = z.infer<typeof setupItemSchema>;

/** Addresses under which phones may reach Haris. `network` is this machine's own in the facility's network. */
const reachAddressSchema = z.object({
  url: z.string(),
  kind: z.enum(['public', 'network']),
  /** Without https browsers allow neither camera nor push messages. */
  secure: z.boolean(),
});
export type ReachAddress = z.infer<typeof reachAddressSchema>;

export const setupSchema = z
  .object({
    items: z.array(z.object({ id: setupItemSchema, state: z.enum(['open', 'done', 'skipped']) })),
    /** The dashboard no longer shows the checklist. */
    dismissed: z.boolean(),
    /** False: the time zone is the server's, and nobody has chosen it. */
    timeZoneIsChosen: z.boolean(),
    /** Whether this person may change the mail server. */
    mayManageMail: z.boolean(),
    /** Whether the caller's address cannot receive mail (`admin@localhost`). */
    needsOwnAddress: z.boolean(),
    /**
     * The destination of mails. `folder`: the server's folder in which they stay while there is no mail server; `kept`:
     * how many lie there, which a mail server that is set later does not send.
     */
    mail: z.object({
      isSent: z.boolean(),
      folder: z.nullable(z.string()),
      kept: z.int().check(z.nonnegative()),
    }),
    reach: z.object({
      addresses: z.array(reachAddressSchema),
      /** False: only this machine can connect (`HOST`). */
      listensToNetwork: z.boolean(),
      /** The address in mails (`PUBLIC_URL`). `onlyHere`: no other device can open it, as with `localhost`. */
      links: z.object({ url: z.string(), onlyHere: z.boolean() }),
      /** The last address through which a phone confirmed its code. */
      seen: z.nullable(z.object({ url: z.string(), at: momentSchema })),
    }),
    /** Whether there is sample data, or it may be added, which needs an installation without families. */
    sample: z.enum(['present', 'possible', 'impossible']),
  })
  .register(z.globalRegistry, { id: 'Setup' });
export type Setup = z.infer<typeof setupSchema>;

const HOST_MESSAGE = 'must be a host name like smtp.example.org';
const hostSchema = z.pipe(
  z.pipe(
    z.string(HOST_MESSAGE),
    z.transform((text) => text.trim().toLowerCase()),
  ),
  z
    .string()
    .check(z.maxLength(253, HOST_MESSAGE), z.regex(/^[a-z0-9]([a-z0-9.:-]*[a-z0-9])?$/, HOST_MESSAGE)),
);
const portMessage = 'must be a port from 1 to 65535';
const credential = (message: string) =>
  z.string(message).check(z.minLength(1, message), z.maxLength(500, message), z.regex(/^\P{Cc}*$/u, message));

/** `tls`: from the first byte (465); `starttls`: required before anything is sent (587). */
const mailSecuritySchema = z.enum(['tls', 'starttls'], { error: 'must be tls or starttls' });
export type MailSecurity = z.infer<typeof mailSecuritySchema>;

/** `password` left out: the stored one stays, unless host, port, security or user change. */
const mailServerBodySchema = z.object({
  host: hostSchema,
  port: z.int(portMessage).check(z.gte(1, portMessage), z.lte(65_535, portMessage)),
  security: mailSecuritySchema,
  user: z.nullable(credential('must have 1 to 500 characters')),
  password: z.optional(credential('must have 1 to 500 characters')),
  /** The sender's address; the facility's name stands before it. */
  from: staffEmailSchema,
});

/**
 * `source`: where the settings come from. `environment` and `demo` cannot be changed; `outbox`: there is no mail server.
 * Only those who may change them see host, port, security, user and sender; nobody sees the password.
 */
export const mailServerSchema = z
  .object({
    source: z.enum(['settings', 'environment', 'demo', 'outbox']),
    host: z.nullable(z.string()),
    port: z.nullable(z.int()),
    security: z.nullable(mailSecuritySchema),
    user: z.nullable(z.string()),
    hasPassword: z.boolean(),
    from: z.nullable(z.string()),
  })
  .register(z.globalRegistry, { id: 'MailServer' });
export type MailServerView = z.infer<typeof mailServerSchema>;

const mailAnswer = z.object({ mail: mailServerSchema });

/** How long a phone has to open the address with its code. Milliseconds. */
export const REACH_CODE_MS = 15 * 60_000;
/** Test mails per account in 15 minutes. */
export const MAIL_TESTS_PER_WINDOW = 10;

export const setupRoutes = {
  getSetup: defineRoute({
    id: 'getSetup',
    method: 'GET',
    path: '/api/setup',
    access: 'staff',
    permission: 'settings.view',
    summary: 'The checklist of the first run, as it follows from the state of the installation',
    status: 200,
    answer: z.object({ setup: setupSchema }),
    errors: [],
  }),
  updateSetup: defineRoute({
    id: 'updateSetup',
    method: 'PUT',
    path: '/api/setup',
    access: 'staff',
    permission: 'settings.manage',
    summary: 'Skip items of the checklist (the whole list of skipped items), or hide it for the facility',
    body: z.object({
      skipped: z.optional(z.array(setupItemSchema).check(z.maxLength(SETUP_ITEMS.length))),
      dismissed: z.optional(z.boolean()),
    }),
    status: 200,
    answer: z.object({ setup: setupSchema }),
    errors: [],
  }),
  setOwnAddress: defineRoute({
    id: 'setOwnAddress',
    method: 'PUT',
    path: '/api/setup/own-address',
    access: 'staff',
    permission: 'own',
    proof: 'always',
    summary:
      'Name and e-mail address of the first administrator, whose address is made up (admin@localhost); once only',
    body: z.object({ name: nameSchema, email: staffEmailSchema }),
    status: 200,
    answer: messageSchema,
    errors: ['address_already_set', 'email_taken'],
  }),
  getMailServer: defineRoute({
    id: 'getMailServer',
    method: 'GET',
    path: '/api/mail-server',
    access: 'staff',
    permission: 'settings.view',
    summary: 'The mail server; details for administrators only, the password for nobody',
    status: 200,
    answer: mailAnswer,
    errors: [],
  }),
  updateMailServer: defineRoute({
    id: 'updateMailServer',
    method: 'PUT',
    path: '/api/mail-server',
    access: 'staff',
    permission: 'security.manage',
    proof: 'always',
    summary:
      'Set the mail server (administrators); a change of host, port, security or user needs its password again',
    body: mailServerBodySchema,
    status: 200,
    answer: mailAnswer,
    errors: ['mail_server_fixed'],
  }),
  deleteMailServer: defineRoute({
    id: 'deleteMailServer',
    method: 'DELETE',
    path: '/api/mail-server',
    access: 'staff',
    permission: 'security.manage',
    proof: 'always',
    summary: 'Forget the mail server (administrators); mails are written to the outbox again',
    status: 200,
    answer: mailAnswer,
    errors: ['mail_server_fixed', 'no_mail_server'],
  }),
  testMailServer: defineRoute({
    id: 'testMailServer',
    method: 'POST',
    path: '/api/mail-server/test',
    access: 'staff',
    permission: 'security.manage',
    proof: 'always',
    summary: `Send a mail to the address of the caller through these settings, before they are saved (administrators); ${MAIL_TESTS_PER_WINDOW} in 15 minutes`,
    body: mailServerBodySchema,
    status: 200,
    answer: z.object({
      /** The address that the test went to. */
      to: z.string(),
      /** Null: the mail server accepted the mail. Otherwise its own words, or why it was not reached. */
      problem: z.nullable(z.string()),
    }),
    errors: ['mail_server_fixed', 'no_own_address', 'too_many_attempts'],
  }),
  createReachCode: defineRoute({
    id: 'createReachCode',
    method: 'POST',
    path: '/api/reach-codes',
    access: 'staff',
    permission: 'settings.manage',
    summary: 'A one-time code that a phone opens as /reach/{code}; it replaces the one before',
    status: 201,
    answer: z.object({ code: z.string(), expiresAt: momentSchema }),
    errors: [],
  }),
  confirmReach: defineRoute({
    id: 'confirmReach',
    method: 'POST',
    path: '/api/reach',
    access: 'visitor',
    summary: 'The page that a phone opened with a code: proves that this address reaches Haris',
    body: z.object({ code: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'This is not such a code')) }),
    status: 200,
    answer: z.object({ url: z.string(), secure: z.boolean(), facility: z.nullable(z.string()) }),
    errors: ['invalid_token'],
  }),
  addSampleData: defineRoute({
    id: 'addSampleData',
    method: 'POST',
    path: '/api/sample-data',
    access: 'staff',
    permission: 'settings.manage',
    summary:
      'Add painted families, a camera and a simulated sensor to try Haris with; only where no family is',
    status: 201,
    answer: messageSchema,
    errors: ['not_empty', 'sample_data_present', 'face_engine_unavailable'],
  }),
  removeSampleData: defineRoute({
    id: 'removeSampleData',
    method: 'DELETE',
    path: '/api/sample-data',
    access: 'staff',
    permission: 'settings.manage',
    summary: 'Erase everything that sample data brought, and nothing else',
    status: 200,
    answer: messageSchema,
    errors: [],
  }),
};
