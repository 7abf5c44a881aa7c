/** Care cards: one child's card, the signs of all children, and the cards for a roll call (decision 050). */
import * as z from 'zod/mini';
import { careCardInputSchema, careCardSchema, signedAllergiesSchema } from '../care-card.ts';
import { momentSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

const careCardViewSchema = z
  .object({
    /** Counts the saves; 0 for a card that nobody has saved yet. */
    version: z.int(),
    updatedAt: z.nullable(momentSchema),
    updatedBy: z.nullable(z.enum(['parent', 'staff'])),
    card: careCardSchema,
  })
  .register(z.globalRegistry, { id: 'CareCardView' });
export type CareCardView = z.infer<typeof careCardViewSchema>;

const careSignSchema = z
  .object({
    childId: z.string(),
    /** Worst first; null: the card could not be read. */
    allergies: z.nullable(signedAllergiesSchema),
    /** Whether the family changed the card since somebody of this facility opened it. */
    isUnseen: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'CareSign' });
export type CareSign = z.infer<typeof careSignSchema>;

const keptCareCardSchema = z.object({ childId: z.string(), card: careCardSchema });
export type KeptCareCard = z.infer<typeof keptCareCardSchema>;
export const keptCareCardsSchema = z.array(keptCareCardSchema);

export const careRoutes = {
  getCareCard: defineRoute({
    id: 'getCareCard',
    method: 'GET',
    path: '/api/children/{id}/care-card',
    access: 'signed-in',
    permission: 'care.view',
    summary:
      "A child's care card; empty with version 0 if nobody has saved one. Reading by staff is recorded",
    status: 200,
    answer: careCardViewSchema,
    errors: ['not_found'],
  }),
  saveCareCard: defineRoute({
    id: 'saveCareCard',
    method: 'PUT',
    path: '/api/children/{id}/care-card',
    access: 'signed-in',
    permission: 'care.edit',
    summary:
      'Replace the whole care card. `version` is the one that was read; a parent may save 40 changes a day',
    body: z.object({
      version: z
        .int('must be the version that was read')
        .check(z.gte(0, 'must be the version that was read')),
      card: careCardInputSchema,
    }),
    status: 200,
    answer: careCardViewSchema,
    errors: ['not_found', 'care_card_changed', 'too_many_attempts'],
  }),
  listCareSigns: defineRoute({
    id: 'listCareSigns',
    method: 'GET',
    path: '/api/care-signs',
    access: 'staff',
    permission: 'care.view',
    summary:
      'The children of the facility with allergies, with a card that the family has changed since staff opened it, or with one that could not be read',
    status: 200,
    answer: z.object({
      signs: z.array(careSignSchema),
      /** Whether allergies are printed on the entry slip (setting `slipAllergies`). */
      onSlip: z.boolean(),
    }),
    errors: [],
  }),
  listEvacuationCareCards: defineRoute({
    id: 'listEvacuationCareCards',
    method: 'GET',
    path: '/api/evacuations/current/care-cards',
    access: 'staff',
    permission: 'care.view',
    summary:
      'The care cards of the children on the roll call of the evacuation that goes on; none without one. Reading is recorded',
    status: 200,
    answer: z.object({ cards: keptCareCardsSchema }),
    errors: [],
  }),
};
