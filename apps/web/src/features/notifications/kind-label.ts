/** The name of a kind of notification. */
import type { NotificationKind } from '@haris/contract/notifications';
import { useTranslation } from 'react-i18next';

/** Incidents are named as on their own screens; a release is no incident. */
export function useKindLabel(): (kind: NotificationKind) => string {
  const { t } = useTranslation(['notifications', 'incidents']);
  return (kind) => (kind === 'released' ? t('notifications:kinds.released') : t(`incidents:kind.${kind}`));
}
