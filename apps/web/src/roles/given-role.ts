/** Names a role that somebody has, with the facility where it counts. Its texts are in the namespace `roles`. */
import type { Admin } from '@haris/contract/objects';
import { useTranslation } from 'react-i18next';
import { useFacilityName, useWork } from '../session/work.ts';
import { useRoleName } from './names.ts';

type GivenRole = Admin['roles'][number];

/** A role with where it counts; only its name with one facility. */
export function useGivenRoleName(): (given: GivenRole) => string {
  const { t } = useTranslation('roles');
  const nameOf = useRoleName();
  const facilityName = useFacilityName();
  const work = useWork();
  return ({ roleId, name, facilityId }) => {
    const role = nameOf({ id: roleId, name });
    if (work === null) return role;
    if (facilityId === null) return t('give.roleEverywhere', { role });
    const facility = work.facilities.find(({ _id }) => _id === facilityId);
    if (facility === undefined) return t('give.atOther', { role });
    return t('give.roleAt', { role, name: facilityName(facility) });
  };
}
