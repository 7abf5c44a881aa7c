/** Moves several children at once: tick them, choose the room. */
import { Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFull, useRooms } from '../../../calls/rooms.ts';
import { useMay } from '../../../session/may.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useChildrenInside } from '../lists/queries.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import classes from './moves.module.css';
import { OverCapacityReason } from './over-capacity-reason.tsx';
import { useMove } from './use-move.ts';
import { useRoomWords } from './use-room-words.ts';

export interface MoveDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Children who are ticked at first. */
  childIds: readonly string[];
}

export function MoveDialog({ opened, onClose, childIds }: MoveDialogProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('move.dialog')}>
      {opened ? <MoveForm onClose={onClose} childIds={childIds} /> : null}
    </Dialog>
  );
}

function MoveForm({ onClose, childIds }: Omit<MoveDialogProps, 'opened'>) {
  const { t } = useTranslation(['dashboard', 'common']);
  const inside = (useChildrenInside().data ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const rooms = useRooms().data ?? [];
  const mayExceed = useMay()('rooms.manage');
  const wordsOf = useRoomWords();
  const move = useMove();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(childIds));
  const [roomId, setRoomId] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const chosen = inside.filter(({ _id }) => ticked.has(_id));
  const comingTo = (id: string) => chosen.filter((child) => child.roomId !== id).length;
  const target = rooms.find(({ _id }) => _id === roomId);
  const isOver = target !== undefined && isFull(target, comingTo(target._id));
  const isReady =
    chosen.length > 0 && target !== undefined && (!isOver || (mayExceed && reason.trim() !== ''));

  function tick(id: string, isTicked: boolean) {
    const next = new Set(ticked);
    if (isTicked) next.add(id);
    else next.delete(id);
    setTicked(next);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isReady || isRefusedOffline()) return;
    move.mutate(
      { children: chosen, roomId: target._id, ...(isOver ? { reason: reason.trim() } : {}) },
      { onSuccess: onClose },
    );
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <fieldset className={classes.group}>
          <Text component="legend" size="md" fw={500} mb={4}>
            {t('move.children')}
          </Text>
          <div className={classes.children}>
            {inside.length === 0 ? <Text size="sm">{t('inside.empty')}</Text> : null}
            {inside.map((child) => (
              <Checkbox
                key={child._id}
                label={<bdi>{child.name}</bdi>}
                description={child.room ?? undefined}
                checked={ticked.has(child._id)}
                onChange={(event) => tick(child._id, event.currentTarget.checked)}
              />
            ))}
          </div>
        </fieldset>
        <Radio.Group label={t('move.where')} value={roomId} onChange={setRoomId}>
          <Stack gap={6} mt={6}>
            {rooms.map((room) => (
              <Radio
                key={room._id}
                value={room._id}
                label={wordsOf(room)}
                disabled={!mayExceed && isFull(room, Math.max(1, comingTo(room._id)))}
              />
            ))}
          </Stack>
        </Radio.Group>
        {isOver && mayExceed ? <OverCapacityReason reason={reason} onChange={setReason} /> : null}
        {isOver && !mayExceed ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('move.tooMany')}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={move.isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={move.isPending} disabled={!isReady}>
            {chosen.length === 0 ? t('move.dialog') : t('move.submit', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
