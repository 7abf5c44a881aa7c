/** Calls about roles, and who has which (decision 042). */
import * as z from 'zod/mini';
import { nameSchema, roleIdSchema } from '../fields.ts';
import { adminSchema } from '../objects.ts';
import { permissionSchema } from '../permissions.ts';
import { defineRoute, messageSchema } from './route.ts';

/** Own roles in one installation. */
export const ROLES_MAX = 50;

/**
 * `name` is null for a role that comes with Haris; the reader's language names it. `members`: number of people with
 * this role.
 */
const roleSchema = z
  .object({
    _id: z.string(),
    name: z.nullable(z.string()),
    permissions: z.array(permissionSchema),
    members: z.int(),
  })
  .register(z.globalRegistry, { id: 'Role' });
export type Role = z.output<typeof roleSchema>;

/** Each permission counts once. */
const roleBodySchema = z.object({
  name: nameSchema,
  permissions: z.pipe(
    z
      .array(permissionSchema)
      .check(z.minLength(1, 'Choose at least one permission'), z.maxLength(200, 'Too many permissions')),
    z.transform((permissions) => [...new Set(permissions)]),
  ),
});

/** The whole list of a person's roles. `facilityId` null: at every facility. */
const staffRolesBodySchema = z.object({
  roles: z
    .array(
      z.object({
        roleId: roleIdSchema,
        facilityId: z.nullable(z.string().check(z.minLength(1), z.maxLength(100))),
      }),
    )
    .check(
      z.minLength(1, 'Choose a role'),
      z.maxLength(200, 'Too many roles'),
      z.refine((roles) => new Set(roles.map(({ facilityId }) => facilityId)).size === roles.length, {
        error: 'Choose one role per facility',
      }),
    ),
});

export const roleRoutes = {
  listRoles: defineRoute({
    id: 'listRoles',
    method: 'GET',
    path: '/api/roles',
    access: 'staff',
    permission: 'staff.view',
    summary: 'All roles with their permissions: those that come with Haris, then custom ones by name',
    status: 200,
    answer: z.object({ roles: z.array(roleSchema) }),
    errors: [],
  }),
  createRole: defineRoute({
    id: 'createRole',
    method: 'POST',
    path: '/api/roles',
    access: 'staff',
    permission: 'roles.manage',
    proof: 'always',
    summary: 'Add a role; nobody can give permissions that they do not have at every facility',
    body: roleBodySchema,
    status: 201,
    answer: z.object({ role: roleSchema }),
    errors: ['beyond_own_rights', 'role_name_taken', 'too_many_roles'],
  }),
  updateRole: defineRoute({
    id: 'updateRole',
    method: 'PUT',
    path: '/api/roles/{id}',
    access: 'staff',
    permission: 'roles.manage',
    proof: 'always',
    summary: 'Change a role; it counts at once for everybody who has it',
    body: roleBodySchema,
    status: 200,
    answer: z.object({ role: roleSchema }),
    errors: ['not_found', 'beyond_own_rights', 'built_in_role', 'role_name_taken'],
  }),
  deleteRole: defineRoute({
    id: 'deleteRole',
    method: 'DELETE',
    path: '/api/roles/{id}',
    access: 'staff',
    permission: 'roles.manage',
    proof: 'always',
    summary: 'Delete a role that nobody has',
    status: 200,
    answer: messageSchema,
    errors: ['not_found', 'built_in_role', 'role_in_use'],
  }),
  setStaffRoles: defineRoute({
    id: 'setStaffRoles',
    method: 'PUT',
    path: '/api/admin/{id}/roles',
    access: 'staff',
    permission: 'staff.manage',
    proof: 'always',
    summary: 'Replace the roles of another staff member; it counts at once',
    body: staffRolesBodySchema,
    status: 200,
    answer: z.object({ admin: adminSchema }),
    errors: ['not_found', 'own_roles', 'beyond_own_rights', 'last_owner'],
  }),
};
