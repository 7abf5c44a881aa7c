/** Calls that exist only in a demo; they are not in the product's OpenAPI document. */
import { defineRoute, messageSchema } from './route.ts';

export const demoRoutes = {
  startFireDrill: defineRoute({
    id: 'startFireDrill',
    method: 'POST',
    path: '/api/demo/fire-drill',
    access: 'staff',
    permission: 'evacuation.run',
    summary: 'Make the simulated sensor measure heat and smoke for a minute and a half',
    status: 202,
    answer: messageSchema,
    errors: [],
  }),
};
