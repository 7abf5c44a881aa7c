import type { Camera } from '@haris/contract/http/cameras';
import { expect, test } from 'vitest';
import { child } from '../../../testing/people.ts';
import { roomsOf } from './rooms.ts';

const camera = (name: string, area: string, state: Camera['state']) =>
  ({ _id: name, name, area, state }) as Camera;
const seen = (_id: string, area: string | null) =>
  child({
    _id,
    isInside: true,
    lastSeen: area === null ? null : { cameraId: 'camera-1', area, at: '2026-11-22T08:00:00.000Z' },
  });

test('a room has a live camera, its other cameras, and only the children seen there', () => {
  const cameras = [
    camera('door', 'Hall', 'stalled'),
    camera('window', 'Hall', 'live'),
    camera('x', 'Garden', 'off'),
  ];
  const { rooms, unseen } = roomsOf(
    cameras,
    ['Kitchen', 'Hall'],
    [seen('a', 'Hall'), seen('b', 'Hall'), seen('c', 'Attic'), seen('d', null)],
  );
  expect(rooms.map(({ name, camera: one, more, count }) => [name, one?.name ?? null, more, count])).toEqual([
    ['Attic', null, 0, 1],
    ['Garden', 'x', 0, 0],
    ['Hall', 'window', 1, 2],
    ['Kitchen', null, 0, 0],
  ]);
  expect(unseen).toBe(1);
});

test('without cameras, sensors and children there are no rooms', () => {
  expect(roomsOf([], [], [])).toEqual({ rooms: [], unseen: 0 });
});
