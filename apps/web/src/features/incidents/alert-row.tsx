/** One card of the list of alerts, as a dense row: severity in colour and word, kind, start and details. */
import { ActionIcon, Badge, Button, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { memo, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ChildLink } from '../../child/child-link.tsx';
import { useMay } from '../../session/may.ts';
import type { AlertCard } from './alert-cards.ts';
import { AlertDetails, useMomentFormat } from './alert-details.tsx';
import { INCIDENT_ICONS } from './incident-icons.ts';
import classes from './incidents.module.css';
import { type IncidentWords, useSince } from './use-incident-words.ts';

/** The way to the child that an alert is about, with its parents' phones; several children are among the details. */
function OnlyChild({ card: { subjects } }: { card: AlertCard }) {
  const { t } = useTranslation('incidents');
  const isShown = useMay()('families.view');
  const [only, ...others] = subjects;
  if (!isShown || only?.kind !== 'child' || only.name === null || others.length > 0) return null;
  return (
    <Text size="sm" td="underline">
      <ChildLink id={only._id}>{t('openChild', { name: `\u2068${only.name}\u2069` })}</ChildLink>
    </Text>
  );
}

/** The way to what a desk wrote and what Haris has, side by side. */
function OpenConflicts({ card: { kind } }: { card: AlertCard }) {
  const { t } = useTranslation('incidents');
  const maySettle = useMay()('children.check_in');
  if (!maySettle || (kind !== 'desk_conflict' && kind !== 'doubtful_release')) return null;
  return (
    <Text size="sm" td="underline">
      <Link to="/deskConflicts">{t('openConflicts')}</Link>
    </Text>
  );
}

const SEVERITY_COLORS = { safety: 'clay', care: 'saffron', operation: 'gray' } as const;

export interface AlertRowProps {
  card: AlertCard;
  wordsOf: (card: AlertCard) => IncidentWords;
  /** Null if this person may not acknowledge. */
  onAcknowledge: ((card: AlertCard) => void) | null;
}

export const AlertRow = memo(function AlertRow({ card, wordsOf, onAcknowledge }: AlertRowProps) {
  const { t } = useTranslation('incidents');
  const moment = useMomentFormat();
  const timeOf = useSince();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { title, text } = wordsOf(card);
  const { kind, severity, state, since, incidents } = card;
  const { acknowledgedAt, acknowledgedBy } = incidents[0];
  const Icon = INCIDENT_ICONS[kind];
  return (
    <li className={classes.row} data-severity={severity} data-state={state}>
      <span className={classes.icon} aria-hidden="true">
        <Icon size={22} />
      </span>
      <div className={classes.words}>
        <div className={classes.heading}>
          <Text component="h2" fw={600}>
            {title}
          </Text>
          <Badge
            color={SEVERITY_COLORS[severity]}
            variant={severity === 'safety' ? 'filled' : 'light'}
            tt="none"
          >
            {t(`severity.${severity}`)}
          </Badge>
          {state === 'open' ? null : (
            <Badge color="gray" variant="outline" tt="none">
              {t(`state.${state}`)}
            </Badge>
          )}
        </div>
        <Text size="sm" className={classes.text ?? ''}>
          {text}
        </Text>
        <OnlyChild card={card} />
        <OpenConflicts card={card} />
        {acknowledgedAt === null || acknowledgedBy === null ? null : (
          <Text size="xs" c="dimmed">
            {t('takenOn', { name: acknowledgedBy.name, time: moment(acknowledgedAt) })}
          </Text>
        )}
      </div>
      <Text component="time" dateTime={since} size="sm" c="dimmed" className={classes.time ?? ''}>
        {timeOf(since)}
      </Text>
      <div className={classes.actions}>
        {acknowledgedAt === null && kind !== 'evacuation' && onAcknowledge !== null ? (
          <Button
            size="compact-md"
            onClick={() => onAcknowledge(card)}
            variant={state === 'open' ? 'light' : 'default'}
            {...(severity === 'safety' ? { color: 'clay' } : {})}
            aria-label={t('acknowledgeOf', { title })}
          >
            {t('acknowledge')}
          </Button>
        ) : null}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={t('screen.details', { title })}
          onClick={() => setOpen((was) => !was)}
        >
          <IconChevronDown
            size={20}
            className={classes.chevron}
            data-open={isOpen || undefined}
            aria-hidden
          />
        </ActionIcon>
      </div>
      {isOpen ? <AlertDetails card={card} id={id} /> : null}
    </li>
  );
});
