/**
 * "On the way": announced pick-ups until the desk has seen them, in one line that keeps its space even while it is
 * empty.
 */
import { Button, Text, Title } from '@mantine/core';
import { IconCheck, IconWalk } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ChildLink } from '../../../child/child-link.tsx';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { useAtTick } from '../../../countdown/use-tick.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { useChildrenInside } from '../lists/queries.ts';
import { type Arrival, arrivalsOf, minutesUntil } from './arrivals.ts';
import classes from './on-the-way.module.css';
import { useSeen } from './use-seen.ts';

export function OnTheWay() {
  const { t } = useTranslation('dashboard');
  const { data } = useChildrenInside();
  const arrivals = useMemo(() => arrivalsOf(data ?? []), [data]);
  // Here, because the toast's Undo must work after the arrival has left the strip.
  const { see, isBusy } = useSeen();
  return (
    <>
      <Announcer arrivals={arrivals} />
      {arrivals.length === 0 ? null : (
        <section className={classes.strip} aria-labelledby="on-the-way-title">
          <Title order={2} id="on-the-way-title" className={classes.title}>
            <IconWalk size={18} aria-hidden />
            <span className={classes.titleText}>{t('onTheWay.title')}</span>
          </Title>
          <ul className={classes.list}>
            {arrivals.map((arrival) => (
              <ArrivalItem key={arrival.key} arrival={arrival} onSee={see} isBusy={isBusy} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface ArrivalItemProps {
  arrival: Arrival;
  onSee: (arrival: Arrival) => void;
  isBusy: boolean;
}

function ArrivalItem({ arrival, onSee, isBusy }: ArrivalItemProps) {
  const { t } = useTranslation('dashboard');
  const { at, isHere, parentName, children } = arrival;
  const format = useClockFormat();
  const minutes = useAtTick(useCallback((now: number) => minutesUntil(at, now), [at]));
  return (
    <li
      className={classes.arrival}
      data-late={(minutes < 0 && !isHere) || undefined}
      data-here={isHere || undefined}
    >
      <span className={classes.names}>
        {children.map(({ _id, name }) => (
          <ChildLink key={_id} id={_id}>
            <bdi>{name}</bdi>
          </ChildLink>
        ))}
      </span>
      <Text component="span" size="sm" c="dimmed" className={classes.parent} dir="auto">
        {parentName}
      </Text>
      <span className={classes.when}>
        {isHere ? (
          t('onTheWay.here')
        ) : (
          <>
            <time dateTime={new Date(at).toISOString()}>{format.timeOfDay(at)}</time>
            {' · '}
            {minutes < 0
              ? t('onTheWay.late', { count: -minutes })
              : minutes === 0
                ? t('onTheWay.now')
                : t('onTheWay.in', { count: minutes })}
          </>
        )}
      </span>
      <Allowed to="children.check_in">
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.see}
          leftSection={<IconCheck size={16} aria-hidden />}
          aria-label={t('onTheWay.seeOf', { name: parentName })}
          disabled={isBusy}
          onClick={() => onSee(arrival)}
        >
          {t('onTheWay.see')}
        </Button>
      </Allowed>
    </li>
  );
}

/** Tells screen readers the names once, not the minutes. Always there, or the first announcement would be missed. */
function Announcer({ arrivals }: { arrivals: readonly Arrival[] }) {
  const { t } = useTranslation('dashboard');
  const names = arrivals.flatMap(({ children }) => children.map(({ name }) => name));
  return (
    <p className={classes.spoken} role="status">
      {names.length === 0 ? '' : t('onTheWay.spoken', { names: names.join(', ') })}
    </p>
  );
}
