/** Rooms: the number of children in each, the staff who have clocked in there, and the room's settings. */
import type { Room } from '@haris/contract/http/rooms';
import { Badge, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconDoor,
  IconListCheck,
  IconMapPin,
  IconMapPinOff,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUserHeart,
  IconUsers,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { failureText, showFailure } from '../../calls/failure.ts';
import { useRooms } from '../../calls/rooms.ts';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useMay } from '../../session/may.ts';
import { useSession } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useSetPresence } from './api.ts';
import { DeleteRoomDialog } from './delete-room-dialog.tsx';
import { RoomDialog } from './room-dialog.tsx';
import styles from './rooms.module.css';

export default function RoomsScreen() {
  const { t } = useTranslation('rooms');
  const rooms = useRooms();
  const mayManage = useMay()('rooms.manage');
  const [edited, setEdited] = useState<Room | null>(null);
  const [isEditing, setEditing] = useState(false);
  const edit = (room: Room | null) => {
    setEdited(room);
    setEditing(true);
  };
  const add = mayManage ? (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => edit(null)}>
      {t('add')}
    </Button>
  ) : null;
  return (
    <Page title={t('title')} description={t('about')} size="lg" actions={add}>
      {rooms.data === undefined ? (
        rooms.isError ? (
          <ErrorState
            text={failureText(rooms.error, t('error'))}
            onRetry={() => void rooms.refetch()}
            busy={rooms.isRefetching}
          />
        ) : (
          <RoomsSkeleton />
        )
      ) : rooms.data.length === 0 ? (
        <Card>
          <EmptyState icon={<IconDoor size={30} />} text={t('empty')} hint={t('emptyHint')} />
        </Card>
      ) : (
        <ul className={styles.list} aria-label={t('title')}>
          {rooms.data.map((room) => (
            <RoomCard key={room._id} room={room} onEdit={() => edit(room)} />
          ))}
        </ul>
      )}
      <RoomDialog opened={isEditing} onClose={() => setEditing(false)} room={edited} />
    </Page>
  );
}

function RoomCard({ room, onEdit }: { room: Room; onEdit: () => void }) {
  const { t } = useTranslation('rooms');
  const [isDeleting, setDeleting] = useState(false);
  const may = useMay();
  return (
    <Card component="li" className={styles.card}>
      <Group justify="space-between" align="flex-start" gap="sm" wrap="nowrap">
        <Title order={2} fz="lg" className={styles.name}>
          <bdi>{room.name}</bdi>
        </Title>
        {room.isDefault ? (
          <Badge size="lg" tt="none" fw={500} variant="light" flex="none">
            {t('default')}
          </Badge>
        ) : null}
      </Group>
      <Figures room={room} />
      <People room={room} />
      <Group gap="xs" className={styles.foot}>
        {may('children.move') ? (
          <>
            <PresenceButton room={room} />
            <Button
              component={Link}
              to={`/headCounts?to=${room._id}`}
              size="compact-md"
              variant="default"
              leftSection={<IconListCheck size={17} aria-hidden />}
              aria-label={t('headCountOf', { name: room.name })}
            >
              {t('headCount')}
            </Button>
          </>
        ) : null}
        {may('rooms.manage') ? (
          <>
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconPencil size={17} aria-hidden />}
              aria-label={t('editOf', { name: room.name })}
              onClick={onEdit}
            >
              {t('edit')}
            </Button>
            <Button
              size="compact-md"
              variant="subtle"
              color="clay"
              leftSection={<IconTrash size={17} aria-hidden />}
              aria-label={t('deleteOf', { name: room.name })}
              onClick={() => setDeleting(true)}
            >
              {t('delete')}
            </Button>
          </>
        ) : null}
      </Group>
      <DeleteRoomDialog opened={isDeleting} onClose={() => setDeleting(false)} room={room} />
    </Card>
  );
}

/** Children and capacity, the ratio that applies now, and a breach in words. */
function Figures({ room }: { room: Room }) {
  const { t } = useTranslation('rooms');
  const { children, capacity, ratio, isOverCapacity, isUnderstaffed } = room;
  return (
    <div>
      <div className={styles.figures}>
        <span>
          <IconUsers size={17} aria-hidden />
          {capacity === null
            ? t('children', { count: children })
            : t('childrenOf', { count: children, capacity })}
        </span>
        <span>
          <IconUserHeart size={17} aria-hidden />
          {t('staff', { count: room.staff.length })}
        </span>
        {ratio === null ? null : (
          <span>{t('ratioNow', { children: ratio.childrenPerStaff, count: ratio.staffNeeded })}</span>
        )}
      </div>
      {capacity === null ? null : (
        <Text size="sm" c="dimmed">
          {t(room.capacityKind === 'hard' ? 'isHard' : 'isSoft')}
        </Text>
      )}
      {isOverCapacity ? <Breach text={t('over')} /> : null}
      {isUnderstaffed === true ? <Breach text={t('understaffed')} /> : null}
      {isUnderstaffed === null && ratio !== null ? (
        <Text size="sm" c="dimmed">
          {t('unknownStaff')}
        </Text>
      ) : null}
    </div>
  );
}

function Breach({ text }: { text: string }) {
  return (
    <Text size="sm" className={styles.breach}>
      <IconAlertTriangle size={17} aria-hidden /> {text}
    </Text>
  );
}

function People({ room: { staff } }: { room: Room }) {
  const { t } = useTranslation('rooms');
  const format = useClockFormat();
  if (staff.length === 0) return null;
  return (
    <Text size="sm">
      {t('here')}{' '}
      {staff.map(({ _id, name, since }, index) => (
        <span key={_id}>
          {index > 0 ? ' · ' : ''}
          <bdi>{name}</bdi>{' '}
          <Text span size="xs" c="dimmed">
            {t('since', { time: format.timeOfDay(since) })}
          </Text>
        </span>
      ))}
    </Text>
  );
}

/** One press: here, or no longer here. */
function PresenceButton({ room }: { room: Room }) {
  const { t } = useTranslation('rooms');
  const own = useSession().admin.identity?._id;
  const isHere = room.staff.some(({ _id }) => _id === own);
  const presence = useSetPresence();
  return (
    <Button
      size="compact-md"
      variant={isHere ? 'light' : 'filled'}
      leftSection={isHere ? <IconMapPinOff size={17} aria-hidden /> : <IconMapPin size={17} aria-hidden />}
      aria-label={t(isHere ? 'goneOf' : 'hereOf', { name: room.name })}
      loading={presence.isPending}
      onClick={() =>
        presence.mutate(
          { id: room._id, presence: isHere ? 'gone' : 'here' },
          { onError: (error) => showFailure(error) },
        )
      }
    >
      {t(isHere ? 'iHaveGone' : 'iAmHere')}
    </Button>
  );
}

function RoomsSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.list} role="status" aria-label={t('loading')}>
      {['a', 'b', 'c'].map((card) => (
        <Card key={card}>
          <Skeleton height={22} width="50%" />
          <Skeleton height={14} width="60%" mt="sm" />
          <Skeleton height={34} width="70%" mt="md" />
        </Card>
      ))}
    </div>
  );
}
