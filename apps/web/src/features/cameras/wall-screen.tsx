/** The wall: all cameras side by side. Only visible cameras stream, at a low rate. */
import type { Camera } from '@haris/contract/http/cameras';
import { Pagination, Skeleton, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { failureText } from '../../calls/failure.ts';
import { localeOf } from '../../i18n/locale.ts';
import { LivePicture } from '../../live-picture/live-picture.tsx';
import { useMay } from '../../session/may.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useCameras } from './api.ts';
import { ratioOf, useOffReason } from './camera-state.tsx';
import styles from './wall.module.css';

/** Cameras per page: an account may have twenty streams, and the desk needs some of them. */
const TILES = 12;
/** Interval between pictures, in milliseconds: two to five a second are enough for an overview. */
const PACE_MS = 400;

export default function WallScreen() {
  const { t } = useTranslation('cameras');
  const cameras = useCameras();
  const mayManage = useMay()('cameras.manage');
  return (
    <Page
      title={t('wallTitle')}
      size={1800}
      actions={<BackLink to="/cameras">{t('backToCameras')}</BackLink>}
    >
      {cameras.data === undefined ? (
        cameras.isError ? (
          <ErrorState
            text={failureText(cameras.error, t('error'))}
            onRetry={() => void cameras.refetch()}
            busy={cameras.isRefetching}
          />
        ) : (
          <WallSkeleton />
        )
      ) : cameras.data.length === 0 ? (
        <Card>
          <EmptyState
            icon={<IconVideo size={30} />}
            text={t('empty')}
            {...(mayManage ? { hint: t('wallEmptyHint') } : {})}
          />
        </Card>
      ) : (
        <Wall cameras={cameras.data} />
      )}
    </Page>
  );
}

function Wall({ cameras }: { cameras: readonly Camera[] }) {
  const { t, i18n } = useTranslation('cameras');
  const [asked, setPage] = useState(1);
  const pages = Math.ceil(cameras.length / TILES);
  const page = Math.min(asked, pages);
  const number = new Intl.NumberFormat(localeOf(i18n.language));
  return (
    <>
      <ul className={styles.wall} aria-label={t('wallTitle')}>
        {cameras.slice((page - 1) * TILES, page * TILES).map((camera) => (
          <Tile key={camera._id} camera={camera} />
        ))}
      </ul>
      {pages === 1 ? null : (
        <Pagination
          mt="lg"
          total={pages}
          value={page}
          onChange={setPage}
          getItemProps={(each) => ({
            children: number.format(each),
            'aria-label': t('wallPage', { number: number.format(each) }),
          })}
          getControlProps={(control) => ({
            'aria-label': control === 'next' ? t('wallNext') : t('wallPrevious'),
          })}
        />
      )}
    </>
  );
}

function Tile({ camera }: { camera: Camera }) {
  const { t } = useTranslation('cameras');
  const { ref, entry } = useIntersection({ rootMargin: '80px' });
  const why = useOffReason(camera);
  const isSeen = entry?.isIntersecting ?? false;
  return (
    <li className={styles.tile} ref={ref}>
      <LivePicture
        target={{ kind: 'camera', id: camera._id }}
        subject={camera.name}
        offReason={why ?? (isSeen ? null : t('outOfSight'))}
        expectedRatio={ratioOf(camera)}
        paceMs={PACE_MS}
      />
      <Text fw={600} className={styles.caption}>
        <Link to={`/cameras/${camera._id}`} className={styles.cover}>
          <bdi>{camera.name}</bdi>
        </Link>
        <Text span size="sm" c="dimmed" fw={400}>
          <bdi>{camera.area}</bdi>
        </Text>
      </Text>
    </li>
  );
}

function WallSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.wall} role="status" aria-label={t('loading')}>
      {['a', 'b', 'c', 'd'].map((tile) => (
        <Skeleton key={tile} style={{ aspectRatio: '16 / 9' }} />
      ))}
    </div>
  );
}
