/** Calls about facilities: where somebody may work, and where a child is known (decision 048). */
import * as z from 'zod/mini';
import { nameSchema, timeZoneSchema } from '../fields.ts';
import { childSchema, facilityEntrySchema, facilitySchema, settingsSchema } from '../objects.ts';
import { holidaysSchema, openingHoursSchema } from '../opening-hours.ts';
import { defineRoute, messageSchema } from './route.ts';

/** Facilities in one installation. */
export const FACILITIES_MAX = 500;

const facilityIdSchema = z.string().check(z.minLength(1), z.maxLength(100));

/** When a facility is open, for its families and staff. */
export const facilityHoursSchema = z
  .object({
    _id: z.string(),
    ...facilitySchema.shape,
    openingHours: z.nullable(openingHoursSchema),
    /** Those that are not over. */
    holidays: holidaysSchema,
    /** Which ends of a stay a check-in offers besides the periods. */
    stayEnds: settingsSchema.shape.stayEnds,
  })
  .register(z.globalRegistry, { id: 'FacilityHours' });
export type FacilityHours = z.output<typeof facilityHoursSchema>;

export const facilityRoutes = {
  listFacilities: defineRoute({
    id: 'listFacilities',
    method: 'GET',
    path: '/api/facilities',
    access: 'signed-in',
    permission: 'own',
    summary:
      'Facilities, the oldest first: for staff those where they have a role, for a parent all, to choose one for a child',
    status: 200,
    answer: z.object({
      facilities: z.array(facilityEntrySchema),
      /** The facility at which this request works; null for a parent whose children are not all known at one facility. */
      current: z.nullable(z.string()),
    }),
    errors: [],
  }),
  listOpeningHours: defineRoute({
    id: 'listOpeningHours',
    method: 'GET',
    path: '/api/facilities/hours',
    access: 'signed-in',
    permission: 'own',
    summary:
      'Opening hours and holidays with name and phone: for a parent, of the facilities of their own children, for staff, of the one where the request works',
    status: 200,
    answer: z.object({ facilities: z.array(facilityHoursSchema) }),
    errors: [],
  }),
  createFacility: defineRoute({
    id: 'createFacility',
    method: 'POST',
    path: '/api/facilities',
    access: 'staff',
    permission: 'facilities.manage',
    proof: 'always',
    summary:
      'Add a facility with one room; its settings begin as those of the facility that the request works at, without address, phone and limits of rooms',
    body: z.object({ name: nameSchema, timeZone: z.optional(timeZoneSchema) }),
    status: 201,
    answer: z.object({ facility: facilityEntrySchema }),
    errors: ['facility_name_taken', 'too_many_facilities'],
  }),
  listChildFacilities: defineRoute({
    id: 'listChildFacilities',
    method: 'GET',
    path: '/api/children/{id}/facilities',
    access: 'staff',
    permission: 'families.view',
    summary: 'Facilities at which a child is known, and those to which the caller may add it',
    status: 200,
    answer: z.object({
      facilities: z.array(facilityEntrySchema),
      /** Where the child is not known and the caller has `families.edit`. */
      addable: z.array(facilityEntrySchema),
    }),
    errors: ['not_found'],
  }),
  addChildFacility: defineRoute({
    id: 'addChildFacility',
    method: 'POST',
    path: '/api/children/{id}/facilities',
    access: 'staff',
    permission: 'families.edit',
    summary:
      'Add a child to a further facility; needs families.edit there too. Staff there then see the child and its family',
    body: z.object({ facilityId: facilityIdSchema }),
    status: 200,
    answer: z.object({ child: childSchema, facilities: z.array(facilityEntrySchema) }),
    errors: ['beyond_own_rights', 'not_found'],
  }),
  removeChildFacility: defineRoute({
    id: 'removeChildFacility',
    method: 'DELETE',
    path: '/api/children/{id}/facilities/{facilityId}',
    access: 'staff',
    permission: 'families.edit',
    summary:
      'Remove a child from a facility; needs families.edit there too. Staff there no longer see the child, and its past visits there are kept without a name',
    status: 200,
    answer: messageSchema,
    errors: ['beyond_own_rights', 'not_found', 'child_inside', 'last_facility'],
  }),
};
