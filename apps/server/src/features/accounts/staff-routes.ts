/** Calls with which staff add, list, correct and delete staff. */
import { accountRoutes } from '@haris/contract/http/accounts';
import { sheetRoutes } from '@haris/contract/http/sheets';
import type { Admin } from '@haris/contract/objects';
import { DEFAULT_ROLE_ID } from '@haris/contract/permissions';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { findAccountsWithFactor } from '../../db/second-factors.ts';
import { findStaffPage } from '../../db/staff.ts';
import { bind } from '../../http/bind.ts';
import { languageOfNewAccount } from '../../new-account-language.ts';
import { markStaffVerified, resendLink } from './desk-verification.ts';
import { LINK_RESENT, tellOfMail } from './mail-answers.ts';
import { findPendingStaffEmails } from './pending-staff-email.ts';
import { presentStaff, presentStaffList, presentWholeStaff } from './present-staff.ts';
import { createEmployee, deleteStaffMember, getStaffMember } from './staff.ts';
import { changeStaffEmail, type StaffEmailOutcome } from './staff-email.ts';

const UNCHANGED = 'The email is as it was';
const EMAIL_MESSAGES: Record<StaffEmailOutcome, { readonly sent: string; readonly kept: string }> = {
  none: { sent: UNCHANGED, kept: UNCHANGED },
  corrected: {
    sent: 'Saved. A link to verify the new email was mailed.',
    kept: 'Saved. The link to verify the new email was not mailed, because there is no mail server.',
  },
  waits: {
    sent: 'Saved. The new email counts once the link we have sent to it is opened.',
    kept: 'Saved. The new email counts once its link is opened. It was not mailed, because there is no mail server.',
  },
};

/** The address that waits, as a property of the staff member; nothing if none waits. */
function pendingOf(pending: ReadonlyMap<string, string>, { _id }: Pick<Admin, '_id'>) {
  const pendingEmail = pending.get(_id);
  return pendingEmail === undefined ? {} : { pendingEmail };
}

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
      const pending = await findPendingStaffEmails(context, page.rows);
      return {
        admins: (await presentStaffList(context, page.rows)).map((admin) => ({
          ...admin,
          hasSecondFactor: withFactor.has(admin._id),
          ...pendingOf(pending, admin),
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
  bind(app, context, sheetRoutes.changeStaffEmail, {
    find: async ({ params }) => (await getStaffMember(context, params.id)).id,
    async handle({ actor, subject, body }) {
      const { member, outcome } = await changeStaffEmail(context, actor, subject, body.email);
      const pending = await findPendingStaffEmails(context, [member]);
      const admin = await presentStaff(context, member);
      return {
        message: await tellOfMail(context, EMAIL_MESSAGES[outcome]),
        admin: { ...admin, ...pendingOf(pending, admin) },
      };
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
