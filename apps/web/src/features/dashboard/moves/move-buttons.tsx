/** The other rooms as buttons: one press moves the child there. */
import type { Child } from '@haris/contract/objects';
import { Button, Text } from '@mantine/core';
import { IconArrowsMove } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isFull, useRooms } from '../../../calls/rooms.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import classes from './moves.module.css';
import { useMayMove, useMove } from './use-move.ts';
import { useRoomWords } from './use-room-words.ts';

export interface MoveButtonsProps {
  child: Child;
  /** Called when the move is sent. */
  onSent?: () => void;
}

/** Renders nothing if there is no other room, or if this person may not move children. */
export function MoveButtons({ child, onSent }: MoveButtonsProps) {
  const { t } = useTranslation('dashboard');
  const rooms = useRooms().data ?? [];
  const move = useMove();
  const mayMove = useMayMove();
  const wordsOf = useRoomWords();
  const others = rooms.filter(({ _id }) => _id !== child.roomId);
  if (!mayMove || others.length === 0) return null;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {t('move.title')}
      </Text>
      <div className={classes.rooms}>
        {others.map((room) => (
          <Button
            key={room._id}
            size="compact-sm"
            variant="default"
            justify="flex-start"
            leftSection={<IconArrowsMove size={16} aria-hidden />}
            disabled={isFull(room)}
            aria-label={t('move.to', { name: child.name, room: wordsOf(room) })}
            onClick={() => {
              if (isRefusedOffline()) return;
              move.mutate({ children: [child], roomId: room._id });
              onSent?.();
            }}
          >
            {wordsOf(room)}
          </Button>
        ))}
      </div>
    </div>
  );
}
