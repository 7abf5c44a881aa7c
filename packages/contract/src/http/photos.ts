/** Photos (contract §4). */
import { z } from 'zod';
import { defineRoute } from './route.ts';

export const photoRoutes = {
  getPhoto: defineRoute({
    id: 'getPhoto',
    method: 'GET',
    path: '/api/photos/{id}',
    access: 'signed-in',
    summary: 'A photo, to whoever may see its owner; with the header or a ticket',
    query: z.object({ ticket: z.string().max(200).optional() }),
    status: 200,
    answer: 'image/jpeg',
    errors: ['not_found', 'invalid_ticket'],
  }),
};

/** Path of a photo by its id. */
export function photoPath(photoId: string): string {
  return `/api/photos/${photoId}`;
}
