/** Account kinds, and the access rule of a call. */
import * as z from 'zod/mini';

export const accountKindSchema = z.enum(['parent', 'admin']);
/** `admin` is a staff member of any role; the specification's calls use this name. */
export type AccountKind = z.infer<typeof accountKindSchema>;

/**
 * Who may make a call: `visitor` anyone, `parent` a signed-in parent, `staff` a signed-in staff member, `signed-in`
 * either of the two (the server's policy decides which family a parent may name), `kiosk` a paired kiosk and `desk`
 * a paired desk tablet, each by its device's token, and no person.
 */
export type Access = 'visitor' | 'parent' | 'staff' | 'signed-in' | DeviceAccess;
export type DeviceAccess = 'kiosk' | 'desk';
