/** Creates what a test needs through the product's own API, and reads what only the API tells. */
import type { Child, Parent } from '@haris/contract/objects';
import { portraitFile } from './camera.ts';
import type { Credentials, HarisServer } from './server.ts';

/** A signed-in account: the token as a browser stores it. */
export interface Account extends Credentials {
  readonly kind: 'parent' | 'admin';
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

export interface Family extends Account {
  readonly children: readonly Child[];
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  token?: string;
  json?: unknown;
  form?: FormData;
}

let made = 0;

export interface Api {
  /** Returns the body of a success; otherwise throws with the response. */
  call<T>(path: string, call?: Call): Promise<T>;
  /** The first administrator, signed in once. */
  administrator(): Promise<Account>;
  /** Signs in to an account again, with a separate token. */
  signIn(kind: Account['kind'], credentials: Credentials): Promise<Account>;
  /**
   * A verified, signed-in parent with children of these names; the numbers select their faces. `by`: the staff member
   * who adds them, at that person's first facility; the administrator by default.
   */
  family(name: string, children?: Readonly<Record<string, number>>, by?: Account): Promise<Family>;
  checkIn(childId: string, minutes?: number): Promise<Child>;
  checkOut(childId: string): Promise<Child>;
  /** Number of audit rows with this action on this subject. */
  countAudit(action: string, subject: string): Promise<number>;
}

/** API of a server. Faces are only sent once the face engine is ready. */
export function createApi(server: HarisServer): Api {
  let director: Promise<Account> | null = null;

  async function call<T>(path: string, { method = 'GET', token, json, form }: Call = {}): Promise<T> {
    const response = await fetch(server.url() + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async function signIn(kind: Account['kind'], credentials: Credentials): Promise<Account> {
    const path = kind === 'admin' ? '/api/admin/login' : '/api/parent/get-parent-by-email-and-password';
    const answer = await call<{
      token: string;
      admin?: { _id: string; name: string };
      parent?: { _id: string; name: string };
    }>(path, { method: 'POST', json: { email: credentials.email, password: credentials.password } });
    const person = answer.admin ?? answer.parent;
    if (person === undefined) throw new Error(`${path} named nobody`);
    return { ...credentials, kind, id: person._id, name: person.name, token: answer.token };
  }

  function administrator(): Promise<Account> {
    director ??= signIn('admin', server.admin);
    return director;
  }

  async function addChild(parentId: string, name: string, person: number, token: string): Promise<Child> {
    const form = new FormData();
    form.set('name', name);
    form.set('confirm', 'true');
    form.set(
      'photo',
      new Blob([new Uint8Array(await portraitFile(person))], { type: 'image/png' }),
      'photo.png',
    );
    const { child } = await call<{ child: Child }>(`/api/children/create-child/${parentId}`, {
      method: 'POST',
      token,
      form,
    });
    return child;
  }

  return {
    call,
    administrator,
    signIn,
    async family(name, children = {}, by) {
      const { token } = by ?? (await administrator());
      const credentials = { email: `family-${++made}@haris.example`, password: 'secret-6' };
      const { parent } = await call<{ parent: Parent }>('/api/parent/create-parent', {
        method: 'POST',
        token,
        json: { name, phone: `010${String(10_000_000 + made)}`, ...credentials },
      });
      await call(`/api/parent/mark-verified/${parent._id}`, { method: 'POST', token });
      const wanted = Object.entries(children);
      if (wanted.length > 0) await server.engineReady();
      const added: Child[] = [];
      for (const [childName, person] of wanted)
        added.push(await addChild(parent._id, childName, person, token));
      return { ...(await signIn('parent', credentials)), children: added };
    },
    async checkIn(childId, minutes = 60) {
      const { token } = await administrator();
      const { child } = await call<{ child: Child }>(`/api/children/checkin-child/${childId}`, {
        method: 'POST',
        token,
        json: { durationInMinutes: minutes },
      });
      return child;
    },
    async checkOut(childId) {
      const { token } = await administrator();
      const { child } = await call<{ child: Child }>(`/api/children/checkout-child/${childId}`, {
        method: 'POST',
        token,
      });
      return child;
    },
    async countAudit(action, subject) {
      const { token } = await administrator();
      const { entries } = await call<{ entries: { action: string }[] }>(
        `/api/audit?subject=${subject}&limit=200`,
        {
          token,
        },
      );
      return entries.filter((entry) => entry.action === action).length;
    },
  };
}
