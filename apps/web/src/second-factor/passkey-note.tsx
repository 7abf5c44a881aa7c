/** Says that passkeys need HTTPS, on a page that has none. Renders nothing where they can be used, or where the browser has none. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isSecurePage } from '../ui/secure-page.ts';

export function PasskeyNote() {
  const { t } = useTranslation('common');
  if (isSecurePage()) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('needsHttps.passkey')}
    </Text>
  );
}
