import type { Child, Parent } from '@haris/contract/objects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overdueSeconds, remainingSeconds } from '../../../countdown/remaining.ts';
import { sortByDue, withChildInFamilies, withChildInside, withoutParent } from './children-cache.ts';

const NOW = Date.parse('2026-11-20T10:15:00.000Z');

function makeChild(id: string, minutesSinceEntry: number | null, duration = 30): Child {
  const isInside = minutesSinceEntry !== null;
  return {
    _id: id,
    name: `Child ${id}`,
    photo: null,
    status: isInside ? 'Inside' : 'Outside',
    isInside,
    entryTime: isInside ? new Date(NOW - minutesSinceEntry * 60_000).toISOString() : null,
    duration: isInside ? duration : null,
    uniqueEntryId: isInside ? `entry-${id}` : null,
    parent: { _id: 'p1', name: 'Mona' },
    roomId: null,
    room: null,
    birthDate: null,
    pending: [],
  };
}

function makeParent(id: string, children: Child[]): Parent {
  return {
    _id: id,
    name: `Parent ${id}`,
    email: `${id}@example.com`,
    phone: null,
    photo: null,
    emailVerified: true,
    language: null,
    pending: [],
    children,
  };
}

const anyInside = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 4 }),
    since: fc.integer({ min: 0, max: 300 }),
    duration: fc.constantFrom(30, 60, 120, 240),
  }),
  { selector: (entry) => entry.id, maxLength: 12 },
);

describe('sortByDue', () => {
  it('puts those over time first, the longest over at the top, then the next due', () => {
    fc.assert(
      fc.property(anyInside, (entries) => {
        const sorted = sortByDue(entries.map((entry) => makeChild(entry.id, entry.since, entry.duration)));
        expect(sorted).toHaveLength(entries.length);
        for (const [index, child] of sorted.entries()) {
          const next = sorted[index + 1];
          if (!next) break;
          expect(overdueSeconds(child, NOW)).toBeGreaterThanOrEqual(overdueSeconds(next, NOW));
          expect(remainingSeconds(child, NOW) ?? -1).toBeLessThanOrEqual(remainingSeconds(next, NOW) ?? -1);
        }
      }),
    );
  });

  it('does not touch the list that it is given', () => {
    const list = [makeChild('b', 0), makeChild('a', 10)];
    expect(sortByDue(list).map((child) => child._id)).toEqual(['a', 'b']);
    expect(list.map((child) => child._id)).toEqual(['b', 'a']);
  });

  it('puts a stay whose end cannot be read first', () => {
    const broken = { ...makeChild('x', 0), entryTime: 'soon' };
    expect(sortByDue([makeChild('a', 40), broken])[0]?._id).toBe('x');
  });
});

describe('withChildInside', () => {
  it('puts a child that came in at its place', () => {
    const list = [makeChild('late', 40), makeChild('fresh', 1)];
    expect(withChildInside(list, makeChild('new', 10)).map((child) => child._id)).toEqual([
      'late',
      'new',
      'fresh',
    ]);
  });

  it('replaces what it knew', () => {
    const result = withChildInside([makeChild('a', 10)], { ...makeChild('a', 10, 60), name: 'Renamed' });
    expect(result).toHaveLength(1);
    expect(result[0]).toMatchObject({ name: 'Renamed', duration: 60 });
  });

  it('takes out a child that left, and leaves the list alone for one it did not have', () => {
    const list = [makeChild('a', 10), makeChild('b', 5)];
    expect(withChildInside(list, makeChild('a', null)).map((child) => child._id)).toEqual(['b']);
    expect(withChildInside(list, makeChild('c', null))).toBe(list);
  });
});

describe('where a child was seen', () => {
  const lastSeen = { cameraId: 'c1', area: 'Play room', at: '2026-11-20T10:00:00.000Z' };

  it('stays with news that say nothing of it, and ends with the stay', () => {
    const child = makeChild('a', 10);
    const inside = [{ ...child, lastSeen }];
    expect(withChildInside(inside, { ...child, duration: 60 })).toEqual([
      { ...child, duration: 60, lastSeen },
    ]);
    const anew = { ...child, uniqueEntryId: 'entry-2' };
    expect(withChildInside(inside, anew)).toEqual([{ ...anew, lastSeen: null }]);
    expect(withChildInside(inside, { ...child, lastSeen: null })).toEqual([{ ...child, lastSeen: null }]);
  });

  it('is nowhere from the start for who comes in where cameras look, and not spoken of elsewhere', () => {
    const newcomer = makeChild('b', 20);
    const lastSeenOf = (others: readonly Child[]) =>
      withChildInside(others, newcomer).find(({ _id }) => _id === 'b')?.lastSeen;
    expect(lastSeenOf([{ ...makeChild('a', 10), lastSeen: null }])).toBeNull();
    expect(lastSeenOf([makeChild('a', 10)])).toBeUndefined();
  });
});

describe('withChildInFamilies', () => {
  it('replaces the child in its family and nothing else', () => {
    const families = [makeParent('p1', [makeChild('a', null), makeChild('b', null)]), makeParent('p2', [])];
    const result = withChildInFamilies(families, makeChild('b', 0));
    expect(result[0]?.children.map((child) => child.status)).toEqual(['Outside', 'Inside']);
    expect(result[0]?.children[0]).toBe(families[0]?.children[0]);
    expect(result[1]).toBe(families[1]);
  });
});

describe('withoutParent', () => {
  const pages = [
    { parents: [makeParent('p1', []), makeParent('p2', [])], total: 3 },
    { parents: [makeParent('p3', [])], total: 3 },
  ];

  it('takes the parent out of its page and counts one less on each', () => {
    const result = withoutParent(pages, 'p3');
    expect(result.map((page) => page.parents.map((parent) => parent._id))).toEqual([['p1', 'p2'], []]);
    expect(result.map((page) => page.total)).toEqual([2, 2]);
  });

  it('counts nobody twice who is gone already', () => {
    expect(withoutParent(pages, 'p9').map((page) => page.total)).toEqual([3, 3]);
  });
});
