/** Whether a signed-in staff member may already work. */
import type { Admin } from '@haris/contract/objects';

/** False until the person has chosen a password and, if required, has a second factor. */
export function isWorkingStaff(admin: Admin | null): admin is Admin {
  return admin !== null && admin.setUpBy === null && admin.mustAddFactor !== true;
}
