import type { Child } from '@haris/contract/objects';
import { describe, expect, it } from 'vitest';
import { filterInside } from './filter-inside.ts';

function makeChild(name: string, parentName: string): Child {
  return {
    _id: name,
    name,
    photo: null,
    status: 'Inside',
    isInside: true,
    entryTime: '2026-11-20T10:15:00.000Z',
    duration: 30,
    uniqueEntryId: 'x',
    parent: { _id: 'p', name: parentName },
    roomId: null,
    room: null,
    birthDate: null,
    pending: [],
  };
}

const inside = [
  makeChild('آدم أحمد', 'منى'),
  makeChild('José', 'Mona Farouk'),
  makeChild('فاطمة', 'على حسن'),
  makeChild('Zein', 'Sara'),
];
const found = (typed: string) => filterInside(inside, typed).map((child) => child.name);

describe('filterInside', () => {
  it('finds Arabic names whatever the alef, yaa, taa marbuta, harakat and tatweel', () => {
    expect(found('ادم')).toEqual(['آدم أحمد']);
    expect(found('احمد')).toEqual(['آدم أحمد']);
    expect(found('فاطمه')).toEqual(['فاطمة']);
    expect(found('فَاطِمـــة')).toEqual(['فاطمة']);
    expect(found('علي')).toEqual(['فاطمة']);
  });

  it('finds Latin names whatever the case and accents', () => {
    expect(found('JOSE')).toEqual(['José']);
  });

  it('finds in the other script and with a typing error', () => {
    expect(found('adam')).toEqual(['آدم أحمد']);
    expect(found('zien')).toEqual(['Zein']);
  });

  it('finds by the parent', () => {
    expect(found('farouk')).toEqual(['José']);
  });

  it('keeps all, in the same array, when nothing was typed', () => {
    expect(filterInside(inside, '  ')).toBe(inside);
  });

  it('finds nobody for what nobody has', () => {
    expect(found('%')).toEqual([]);
  });
});
