/** When a child came and when its time is over, as two entries of a list. */
import { useTranslation } from 'react-i18next';
import { dueAt, type Stay } from './remaining.ts';
import { useClockFormat } from './use-clock-format.ts';

/** For a child inside. A stay that ends on another day says so. Its look comes from the class. */
export function StayTimes({ stay, className }: { stay: Stay; className: string | undefined }) {
  const { t } = useTranslation('stays');
  const format = useClockFormat();
  const due = dueAt(stay);
  return (
    <dl className={className}>
      <div>
        <dt>{t('entered')}</dt>
        <dd>
          <time dateTime={stay.entryTime ?? ''}>{format.timeOfDay(stay.entryTime ?? Number.NaN)}</time>
        </dd>
      </div>
      {due === null ? null : (
        <div>
          <dt>{t('due')}</dt>
          <dd>
            <time dateTime={new Date(due).toISOString()}>
              {format.endOfStay(due, Date.parse(stay.entryTime ?? ''))}
            </time>
          </dd>
        </div>
      )}
    </dl>
  );
}
