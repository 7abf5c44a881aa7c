/** One child on the parent's home: inside with the time left, the room, the picture and the air; outside in one line. */
import type { Child } from '@haris/contract/objects';
import { Badge, Button, Text } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CareButton } from '../../care/care-button.tsx';
import { dueAt } from '../../countdown/remaining.ts';
import { StayRing } from '../../countdown/stay-ring.tsx';
import { useClockFormat } from '../../countdown/use-clock-format.ts';
import { useIsOver } from '../../countdown/use-tick.ts';
import { Photo } from '../../photos/photo.tsx';
import { Card } from '../../ui/card.tsx';
import { LogButton } from './care-log/own-log.tsx';
import styles from './child-card.module.css';
import { ChildPicture } from './child-picture.tsx';
import { formatVisit } from './format-visit.ts';
import { TimeLeft } from './time-left.tsx';
import { WaitingForNursery } from './waiting.tsx';

export interface ChildCardProps {
  child: Child;
  /** The parent is the first guardian; another one reads no care card and changes nothing. */
  isFirst: boolean;
  /** It is not known yet whether there is a picture. */
  awaitsPicture: boolean;
  /** The air of a room in words, from the environment feature. */
  renderAir: (room: string | null) => ReactNode;
  /** A danger where the child is, from the incidents feature; null without one and for a child outside. */
  danger: ReactNode;
  onDetails: () => void;
  /** Opens the camera for a new photo of the child. */
  onNewPhoto: () => void;
}

export function ChildCard(props: ChildCardProps) {
  return props.child.isInside ? <InsideCard {...props} /> : <OutsideCard {...props} />;
}

function InsideCard({
  child,
  isFirst,
  awaitsPicture,
  danger,
  renderAir,
  onDetails,
  onNewPhoto,
}: ChildCardProps) {
  const { t } = useTranslation('profile');
  const isOver = useIsOver(child);
  // Without cameras the server leaves the field out, and there is no picture to wait for.
  const hasPicture = child.lastSeen !== undefined;
  const isReserved = awaitsPicture && !hasPicture;
  return (
    <Card component="li" p={0} className={styles.card} data-over={isOver || undefined}>
      <div className={styles.inner} data-pictured={hasPicture || isReserved || undefined}>
        <div className={styles.top}>
          <div className={styles.head}>
            <StayRing
              stay={child}
              size={92}
              thickness={6}
              className={styles.ring}
              label={
                <span className={styles.photo}>
                  <Photo path={child.photo} name={child.name} size={68} />
                </span>
              }
            />
            <div className={styles.facts}>
              <div className={styles.line}>
                <Text fw={600} fz="lg" className={styles.name}>
                  <bdi>{child.name}</bdi>
                </Text>
                <Badge variant="light" size="lg" tt="none" fw={500} flex="none">
                  {t('inside')}
                </Badge>
              </div>
              <TimeLeft child={child} />
              {isReserved && child.room === null ? <Text size="sm">&nbsp;</Text> : <Room child={child} />}
            </div>
          </div>
          {danger}
        </div>
        {hasPicture ? <ChildPicture child={child} /> : null}
        {isReserved ? <div className={`${styles.live} ${styles.reserved}`} /> : null}
        <div className={styles.foot}>
          {isFirst ? <WaitingForNursery child={child} onNewPhoto={onNewPhoto} /> : null}
          <OnTheWay child={child} />
          <div className={styles.line}>
            {renderAir(child.room ?? child.lastSeen?.area ?? null)}
            <div className={styles.ways}>
              {isFirst ? <CareButton child={{ id: child._id, name: child.name }} /> : null}
              <LogButton child={child} />
              <DetailsButton child={child} onDetails={onDetails} />
            </div>
          </div>
        </div>
      </div>
    </Card>
  );
}

/** The room in which staff put the child, and where a camera saw it last; nothing where nobody knows either. */
function Room({ child }: { child: Child }) {
  const words = useRoomWords(child);
  if (words === null) return null;
  return (
    <Text size="sm" c="dimmed" className={styles.room}>
      <IconMapPin size={16} aria-hidden />
      <span>{words}</span>
    </Text>
  );
}

function useRoomWords({ room, lastSeen }: Child): ReactNode {
  const { t } = useTranslation('profile');
  const format = useClockFormat();
  const isIn = room === null ? null : t('room.in', { room });
  if (lastSeen == null) return isIn ?? (lastSeen === null ? t('room.unknown') : null);
  const seen = { room: lastSeen.area, time: format.timeOfDay(lastSeen.at) };
  if (isIn === null)
    return (
      <>
        <bdi>{lastSeen.area}</bdi> · {t('room.seenAt', seen)}
      </>
    );
  return `${isIn} · ${t(room === lastSeen.area ? 'room.seenAt' : 'room.seenIn', seen)}`;
}

function OnTheWay({ child }: { child: Child }) {
  const { t } = useTranslation('profile');
  const format = useClockFormat();
  if (child.onMyWay === undefined) return null;
  const due = dueAt(child);
  const isLate = due !== null && Date.parse(child.onMyWay.arrivesAt) > due;
  return (
    <Text size="sm" fw={500} className={styles.way} data-late={isLate || undefined}>
      {t(isLate ? 'way.childLate' : 'way.child', { time: format.timeOfDay(child.onMyWay.arrivesAt) })}
    </Text>
  );
}

function OutsideCard({ child, isFirst, onDetails, onNewPhoto }: ChildCardProps) {
  const { t, i18n } = useTranslation('profile');
  const { lastVisit } = child;
  return (
    <Card component="li" p="md" className={styles.card} data-outside>
      <div className={styles.outside}>
        <Photo path={child.photo} name={child.name} size={52} />
        <div className={styles.facts}>
          <Text fw={600} className={styles.name}>
            <bdi>{child.name}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {t('outside')}
            {lastVisit ? ` · ${t('lastVisit', { visit: formatVisit(lastVisit, i18n.language) })}` : null}
          </Text>
        </div>
        <div className={styles.ways}>
          {isFirst ? <CareButton child={{ id: child._id, name: child.name }} /> : null}
          <LogButton child={child} />
          <DetailsButton child={child} onDetails={onDetails} />
        </div>
      </div>
      {isFirst ? <WaitingForNursery child={child} onNewPhoto={onNewPhoto} /> : null}
    </Card>
  );
}

function DetailsButton({ child, onDetails }: { child: Child; onDetails: () => void }) {
  const { t } = useTranslation('profile');
  return (
    <Button
      size="sm"
      variant="default"
      className={styles.details ?? ''}
      onClick={onDetails}
      aria-label={t('viewDetailsOf', { name: child.name })}
      aria-haspopup="dialog"
    >
      {t('viewDetails')}
    </Button>
  );
}
