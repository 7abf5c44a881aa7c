/** Short-lived tickets for photos, videos and readings, for use where no header can be sent (contract §4). */
import * as z from 'zod/mini';
import { momentSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

function idOf(name: string) {
  return z
    .string({ error: `${name} is required` })
    .check(z.minLength(1, `${name} is required`), z.maxLength(100, `${name} is not valid`));
}

/** Target of a ticket. A video shows a child, or (staff only) a camera. */
const ticketForSchema = z.discriminatedUnion(
  'for',
  [
    z.object({ for: z.literal('photo'), photoId: idOf('photoId') }),
    z
      .object({
        for: z.literal('video'),
        childId: z.optional(idOf('childId')),
        cameraId: z.optional(idOf('cameraId')),
      })
      .check(
        z.refine(({ childId, cameraId }) => (childId === undefined) !== (cameraId === undefined), {
          error: 'Either childId or cameraId is required',
          path: ['childId'],
        }),
      ),
    z.object({ for: z.literal('sensors') }),
  ],
  { error: 'for must be photo, video or sensors' },
);
export type TicketFor = z.infer<typeof ticketForSchema>;

export const ticketRoutes = {
  createTicket: defineRoute({
    id: 'createTicket',
    method: 'POST',
    path: '/api/tickets',
    access: 'signed-in',
    permission: 'by-subject',
    summary: 'Create a single-use ticket; it must be used within 60 s, by this session',
    body: ticketForSchema,
    status: 201,
    answer: z.object({ ticket: z.string(), expiresAt: momentSchema }),
    errors: ['not_found'],
  }),
};
