/** People for page tests, as in the contract: each function fills the fields that a test does not set. */
import {
  type Admin,
  adminSchema,
  type Child,
  childSchema,
  type Parent,
  parentSchema,
} from '@haris/contract/objects';
import { PERMISSIONS } from '@haris/contract/permissions';

/** A name of 60 characters without a break opportunity. */
export const LONG_NAME = 'Abdelrahman'.repeat(6).slice(0, 60);

let count = 0;

/** An entry id in the format of slips. */
export function entryId(): string {
  return `entry-${++count}-`.padEnd(43, 'x');
}

/** A child outside; `isInside: true` checks it in now for an hour. */
export function child(more: Partial<Child> = {}): Child {
  const isInside = more.isInside ?? false;
  return childSchema.parse({
    _id: `child-${++count}`,
    name: 'Omar Hassan',
    photo: null,
    status: isInside ? 'Inside' : 'Outside',
    isInside,
    entryTime: isInside ? new Date().toISOString() : null,
    duration: isInside ? 60 : null,
    uniqueEntryId: isInside ? entryId() : null,
    parent: { _id: 'parent-mona', name: 'Mona Hassan' },
    ...more,
  });
}

export function parent(more: Partial<Parent> = {}): Parent {
  return parentSchema.parse({
    _id: 'parent-mona',
    name: 'Mona Hassan',
    email: 'mona@haris.example',
    phone: '01001234567',
    photo: null,
    language: null,
    emailVerified: true,
    children: [],
    ...more,
  });
}

/** A staff member; the first administrator has no national ID. */
export function admin(more: Partial<Admin> = {}): Admin {
  return adminSchema.parse({
    _id: 'admin-salma',
    name: 'Salma Adel',
    email: 'salma@haris.example',
    setUpBy: null,
    nationalId: null,
    language: null,
    emailVerified: true,
    roles: [{ roleId: 'owner', name: null, facilityId: null }],
    permissions: [...PERMISSIONS],
    ...more,
  });
}
