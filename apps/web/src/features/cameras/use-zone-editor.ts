/** Draft of a camera's privacy zones; it takes effect when it is saved. */
import type { Camera } from '@haris/contract/http/cameras';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { notifySuccess } from '../../ui/toast.ts';
import { useChangeCamera } from './api.ts';
import type { Zones } from './zones.ts';

export interface ZoneEditor {
  readonly isOpen: boolean;
  readonly isSaving: boolean;
  readonly zones: Zones;
  readonly chosen: number;
  readonly open: () => void;
  readonly close: () => void;
  readonly choose: (zone: number) => void;
  readonly change: (zones: Zones) => void;
  readonly save: () => void;
}

export function useZoneEditor(camera: Camera): ZoneEditor {
  const { t } = useTranslation('cameras');
  const [draft, setDraft] = useState<Zones | null>(null);
  const [chosen, setChosen] = useState(0);
  const change = useChangeCamera(camera._id);
  return {
    isOpen: draft !== null,
    isSaving: change.isPending,
    zones: draft ?? camera.zones,
    chosen,
    open: () => {
      // A zone that came by itself would be saved unnoticed, and hide children.
      setDraft(camera.zones);
      setChosen(0);
    },
    close: () => setDraft(null),
    choose: setChosen,
    change: setDraft,
    save: () => {
      if (draft === null || change.isPending) return;
      change.mutate(
        { zones: draft.map((zone) => [...zone]) },
        {
          onSuccess: () => {
            notifySuccess(t('zones.saved'));
            setDraft(null);
          },
          onError: (error) => showFailure(error),
        },
      );
    },
  };
}
