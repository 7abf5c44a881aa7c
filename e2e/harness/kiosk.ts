/** Kiosks for browser tests: made by staff with a fresh sign-in, and used by families as their devices do. */
import type { KioskRequestKind } from '@haris/contract/http/kiosk';
import type { Api, Family } from './api.ts';
import type { HarisServer } from './server.ts';

export interface MadeKiosk {
  readonly id: string;
  /** Code for `/kiosk/{code}`, not used yet. */
  readonly code: string;
}

/** Adds a kiosk with a pairing code. Signs in, because making keys needs a fresh proof. */
export async function makeKiosk(api: Api, server: HarisServer, name = 'Entrance'): Promise<MadeKiosk> {
  const { token } = await api.signIn('admin', server.admin);
  const { kiosk } = await api.call<{ kiosk: { _id: string } }>('/api/kiosks', {
    method: 'POST',
    token,
    json: { name },
  });
  const path = `/api/kiosks/${kiosk._id}/pairing`;
  const { code } = await api.call<{ code: string }>(path, { method: 'POST', token });
  return { id: kiosk._id, code };
}

export async function removeKiosk(api: Api, { id }: MadeKiosk): Promise<void> {
  const { token } = await api.administrator();
  await api.call(`/api/kiosks/${id}`, { method: 'DELETE', token });
}

/** Pairs a program as the kiosk and asks for these children, as a family does with the code of its phone. */
export async function askAtKiosk(
  api: Api,
  kiosk: MadeKiosk,
  family: Family,
  childIds: readonly string[],
  kind: KioskRequestKind = 'check_in',
): Promise<void> {
  const json = { code: kiosk.code };
  const { token } = await api.call<{ token: string }>('/api/kiosk/pair', { method: 'POST', json });
  const shown = await api.call<{ code: string }>('/api/account/kiosk-code', {
    method: 'POST',
    token: family.token,
  });
  const { grant } = await api.call<{ grant: string }>('/api/kiosk/identify', {
    method: 'POST',
    token,
    json: { code: shown.code },
  });
  await api.call('/api/kiosk/requests', { method: 'POST', token, json: { grant, kind, childIds } });
}
