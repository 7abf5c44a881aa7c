/** Mails a parent a new link to verify the e-mail, or to set a password. */
import { sheetRoutes } from '@haris/contract/http/sheets';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { useSendsMail } from '../../../setup/mail-note.tsx';
import { notifyBlank, notifySuccess } from '../../../ui/toast.ts';

export function useResendLink(parentId: string) {
  const { t } = useTranslation('child');
  const sendsMail = useSendsMail();
  return useMutation({
    mutationFn: () => call(sheetRoutes.resendParentLink, { params: { id: parentId } }),
    onSuccess: () => (sendsMail ? notifySuccess(t('family.resent')) : notifyBlank(t('family.resentKept'))),
    onError: (error) => {
      // The last link is a few minutes old and still valid.
      if (error instanceof ApiError && error.code === 'too_many_attempts')
        notifyBlank(t('family.resentLately'));
      else showFailure(error);
    },
  });
}
