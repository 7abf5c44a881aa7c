/** Kiosks, at which families announce themselves, and desk tablets of staff: added, paired, renamed and removed. */
import type { DeviceKind, Kiosk } from '@haris/contract/http/kiosk';
import { Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconDeviceTablet, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useKiosks, useRemoveKiosk } from './api.ts';
import { KioskDialog } from './kiosk-dialog.tsx';
import styles from './kiosks.module.css';
import { PairKiosk } from './pair-kiosk.tsx';

export default function KiosksScreen() {
  const { t } = useTranslation('kiosks');
  const kiosks = useKiosks();
  const [edited, setEdited] = useState<Kiosk | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [added, setAdded] = useState<DeviceKind>('kiosk');
  const edit = (kiosk: Kiosk | null, kind: DeviceKind = 'kiosk') => {
    setEdited(kiosk);
    setAdded(kind);
    setEditing(true);
  };
  const add = (
    <>
      {(['kiosk', 'desk'] as const).map((kind) => (
        <Button
          key={kind}
          variant={kind === 'kiosk' ? 'filled' : 'default'}
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => edit(null, kind)}
        >
          {t(`${kind}.add`)}
        </Button>
      ))}
    </>
  );
  return (
    <Page title={t('title')} description={t('about')} size="lg" actions={add}>
      {kiosks.data === undefined ? (
        kiosks.isError ? (
          <ErrorState
            text={failureText(kiosks.error, t('error'))}
            onRetry={() => void kiosks.refetch()}
            busy={kiosks.isRefetching}
          />
        ) : (
          <KiosksSkeleton />
        )
      ) : kiosks.data.length === 0 ? (
        <Card>
          <EmptyState icon={<IconDeviceTablet size={30} />} text={t('empty')} hint={t('emptyHint')} />
        </Card>
      ) : (
        <ul className={styles.list} aria-label={t('title')}>
          {kiosks.data.map((kiosk) => (
            <KioskCard key={kiosk._id} kiosk={kiosk} onEdit={() => edit(kiosk)} />
          ))}
        </ul>
      )}
      <KioskDialog opened={isEditing} onClose={() => setEditing(false)} kiosk={edited} kind={added} />
    </Page>
  );
}

function KioskCard({ kiosk, onEdit }: { kiosk: Kiosk; onEdit: () => void }) {
  const { t, i18n } = useTranslation('kiosks');
  const [isRemoving, setRemoving] = useState(false);
  const remove = useRemoveKiosk();
  const moment = (at: string) =>
    momentFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
  return (
    <Card component="li">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={styles.words}>
          <Title order={2} fz="lg" className={styles.name}>
            <bdi>{kiosk.name}</bdi>
          </Title>
          <Text size="sm">{t(`${kiosk.kind}.kind`)}</Text>
          <Text size="sm" c="dimmed">
            {kiosk.lastUsedAt === null ? t('neverUsed') : t('lastUsed', { time: moment(kiosk.lastUsedAt) })}
          </Text>
        </div>
        <Badge size="lg" tt="none" fw={500} variant={kiosk.isPaired ? 'light' : 'default'}>
          {kiosk.isPaired ? t('paired') : t('notPaired')}
        </Badge>
      </Group>
      {kiosk.failures === 0 ? null : (
        <Text size="sm" mt="sm" className={styles.failures}>
          <IconAlertTriangle size={18} aria-hidden /> {t('failures', { count: kiosk.failures })}
        </Text>
      )}
      <Stack mt="md" gap="md">
        <PairKiosk kiosk={kiosk} />
        <Group gap="xs">
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconPencil size={17} aria-hidden />}
            aria-label={t('renameOf', { name: kiosk.name })}
            onClick={onEdit}
          >
            {t('rename')}
          </Button>
          <Button
            size="compact-md"
            variant="subtle"
            color="clay"
            leftSection={<IconTrash size={17} aria-hidden />}
            aria-label={t('removeOf', { name: kiosk.name })}
            onClick={() => setRemoving(true)}
          >
            {t('remove')}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('removeTitle', { name: kiosk.name })}
        confirmLabel={t('removeConfirm')}
        dangerous
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(kiosk._id, {
            onSuccess: () => notifySuccess(t(`${kiosk.kind}.removed`)),
            onError: (error) => showFailure(error),
            onSettled: () => setRemoving(false),
          })
        }
      >
        {t(`${kiosk.kind}.removeText`)}
      </ConfirmDialog>
    </Card>
  );
}

function KiosksSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.list} role="status" aria-label={t('loading')}>
      {['a', 'b'].map((card) => (
        <Card key={card}>
          <Skeleton height={22} width="50%" />
          <Skeleton height={14} width="40%" mt="sm" />
          <Skeleton height={42} width="60%" mt="md" />
        </Card>
      ))}
    </div>
  );
}
