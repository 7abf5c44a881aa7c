/**
 * Placeholder of the dashboard until the session is known and the code has loaded: the title and the figures without
 * values, all in their final places. Contains no personal data and does not import the component library.
 */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { tellOfFrame } from '../../../start/frame-paint.ts';
import { DashboardTop } from './dashboard-top.tsx';
import { Figure, GlanceRow } from './glance-figure.tsx';
import { areRoomsFolded } from './rooms-folded.ts';
import classes from './screen.module.css';
import top from './top.module.css';

export default function DashboardFrame() {
  const { t } = useTranslation(['dashboard', 'common']);
  useEffect(tellOfFrame, []);
  return (
    <div className={classes.content} aria-busy="true">
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
      <div className={classes.rooms} data-folded={areRoomsFolded() || undefined} />
      <div className={classes.columns} />
    </div>
  );
}
