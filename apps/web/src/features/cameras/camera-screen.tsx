/** One camera: its picture with named boxes, its facts, its privacy zones, and the device it is paired with. */
import type { Camera } from '@haris/contract/http/cameras';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { ApiError } from '../../calls/api-error.ts';
import { failureText, showFailure } from '../../calls/failure.ts';
import { LivePicture } from '../../live-picture/live-picture.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { useMay } from '../../session/may.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useCamera, useRemoveCamera } from './api.ts';
import { CameraDialog } from './camera-dialog.tsx';
import { CameraFacts, ratioOf, StateBadge, useOffReason } from './camera-state.tsx';
import styles from './cameras.module.css';
import { EnabledSwitch } from './cameras-screen.tsx';
import { PairingCard } from './pairing-card.tsx';
import { useZoneEditor } from './use-zone-editor.ts';
import { ZoneControls } from './zone-controls.tsx';
import { ZoneLayer } from './zone-layer.tsx';

export default function CameraScreen() {
  const { t } = useTranslation('cameras');
  const { id = '' } = useParams();
  const [isGoing, setGoing] = useState(false);
  const camera = useCamera(id, !isGoing);
  if (camera.data !== undefined) return <CameraPage key={id} camera={camera.data} onGoing={setGoing} />;
  const isGone = camera.error instanceof ApiError && camera.error.code === 'not_found';
  return (
    <Page title={t('camera')} size="xl" actions={<BackLink to="/cameras">{t('backToCameras')}</BackLink>}>
      {isGone ? (
        <Card>
          <EmptyState icon={<IconTrash size={28} />} text={t('gone')} hint={t('goneHint')} />
        </Card>
      ) : camera.isError ? (
        <ErrorState
          text={failureText(camera.error)}
          onRetry={() => void camera.refetch()}
          busy={camera.isRefetching}
        />
      ) : (
        <div className={styles.columns}>
          <Skeleton style={{ aspectRatio: '16 / 9' }} />
          <Skeleton height={240} />
        </div>
      )}
    </Page>
  );
}

interface CameraPageProps {
  camera: Camera;
  /** Called with true when removal starts, with false when it fails. */
  onGoing: (isGoing: boolean) => void;
}

function CameraPage({ camera, onGoing }: CameraPageProps) {
  const { t } = useTranslation('cameras');
  const [open, setOpen] = useState<'none' | 'edit' | 'remove'>('none');
  const why = useOffReason(camera);
  const may = useMay();
  const mayWatch = may('live.watch');
  const mayManage = may('cameras.manage');
  const editor = useZoneEditor(camera);

  return (
    <Page
      title={camera.name}
      size="xl"
      description={
        <>
          <bdi>{camera.area}</bdi> · {t(`kind.${camera.kind}`)}
        </>
      }
      actions={
        <>
          <BackLink to="/cameras">{t('backToCameras')}</BackLink>
          <Allowed to="cameras.manage">
            <Button
              variant="light"
              leftSection={<IconPencil size={18} aria-hidden />}
              onClick={() => setOpen('edit')}
            >
              {t('edit')}
            </Button>
          </Allowed>
        </>
      }
    >
      <div className={styles.columns}>
        <LivePicture
          target={{ kind: 'camera', id: camera._id }}
          subject={camera.name}
          offReason={why ?? (mayWatch ? null : t('why.noRight'))}
          expectedRatio={ratioOf(camera)}
          hasTools={!editor.isOpen}
        >
          {editor.isOpen ? <ZoneLayer editor={editor} /> : null}
        </LivePicture>
        <Stack gap="md">
          <Card component="section" aria-labelledby="facts-title">
            <Group justify="space-between" mb="sm">
              <Title order={2} id="facts-title" fz="h4">
                {t('facts')}
              </Title>
              <StateBadge camera={camera} />
            </Group>
            <CameraFacts camera={camera} />
            {camera.url === null ? null : (
              <Text size="sm" mt="sm" className={styles.address}>
                <Text span size="sm" c="dimmed">
                  {t('form.address')}
                </Text>{' '}
                <bdi dir="ltr">{camera.url}</bdi>
              </Text>
            )}
            {mayManage ? (
              <Group justify="space-between" mt="md">
                <EnabledSwitch camera={camera} />
                <Button
                  size="sm"
                  variant="subtle"
                  color="clay"
                  leftSection={<IconTrash size={17} aria-hidden />}
                  onClick={() => setOpen('remove')}
                >
                  {t('remove')}
                </Button>
              </Group>
            ) : null}
          </Card>
          {mayManage && camera.kind === 'browser' ? <PairingCard camera={camera} /> : null}
          <ZoneControls editor={editor} hasPicture={camera.state === 'live'} />
        </Stack>
      </div>
      <CameraDialog opened={open === 'edit'} onClose={() => setOpen('none')} camera={camera} />
      <RemoveDialog
        opened={open === 'remove'}
        onClose={() => setOpen('none')}
        camera={camera}
        onGoing={onGoing}
      />
    </Page>
  );
}

interface RemoveDialogProps extends CameraPageProps {
  opened: boolean;
  onClose: () => void;
}

function RemoveDialog({ opened, onClose, camera, onGoing }: RemoveDialogProps) {
  const { t } = useTranslation('cameras');
  const navigate = useNavigate();
  const remove = useRemoveCamera(camera._id);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => {
        onGoing(true);
        remove.mutate(undefined, {
          onSuccess: () => {
            notifySuccess(t('removeDialog.success'));
            void navigate('/cameras', { replace: true });
          },
          onError: (error) => {
            onGoing(false);
            showFailure(error);
          },
        });
      }}
      title={t('removeDialog.title')}
      confirmLabel={t('removeDialog.confirm')}
      busy={remove.isPending}
      dangerous
    >
      <Stack gap="xs">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {t('removeDialog.question', { name: camera.name })}
        </Text>
        <Text c="dimmed">{t('removeDialog.consequence')}</Text>
      </Stack>
    </ConfirmDialog>
  );
}
