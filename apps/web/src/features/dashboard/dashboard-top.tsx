/** The head of the dashboard: its name, and what stands beside it. Uses nothing of the component library: see the frame. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './top.module.css';

export function DashboardTop({ children }: { children: ReactNode }) {
  const { t } = useTranslation('dashboard');
  return (
    <div className={classes.top}>
      <h1 className={classes.title}>{t('title')}</h1>
      <div className={classes.actions}>{children}</div>
    </div>
  );
}
