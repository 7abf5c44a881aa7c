/** The details of a card: its subjects by room, and what happened. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ChildLink } from '../../child/child-link.tsx';
import { momentFormat } from '../../i18n/locale.ts';
import type { AlertCard } from './alert-cards.ts';
import classes from './incidents.module.css';
import type { ShownIncident, ShownSubject } from './shown-incident.ts';
import { useIncidentWords } from './use-incident-words.ts';

export function useMomentFormat(): (moment: string) => string {
  const { i18n } = useTranslation();
  const format = momentFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' });
  return (moment) => format.format(new Date(moment));
}

export function AlertDetails({ card, id }: { card: AlertCard; id: string }) {
  const { t } = useTranslation('incidents');
  const subjects = card.incidents.flatMap((incident) => incident.subjects);
  const rooms = Map.groupBy(subjects, ({ area }) => area ?? '');
  return (
    <div className={classes.details} id={id}>
      {subjects.length < 2 ? null : (
        <section aria-label={t('screen.who')}>
          {[...rooms].map(([area, members]) => (
            <div key={area}>
              {area === '' ? null : (
                <Text size="sm" fw={600}>
                  <bdi>{area}</bdi>
                </Text>
              )}
              <ul className={classes.subjects}>
                {members.map((subject) => (
                  <SubjectItem
                    key={`${subject._id} ${subject.since}`}
                    subject={subject}
                    nameless={card.kind === 'desk_conflict' ? 'unknownChild' : 'nameless'}
                  />
                ))}
              </ul>
            </div>
          ))}
        </section>
      )}
      {card.incidents.map((incident) => (
        <Timeline key={incident._id} incident={incident} />
      ))}
    </div>
  );
}

interface SubjectItemProps {
  subject: ShownSubject;
  /** Text for one without a name. */
  nameless: 'nameless' | 'unknownChild';
}

function SubjectItem({ subject, nameless }: SubjectItemProps) {
  const { t } = useTranslation('incidents');
  const moment = useMomentFormat();
  const { kind, _id, name, since, until } = subject;
  return (
    <li data-left={until !== null || undefined}>
      {kind === 'child' && name !== null ? (
        <ChildLink id={_id}>
          <bdi>{name}</bdi>
        </ChildLink>
      ) : (
        <bdi>{name ?? t(kind === 'unknown' ? 'otherSubject' : nameless)}</bdi>
      )}{' '}
      <Text span size="xs" c="dimmed">
        {moment(since)}
        {until === null ? '' : ` ${t('screen.left', { time: moment(until) })}`}
      </Text>
    </li>
  );
}

function Timeline({ incident }: { incident: ShownIncident }) {
  const { t } = useTranslation('incidents');
  const moment = useMomentFormat();
  return (
    <ol className={classes.timeline} aria-label={t('timeline.title')}>
      {incident.timeline.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a timeline only grows at its end
        <li key={index}>
          <time dateTime={entry.at}>{moment(entry.at)}</time>{' '}
          <TimelineEntry incident={incident} entry={entry} />
          {entry.note === null || entry.note === '' ? null : (
            <q className={classes.note}>
              <bdi>{entry.note}</bdi>
            </q>
          )}
        </li>
      ))}
      {incident.lastPlace === null ? null : (
        <li>
          {incident.lastPlace.at === null
            ? t('timeline.lastRoom', { area: `\u2068${incident.lastPlace.area}\u2069` })
            : t('timeline.lastSeen', {
                area: `\u2068${incident.lastPlace.area}\u2069`,
                time: moment(incident.lastPlace.at),
              })}
        </li>
      )}
    </ol>
  );
}

/** One entry of the timeline as text. */
function TimelineEntry({
  incident,
  entry,
}: {
  incident: ShownIncident;
  entry: ShownIncident['timeline'][number];
}) {
  const { t } = useTranslation('incidents');
  const wordsOf = useIncidentWords();
  // The card shows the incident's maximum value; a first value is repeated only if it was lower.
  const hasOwnValue = entry.value !== null && (entry.what === 'updated' || entry.value !== incident.value);
  if ((entry.what === 'raised' || entry.what === 'updated') && hasOwnValue) {
    const { text } = wordsOf({ ...incident, value: entry.value });
    return <span>{t(entry.what === 'raised' ? 'timeline.raisedAt' : 'timeline.updated', { text })}</span>;
  }
  if (entry.what === 'escalated') return <span>{t('timeline.escalated')}</span>;
  const isFound = entry.what === 'cleared' && incident.kind === 'missing_child';
  const what = isFound ? t('timeline.found') : t(`timeline.${entry.what}`, { text: '' });
  return <span>{entry.by === null ? what : t('timeline.by', { what, name: entry.by.name })}</span>;
}
