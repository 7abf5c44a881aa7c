/** Every action has the group under which staff look for it. */
import { expect, test } from 'vitest';
import { AUDIT_ACTIONS, AUDIT_KINDS, auditActionsOf, auditKindOf } from './audit.ts';

test.each([
  ['child.checked_in', 'attendance'],
  ['child.checkout_undone', 'attendance'],
  ['child.created', 'families'],
  ['parent.sign_in_failed', 'families'],
  ['child.release_refused', 'attendance'],
  ['booking.set', 'attendance'],
  ['collector.added', 'families'],
  ['barred.lifted', 'families'],
  ['barred.photo_set', 'families'],
  ['barred.read', 'views'],
  ['child.not_seen', 'alerts'],
  ['incident.raised', 'alerts'],
  ['admin.signed_in', 'staff'],
  ['sensor.secrets_renewed', 'devices'],
  ['settings.updated', 'settings'],
  ['photo.viewed', 'views'],
  ['audit.exported', 'views'],
  ['of_a.newer_server', 'settings'],
])('%s is found under %s', (action, kind) => {
  expect(auditKindOf(action)).toBe(kind);
});

test('each action is in exactly one group, and no group is empty', () => {
  const grouped = AUDIT_KINDS.map(auditActionsOf);
  expect(grouped.flat().toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
  for (const actions of grouped) expect(actions.length).toBeGreaterThan(0);
});

test('changes are all actions but views', () => {
  const both = [...auditActionsOf('changes'), ...auditActionsOf('views')];
  expect(both.toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
  expect(auditActionsOf('changes')).not.toContain('photo.viewed');
});
