/** One child and one family as the desk sees them: everything that a sheet shows at once. */
import * as z from 'zod/mini';
import { staffEmailSchema } from '../fields.ts';
import { adminSchema, childSchema, momentSchema, parentSchema } from '../objects.ts';
import { defineRoute, messageSchema } from './route.ts';
import { usualEntrySchema } from './search.ts';

export const sheetRoutes = {
  getChild: defineRoute({
    id: 'getChild',
    method: 'GET',
    path: '/api/children/get-child/{id}',
    access: 'staff',
    permission: 'families.view',
    summary:
      'One child with its family, the photos of its face, and how it usually comes. Only the first photo can be shown; of the others the encoding alone is kept',
    status: 200,
    answer: z.object({
      child: childSchema,
      parent: parentSchema,
      /** The confirmed photos of the face, oldest first. The first is the displayed one. */
      facePhotos: z.array(z.object({ _id: z.string(), addedAt: momentSchema })),
      /** The children who came with the child last time, and the period, as in the search's answer. */
      usual: usualEntrySchema,
    }),
    errors: ['not_found'],
  }),
  removeChildPhoto: defineRoute({
    id: 'removeChildPhoto',
    method: 'DELETE',
    path: '/api/children/{id}/photos/{photoId}',
    access: 'staff',
    permission: 'families.edit',
    proof: 'always',
    summary:
      "Remove a further photo of a child's face; its encoding is deleted. The displayed photo is replaced by update-child instead",
    status: 200,
    answer: z.extend(messageSchema, { photos: z.int() }),
    errors: ['not_found', 'last_photo'],
  }),
  resendParentLink: defineRoute({
    id: 'resendParentLink',
    method: 'POST',
    path: '/api/parent/resend-verification/{id}',
    access: 'staff',
    permission: 'families.edit',
    proof: 'by-body',
    summary:
      'Mail a parent a new link to verify the e-mail, or to set a password if there is none; at most one in 5 minutes. To a new e-mail that waits for an agreement, it is that agreement, and needs a proof',
    status: 200,
    answer: z.object({ message: z.string(), parent: parentSchema }),
    errors: [
      'beyond_own_rights',
      'password_not_own',
      'not_found',
      'already_verified',
      'email_change_waits',
      'too_many_attempts',
    ],
  }),
  resendAdminLink: defineRoute({
    id: 'resendAdminLink',
    method: 'POST',
    path: '/api/admin/resend-verification/{id}',
    access: 'staff',
    permission: 'staff.manage',
    summary: 'Mail an employee a new link to verify the e-mail; at most one in 5 minutes',
    status: 200,
    answer: z.object({ message: z.string(), admin: adminSchema }),
    errors: ['not_found', 'already_verified', 'too_many_attempts'],
  }),
  markAdminVerified: defineRoute({
    id: 'markAdminVerified',
    method: 'POST',
    path: '/api/admin/mark-verified/{id}',
    access: 'staff',
    permission: 'staff.manage',
    proof: 'always',
    summary: "Mark an employee's e-mail as verified, so that the employee can sign in",
    status: 200,
    answer: z.object({ message: z.string(), admin: adminSchema }),
    errors: ['not_found', 'beyond_own_rights'],
  }),
  changeStaffEmail: defineRoute({
    id: 'changeStaffEmail',
    method: 'PUT',
    path: '/api/admin/{id}/email',
    access: 'staff',
    permission: 'staff.manage',
    approval: true,
    proof: 'always',
    summary:
      "Correct a staff member's e-mail. One that was never verified changes at once; otherwise the new one counts when its mailed link is opened, and the old one is told. The e-mail in force cancels a change that waits",
    body: z.object({ email: staffEmailSchema }),
    status: 200,
    answer: z.object({ message: z.string(), admin: adminSchema }),
    errors: ['not_found', 'beyond_own_rights', 'email_taken'],
  }),
  getParent: defineRoute({
    id: 'getParent',
    method: 'GET',
    path: '/api/parent/get-parent/{id}',
    access: 'staff',
    permission: 'families.view',
    summary: 'One parent with the children, and the new e-mail that waits for verification',
    status: 200,
    answer: z.object({
      parent: parentSchema,
      /** Null if no change of the e-mail waits. */
      pendingEmail: z.nullable(z.string()),
      /**
       * Not null if its link is not mailed yet, because somebody has to agree: a colleague may send it now, the staff
       * member who asked from `until` on.
       */
      emailWaits: z.nullable(z.object({ until: momentSchema, askedByMe: z.boolean() })),
    }),
    errors: ['not_found'],
  }),
};
