/** Who a caller is. Administrators and employees are one rank: staff (contract §3). */
import { z } from 'zod';

export const accountKindSchema = z.enum(['parent', 'admin']);
/** `admin` is a member of staff (administrator or employee), as the spec's calls name it. */
export type AccountKind = z.infer<typeof accountKindSchema>;

/**
 * Who may make a call: `visitor` anyone, `parent` a signed-in parent, `staff` a signed-in member of staff,
 * `signed-in` either of the two (which subjects a parent may name is the feature's policy).
 */
export type Access = 'visitor' | 'parent' | 'staff' | 'signed-in';
