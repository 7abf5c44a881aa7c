/** Large keys for digits. No text field: nothing is suggested, remembered or corrected by the browser. */

import { toAsciiDigits } from '@haris/contract/fields';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../i18n/locale.ts';
import styles from './tablet.module.css';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

export interface KeypadProps {
  value: string;
  most: number;
  onChange: (value: string) => void;
  /** Called on Enter. */
  onEnter: () => void;
  isBusy: boolean;
}

/** Also reads a keyboard, except while a scanner types faster than people (the caller stops those events). */
export function Keypad({ value, most, onChange, onEnter, isBusy }: KeypadProps) {
  const { t, i18n } = useTranslation('kiosk');
  const format = useMemo(() => new Intl.NumberFormat(localeOf(i18n.language)), [i18n.language]);
  const add = (digit: string) => {
    if (!isBusy && value.length < most) onChange(value + digit);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('[role="dialog"]')) return;
    const digit = toAsciiDigits(event.key);
    if (/^[0-9]$/.test(digit)) add(digit);
    else if (event.key === 'Backspace') onChange(value.slice(0, -1));
    else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) onEnter();
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <fieldset className={styles.keypad} dir="ltr">
      <legend className={styles.spoken}>{t('keypad')}</legend>
      {KEYS.map((digit) => (
        <button key={digit} type="button" className={styles.key} onClick={() => add(digit)} disabled={isBusy}>
          {format.format(Number(digit))}
        </button>
      ))}
      <button
        type="button"
        className={styles.key}
        data-quiet
        onClick={() => onChange('')}
        disabled={isBusy || value === ''}
      >
        {t('clear')}
      </button>
      <button type="button" className={styles.key} onClick={() => add('0')} disabled={isBusy}>
        {format.format(0)}
      </button>
      <button
        type="button"
        className={styles.key}
        data-quiet
        aria-label={t('backspace')}
        onClick={() => onChange(value.slice(0, -1))}
        disabled={isBusy || value === ''}
      >
        <IconArrowBackUp size={30} aria-hidden />
      </button>
    </fieldset>
  );
}

export interface DigitsProps {
  value: string;
  /** Number of places shown; more are added as they are typed. */
  places: number;
  label: string;
  /** Shows dots instead of the digits. */
  isSecret?: boolean;
}

/** The typed digits in boxes. A screen reader hears how many there are, never a PIN. */
export function Digits({ value, places, label, isSecret = false }: DigitsProps) {
  const { t, i18n } = useTranslation('kiosk');
  const format = useMemo(() => new Intl.NumberFormat(localeOf(i18n.language)), [i18n.language]);
  const boxes = Array.from({ length: Math.max(places, value.length) }, (_, place) => value[place]);
  return (
    <div className={styles.digits}>
      <p className={styles.digitsLabel}>{label}</p>
      <div className={styles.boxes} dir="ltr" aria-hidden="true">
        {boxes.map((digit, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places that never move
          <span key={place} className={styles.box} data-filled={digit !== undefined || undefined}>
            {digit === undefined ? '' : isSecret ? '•' : format.format(Number(digit))}
          </span>
        ))}
      </div>
      <p className={styles.spoken} role="status">
        {value === '' ? '' : t('typed', { count: value.length })}
      </p>
    </div>
  );
}
