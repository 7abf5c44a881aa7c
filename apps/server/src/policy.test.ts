/** The permissions of each account kind, and of the roles that come with Haris. */
import { BUILT_IN_ROLES, PERMISSIONS } from '@haris/contract/permissions';
import { expect, test } from 'vitest';
import { firstGuardian, guardianshipOf, may, mayCall, mayOpen } from './policy.ts';

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
  const own = guardian('p');
  expect(guardianshipOf(teacher, [own])).toBeUndefined();
  expect(guardianshipOf(parent, [guardian('q'), own])).toBe(own);
  for (const permission of PERMISSIONS)
    expect(may(teacher, permission, []), permission).toBe(teacher.permissions.has(permission));
});

function guardian(parentId: string, rights: object = {}) {
  return {
    parentId,
    name: parentId,
    mayLive: true,
    mayEdit: true,
    mayCollect: true,
    mayTake: true,
    since: 0,
    ...rights,
  };
}

test('a guardian may see the child, and watch or change it with the right to do so', () => {
  const guardians = [guardian('first'), guardian('p', { mayLive: false }), guardian('q', { mayEdit: false })];
  const rightsOf = (id: string) =>
    PERMISSIONS.filter((permission) => may({ ...parent, id }, permission, guardians)).toSorted();
  const seen = ['care.view', 'care_log.view', 'families.view'];
  expect(rightsOf('first')).toEqual([...seen, 'care.edit', 'families.edit', 'live.watch'].toSorted());
  expect(rightsOf('p')).toEqual([...seen, 'care.edit', 'families.edit'].toSorted());
  expect(rightsOf('q')).toEqual([...seen, 'live.watch'].toSorted());
  expect(rightsOf('stranger')).toEqual([]);
  expect(PERMISSIONS.filter((permission) => may(parent, permission, []))).toEqual([]);
});

test('the first guardian is the one of the child’s row, while that account is a guardian', () => {
  const guardians = [guardian('q'), guardian('p')];
  expect(firstGuardian({ parent_id: 'p', guardians })).toEqual([guardian('p')]);
  expect(firstGuardian({ parent_id: 'gone', guardians })).toEqual([]);
});

test('a call about the own account needs no permission; any other needs its own', () => {
  const nobody = { kind: 'admin', id: 'n', permissions: new Set([]) } as const;
  expect(mayCall(nobody, 'own')).toBe(true);
  for (const permission of PERMISSIONS) expect(mayCall(nobody, permission), permission).toBe(false);
});

test('a socket for staff is for no parent, and of staff for those with its permission', () => {
  for (const permission of ['live.watch', 'by-subject'] as const) {
    expect(mayOpen({ access: 'staff', permission }, parent)).toBe(false);
    expect(mayOpen({ access: 'signed-in', permission }, parent)).toBe(true);
    expect(mayOpen({ access: 'staff', permission }, teacher)).toBe(true);
  }
  for (const access of ['staff', 'signed-in'] as const)
    expect(mayOpen({ access, permission: 'staff.manage' }, teacher)).toBe(false);
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
