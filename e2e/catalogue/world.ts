/** The people of the screenshots and their server; knows no screen. */
import type { Account, Api, Family } from '../harness/api.ts';
import type { FakeCamera } from '../harness/camera.ts';
import type { FurnishedRoom } from '../harness/furnished-room.ts';
import type { ReceivedMail } from '../harness/outbox.ts';
import { moveEntryBack } from '../harness/past.ts';
import type { HarisServer } from '../harness/server.ts';

/** The people of the screenshots. */
export interface World {
  staff: Account;
  mona: Family;
  newcomer: Family;
  /** Her child has a long name. */
  friederike: Family;
  api: Api;
  server: HarisServer;
  camera: FakeCamera;
  mailTo: (address: string, count?: number) => Promise<ReceivedMail>;
  /** Cameras and sensors while a scene needs them, else null. */
  room: FurnishedRoom | null;
}

export const LONG_NAME = 'Maximilian Alexander Theodor von Hohenlohe-Langenburg';
const MONAS_CHILDREN = { 'Omar Hassan': 1, 'Layla Hassan': 2 };
const AHMEDS_CHILDREN = { 'يوسف أحمد': 3, 'مريم أحمد': 4 };

/** Creates families with children inside, outside and overdue, on a server that has none yet. */
export async function makeWorld(
  parts: Omit<World, 'staff' | 'mona' | 'newcomer' | 'friederike' | 'room'>,
): Promise<World> {
  const { api, server } = parts;
  const staff = await api.administrator();
  const mona = await api.family('Mona Hassan', MONAS_CHILDREN);
  const ahmed = await api.family('أحمد علي', AHMEDS_CHILDREN);
  const friederike = await api.family('Friederike Wilhelmine von Hohenlohe-Langenburg', { [LONG_NAME]: 5 });
  const newcomer = await api.family('Sara Ibrahim');
  for (const [family, index, minutes, agoMs] of [
    [mona, 0, 60, 3 * 60_000 + 12_000],
    [ahmed, 0, 30, 42 * 60_000],
    [friederike, 0, 120, 111 * 60_000],
  ] as const) {
    const childId = family.children[index]?._id ?? '';
    await api.checkIn(childId, minutes);
    moveEntryBack(server.dataDir, childId, agoMs);
  }
  // Not verified yet.
  await api.call('/api/parent/create-parent', {
    method: 'POST',
    token: staff.token,
    json: { name: 'Karim Adel', email: 'karim@haris.example' },
  });
  for (const [name, nationalId] of [
    ['Nadia Farouk', '29503120101234'],
    ['سامي يوسف', '29107250105678'],
  ]) {
    await api.call('/api/admin/create-admin', {
      method: 'POST',
      token: staff.token,
      json: { name, email: `${nationalId}@haris.example`, password: 'front-desk-1', nationalId },
    });
  }
  return { ...parts, staff, mona, newcomer, friederike, room: null };
}
