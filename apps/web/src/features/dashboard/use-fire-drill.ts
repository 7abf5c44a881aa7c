/** The demo's fire drill: its simulated sensor measures heat and smoke, and everything goes as it would then. */
import { demoRoutes } from '@haris/contract/http/demo';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useIsDemo } from '../../client/config-answer.ts';
import { failureText } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { notifyBlank, notifyError } from '../../ui/toast.ts';

/** Null where things are real. */
export function useFireDrill(): (() => void) | null {
  const { t } = useTranslation('dashboard');
  const isDemo = useIsDemo();
  const { mutate } = useMutation({
    mutationFn: () => call(demoRoutes.startFireDrill),
    onSuccess: () => notifyBlank(t('fireDrill.started'), 'fire-drill'),
    onError: (error) => notifyError(failureText(error, t('fireDrill.failed')), 'fire-drill'),
  });
  return isDemo ? () => mutate() : null;
}
