/** Calls about roles, and who has which. */
import { roleRoutes } from '@haris/contract/http/roles';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { acrossFacilities } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { presentStaff } from './present-staff.ts';
import { changeRole, createRole, listRoles, removeRole, setStaffRoles } from './roles.ts';
import { getStaffMember } from './staff.ts';

export function bindRoles(app: FastifyInstance, context: Context): void {
  bind(app, context, roleRoutes.listRoles, {
    handle: async () => ({ roles: await listRoles(context) }),
  });
  bind(app, context, roleRoutes.createRole, {
    handle: async ({ actor, body }) => ({ role: await createRole(context, actor, body) }),
  });
  bind(app, context, roleRoutes.updateRole, {
    handle: async ({ actor, params, body }) => ({ role: await changeRole(context, actor, params.id, body) }),
  });
  bind(app, context, roleRoutes.deleteRole, {
    async handle({ actor, params }) {
      await removeRole(context, actor, params.id);
      return { message: 'Role deleted' };
    },
  });
  bind(app, context, roleRoutes.setStaffRoles, {
    find: async ({ params }) => (await getStaffMember(context, params.id)).id,
    async handle({ actor, subject, body }) {
      await setStaffRoles(context, actor, subject, body.roles);
      // The person may no longer have a role at this facility.
      const admin = await acrossFacilities(() => getStaffMember(context, subject));
      return { admin: await presentStaff(context, admin) };
    },
  });
}
