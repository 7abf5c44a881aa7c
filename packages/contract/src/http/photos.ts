/** Photos (contract §4). */
import * as z from 'zod/mini';
import { defineRoute } from './route.ts';

export const photoRoutes = {
  getPhoto: defineRoute({
    id: 'getPhoto',
    method: 'GET',
    path: '/api/photos/{id}',
    access: 'signed-in',
    permission: 'families.view',
    summary: 'A photo, for those who may see its subject; with the bearer token or a ticket',
    query: z.object({ ticket: z.optional(z.string().check(z.maxLength(200))) }),
    status: 200,
    answer: 'image/jpeg',
    errors: ['not_found', 'invalid_ticket'],
  }),
};

/** Path of a photo by its id. */
export function photoPath(photoId: string): string {
  return `/api/photos/${photoId}`;
}
