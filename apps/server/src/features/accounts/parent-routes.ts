/** Calls about parents: staff add, import, list, change and delete them; parents change their own account. */
import { IDEMPOTENCY_KEY_HEADER } from '@haris/contract/constants';
import { accountRoutes } from '@haris/contract/http/accounts';
import { importRoutes } from '@haris/contract/http/imports';
import { sheetRoutes } from '@haris/contract/http/sheets';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findAccountLanguage } from '../../db/accounts.ts';
import { findParent, findParentsPage } from '../../db/parents.ts';
import { bind } from '../../http/bind.ts';
import { presentParent } from '../../http/present.ts';
import { requireProof } from '../../http/proof.ts';
import { languageOfNewAccount } from '../../new-account-language.ts';
import { may } from '../../policy.ts';
import { decide } from '../../proposals/decide.ts';
import { resendLink } from './desk-verification.ts';
import { type EmailOutcome, presentWaitingChange } from './email-changes.ts';
import { countProfileChange } from './limits.ts';
import { LINK_RESENT, tellOfMail } from './mail-answers.ts';
import { updateParent } from './parent-changes.ts';
import { findImportProgress, importParents, previewImport } from './parent-import.ts';
import { addParent, deleteParent, getParentView, requireParent } from './parents.ts';

const updatedMessages: Record<EmailOutcome, { readonly sent: string; readonly kept: string }> = {
  none: { sent: 'Parent updated successfully', kept: 'Parent updated successfully' },
  link: {
    sent: 'Saved. The new email counts once the link we have sent to it is opened.',
    kept: 'Saved. The new email counts once its link is opened. It was not mailed, because there is no mail server.',
  },
  waits: {
    sent: 'Saved. The new email waits for an answer from the old one.',
    kept: 'Saved. The new email waits for an answer from the old one, which was not asked, because there is no mail server.',
  },
};

export function bindParents(app: FastifyInstance, context: Context): void {
  bindImport(app, context);
  bind(app, context, accountRoutes.createParent, {
    async handle({ actor, body, files, request }) {
      const { view } = await addParent(context, actor, {
        ...body,
        language: body.language ?? (await languageOfNewAccount(context, request, { byStaff: true })),
        photo: files.photo,
      });
      return { message: 'Parent added successfully', parent: presentParent(view, actor) };
    },
  });
  bind(app, context, accountRoutes.listParents, {
    async handle({ actor, query }) {
      const { pending, ...request } = query;
      const filter = { ...request, pending: pending === undefined ? undefined : pending === 'true' };
      const page = await findParentsPage(context.db, filter);
      return {
        parents: page.rows.map((view) => presentParent(view, actor)),
        total: page.total,
        nextCursor: page.nextCursor,
      };
    },
  });
  bind(app, context, sheetRoutes.getParent, {
    find: ({ params }) => requireParent(context, params.id),
    async handle({ actor, subject }) {
      const view = await getParentView(context, subject);
      return {
        parent: presentParent(view, actor),
        pendingEmail: view.parent.pending_email,
        emailWaits: presentWaitingChange(view.parent, actor),
      };
    },
  });
  bind(app, context, sheetRoutes.resendParentLink, {
    find: ({ params }) => requireParent(context, params.id),
    async handle({ actor, subject }) {
      await resendLink(context, actor, 'parent', subject);
      const view = await getParentView(context, subject);
      return { message: await tellOfMail(context, LINK_RESENT), parent: presentParent(view, actor) };
    },
  });
  bind(app, context, accountRoutes.updateParent, {
    async find({ actor, params }) {
      if (!may(actor, 'families.edit', params.id)) throw new AppError('not_found');
      return requireParent(context, params.id);
    },
    async handle({ actor, body, files, subject }) {
      const { code, ...fields } = body;
      const change = { ...fields, photo: files.photo };
      if (!Object.values(change).some((value) => value !== undefined))
        throw new AppError('invalid_request', { message: 'Nothing to change was sent' });
      // A parent who registered needs a phone that can be called; only staff may leave it out.
      if (change.phone === null && actor.kind !== 'admin')
        throw new AppError('invalid_request', {
          message: 'Phone number is required',
          fields: { phone: 'Phone number is required' },
        });
      if (change.email !== undefined) {
        const current = await findParent(context.db, subject);
        if (current?.email !== change.email) await requireProof(context, actor);
      }
      if (actor.kind === 'parent')
        await countProfileChange(context, actor, { photo: files.photo !== undefined });
      const byStaff = actor.kind === 'admin' && change.email !== undefined;
      const changed = await updateParent(context, actor, subject, change, byStaff ? code : undefined);
      const { view, emailOutcome } = changed;
      return {
        message: await tellOfMail(context, updatedMessages[emailOutcome]),
        parent: presentParent(view, actor),
      };
    },
  });
  bind(app, context, accountRoutes.confirmParent, {
    find: ({ params }) => requireParent(context, params.id),
    async handle({ actor, body, subject }) {
      const { accept, revision, confirm = false } = body;
      const decision = { accept, revision, confirmed: confirm };
      await decide(context, actor, { kind: 'parent', id: subject }, decision);
      const view = await getParentView(context, subject);
      return { message: accept ? 'Confirmed' : 'Rejected', parent: presentParent(view, actor) };
    },
  });
  bind(app, context, accountRoutes.deleteParent, {
    find: ({ params }) => requireParent(context, params.id),
    async handle({ actor, subject }) {
      await deleteParent(context, actor, subject);
      return { message: 'Parent deleted successfully.' };
    },
  });
}

function bindImport(app: FastifyInstance, context: Context): void {
  bind(app, context, importRoutes.previewParentImport, {
    async handle({ body }) {
      return { rows: body.rows.length, problems: [...(await previewImport(context, body.rows))] };
    },
  });
  bind(app, context, importRoutes.getImportProgress, {
    async handle({ actor, headers }) {
      return { done: await findImportProgress(context, actor, headers[IDEMPOTENCY_KEY_HEADER]) };
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
}
