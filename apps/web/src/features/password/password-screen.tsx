/** Change password: for whoever is signed in. */
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../../client/session.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { PasswordForm } from './password-form.tsx';

export default function PasswordScreen() {
  const { t } = useTranslation('password');
  const navigate = useNavigate();
  const isStaff = useSession().admin.isAuthenticated;
  const back = isStaff ? '/adminDashboard' : '/profile';
  return (
    <Page
      title={t('change.title')}
      description={t('change.lead')}
      size="xs"
      actions={
        <BackLink to={back}>{t(isStaff ? 'change.backToDashboard' : 'change.backToProfile')}</BackLink>
      }
    >
      <Card>
        <PasswordForm onDone={() => void navigate(back)} />
      </Card>
    </Page>
  );
}
