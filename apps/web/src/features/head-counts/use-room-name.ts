/** The name of a room of a head count, kept together in text of the other direction. */
import type { HeadCount } from '@haris/contract/http/head-counts';
import { useTranslation } from 'react-i18next';

export function useRoomName(): (room: HeadCount['from']) => string {
  const { t } = useTranslation('head-counts');
  return ({ name }) => (name === null ? t('deletedRoom') : `\u2068${name}\u2069`);
}
