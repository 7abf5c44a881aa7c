/** One quiet line for all open alerts other than dangers: severity, number, kinds, and a link to the list. */
import { ActionIcon, Button } from '@mantine/core';
import { IconBell, IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { cardsOf } from './alert-cards.ts';
import { useOpenIncidents } from './api.ts';
import classes from './quiet-line.module.css';
import { isDangerous } from './shown-incident.ts';
import { useBrief } from './use-incident-words.ts';

/** The list shows them itself. */
const LIST = '/incidents';

export interface QuietLineProps {
  /** In the header of wide screens, or as a strip above the bar of phones. It covers nothing in either place. */
  place: 'header' | 'bar';
}

export function QuietLine({ place }: QuietLineProps) {
  const { t } = useTranslation('incidents');
  const open = useOpenIncidents().data?.incidents;
  const brief = useBrief();
  const { pathname } = useLocation();
  /** Ids that were hidden; a new incident shows the line again. */
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const waiting = useMemo(
    () => (open ?? []).filter((incident) => incident.acknowledgedAt === null && !isDangerous(incident)),
    [open],
  );
  const cards = useMemo(() => cardsOf(waiting), [waiting]);
  const isShown = pathname !== LIST && waiting.some(({ _id }) => !hidden.has(_id));
  const names = cards.map((card) => brief(card) ?? t(`kind.${card.kind}`));
  const severity = cards.some((card) => card.severity === 'care') ? 'care' : 'operation';
  return (
    // The live region is always there, because screen readers announce only text added to an existing region.
    <div
      role="status"
      aria-label={t('quiet.label')}
      className={classes.slot}
      data-place={place}
      data-quiet-line={isShown || undefined}
    >
      {isShown ? (
        <div className={classes.line} data-severity={severity}>
          <IconBell size={18} aria-hidden />
          <span className={classes.severity}>{t(`severity.${severity}`)}</span>
          <span className={classes.text} title={names.join(' · ')}>
            <strong>{t('quiet.count', { count: cards.length })}</strong> · {names.join(' · ')}
          </span>
          <Button component={Link} to={LIST} variant="subtle" size="compact-sm" flex="none">
            {t('quiet.show')}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            flex="none"
            aria-label={t('quiet.close')}
            onClick={() => setHidden(new Set(waiting.map(({ _id }) => _id)))}
          >
            <IconX size={17} aria-hidden />
          </ActionIcon>
        </div>
      ) : null}
    </div>
  );
}
