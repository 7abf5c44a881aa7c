/** Collectors, bars and releases for page tests: each function fills the fields that a test does not set. */
import type { BarredAdult } from '@haris/contract/http/barred';
import type { Collector } from '@haris/contract/http/collectors';
import type { Release } from '@haris/contract/http/hand-over';

export function collector(more: Partial<Collector> = {}): Collector {
  return {
    _id: 'collector-samia',
    childId: 'child-omar',
    name: 'Samia Hassan',
    relation: 'Grandmother',
    phone: '01112223344',
    photo: null,
    from: null,
    until: null,
    weekdays: [],
    isConfirmed: false,
    passDay: null,
    ...more,
  };
}

export function barredAdult(more: Partial<BarredAdult> = {}): BarredAdult {
  return {
    _id: 'bar-karim',
    childId: 'child-omar',
    name: 'Karim Adel',
    phone: null,
    note: '',
    documentDate: null,
    photo: null,
    adultId: null,
    createdAt: '2026-11-20T10:15:00.000Z',
    ...more,
  };
}

/** A release of Omar just now. */
export function release(more: Partial<Release> = {}): Release {
  return {
    stayId: 'stay-omar',
    child: { _id: 'child-omar', name: 'Omar Hassan' },
    at: new Date().toISOString(),
    adult: { kind: 'collector', name: 'Samia Hassan', relation: 'Grandmother' },
    proof: 'slip',
    releasedBy: 'Hana Nabil',
    secondBy: null,
    isUnexpected: false,
    ...more,
  };
}
