/** Binds the calls of care cards. */
import { careRoutes } from '@haris/contract/http/care';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { findCareSigns } from '../../db/care-cards.ts';
import { findChild } from '../../db/children.ts';
import { readSettings } from '../../db/settings.ts';
import { currentFacility } from '../../facility.ts';
import { bind } from '../../http/bind.ts';
import { firstGuardian, may } from '../../policy.ts';
import { readCareCard, readEvacuationCards, saveCare } from './service.ts';

export function careFeature(app: FastifyInstance, context: Context): void {
  /** The child of a call, if the actor may do this; of guardians the first, whose contacts the card has. Throws 404. */
  const ownChild =
    (permission: 'care.view' | 'care.edit') =>
    async ({ actor, params }: { actor: Actor; params: { id: string } }) => {
      const child = await findChild(context.db, params.id);
      if (!child || !may(actor, permission, firstGuardian(child))) throw new AppError('not_found');
      return child;
    };

  bind(app, context, careRoutes.getCareCard, {
    find: ownChild('care.view'),
    handle: ({ actor, subject }) => readCareCard(context, actor, subject),
  });
  bind(app, context, careRoutes.saveCareCard, {
    find: ownChild('care.edit'),
    handle: ({ actor, subject, body }) => saveCare(context, actor, subject, body),
  });
  bind(app, context, careRoutes.listCareSigns, {
    async handle() {
      const signs = await findCareSigns(context.db, context.vault, currentFacility());
      const { slipAllergies } = await readSettings(context.db, context.config);
      return {
        signs: signs
          .filter(({ allergies, isUnseen }) => isUnseen || allergies === null || allergies.length > 0)
          .map(({ allergies, ...sign }) => ({ ...sign, allergies: allergies && [...allergies] })),
        onSlip: slipAllergies,
      };
    },
  });
  bind(app, context, careRoutes.listEvacuationCareCards, {
    async handle({ actor }) {
      return { cards: await readEvacuationCards(context, actor) };
    },
  });
}
