/**
 * What stands there of the dashboard until it is known who is signed in and the rest has come: its name and the figures
 * without a value, each in its place. Shows nothing of anybody, and loads nothing of the component library.
 */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { tellOfFrame } from '../../client/frame-paint.ts';
import { DashboardTop } from './dashboard-top.tsx';
import { Figure, GlanceRow } from './glance-figure.tsx';
import { isRailFolded } from './rail-folded.ts';
import classes from './screen.module.css';
import sidebar from './sidebar.module.css';
import top from './top.module.css';

export default function DashboardFrame() {
  const { t } = useTranslation(['dashboard', 'common']);
  useEffect(tellOfFrame, []);
  return (
    <div className={classes.frame} aria-busy="true">
      <div className={sidebar.rail} data-compact={isRailFolded() || undefined} />
      <div className={classes.content}>
        <p role="status" className={top.spoken}>
          {t('common:loading')}
        </p>
        <DashboardTop>
          <span className={`${top.waiting} ${top.button}`} />
        </DashboardTop>
        <GlanceRow>
          <Figure label={t('glance.inside')} value={null} />
          <Figure label={t('glance.dueSoon')} value={null} />
          <Figure label={t('glance.overTime')} value={null} />
        </GlanceRow>
        <div className={classes.columns} />
      </div>
    </div>
  );
}
