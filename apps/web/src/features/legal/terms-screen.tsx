/** Short rules for using an installation. */
import { useTranslation } from 'react-i18next';
import { LegalPage } from './legal-page.tsx';

export default function TermsScreen() {
  const { t } = useTranslation('legal');
  return (
    <LegalPage
      title={t('terms.title')}
      lead={t('terms.lead')}
      parts={[
        [t('terms.use'), t('terms.useText')],
        [t('terms.help'), t('terms.helpText')],
        [t('terms.responsible'), t('terms.responsibleText')],
        [t('terms.software'), t('terms.softwareText')],
      ]}
    />
  );
}
