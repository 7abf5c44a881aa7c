/** One figure of the glance, and the row of them. Uses nothing of the component library: the frame has them too. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './glance.module.css';
import top from './top.module.css';

export function GlanceRow({ children }: { children: ReactNode }) {
  const { t } = useTranslation('dashboard');
  return (
    <dl className={classes.glance} aria-label={t('glance.label')}>
      {children}
    </dl>
  );
}

export interface FigureProps {
  label: string;
  /** As it is shown; null while it is on its way, undefined where it could not be had. */
  value: string | null | undefined;
  /** Colours the figure: for one that is not zero. */
  tone?: 'soon' | 'over' | undefined;
}

export function Figure({ label, value, tone }: FigureProps) {
  return (
    <div className={classes.figure} data-tone={tone}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>
        {value === null ? <span className={`${top.waiting} ${classes.awaited}`} /> : (value ?? <NotKnown />)}
      </dd>
    </div>
  );
}

/** The list below says why, and tries again. */
function NotKnown() {
  const { t } = useTranslation('dashboard');
  return (
    <>
      <span aria-hidden>–</span>
      <span className={top.spoken}>{t('glance.notKnown')}</span>
    </>
  );
}
