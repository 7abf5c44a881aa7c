/** Makes accounts and children through the calls of a test app. */
import type { Child } from '@haris/contract/objects';
import type { Context } from '../context.ts';
import { proveSession } from '../db/sessions.ts';
import { inTransaction } from '../db/transaction.ts';
import { hashToken } from '../vault/vault.ts';
import type { Asker } from './ask.ts';
import { fakePhoto } from './fake-vision.ts';
import { type ReadMail, readOutbox } from './outbox.ts';

export const ADMIN_EMAIL = 'first@haris.test';
export const ADMIN_PASSWORD = 'first-password';
/** Idle time after which staff sign in again; less than the idle time that ends a staff session. Milliseconds. */
const STAFF_TOKEN_USED_MS = 11 * 3_600_000;

export interface Family {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface Employee extends Family {
  readonly nationalId: string;
}

export const loginPath = {
  parent: '/api/parent/get-parent-by-email-and-password',
  admin: '/api/admin/login',
} as const;

/** Numbers the people of all test apps. */
let newest = 0;

/** A unique national ID. */
export function makeNationalId(): string {
  newest++;
  return `2990101${String(newest).padStart(7, '0')}`;
}

export interface People {
  /** The first administrator's token, with a fresh proof. */
  staff(): Promise<string>;
  /** Gives a session a fresh proof without an audit row, for tests that move the clock. */
  proveNow(token: string): Promise<void>;
  makeFamily(over?: { name?: string; email?: string; phone?: string; password?: string }): Promise<Family>;
  makeEmployee(over?: { name?: string; email?: string }): Promise<Employee>;
  makeChild(family: { id: string }, name?: string, photo?: Buffer): Promise<Child>;
  /** Staff accept all proposals for a child, even if other children look alike. */
  confirmChild(childId: string): Promise<Child>;
  signIn(kind: 'parent' | 'admin', email: string, password: string): Promise<string>;
  outbox(to?: string): Promise<ReadMail[]>;
  /** The newest mail to an address; fails the test if there is none. */
  lastMail(to: string): Promise<ReadMail>;
}

export function makePeople(context: Context, { expect }: Asker): People {
  const { db, clock, config } = context;
  let staffToken: { token: string; usedAt: number } | null = null;

  const people: People = {
    async signIn(kind, email, password) {
      return (await expect(200, 'POST', loginPath[kind], { json: { email, password } })).token;
    },
    async staff() {
      // A test may have moved the clock beyond the session's idle time.
      const ended = !staffToken || clock.now() - staffToken.usedAt > STAFF_TOKEN_USED_MS;
      const token = ended ? await people.signIn('admin', ADMIN_EMAIL, ADMIN_PASSWORD) : staffToken?.token;
      staffToken = { token: String(token), usedAt: clock.now() };
      await people.proveNow(staffToken.token);
      return staffToken.token;
    },
    async proveNow(token) {
      await inTransaction(db, ({ trx }) => proveSession(trx, context.vault, hashToken(token), clock.now()));
    },
    async makeFamily(over = {}) {
      newest++;
      const name = over.name ?? `Parent ${newest}`;
      const email = over.email ?? `parent${newest}@family.test`;
      const password = over.password ?? `secret-${newest}`;
      const phone = over.phone ?? `010${String(newest).padStart(8, '0')}`;
      const token = await people.staff();
      const json = { name, email, phone, password };
      const { parent } = await expect(201, 'POST', '/api/parent/create-parent', { token, json });
      await expect(200, 'POST', `/api/parent/mark-verified/${parent._id}`, { token });
      return { id: parent._id, name, email, password, token: await people.signIn('parent', email, password) };
    },
    async makeEmployee(over = {}) {
      const nationalId = makeNationalId();
      const name = over.name ?? `Employee ${newest}`;
      const email = over.email ?? `employee${newest}@haris.test`;
      const password = `password-${newest}`;
      const json = { name, email, password, nationalId };
      const { admin } = await expect(201, 'POST', '/api/admin/create-admin', {
        token: await people.staff(),
        json,
      });
      const mail = await people.lastMail(email);
      await expect(200, 'GET', `/api/admin/verify/email/${mail.token}`);
      // Make the password count as chosen by the employee.
      await db.updateTable('staff').set({ password_set_by: null }).where('id', '=', admin._id).execute();
      const token = await people.signIn('admin', email, password);
      return { id: admin._id, name, email, password, nationalId, token };
    },
    async makeChild(family, name = 'A Child', photo = fakePhoto()) {
      const { child } = await expect(201, 'POST', `/api/children/create-child/${family.id}`, {
        token: await people.staff(),
        form: { name, photo },
      });
      return child;
    },
    async confirmChild(childId) {
      const json = { accept: true, confirm: true };
      const token = await people.staff();
      return (await expect(200, 'POST', `/api/children/${childId}/confirm`, { token, json })).child;
    },
    outbox: (to) => readOutbox(config.dataDir, to),
    async lastMail(to) {
      const mail = (await readOutbox(config.dataDir, to)).at(-1);
      if (!mail) throw new Error(`no mail to ${to}`);
      return mail;
    },
  };
  return people;
}
