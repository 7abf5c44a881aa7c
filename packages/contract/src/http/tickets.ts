/** Short-lived tickets that open a photo, a video or the readings where no header can be sent (contract §4). */
import { z } from 'zod';
import { momentSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

function idOf(name: string) {
  return z
    .string({ error: `${name} is required` })
    .min(1, `${name} is required`)
    .max(100, `${name} is not valid`);
}

/** What a ticket is for. A video is that of a child, or (staff only) of a camera. */
const ticketForSchema = z.discriminatedUnion(
  'for',
  [
    z.object({ for: z.literal('photo'), photoId: idOf('photoId') }),
    z
      .object({
        for: z.literal('video'),
        childId: idOf('childId').optional(),
        cameraId: idOf('cameraId').optional(),
      })
      .refine(({ childId, cameraId }) => (childId === undefined) !== (cameraId === undefined), {
        error: 'Either childId or cameraId is required',
        path: ['childId'],
      }),
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
    summary: 'A ticket: one use to open, 60 s to open it, for this session only',
    body: ticketForSchema,
    status: 201,
    answer: z.object({ ticket: z.string(), expiresAt: momentSchema }),
    errors: ['not_found'],
  }),
};
