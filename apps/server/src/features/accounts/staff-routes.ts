/** Calls with which staff add, list and delete staff. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { sheetRoutes } from '@haris/contract/http/sheets';
import { DEFAULT_ROLE_ID } from '@haris/contract/permissions';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { findAccountsWithFactor } from '../../db/second-factors.ts';
import { findStaffPage } from '../../db/staff.ts';
import { bind } from '../../http/bind.ts';
import { markStaffVerified, resendLink } from './desk-verification.ts';
import { languageOfNewAccount } from './language.ts';
import { LINK_RESENT, tellOfMail } from './mail-answers.ts';
import { presentStaff, presentStaffList, presentWholeStaff } from './present-staff.ts';
import { createEmployee, deleteStaffMember, getStaffMember } from './staff.ts';

export function bindStaff(app: FastifyInstance, context: Context): void {
  bind(app, context, accountRoutes.createAdmin, {
    async handle({ actor, body, request }) {
      const language = await languageOfNewAccount(context, request, { byStaff: true });
      const admin = await createEmployee(context, actor, {
        ...body,
        language,
        roleId: body.roleId ?? DEFAULT_ROLE_ID,
      });
      return {
        message: 'Employee added successfully',
        admin: await presentWholeStaff(context, admin),
      };
    },
  });
  bind(app, context, accountRoutes.listAdmins, {
    async handle({ query }) {
      const page = await findStaffPage(context.db, query);
      const withFactor = await findAccountsWithFactor(
        context.db,
        'admin',
        page.rows.map(({ id }) => id),
      );
      return {
        admins: (await presentStaffList(context, page.rows)).map((admin) => ({
          ...admin,
          hasSecondFactor: withFactor.has(admin._id),
        })),
        total: page.total,
        nextCursor: page.nextCursor,
      };
    },
  });
  const shown = async (id: string) => presentStaff(context, await getStaffMember(context, id));
  bind(app, context, sheetRoutes.resendAdminLink, {
    find: async ({ params }) => (await getStaffMember(context, params.id)).id,
    async handle({ actor, subject }) {
      await resendLink(context, actor, 'admin', subject);
      return { message: await tellOfMail(context, LINK_RESENT), admin: await shown(subject) };
    },
  });
  bind(app, context, sheetRoutes.markAdminVerified, {
    find: async ({ params }) => (await getStaffMember(context, params.id)).id,
    async handle({ actor, subject }) {
      await markStaffVerified(context, actor, subject);
      return { message: 'Email marked as verified', admin: await shown(subject) };
    },
  });
  bind(app, context, accountRoutes.deleteAdmin, {
    async find({ params }) {
      await getStaffMember(context, params.id);
      return params.id;
    },
    async handle({ actor, subject, query }) {
      const homeAssistantAccounts = await deleteStaffMember(context, actor, subject, {
        handOver: query.handOver === 'true',
      });
      return { message: 'Employee deleted successfully.', homeAssistantAccounts };
    },
  });
}
