/** The items of the first run that the signed-in person can do: a manager is not asked for an owner's mail server. */
import type { Setup, SetupItem } from '@haris/contract/http/setup';
import type { Permission } from '@haris/contract/permissions';
import { useMay } from '../session/may.ts';

/** The permission that each item needs; `own` items concern only the person's own account. */
const NEEDS: Readonly<Record<SetupItem, Permission | 'own'>> = {
  account: 'own',
  locale: 'settings.manage',
  facility: 'settings.manage',
  mail: 'security.manage',
  phones: 'settings.manage',
  family: 'families.edit',
  camera: 'cameras.manage',
  sensor: 'sensors.manage',
  secondFactor: 'security.manage',
};

/** Picks those items of a checklist that this person can do, in their order. */
export function useOwnItems(): (setup: Setup) => Setup['items'] {
  const may = useMay();
  return ({ items }) =>
    items.filter(({ id }) => {
      const needed = NEEDS[id];
      return needed === 'own' || may(needed);
    });
}
