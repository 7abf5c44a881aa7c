/** The kiosk's first screen: by the phone's digits or by the code on the phone, in either language. */
import { IconDialpad, IconQrcode } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { usePublicName } from '../../start/facility-name.ts';
import { LanguageChoice } from '../../tablet/language-choice.tsx';
import styles from '../../tablet/tablet.module.css';
import { Logo } from '../../ui/logo.tsx';
import { FailureText } from './failure-text.tsx';
import type { KioskFailure } from './kiosk-calls.ts';

export interface StartStepProps {
  /** Name of the kiosk. */
  name: string;
  failure: KioskFailure | null;
  onPin: () => void;
  onScan: () => void;
}

export function StartStep({ name, failure, onPin, onScan }: StartStepProps) {
  const { t } = useTranslation('kiosk');
  const facility = usePublicName();
  return (
    <div className={styles.panel}>
      <p className={styles.facility}>
        <Logo size={44} />
        <bdi>{facility ?? name}</bdi>
      </p>
      <h1 className={styles.title}>{t('start.title')}</h1>
      <p className={styles.lead}>{t('start.lead')}</p>
      <FailureText failure={failure} />
      <div className={styles.choices}>
        <button type="button" className={styles.choice} data-main onClick={onPin}>
          <IconDialpad size={56} stroke={1.5} aria-hidden />
          <span>{t('start.pin')}</span>
          <small>{t('start.pinHint')}</small>
        </button>
        <button type="button" className={styles.choice} onClick={onScan}>
          <IconQrcode size={56} stroke={1.5} aria-hidden />
          <span>{t('start.scan')}</span>
          <small>{t('start.scanHint')}</small>
        </button>
      </div>
      <LanguageChoice />
    </div>
  );
}
