/** The second factors of a person's own account: list, add, remove, recovery codes. */
import { describeDevice } from '@haris/contract/device-name';
import { type Factor, factorRoutes } from '@haris/contract/http/factors';
import { Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDeviceMobile, IconFingerprint, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { PasskeyNote } from '../../second-factor/passkey-note.tsx';
import { hasPasskeys } from '../../second-factor/passkeys.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { AddApp, AddPasskey, RecoveryCodes } from './add-factor.tsx';
import { factorsKey, useFactors } from './api.ts';
import classes from './security.module.css';

type Open = 'none' | 'passkey' | 'app';

export function FactorsCard() {
  const { t } = useTranslation('security');
  const found = useFactors();
  const title = useId();
  return (
    <Card component="section" aria-labelledby={title}>
      <Group gap="xs" mb="xs">
        <Title order={2} fz="lg" id={title}>
          {t('factors.title')}
        </Title>
        {found.data === undefined ? null : (
          <Badge tt="none" variant="light" color={found.data.factors.length > 0 ? 'pine' : 'gray'}>
            {t(found.data.factors.length > 0 ? 'factors.on' : 'factors.off')}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t(found.data?.isRequired === true ? 'factors.required' : 'factors.about')}
      </Text>
      {found.isError ? (
        <ErrorState
          text={failureText(found.error)}
          onRetry={() => void found.refetch()}
          busy={found.isRefetching}
        />
      ) : found.data === undefined ? (
        <Skeleton height={96} role="status" aria-label={t('loading')} />
      ) : (
        <Factors {...found.data} />
      )}
    </Card>
  );
}

function Factors({
  factors,
  recoveryCodesLeft,
  isRequired,
}: {
  factors: readonly Factor[];
  recoveryCodesLeft: number;
  isRequired: boolean;
}) {
  const { t } = useTranslation('security');
  const [open, setOpen] = useState<Open>('none');
  const close = () => setOpen('none');
  const device = describeDevice(navigator.userAgent) ?? t('passkey.name');
  return (
    <Stack gap="md">
      {factors.length === 0 ? null : (
        <ul className={classes.list}>
          {factors.map((factor) => (
            <Row key={factor._id} factor={factor} canRemove={!isRequired || factors.length > 1} />
          ))}
        </ul>
      )}
      {factors.length === 0 ? null : <CodesLeft count={recoveryCodesLeft} />}
      <Group gap="sm">
        {hasPasskeys() ? (
          <Button
            variant={factors.length === 0 ? 'filled' : 'light'}
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => setOpen('passkey')}
          >
            {t('passkey.add')}
          </Button>
        ) : null}
        <Button
          variant={factors.length === 0 && !hasPasskeys() ? 'filled' : 'light'}
          leftSection={<IconDeviceMobile size={18} aria-hidden />}
          onClick={() => setOpen('app')}
        >
          {t('app.add')}
        </Button>
      </Group>
      <PasskeyNote />
      <Dialog opened={open === 'passkey'} onClose={close} title={t('passkey.add')}>
        {open === 'passkey' ? <AddPasskey name={device} onDone={close} onCancel={close} /> : null}
      </Dialog>
      <Dialog opened={open === 'app'} onClose={close} title={t('app.add')}>
        {open === 'app' ? <AddApp name={t('app.name')} onDone={close} onCancel={close} /> : null}
      </Dialog>
    </Stack>
  );
}

function Row({ factor, canRemove }: { factor: Factor; canRemove: boolean }) {
  const { t, i18n } = useTranslation(['security', 'common']);
  const client = useQueryClient();
  const sendsMail = useSendsMail();
  const [isSure, setSure] = useState(false);
  const day = momentFormat(i18n.language, { dateStyle: 'medium' });
  const remove = useMutation({
    mutationFn: () => call(factorRoutes.removeFactor, { params: { id: factor._id } }),
    onSuccess: (answer) => {
      setSure(false);
      client.setQueryData(factorsKey, answer);
      notifySuccess(t('security:removed'));
    },
    onError: (error) => showFailure(error),
  });
  const Icon = factor.kind === 'passkey' ? IconFingerprint : IconDeviceMobile;
  return (
    <li className={classes.item}>
      <Icon size={22} aria-hidden />
      <div className={classes.words}>
        <Text fw={500}>
          <bdi>{factor.name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {t(`security:kind.${factor.kind}`)}
          {' · '}
          {factor.lastUsedAt === null
            ? t('security:addedOn', { date: day.format(new Date(factor.addedAt)) })
            : t('security:usedOn', { date: day.format(new Date(factor.lastUsedAt)) })}
        </Text>
      </div>
      {canRemove ? (
        <Button
          variant="subtle"
          color="clay"
          size="sm"
          leftSection={<IconTrash size={17} aria-hidden />}
          aria-label={t('security:removeOf', { name: factor.name })}
          onClick={() => setSure(true)}
        >
          {t('security:remove')}
        </Button>
      ) : null}
      <ConfirmDialog
        opened={isSure}
        onClose={() => setSure(false)}
        onConfirm={() => remove.mutate()}
        title={t('security:removeOf', { name: factor.name })}
        confirmLabel={t('security:remove')}
        dangerous
        busy={remove.isPending}
      >
        {t(sendsMail ? 'security:removeSure' : 'security:removeSureKept')}
      </ConfirmDialog>
    </li>
  );
}

function CodesLeft({ count }: { count: number }) {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const renew = useMutation({
    mutationFn: () => call(factorRoutes.renewRecoveryCodes),
    onSuccess: () => client.invalidateQueries({ queryKey: factorsKey }),
    onError: (error) => showFailure(error),
  });
  const codes = renew.data?.recoveryCodes;
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" {...(count < 3 ? { c: 'clay' } : {})}>
        {t('codes.left', { count })}
      </Text>
      <Button variant="subtle" size="sm" loading={renew.isPending} onClick={() => renew.mutate()}>
        {t('codes.renew')}
      </Button>
      <Dialog opened={codes !== undefined} onClose={() => renew.reset()} title={t('codes.title')}>
        {codes === undefined ? null : <RecoveryCodes codes={codes} onDone={() => renew.reset()} />}
      </Dialog>
    </Group>
  );
}
