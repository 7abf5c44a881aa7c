/** Binds the calls of accounts to their services. */

import { EVENT_POSITION_HEADER, IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import type { Language } from '@haris/contract/fields';
import { accountRoutes, addParentBodySchema, loginBodySchema } from '@haris/contract/http/accounts';
import { importRoutes } from '@haris/contract/http/imports';
import { changeStaffPasswordBodySchema, sessionRoutes } from '@haris/contract/http/session';
import { vouchingRoutes } from '@haris/contract/http/vouching';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAccountLanguage } from '../../db/account-language.ts';
import { findAdminsPage } from '../../db/admins.ts';
import { findLastEventId } from '../../db/events.ts';
import { findParent, findParentsPage } from '../../db/parents.ts';
import { bind } from '../../http/bind.ts';
import { browserOf, openerOf } from '../../http/device.ts';
import { announcesMultipart } from '../../http/multipart.ts';
import { presentAdmin, presentParent } from '../../http/present.ts';
import { requireProof } from '../../http/proof.ts';
import { decide } from '../../proposals/decide.ts';
import { chooseLanguage } from './language.ts';
import { admitPhotoForm, countProfileChange } from './limits.ts';
import { changePassword } from './own-password.ts';
import { importParents, previewImport } from './parent-import.ts';
import { addParent, deleteParent, getParentView, updateParent } from './parents.ts';
import { mayManageParent } from './policy.ts';
import { giveProof } from './proof.ts';
import { forgotPassword, resetPassword, verifyEmail } from './recovery.ts';
import { signIn, signOut } from './sign-in.ts';
import { createEmployee, deleteEmployee, getAdmin } from './staff.ts';
import { createDeskCode, disownRegistration, markParentVerified, presentRegistration } from './vouching.ts';

/** The language a new account gets when its form does not say: what the browser prefers. */
function preferredLanguage(request: FastifyRequest): Language {
  const first = /^\s*([a-z]{2})/i.exec(request.headers['accept-language'] ?? '')?.[1];
  return first?.toLowerCase() === 'ar' ? 'ar' : 'en';
}

export function accountFeature(app: FastifyInstance, context: Context): void {
  const parentById = async ({ params }: { params: { id: string } }): Promise<string> => {
    if (!(await findParent(context.db, params.id))) throw new AppError('not_found');
    return params.id;
  };

  /** Told before anything is read: what happens meanwhile is told twice rather than not at all. */
  const tellPosition = async (reply: FastifyReply): Promise<void> => {
    reply.header(EVENT_POSITION_HEADER, String(await findLastEventId(context.db)));
  };

  bind(app, context, accountRoutes.adminLogin, {
    async handle({ body, actor, request, reply }) {
      const browser = browserOf(context, request);
      const { token, accountId } = await signIn(context, 'admin', body, { origin: actor.origin, browser });
      browser.remember(reply);
      await tellPosition(reply);
      const admin = await getAdmin(context, accountId);
      return { token, admin: presentAdmin(context.vault, admin, { whole: true }) };
    },
  });
  bind(app, context, accountRoutes.parentLogin, {
    async handle({ body, actor, request, reply }) {
      const browser = browserOf(context, request);
      const { token, accountId } = await signIn(context, 'parent', body, { origin: actor.origin, browser });
      browser.remember(reply);
      await tellPosition(reply);
      return { token, parent: presentParent(await getParentView(context, accountId), 'parent') };
    },
  });
  bind(app, context, accountRoutes.logout, {
    async handle({ actor }) {
      await signOut(context, actor);
      return undefined;
    },
  });
  bind(app, context, sessionRoutes.proveSession, {
    async handle({ actor, body }) {
      await giveProof(context, actor, body.password);
      return undefined;
    },
  });
  bind(app, context, sessionRoutes.changePassword, {
    bodySchema: (actor) =>
      actor.kind === 'admin' ? changeStaffPasswordBodySchema : sessionRoutes.changePassword.body,
    async handle({ actor, body }) {
      await changePassword(context, actor, body);
      return { message: 'Your password was changed.' };
    },
  });
  bind(app, context, accountRoutes.setLanguage, {
    async handle({ actor, body }) {
      await countProfileChange(context, actor, { photo: false });
      await chooseLanguage(context, actor, body.language);
      return { language: body.language };
    },
  });
  bind(app, context, importRoutes.previewParentImport, {
    async handle({ body }) {
      return { rows: body.rows.length, problems: [...(await previewImport(context, body.rows))] };
    },
  });
  bind(app, context, importRoutes.importParents, {
    async handle({ actor, body, headers }) {
      const imported = await importParents(context, actor, body.rows, {
        language: body.language ?? (await findAccountLanguage(context.db, actor)),
        key: headers[IDEMPOTENCY_KEY_HEADER],
      });
      return { message: 'Parents imported successfully', ...imported };
    },
  });
  bind(app, context, accountRoutes.forgotPassword, {
    async handle({ body, request }) {
      await forgotPassword(context, body.kind, body.email, browserOf(context, request).place);
      return { message: 'If there is an account with this email, we have sent it a link.' };
    },
  });
  bind(app, context, accountRoutes.resetPassword, {
    async handle({ body, actor, request, reply }) {
      const browser = browserOf(context, request);
      await resetPassword(context, body.token, body.password, { origin: actor.origin, browser });
      browser.remember(reply);
      return { message: 'Your password is set. You can sign in now.' };
    },
  });
  bind(app, context, accountRoutes.adminInfo, {
    async handle({ actor, reply }) {
      await tellPosition(reply);
      return { admin: presentAdmin(context.vault, await getAdmin(context, actor.id), { whole: true }) };
    },
  });
  for (const route of [accountRoutes.parentInfo, accountRoutes.parentByToken])
    bind(app, context, route, {
      async handle({ actor, reply }) {
        await tellPosition(reply);
        return { parent: presentParent(await getParentView(context, actor.id), 'parent') };
      },
    });
  bind(app, context, accountRoutes.verifyAdminEmail, {
    async handle({ params, actor, request }) {
      const openedBy = openerOf(request, browserOf(context, request));
      await verifyEmail(context, 'admin', params.token, { origin: actor.origin, openedBy });
      return { message: 'Your email is verified. You can sign in now.' };
    },
  });
  bind(app, context, accountRoutes.verifyParentEmail, {
    async handle({ params, actor, request, reply }) {
      const browser = browserOf(context, request);
      const from = { origin: actor.origin, openedBy: openerOf(request, browser) };
      const account = await verifyEmail(context, 'parent', params.token, from);
      browser.remember(reply);
      return {
        message: 'Your email is verified. You can sign in now.',
        ...(account === undefined ? {} : { account }),
      };
    },
  });
  bind(app, context, accountRoutes.addParent, {
    // A desk whose session has died would otherwise register a parent as a visitor does, and be told of missing fields.
    refusesDeadToken: true,
    async admit({ actor, request }) {
      if (actor.kind !== 'admin' && announcesMultipart(request)) await admitPhotoForm(context, actor.origin);
    },
    // With a staff token this is the staff's form.
    bodySchema: (actor) => (actor.kind === 'admin' ? addParentBodySchema : accountRoutes.addParent.body),
    async handle({ actor, body, files, request }) {
      const byStaff = actor.kind === 'admin';
      const view = await addParent(context, byStaff ? actor : { kind: 'visitor', origin: actor.origin }, {
        ...body,
        language: body.language ?? preferredLanguage(request),
        photo: files.photo,
      });
      return {
        message: byStaff
          ? 'Parent added successfully'
          : 'Registration successful. Please open the link in the email we have sent you.',
        parent: presentParent(view, byStaff ? 'admin' : 'parent'),
      };
    },
  });
  bind(app, context, accountRoutes.createParent, {
    async handle({ actor, body, files, request }) {
      const view = await addParent(context, actor, {
        ...body,
        language: body.language ?? preferredLanguage(request),
        photo: files.photo,
      });
      return { message: 'Parent added successfully', parent: presentParent(view, 'admin') };
    },
  });
  bind(app, context, accountRoutes.listParents, {
    async handle({ query }) {
      const { pending, ...request } = query;
      const filter = { ...request, pending: pending === undefined ? undefined : pending === 'true' };
      const page = await findParentsPage(context.db, filter);
      return {
        parents: page.rows.map((view) => presentParent(view, 'admin')),
        total: page.total,
        nextCursor: page.nextCursor,
      };
    },
  });
  bind(app, context, accountRoutes.updateParent, {
    async find({ actor, params }) {
      if (!mayManageParent(actor, params.id)) throw new AppError('not_found');
      return parentById({ params });
    },
    async handle({ actor, body, files, subject }) {
      const change = { ...body, photo: files.photo };
      if (!Object.values(change).some((value) => value !== undefined))
        throw new AppError('invalid_request', { message: 'Nothing to change was sent' });
      // A parent who registered needs a phone that can be called; only staff may leave it out.
      if (change.phone === null && actor.kind !== 'admin')
        throw new AppError('invalid_request', {
          message: 'Phone number is required',
          fields: { phone: 'Phone number is required' },
        });
      if (actor.kind === 'parent' && change.email !== undefined) {
        const current = await findParent(context.db, subject);
        if (current?.email !== change.email) requireProof(context, actor);
      }
      if (actor.kind === 'parent')
        await countProfileChange(context, actor, { photo: files.photo !== undefined });
      const { view, emailToVerify } = await updateParent(context, actor, subject, change);
      return {
        message: emailToVerify
          ? 'Saved. The new email counts once the link we have sent to it is opened.'
          : 'Parent updated successfully',
        parent: presentParent(view, actor.kind),
      };
    },
  });
  bind(app, context, accountRoutes.confirmParent, {
    find: parentById,
    async handle({ actor, body, subject }) {
      const { accept, revision, confirm = false } = body;
      const decision = { accept, revision, confirmed: confirm };
      await decide(context, actor, { kind: 'parent', id: subject }, decision);
      const view = await getParentView(context, subject);
      return { message: accept ? 'Confirmed' : 'Rejected', parent: presentParent(view, 'admin') };
    },
  });
  bind(app, context, accountRoutes.markParentVerified, {
    find: parentById,
    async handle({ actor, body, subject }) {
      const view = await markParentVerified(context, actor, subject, body.code);
      return { message: 'Parent marked as verified', parent: presentParent(view, 'admin') };
    },
  });
  bind(app, context, vouchingRoutes.createDeskCode, {
    bodySchema: (actor) => (actor.kind === 'parent' ? vouchingRoutes.createDeskCode.body : loginBodySchema),
    async handle({ actor, body, request }) {
      if (actor.kind === 'parent') return createDeskCode(context, { parentId: actor.id });
      const from = { origin: actor.origin, browser: browserOf(context, request) };
      return createDeskCode(context, { credentials: loginBodySchema.parse(body), from });
    },
  });
  bind(app, context, vouchingRoutes.getRegistration, {
    find: parentById,
    async handle({ subject }) {
      return { registration: presentRegistration(await getParentView(context, subject)) };
    },
  });
  bind(app, context, vouchingRoutes.disownRegistration, {
    async handle({ params, actor }) {
      const isDeleted = await disownRegistration(context, params.token, actor.origin);
      return {
        deleted: isDeleted,
        message: isDeleted
          ? 'The account was deleted.'
          : 'Nobody can sign in to the account any more. We have told the staff.',
      };
    },
  });
  bind(app, context, accountRoutes.deleteParent, {
    find: parentById,
    async handle({ actor, subject }) {
      await deleteParent(context, actor, subject);
      return { message: 'Parent deleted successfully.' };
    },
  });
  bind(app, context, accountRoutes.createAdmin, {
    async handle({ actor, body, request }) {
      const admin = await createEmployee(context, actor, { ...body, language: preferredLanguage(request) });
      return {
        message: 'Employee added successfully',
        admin: presentAdmin(context.vault, admin, { whole: true }),
      };
    },
  });
  bind(app, context, accountRoutes.listAdmins, {
    async handle({ query }) {
      const page = await findAdminsPage(context.db, query);
      return {
        admins: page.rows.map((row) => presentAdmin(context.vault, row, { whole: false })),
        total: page.total,
        nextCursor: page.nextCursor,
      };
    },
  });
  bind(app, context, accountRoutes.deleteAdmin, {
    async find({ params }) {
      await getAdmin(context, params.id);
      return params.id;
    },
    async handle({ actor, subject, query }) {
      const homeAssistantAccounts = await deleteEmployee(context, actor, subject, {
        handOver: query.handOver === 'true',
      });
      return { message: 'Employee deleted successfully.', homeAssistantAccounts };
    },
  });
}
