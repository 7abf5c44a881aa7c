/** The own name and photo of staff, and who sees the photos. */
import * as z from 'zod/mini';
import { nameSchema } from '../fields.ts';
import { adminSchema } from '../objects.ts';
import { defineRoute } from './route.ts';

const ownProfileBodySchema = z.object({ name: z.optional(nameSchema) });

export const staffProfileRoutes = {
  updateOwnProfile: defineRoute({
    id: 'updateOwnProfile',
    method: 'PUT',
    path: '/api/admin/me/profile',
    access: 'staff',
    permission: 'own',
    proof: 'always',
    summary: 'Change the name or photo of the caller, which colleagues see',
    body: ownProfileBodySchema,
    accepts: ['json', 'multipart'],
    files: { photo: 'optional' },
    status: 200,
    answer: z.object({ message: z.string(), admin: adminSchema }),
    errors: [
      'too_many_attempts',
      'payload_too_large',
      'unsupported_media_type',
      'unreadable_photo',
      'face_engine_unavailable',
      'photos_busy',
    ],
  }),
  removeOwnPhoto: defineRoute({
    id: 'removeOwnPhoto',
    method: 'DELETE',
    path: '/api/admin/me/photo',
    access: 'staff',
    permission: 'own',
    proof: 'always',
    summary: 'Delete the photo of the caller',
    status: 200,
    answer: z.object({ message: z.string(), admin: adminSchema }),
    errors: [],
  }),
  getStaffPhoto: defineRoute({
    id: 'getStaffPhoto',
    method: 'GET',
    path: '/api/admin/photos/{id}',
    access: 'staff',
    permission: 'by-subject',
    summary: 'A photo of a staff member: that of the caller, or with `staff.view` that of a colleague',
    status: 200,
    answer: 'image/jpeg',
    errors: ['not_found'],
  }),
  getDeskPhoto: defineRoute({
    id: 'getDeskPhoto',
    method: 'GET',
    path: '/api/desk/photos/{id}',
    access: 'desk',
    summary: 'A photo of somebody whom this tablet lists',
    status: 200,
    answer: 'image/jpeg',
    errors: ['not_found'],
  }),
};

/** Path of a staff member's photo for colleagues, by its id. */
export function staffPhotoPath(photoId: string): string {
  return `/api/admin/photos/${photoId}`;
}
