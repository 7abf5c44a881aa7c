/** The signed-in staff member's current facility, the other ones, and the permissions at all of them (decision 048). */
import type { FacilityEntry } from '@haris/contract/objects';
import { useTranslation } from 'react-i18next';
import type { May } from './may.ts';
import { useSession } from './session.tsx';

/** Facilities of the signed-in staff member, and the current one's id; null if there is only one, and for other accounts. */
export function useWork(): { facilityId: string; facilities: readonly FacilityEntry[] } | null {
  return useSession().admin.identity?.work ?? null;
}

/** Whether the person has a permission at every facility, which is needed to change what all facilities share. */
export function useMayEverywhere(): May {
  const { identity } = useSession().admin;
  const allowed = identity?.work?.everywhere ?? identity?.permissions;
  return (permission) => allowed?.includes(permission) ?? false;
}

/** Name of a facility for display, even if it has no name yet. */
export function useFacilityName(): (facility: Pick<FacilityEntry, 'name'>) => string {
  const { t } = useTranslation('frame');
  return ({ name }) => name ?? t('facility.unnamed');
}
