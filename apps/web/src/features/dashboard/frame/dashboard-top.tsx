/**
 * Title, actions and a line of the dashboard. The line keeps its space while it is empty, so that an announcement does
 * not move the page. Imports nothing of the component library, because the frame uses it.
 */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './top.module.css';

export interface DashboardTopProps {
  /** Beside the title on wide screens, below it on narrow ones. */
  line?: ReactNode;
  /** Buttons at the end. */
  children: ReactNode;
}

export function DashboardTop({ line, children }: DashboardTopProps) {
  const { t } = useTranslation('dashboard');
  return (
    <div className={classes.top}>
      <h1 className={classes.title}>{t('title')}</h1>
      <div className={classes.line}>{line}</div>
      <div className={classes.actions}>{children}</div>
    </div>
  );
}
