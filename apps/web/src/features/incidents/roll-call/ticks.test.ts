import { beforeEach, describe, expect, it } from 'vitest';
import {
  addTick,
  deviceName,
  dropSent,
  newestTick,
  queuedEvacuations,
  readQueue,
  type Tick,
} from './ticks.ts';

/** Local storage with its keys as own properties, as in browsers. */
function makeStorage(): Storage {
  const methods = {
    getItem(key: string) {
      return Object.hasOwn(storage, key) ? String(Reflect.get(storage, key)) : null;
    },
    setItem(key: string, value: string) {
      Reflect.set(storage, key, value);
    },
    removeItem(key: string) {
      Reflect.deleteProperty(storage, key);
    },
    clear() {},
    key: () => null,
    length: 0,
  };
  const storage: Storage = Object.create(methods);
  return storage;
}

const tick = (childId: string, state: Tick['state'], second: number): Tick => ({
  childId,
  state,
  at: new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString(),
});

let storage: Storage;
beforeEach(() => {
  storage = makeStorage();
});

describe('ticks that wait on this device', () => {
  it('are there after a reload, and gone once the server has them', () => {
    const one = addTick(storage, 'e1', [], tick('a', 'present', 1));
    const two = addTick(storage, 'e1', one, tick('b', 'missing', 2));
    expect(readQueue(storage, 'e1')).toEqual(two);
    expect(queuedEvacuations(storage)).toEqual(['e1']);
    expect(readQueue(storage, 'e2')).toEqual([]);
    expect(dropSent(storage, 'e1', two, two)).toEqual([]);
    expect(queuedEvacuations(storage)).toEqual([]);
  });

  it('a tick made while others were being sent stays', () => {
    const sent = addTick(storage, 'e1', [], tick('a', 'present', 1));
    const later = addTick(storage, 'e1', sent, tick('a', 'missing', 2));
    expect(dropSent(storage, 'e1', later, sent)).toEqual([tick('a', 'missing', 2)]);
  });

  it('what lies in the storage and is no queue is none', () => {
    storage.setItem('haris.rollCall.e1', '{"a":1}');
    expect(readQueue(storage, 'e1')).toEqual([]);
    storage.setItem('haris.rollCall.e1', 'nonsense');
    expect(readQueue(storage, 'e1')).toEqual([]);
  });

  it('the newest of a child counts, told or waiting', () => {
    const told = { ...tick('a', 'present', 5), by: 'Nadia' };
    expect(newestTick('a', told, [tick('a', 'missing', 4)])).toBe(told);
    expect(newestTick('a', told, [tick('a', 'missing', 6), tick('b', 'present', 9)])?.state).toBe('missing');
    expect(newestTick('a', null, [])).toBeNull();
  });

  it('the name of a device stays', () => {
    const name = deviceName(storage, 'Mozilla/5.0 (Linux; Android 15)');
    expect(name).toMatch(/^Linux [0-9a-f]{4}$|^Android [0-9a-f]{4}$/);
    expect(deviceName(storage, 'Mozilla/5.0 (Linux; Android 15)')).toBe(name);
  });
});
