/** The permissions of each account kind, and of the roles that come with Haris. */
import { BUILT_IN_ROLES, PERMISSIONS } from '@haris/contract/permissions';
import { expect, test } from 'vitest';
import { isOwnFamily, may, mayCall } from './policy.ts';

const parent = { kind: 'parent', id: 'p', permissions: new Set([]) } as const;
const teacher = { kind: 'admin', id: 'p', permissions: new Set(BUILT_IN_ROLES.teacher) } as const;

test('a parent may see, change and watch the own family only, whatever the session says', () => {
  for (const permission of ['families.view', 'families.edit', 'live.watch'] as const) {
    expect(may(parent, permission, 'p'), permission).toBe(true);
    expect(may(parent, permission, 'q'), permission).toBe(false);
    expect(may(parent, permission), permission).toBe(false);
  }
  const bold = { ...parent, permissions: new Set(PERMISSIONS) };
  for (const permission of PERMISSIONS) {
    expect(may(bold, permission, 'q'), permission).toBe(false);
    expect(may(bold, permission), permission).toBe(false);
  }
  for (const permission of ['families.delete', 'children.check_in', 'incidents.view'] as const)
    expect(may(parent, permission, 'p'), permission).toBe(false);
});

test('staff may do what their permissions say, whatever family it concerns, and are of no family', () => {
  for (const permission of PERMISSIONS)
    expect(may(teacher, permission, 'p'), permission).toBe(teacher.permissions.has(permission));
  expect(isOwnFamily(teacher, 'p')).toBe(false);
  expect(isOwnFamily(parent, 'p')).toBe(true);
});

test('a call about the own account needs no permission; any other needs its own', () => {
  const nobody = { kind: 'admin', id: 'n', permissions: new Set([]) } as const;
  expect(mayCall(nobody, 'own')).toBe(true);
  for (const permission of PERMISSIONS) expect(mayCall(nobody, permission), permission).toBe(false);
});

test('each role may do no more than the one above it; an inspector only reads, without video or files', () => {
  const { owner, manager, desk, teacher: teaches, inspector } = BUILT_IN_ROLES;
  expect(new Set(owner)).toEqual(new Set(PERMISSIONS));
  for (const [more, less] of [
    [owner, manager],
    [manager, desk],
    [desk, teaches],
    [manager, inspector],
  ] as const)
    expect(less.filter((permission) => !more.includes(permission))).toEqual([]);
  expect(inspector.filter((permission) => !permission.endsWith('.view'))).toEqual([]);
  expect(manager).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(roles|security|installation)/)]),
  );
});
