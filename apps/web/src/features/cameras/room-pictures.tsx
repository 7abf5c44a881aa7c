/** The live pictures of a room's cameras during a danger, or the reason why there is none. */
import type { Camera } from '@haris/contract/http/cameras';
import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { LivePicture } from '../../live-picture/live-picture.tsx';
import { useCameras } from './api.ts';
import { ratioOf, useOffReason } from './camera-state.tsx';
import styles from './wall.module.css';

/** More pictures than these would fill the dialog. */
const PICTURES = 2;
/** Interval between pictures, in milliseconds. */
const PACE_MS = 200;

export function RoomPictures({ area }: { area: string | null }) {
  const { t } = useTranslation('emergency');
  const { data, isError, error } = useCameras();
  if (data === undefined)
    return isError ? (
      <Text size="sm" c="dimmed">
        {failureText(error)}
      </Text>
    ) : (
      <Skeleton style={{ aspectRatio: '16 / 9' }} />
    );
  // Live ones first: a broken camera must not hide one that shows the room.
  const here = data
    .filter((camera) => area === null || camera.area === area)
    .sort((a, b) => Number(b.state === 'live') - Number(a.state === 'live'));
  if (here.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {area === null ? t('pictures.none') : t('pictures.noneIn', { area })}
      </Text>
    );
  return (
    <ul className={styles.room} aria-label={t('pictures.label')}>
      {here.slice(0, PICTURES).map((camera) => (
        <RoomPicture key={camera._id} camera={camera} />
      ))}
    </ul>
  );
}

function RoomPicture({ camera }: { camera: Camera }) {
  return (
    <li>
      <LivePicture
        target={{ kind: 'camera', id: camera._id }}
        subject={camera.name}
        offReason={useOffReason(camera)}
        expectedRatio={ratioOf(camera)}
        paceMs={PACE_MS}
      />
    </li>
  );
}
