/** A parent whose children are not all at one of several nurseries says where the new child goes (decision 048). */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { facilitiesQuery } from '../../facilities/queries.ts';
import { useSession } from '../../session/session.tsx';

export interface FacilityOfChild {
  /** Null: the server knows it. */
  readonly chosen: string | null;
  readonly isMissing: boolean;
  /** The field; null if there is nothing to choose. */
  readonly choice: ReactNode;
}

export function useFacilityOfChild(): FacilityOfChild {
  const { t } = useTranslation('add-child');
  const { parent } = useSession();
  const { data } = useQuery({ ...facilitiesQuery, enabled: parent.isAuthenticated });
  const [chosen, setChosen] = useState<string | null>(null);
  const facilities = data?.current === null ? data.facilities : [];
  if (facilities.length < 2) return { chosen: null, isMissing: false, choice: null };
  const choice = (
    <Select
      label={t('facility')}
      placeholder={t('facilityPlaceholder')}
      data={facilities.map(({ _id, name }) => ({ value: _id, label: name ?? t('facilityUnnamed') }))}
      value={chosen}
      onChange={setChosen}
      allowDeselect={false}
      required
    />
  );
  return { chosen, isMissing: chosen === null, choice };
}
