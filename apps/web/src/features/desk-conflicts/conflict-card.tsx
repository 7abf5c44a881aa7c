/** One conflict: whom it is about, why it is one, both sides, and the ways to settle it. */
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import { Badge, Button, Checkbox, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconReplace } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ChildLink } from '../../child/child-link.tsx';
import { Card } from '../../ui/card.tsx';
import classes from './desk-conflicts.module.css';
import { DeskSide, StaySide } from './sides.tsx';
import { useNames } from './use-names.ts';

export type Choice = 'keep' | 'take';

export interface ConflictCardProps {
  conflict: DeskConflict;
  isTicked: boolean;
  /** False: as many are ticked as one call settles. */
  mayTick: boolean;
  isOnline: boolean;
  /** It was not settled, because it has changed; it is shown as it is now. */
  hasChanged: boolean;
  onTick: (conflict: DeskConflict, isTicked: boolean) => void;
  onAsk: (choice: Choice) => void;
}

export function ConflictCard(props: ConflictCardProps) {
  const { conflict, isTicked, mayTick, isOnline, hasChanged, onTick, onAsk } = props;
  const { t } = useTranslation('desk-conflicts');
  const { childOf } = useNames();
  const { child, desk, reason, refusal, settled } = conflict;
  const name = childOf(conflict);
  return (
    <Card component="li" p="md" className={classes.card ?? ''}>
      <div className={classes.head}>
        {settled === null ? (
          <Checkbox
            size="md"
            aria-label={t('choose', { name })}
            checked={isTicked}
            disabled={!isTicked && !mayTick}
            onChange={(event) => onTick(conflict, event.currentTarget.checked)}
          />
        ) : null}
        <Title order={2} fz="lg" className={classes.name ?? ''}>
          {child.name === null ? (
            name
          ) : (
            <ChildLink id={child._id}>
              <bdi>{name}</bdi>
            </ChildLink>
          )}
        </Title>
        <Badge variant="default" tt="none" fw={500}>
          {t(`kind.${desk.kind}`)}
        </Badge>
      </div>
      <Text>
        {t(`reason.${reason}`)}
        {refusal === undefined ? null : ` ${t(`refusal.${refusal}`)}`}
      </Text>
      {hasChanged ? (
        <Text fw={500} className={classes.changed ?? ''}>
          <IconAlertTriangle size={18} aria-hidden /> {t('changed')}
        </Text>
      ) : null}
      <div className={classes.sides}>
        <DeskSide conflict={conflict} />
        <StaySide stay={conflict.stay} />
      </div>
      {settled === null ? (
        <Ways conflict={conflict} name={name} isOnline={isOnline} onAsk={onAsk} />
      ) : (
        <Settled settled={settled} reason={reason} />
      )}
    </Card>
  );
}

interface WaysProps extends Pick<ConflictCardProps, 'conflict' | 'isOnline' | 'onAsk'> {
  name: string;
}

/** What the desk wrote has been done, and only the look at it is missing. */
const isDone = (reason: DeskConflict['reason']) => reason === 'release_refused';

/** Whether it may be taken over once a check-in of a desk has been. */
const mayFollow = ({ desk, reason, stay, child }: DeskConflict) =>
  desk.kind === 'check_out' && child.name !== null && (stay === null || reason === 'before_check_in');

function Ways({ conflict, name, isOnline, onAsk }: WaysProps) {
  const { t } = useTranslation('desk-conflicts');
  const { deskOf } = useNames();
  const { canTake, desk, reason } = conflict;
  const tablet = deskOf(desk);
  return (
    <>
      {canTake || isDone(reason) ? null : (
        <Text size="sm" c="dimmed">
          {t(mayFollow(conflict) ? 'cannotTakeYet' : 'cannotTake')}
        </Text>
      )}
      <div className={classes.ways} data-wraps>
        <Button
          variant={canTake ? 'default' : 'light'}
          leftSection={<IconCheck size={18} aria-hidden />}
          aria-label={isDone(reason) ? t('seenOf', { name }) : t('keepOf', { name })}
          aria-haspopup="dialog"
          disabled={!isOnline}
          onClick={() => onAsk('keep')}
        >
          {isDone(reason) ? t('seen') : t('keep')}
        </Button>
        {canTake ? (
          <Button
            variant="default"
            leftSection={<IconReplace size={18} aria-hidden />}
            aria-label={t('takeOf', { desk: tablet, name })}
            aria-haspopup="dialog"
            disabled={!isOnline}
            onClick={() => onAsk('take')}
          >
            {t('take', { desk: tablet })}
          </Button>
        ) : null}
      </div>
    </>
  );
}

interface SettledProps {
  settled: NonNullable<DeskConflict['settled']>;
  reason: DeskConflict['reason'];
}

/** Who has settled it, when and how. */
function Settled({ settled: { at, by, choice, note }, reason }: SettledProps) {
  const { t } = useTranslation('desk-conflicts');
  const { momentOf, staffOf } = useNames();
  const how = isDone(reason) ? 'seen' : choice;
  return (
    <Text size="sm" className={classes.settled ?? ''}>
      {t(`settled.${how}`, { name: `\u2068${staffOf(by)}\u2069`, time: momentOf(at) })}
      {note === null ? null : (
        <>
          {' '}
          <q>
            <bdi>{note}</bdi>
          </q>
        </>
      )}
    </Text>
  );
}
