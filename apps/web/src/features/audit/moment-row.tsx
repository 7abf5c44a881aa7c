/** One line of the audit log's timeline: time, face, action and actor; the rest on request. */
import { AUDIT_SUBJECTS, type AuditSubjectKind } from '@haris/contract/audit';
import { INCIDENT_KINDS, type IncidentKind } from '@haris/contract/incident-kinds';
import type { AuditEntry } from '@haris/contract/objects';
import { ActionIcon, Badge, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconFilter, IconSettings } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ChildLink } from '../../child/child-link.tsx';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { Photo } from '../../photos/photo.tsx';
import { actionKey } from './action-key.ts';
import classes from './audit.module.css';
import type { Moment } from './group-entries.ts';
import type { AuditQuestion } from './queries.ts';

/** Faces shown of a moment with many views. */
const FACES_MAX = 5;
const FACE_PX = 36;

type Person = AuditEntry['subject'];

interface MomentRowProps {
  moment: Moment;
  question: AuditQuestion;
  onFollow: (by: Partial<AuditQuestion>) => void;
}

export function MomentRow({ moment, question, onFollow }: MomentRowProps) {
  const { t } = useTranslation('audit');
  const nameOf = useActionName();
  const format = useClockFormat();
  const [entry] = moment;
  const { actor, subject } = entry;
  return (
    <li className={classes.row}>
      <time className={classes.time} dateTime={entry.at}>
        {format.timeOfDay(entry.at)}
      </time>
      <Face person={moment.length > 1 ? actor : (subject ?? actor)} />
      <div className={classes.text}>
        <div className={classes.line}>
          <Text component="span" fw={600}>
            {nameOf(entry.action)}
          </Text>
          {entry.action.endsWith('_failed') ? (
            <Badge tt="none" color="clay" variant="light">
              {t('failed')}
            </Badge>
          ) : null}
          {moment.length > 1 ? (
            <Badge tt="none" variant="default">
              {t('times', { count: moment.length })}
            </Badge>
          ) : (
            <Minutes details={entry.details} />
          )}
        </div>
        <div className={classes.line}>
          {moment.length > 1 ? (
            <Faces moment={moment} />
          ) : subject?.id === actor?.id ? null : (
            <Subject entry={entry} question={question} onFollow={onFollow} />
          )}
          <span className={classes.by}>
            {t('by')} <ActorName entry={entry} question={question} onFollow={onFollow} />
          </span>
        </div>
      </div>
      <details className={classes.more}>
        <summary aria-label={t('detailsOf', { seq: entry.seq })}>{t('details')}</summary>
        <Facts entry={entry} />
      </details>
    </li>
  );
}

function Face({ person }: { person: Person }) {
  if (person === null || person.name === null)
    return (
      <span className={classes.noFace} aria-hidden="true">
        <IconSettings size={18} />
      </span>
    );
  // The name stands beside it.
  return (
    <span aria-hidden="true">
      <Photo path={person.photo} name={person.name} size={FACE_PX} />
    </span>
  );
}

/** The people whom repeated views concerned, each once. */
function Faces({ moment }: { moment: Moment }) {
  const people = new Map(
    moment.flatMap(({ subject }) =>
      subject?.name ? [[subject.id, { ...subject, name: subject.name }]] : [],
    ),
  );
  const shown = [...people.values()];
  return (
    <span className={classes.faces}>
      {shown.slice(0, FACES_MAX).map(({ id, name, photo }) => (
        <Photo key={id} path={photo} name={name} size={24} />
      ))}
      {shown.length > FACES_MAX ? <More count={shown.length - FACES_MAX} /> : null}
    </span>
  );
}

function More({ count }: { count: number }) {
  const format = useClockFormat();
  return (
    <Text component="span" size="sm" c="dimmed" dir="ltr">
      +{format.count(count)}
    </Text>
  );
}

function isNamed(kind: string): kind is AuditSubjectKind {
  return AUDIT_SUBJECTS.some((named) => named === kind);
}

interface PartProps {
  question: AuditQuestion;
  onFollow: (by: Partial<AuditQuestion>) => void;
}

function Subject({ entry, question, onFollow }: PartProps & { entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const { subject, seq } = entry;
  if (subject === null) return null;
  const { kind, id, name } = subject;
  const kindName = isNamed(kind) ? t(`subjects.${kind}`) : kind;
  return (
    <span className={classes.subject}>
      {kind === 'incident' ? (
        <Alert entry={entry} room={name} />
      ) : name === null ? (
        <span>
          {kindName} <code>{id.slice(0, 8)}</code>
        </span>
      ) : kind === 'child' ? (
        <ChildLink id={id}>
          <bdi>{name}</bdi>
        </ChildLink>
      ) : (
        <bdi>{name}</bdi>
      )}
      {question.subject === id ? null : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          onClick={() => onFollow({ subject: id })}
          aria-label={t('onlySubjectOf', { seq })}
          title={t('onlySubject')}
        >
          <IconFilter size={14} aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}

/** An alert has no name, so it is identified by its kind, which the row records, and by its room. */
function Alert({ entry: { action, details }, room }: { entry: AuditEntry; room: string | null }) {
  const { t } = useTranslation(['audit', 'incidents']);
  const recorded = action.startsWith('evacuation.') ? 'evacuation' : details.kind;
  const kind = INCIDENT_KINDS.find((known): known is IncidentKind => known === recorded);
  return (
    <span>
      {kind === undefined ? t('subjects.incident') : t(`incidents:kind.${kind}`)}
      {room === null ? null : (
        <>
          {' · '}
          <bdi>{room}</bdi>
        </>
      )}
    </span>
  );
}

function ActorName({ entry: { actor, from, seq }, question, onFollow }: PartProps & { entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  // A call from outside without a signed-in account has no actor, but an address.
  if (actor === null) return t(from === null ? 'system' : 'nobody');
  const name = (
    <bdi>
      {actor.name ?? t(actor.kind === 'desk' ? 'device' : actor.kind === 'admin' ? 'staff' : 'parent')}
    </bdi>
  );
  if (question.actor === actor.id) return name;
  return (
    <UnstyledButton
      className={classes.actor}
      onClick={() => onFollow({ actor: actor.id })}
      title={t('onlyActor')}
    >
      {name} <VisuallyHidden>{t('onlyActorOf', { seq })}</VisuallyHidden>
    </UnstyledButton>
  );
}

/** The booked or added time of a stay. */
function Minutes({ details }: Pick<AuditEntry, 'details'>) {
  const { t } = useTranslation('audit');
  const { minutes } = details;
  if (typeof minutes !== 'number') return null;
  return (
    <Text component="span" size="sm" c="dimmed">
      {t('minutes', { count: minutes })}
    </Text>
  );
}

function Facts({ entry }: { entry: AuditEntry }) {
  const { t, i18n } = useTranslation('audit');
  const inFull = momentFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' });
  const details = Object.entries(entry.details);
  return (
    <dl className={classes.facts}>
      <dt>{t('number')}</dt>
      <dd>{t('row', { seq: entry.seq })}</dd>
      <dt>{t('time')}</dt>
      <dd>{inFull.format(new Date(entry.at))}</dd>
      {entry.from === null ? null : (
        <>
          <dt>{t('from_address')}</dt>
          <dd dir="ltr" className={classes.start}>
            {entry.from}
          </dd>
        </>
      )}
      {details.map(([name, value]) => (
        <div key={name} className={classes.detail}>
          <dt dir="ltr">
            <code>{name}</code>
          </dt>
          <dd dir="ltr" className={classes.start}>
            <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Actions with a translation. Actions of a newer server appear by their code. */
function useActionName(): (action: string) => string {
  const { t, i18n } = useTranslation('audit');
  return (action) => {
    const key = `actions.${actionKey(action)}`;
    return i18n.exists(key, { ns: 'audit' }) ? t(key as 'actions.audit_read') : action;
  };
}
