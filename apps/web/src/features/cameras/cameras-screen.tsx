/** Cameras: the state of each, and actions to add, change, switch and remove one. */
import type { Camera } from '@haris/contract/http/cameras';
import { Anchor, Button, Skeleton, Switch, Text } from '@mantine/core';
import { IconLayoutGrid, IconMapPin, IconPlus, IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { failureText, showFailure } from '../../calls/failure.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useCameras, useChangeCamera } from './api.ts';
import { CameraDialog } from './camera-dialog.tsx';
import { StateBadge, useOffReason } from './camera-state.tsx';
import { CameraThumbnail } from './camera-thumbnail.tsx';
import styles from './cameras.module.css';

/** Non-breaking space before the dot, so that no line starts with a dot. */
const NO_BREAK = '\u00a0';

export default function CamerasScreen() {
  const { t } = useTranslation('cameras');
  const cameras = useCameras();
  const navigate = useNavigate();
  const mayManage = useMay()('cameras.manage');
  const [isAdding, setAdding] = useState(false);

  return (
    <Page
      title={t('title')}
      size="xl"
      actions={
        <>
          {/* Rendered even without cameras: buttons that arrive with the list would push it down. */}
          <Allowed to="live.watch">
            <Button
              component={Link}
              to="/cameras/wall"
              variant="light"
              leftSection={<IconLayoutGrid size={18} aria-hidden />}
            >
              {t('wall')}
            </Button>
          </Allowed>
          <Allowed to="cameras.manage">
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
              {t('add')}
            </Button>
          </Allowed>
        </>
      }
    >
      {cameras.data === undefined ? (
        cameras.isError ? (
          <ErrorState
            text={failureText(cameras.error, t('error'))}
            onRetry={() => void cameras.refetch()}
            busy={cameras.isRefetching}
          />
        ) : (
          <CamerasSkeleton />
        )
      ) : cameras.data.length === 0 ? (
        <Card>
          <EmptyState
            icon={<IconVideo size={30} />}
            text={t('empty')}
            {...(mayManage ? { hint: t('emptyHint') } : {})}
          />
        </Card>
      ) : (
        <>
          {cameras.isError ? (
            <Text role="status" size="sm" c="var(--mantine-color-error)" mb="sm">
              {t('stale')}
            </Text>
          ) : null}
          <ul className={styles.list} aria-label={t('title')}>
            {cameras.data.map((camera) => (
              <CameraCard key={camera._id} camera={camera} />
            ))}
          </ul>
        </>
      )}
      <CameraDialog
        opened={isAdding}
        onClose={() => setAdding(false)}
        camera={null}
        // A device needs pairing next; for any other camera, show its picture.
        onSaved={(camera) => void navigate(`/cameras/${camera._id}`)}
      />
    </Page>
  );
}

/** One camera: its picture first, then its name and state. Its figures are on its own page. */
function CameraCard({ camera }: { camera: Camera }) {
  const { t } = useTranslation('cameras');
  const why = useOffReason(camera);
  return (
    <Card component="li" className={styles.card} p={0}>
      <CameraThumbnail camera={camera} />
      <div className={styles.text}>
        <div className={styles.cardHead}>
          <Text component="h2" fw={600} fz="md" className={styles.name}>
            <Anchor
              component={Link}
              to={`/cameras/${camera._id}`}
              inherit
              c="inherit"
              underline="hover"
              className={styles.cover}
            >
              <bdi>{camera.name}</bdi>
            </Anchor>
          </Text>
          <StateBadge camera={camera} />
        </div>
        <div className={styles.cardFoot}>
          <Text size="sm" c="dimmed" className={styles.area}>
            <IconMapPin size={16} aria-hidden /> <bdi>{camera.area}</bdi>
            {NO_BREAK}· {t(`kind.${camera.kind}`)}
          </Text>
          <Allowed to="cameras.manage">
            <EnabledSwitch camera={camera} />
          </Allowed>
        </div>
        {why === null ? null : (
          <Text size="sm" className={styles.why}>
            {why}
          </Text>
        )}
      </div>
    </Card>
  );
}

/** The server does not read a camera that is switched off. */
export function EnabledSwitch({ camera }: { camera: Camera }) {
  const { t } = useTranslation('cameras');
  const change = useChangeCamera(camera._id);
  return (
    <Switch
      className={styles.above}
      size="md"
      label={t('enabled')}
      aria-label={t('enabledOf', { name: camera.name })}
      checked={change.isPending ? !camera.enabled : camera.enabled}
      onChange={() => {
        if (change.isPending) return;
        change.mutate({ enabled: !camera.enabled }, { onError: (error) => showFailure(error) });
      }}
    />
  );
}

/** Placeholder cards while the list loads. */
function CamerasSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.list} role="status" aria-label={t('loading')}>
      {['a', 'b', 'c'].map((card) => (
        <Card key={card} className={styles.card} p={0}>
          <Skeleton radius={0} style={{ aspectRatio: '16 / 9' }} />
          <div className={styles.text}>
            <Skeleton height={22} width="60%" />
            <Skeleton height={24} width="45%" />
          </div>
        </Card>
      ))}
    </div>
  );
}
