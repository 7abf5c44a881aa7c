/** The room of a child inside, with buttons to move it. */
import type { Child } from '@haris/contract/objects';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { MoveButtons } from '../moves/move-buttons.tsx';
import { useMayMove } from '../moves/use-move.ts';
import { Section } from './section.tsx';

/** Renders nothing while the child is outside, or if this person may not move children. */
export function RoomPart({ child }: { child: Child }) {
  const { t } = useTranslation('child');
  const format = useClockFormat();
  const mayMove = useMayMove();
  if (!child.isInside || child.room === null || !mayMove) return null;
  return (
    <Section title={t('room.title')}>
      <Text size="sm" mb="xs">
        <bdi>{child.room}</bdi>
        {child.roomSince === undefined ? null : (
          <>
            {' · '}
            <time dateTime={child.roomSince}>
              {t('room.since', { time: format.timeOfDay(child.roomSince) })}
            </time>
          </>
        )}
      </Text>
      <MoveButtons child={child} />
    </Section>
  );
}
