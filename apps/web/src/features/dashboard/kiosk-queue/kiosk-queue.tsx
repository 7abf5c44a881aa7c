/** Families waiting at a kiosk, over the corner of the dashboard. */
import type { Child } from '@haris/contract/objects';
import { Alert, Badge } from '@mantine/core';
import { IconAlertTriangle, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useMay } from '../../../session/may.ts';
import { ProposalDialog } from '../proposals/proposal-dialog.tsx';
import { useKioskRequests } from './api.ts';
import classes from './kiosk-queue.module.css';
import { Visit } from './visit.tsx';

export interface KioskQueueProps {
  onPrint: (children: readonly Child[]) => void;
}

/** Phones begin with the title alone: the list below it belongs to the desk. */
const isPhone = () => innerWidth < 768;

/**
 * Over the corner of the screen, so that nothing moves when a family comes. Renders nothing while nobody waits, or if
 * this person may not check children in.
 */
export function KioskQueue(props: KioskQueueProps) {
  return useMay()('children.check_in') ? <Queue {...props} /> : null;
}

function Queue({ onPrint }: KioskQueueProps) {
  const { t } = useTranslation('kiosks');
  const { data } = useKioskRequests();
  const [isOpen, setOpen] = useState(() => !isPhone());
  const [asked, setAsked] = useState<Child | null>(null);
  const [isAsking, setAsking] = useState(false);
  const requests = data?.requests ?? [];
  const visits = [...Map.groupBy(requests, ({ visit }) => visit).values()];
  const warnings = data?.warnings ?? [];
  // The dialog follows the list, where a decision makes the proposal disappear.
  const shown = requests.find(({ child }) => child._id === asked?._id)?.child ?? asked;
  return (
    <>
      {visits.length + warnings.length === 0 ? null : (
        <section className={classes.queue} aria-labelledby="kiosk-queue-title" data-kiosk-queue>
          <QueueTitle count={visits.length} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
          {isOpen ? (
            <div className={classes.content}>
              <Warnings warnings={warnings} />
              <ul className={classes.visits}>
                {visits.map((visit) => (
                  <Visit
                    key={visit[0]?.visit}
                    requests={visit}
                    onPrint={onPrint}
                    onReview={(child) => {
                      setAsked(child);
                      setAsking(true);
                    }}
                  />
                ))}
              </ul>
            </div>
          ) : null}
        </section>
      )}
      <div role="status" className={classes.spoken}>
        {visits.length === 0 ? '' : t('queue.spoken', { count: visits.length })}
      </div>
      <ProposalDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        waiting={shown && { kind: 'child', of: shown }}
      />
    </>
  );
}

/** Folds the list, to make room for what is below it. */
function QueueTitle({ count, isOpen, onToggle }: { count: number; isOpen: boolean; onToggle: () => void }) {
  const { t } = useTranslation('kiosks');
  const format = useClockFormat();
  return (
    <h2 className={classes.heading}>
      <button type="button" className={classes.title} aria-expanded={isOpen} onClick={onToggle}>
        <span id="kiosk-queue-title">{t('queue.title')}</span>
        {count === 0 ? null : (
          <Badge variant="filled" size="lg" circle={count < 10}>
            {format.count(count)}
          </Badge>
        )}
        <IconChevronUp size={20} aria-hidden />
      </button>
    </h2>
  );
}

/** Kiosks at which wrong PINs were entered. */
function Warnings({ warnings }: { warnings: readonly { name: string; failures: number }[] }) {
  const { t } = useTranslation('kiosks');
  return warnings.map(({ name, failures }) => (
    <Alert
      key={name}
      color="clay"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={20} aria-hidden />}
    >
      {t('queue.warning', { name, count: failures })}
    </Alert>
  ));
}
