/** What only a demo can be asked for; no part of the product's document of calls. */
import { defineRoute, messageSchema } from './route.ts';

export const demoRoutes = {
  startFireDrill: defineRoute({
    id: 'startFireDrill',
    method: 'POST',
    path: '/api/demo/fire-drill',
    access: 'staff',
    summary: 'The simulated sensor measures heat and smoke for a minute and a half',
    status: 202,
    answer: messageSchema,
    errors: [],
  }),
};
