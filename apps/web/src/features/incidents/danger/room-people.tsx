/**
 * The people in a room: children last seen or put there, children whose room is unknown, the number of other children,
 * and the adults.
 */
import type { RollCall, RollCallChild } from '@haris/contract/http/incidents';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../../calls/failure.ts';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { Photo } from '../../../photos/photo.tsx';
import { useRollCallNow } from '../api.ts';
import { areRoomsKept, placeOf } from '../place-of.ts';
import classes from './danger-dialog.module.css';

export function RoomPeople({ area }: { area: string | null }) {
  const { t } = useTranslation('emergency');
  const { data, error, isError } = useRollCallNow();
  return (
    <div className={classes.people}>
      {data === undefined ? (
        <Text size="sm" c="dimmed" role="status">
          {isError ? failureText(error) : t('people.loading')}
        </Text>
      ) : (
        <People rollCall={data.rollCall} area={area} />
      )}
    </div>
  );
}

function People({ rollCall: { children, people }, area }: { rollCall: RollCall; area: string | null }) {
  const { t } = useTranslation('emergency');
  const isKept = areRoomsKept(children);
  const unknown = children.filter((child) => placeOf(child, isKept) === null);
  const here = children.filter((child) => {
    const place = placeOf(child, isKept);
    return place !== null && (area === null || place.name === area);
  });
  const elsewhere = children.length - unknown.length - here.length;
  if (children.length === 0 && people.length === 0) return <Text size="sm">{t('people.nobody')}</Text>;
  return (
    <>
      <Children
        title={
          area === null
            ? t('people.inside', { count: here.length })
            : t('people.here', { count: here.length, area })
        }
        list={here}
      />
      {unknown.length === 0 ? null : (
        <Children title={t('people.unknown', { count: unknown.length })} list={unknown} />
      )}
      {elsewhere === 0 ? null : (
        <Text size="sm" className={classes.group ?? ''}>
          {t('people.elsewhere', { count: elsewhere })}
        </Text>
      )}
      {people.length === 0 ? null : (
        <details className={classes.group}>
          <summary>{t('people.adults', { count: people.length })}</summary>
          <ul className={classes.names}>
            {people.map(({ personId, name, kind }) => (
              <li key={personId} data-plain>
                <bdi>{name}</bdi>{' '}
                <Text span size="xs" c="dimmed">
                  {t(`people.kind.${kind}`)}
                </Text>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Children({ title, list }: { title: string; list: readonly RollCallChild[] }) {
  const format = useClockFormat();
  return (
    <section className={classes.group} aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {list.length === 0 ? null : (
        <ul className={classes.names}>
          {list.map(({ childId, name, photo, lastSeen }) => (
            <li key={childId}>
              <Photo path={photo} name={name} size={26} />
              <bdi>{name}</bdi>
              {lastSeen === null ? null : (
                <Text component="time" dateTime={lastSeen.at} size="xs" c="dimmed">
                  {format.timeOfDay(lastSeen.at)}
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
