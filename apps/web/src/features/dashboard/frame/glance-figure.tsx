/**
 * A figure of the glance, and the row of figures. The frame uses both, so they import nothing of the component library.
 */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './glance.module.css';
import top from './top.module.css';

export function GlanceRow({ children }: { children: ReactNode }) {
  const { t } = useTranslation('dashboard');
  return (
    <section className={classes.glance} aria-label={t('glance.label')}>
      {children}
    </section>
  );
}

export interface FigureProps {
  label: string;
  /** Formatted value; null while loading, undefined after an error. */
  value: string | null | undefined;
  /** Colours a figure above zero. */
  tone?: 'soon' | 'over' | undefined;
  /** True if the list shows this figure's children. */
  isPressed?: boolean;
  /** Missing in the frame, which nothing can be pressed in. */
  onPress?: () => void;
}

export function Figure({ label, value, tone, isPressed, onPress }: FigureProps) {
  return (
    <button
      type="button"
      className={classes.figure}
      data-tone={tone}
      disabled={onPress === undefined}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      <span className={classes.value}>
        {value === null ? <span className={`${top.waiting} ${classes.awaited}`} /> : (value ?? <NotKnown />)}
      </span>
      <span className={classes.label}>{label}</span>
    </button>
  );
}

/** Shown after an error; the list below explains it and offers to retry. */
function NotKnown() {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <span aria-hidden>–</span>
      <span className={top.spoken}>{t('glance.notKnown')}</span>
    </>
  );
}
