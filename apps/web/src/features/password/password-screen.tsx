/** Change password, for every signed-in account. */
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { PasswordForm } from './password-form.tsx';

export default function PasswordScreen() {
  const { t } = useTranslation('password');
  const navigate = useNavigate();
  const sendsMail = useSendsMail();
  return (
    <Page
      title={t('change.title')}
      description={t(sendsMail ? 'change.lead' : 'change.leadKept')}
      size="xs"
      actions={<BackLink to="/account">{t('change.back')}</BackLink>}
    >
      <Card>
        <PasswordForm onDone={() => void navigate('/account')} />
      </Card>
    </Page>
  );
}
