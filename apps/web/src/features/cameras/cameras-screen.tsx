/** Cameras: how each one is, and the ways to add, change, switch and remove one. */
import type { Camera } from '@haris/contract/http/cameras';
import { Anchor, Button, Skeleton, Switch, Text } from '@mantine/core';
import { IconLayoutGrid, IconMapPin, IconPlus, IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { failureText, showFailure } from '../../client/failure.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { useCameras, useChangeCamera } from './api.ts';
import { CameraDialog } from './camera-dialog.tsx';
import { CameraFacts, StateBadge, useOffReason } from './camera-state.tsx';
import styles from './cameras.module.css';

/** Before the dot, so that none begins a line. */
const NO_BREAK = '\u00a0';

export default function CamerasScreen() {
  const { t } = useTranslation('cameras');
  const cameras = useCameras();
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);

  return (
    <Page
      title={t('title')}
      size="xl"
      actions={
        <>
          <BackLink to="/adminDashboard">{t('backToDashboard')}</BackLink>
          {/* Also where there is none yet: buttons that come with the list would push it down. */}
          <Button
            component={Link}
            to="/cameras/wall"
            variant="light"
            leftSection={<IconLayoutGrid size={18} aria-hidden />}
          >
            {t('wall')}
          </Button>
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
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
          <EmptyState icon={<IconVideo size={30} />} text={t('empty')} hint={t('emptyHint')} />
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
        // A device is of no use before it is paired, and a picture is what one wants to see next.
        onSaved={(camera) => void navigate(`/cameras/${camera._id}`)}
      />
    </Page>
  );
}

function CameraCard({ camera }: { camera: Camera }) {
  const { t } = useTranslation('cameras');
  const why = useOffReason(camera);
  return (
    <Card component="li" className={styles.card}>
      <div className={styles.cardHead}>
        <Text component="h2" fw={600} fz="lg" className={styles.name}>
          <Anchor
            component={Link}
            to={`/cameras/${camera._id}`}
            inherit
            underline="hover"
            className={styles.cover}
          >
            <bdi>{camera.name}</bdi>
          </Anchor>
        </Text>
        <StateBadge camera={camera} />
      </div>
      <Text size="sm" c="dimmed" className={styles.area}>
        <IconMapPin size={16} aria-hidden /> <bdi>{camera.area}</bdi>
        {NO_BREAK}· {t(`kind.${camera.kind}`)}
      </Text>
      {why === null ? null : (
        <Text size="sm" className={styles.why}>
          {why}
        </Text>
      )}
      <CameraFacts camera={camera} />
      <EnabledSwitch camera={camera} />
    </Card>
  );
}

/** A camera that is switched off is not read at all. */
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

/** Cards in the shape of what comes. */
function CamerasSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.list} role="status" aria-label={t('loading')}>
      {['a', 'b', 'c'].map((card) => (
        <Card key={card} className={styles.card}>
          <Skeleton height={22} width="60%" />
          <Skeleton height={14} width="45%" />
          <Skeleton height={62} />
          <Skeleton height={24} width="35%" />
        </Card>
      ))}
    </div>
  );
}
