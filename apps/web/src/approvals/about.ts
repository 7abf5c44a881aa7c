/** Words a request to a second person as a sentence. Its texts are in the namespace `approvals`. */
import type { Approval } from '@haris/contract/http/approvals';
import { useTranslation } from 'react-i18next';

export function useApprovalText(): (approval: Approval) => string {
  const { t } = useTranslation('approvals');
  return ({ action, subject, query }) =>
    t(`about.${action}`, {
      name: subject?.name ?? query.name ?? t('somebody'),
      email: query.email ?? '',
    });
}
