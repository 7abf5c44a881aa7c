/** The demo's fire drill: its simulated sensor reports heat and smoke, which triggers all real reactions. */
import { demoRoutes } from '@haris/contract/http/demo';
import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { useIsDemo } from '../../start/config-answer.ts';
import { notifyBlank, notifyError } from '../../ui/toast.ts';

/** Starts the drill; null outside the demo. */
export function useFireDrill(): (() => void) | null {
  const { t } = useTranslation('frame');
  const isDemo = useIsDemo();
  const { mutate } = useMutation({
    mutationFn: () => call(demoRoutes.startFireDrill),
    onSuccess: () => notifyBlank(t('fireDrill.started'), 'fire-drill'),
    onError: (error) => notifyError(failureText(error, t('fireDrill.failed')), 'fire-drill'),
  });
  const start = useCallback(() => mutate(), [mutate]);
  return isDemo ? start : null;
}
