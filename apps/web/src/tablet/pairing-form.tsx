/** Makes this device a kiosk or a desk tablet, with the code in the link or a typed one. */
import { type DeviceKind, kioskRoutes } from '@haris/contract/http/kiosk';
import { Alert, Button, Loader, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle, IconLink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { currentLanguage } from '../i18n/i18n.ts';
import { useDocumentTitle } from '../ui/document-title.ts';
import { Logo } from '../ui/logo.tsx';
import { LanguageChoice } from './language-choice.tsx';
import type { TabletPairing } from './paired-device.ts';
import styles from './tablet.module.css';

export interface TabletPairingFormProps {
  as: DeviceKind;
  /** Code in the link, if any. */
  code: string | undefined;
  /** Staff have removed this device or paired another device. */
  wasUnpaired: boolean;
  /** What this device still holds of the pairing before. */
  left?: ReactNode;
  onPaired: (pairing: TabletPairing) => void;
}

export function TabletPairingForm({ as, code, wasUnpaired, left, onPaired }: TabletPairingFormProps) {
  const { t } = useTranslation(['kiosk', 'desk']);
  useDocumentTitle(t(`${as}:pair.title`));
  const pair = useMutation({
    mutationFn: (typed: string) =>
      call(kioskRoutes.pairKiosk, { body: { code: typed, kind: as }, anonymous: true }),
    onSuccess: ({ token, name }) => onPaired({ token, name, language: currentLanguage() }),
  });
  // A code works once: React's second run of effects in development must not use it up.
  const begun = useRef(false);
  const begin = useEffectEvent(() => {
    if (code === undefined || begun.current) return;
    begun.current = true;
    pair.mutate(code);
  });
  useEffect(() => begin(), []);

  const form = useForm({ mode: 'uncontrolled', initialValues: { code: code ?? '' } });
  const submit = form.onSubmit(({ code: typed }) => {
    if (typed.trim() === '') form.setErrors({ code: t(`${as}:pair.codeMissing`) });
    else pair.mutate(typed);
  });

  return (
    <main className={styles.screen}>
      <div className={styles.panel}>
        <Logo size={56} />
        <h1 className={styles.title}>{t(`${as}:pair.title`)}</h1>
        <p className={styles.lead}>{t(`${as}:pair.about`)}</p>
        {wasUnpaired && pair.isIdle ? (
          <Alert role="alert" color="clay" variant="light" icon={<IconAlertTriangle size={20} />}>
            {t(`${as}:pair.unpaired`)}
          </Alert>
        ) : null}
        {left}
        {pair.error === null ? null : (
          <Alert role="alert" color="clay" variant="light" icon={<IconAlertTriangle size={20} />}>
            {failureText(pair.error)}
          </Alert>
        )}
        {pair.isPending ? (
          <p role="status" className={styles.lead}>
            <Loader size={24} aria-hidden /> {t(`${as}:pair.busy`)}
          </p>
        ) : (
          <form noValidate onSubmit={submit} className={styles.form}>
            <TextInput
              size="lg"
              label={t(`${as}:pair.code`)}
              description={t(`${as}:pair.codeHint`)}
              aria-required
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={100}
              dir="ltr"
              classNames={{ input: styles.codeInput ?? '' }}
              key={form.key('code')}
              {...form.getInputProps('code')}
            />
            <Button type="submit" size="lg" fullWidth leftSection={<IconLink size={22} aria-hidden />}>
              {t(`${as}:pair.button`)}
            </Button>
          </form>
        )}
        <LanguageChoice />
      </div>
    </main>
  );
}
