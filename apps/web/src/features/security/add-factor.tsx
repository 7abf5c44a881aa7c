/** Adding a second factor: a passkey in one press, or an authenticator app by QR code; then the recovery codes, once. */
import { sixDigitsSchema } from '@haris/contract/fields';
import { factorRoutes } from '@haris/contract/http/factors';
import { Alert, Button, Code, Group, Loader, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconCopy, IconPrinter } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { createPasskey, PasskeyCancelled } from '../../second-factor/passkeys.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { factorsKey, sessionsKey } from './api.ts';
import classes from './security.module.css';

export interface AddFactorProps {
  /** A name for the new factor: this device or the phone. */
  name: string;
  /** Called once everything is done, the recovery codes included. */
  onDone: () => void;
  onCancel: () => void;
}

function useAdded() {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: factorsKey }),
      client.invalidateQueries({ queryKey: sessionsKey }),
    ]);
  };
}

/** Says that it is done, once the codes are gone: a notice above them would cover a phone's last button. */
function useFinish(onDone: () => void): () => void {
  const { t } = useTranslation('security');
  const sendsMail = useSendsMail();
  return () => {
    notifySuccess(t(sendsMail ? 'added' : 'addedKept'));
    onDone();
  };
}

/** A new authenticator app: scan, type its first code. */
export function AddApp({ name, onDone, onCancel }: AddFactorProps) {
  const { t } = useTranslation(['security', 'common']);
  const added = useAdded();
  const finish = useFinish(onDone);
  const [typed, setTyped] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const begun = useQuery({
    queryKey: ['account', 'new-app', name],
    queryFn: () => call(factorRoutes.beginApp, { body: { name } }),
    // Each secret is made once and shown once.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const confirm = useMutation({
    mutationFn: (code: string) =>
      call(factorRoutes.confirmApp, { params: { id: begun.data?._id ?? '' }, body: { code } }),
    onSuccess: async ({ recoveryCodes }) => {
      await added();
      if (recoveryCodes === undefined) finish();
    },
  });
  const codes = confirm.data?.recoveryCodes;
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={finish} />;
  if (begun.isError)
    return (
      <ErrorState
        text={failureText(begun.error)}
        onRetry={() => void begun.refetch()}
        busy={begun.isRefetching}
      />
    );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const code = sixDigitsSchema.safeParse(typed);
        setInvalid(!code.success);
        if (code.success && !confirm.isPending) confirm.mutate(code.data);
      }}
    >
      <Stack>
        <Text>{t('security:app.scan')}</Text>
        {begun.data === undefined ? (
          <div className={classes.qr} role="status" aria-label={t('security:loading')}>
            <Loader aria-hidden />
          </div>
        ) : (
          <>
            <QrCode text={begun.data.uri} label={t('security:app.qr')} className={classes.qr} />
            <Text size="sm" c="dimmed">
              {t('security:app.byHand')} <Code className={classes.secret}>{grouped(begun.data.secret)}</Code>
            </Text>
          </>
        )}
        <TextInput
          label={t('security:app.code')}
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          data-autofocus
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setInvalid(false);
            if (confirm.isError) confirm.reset();
          }}
          error={
            isInvalid ? t('security:ask.notSixDigits') : confirm.isError ? failureText(confirm.error) : null
          }
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={confirm.isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={confirm.isPending} disabled={begun.data === undefined}>
            {t('security:app.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}

/** A new passkey of this device. */
export function AddPasskey({ name, onDone, onCancel }: AddFactorProps) {
  const { t } = useTranslation(['security', 'common']);
  const added = useAdded();
  const finish = useFinish(onDone);
  const add = useMutation({
    mutationFn: async () => {
      const { challenge, passkey } = await call(factorRoutes.beginPasskey);
      const made = await createPasskey(passkey);
      return call(factorRoutes.addPasskey, { body: { challenge, name, passkey: made } });
    },
    onSuccess: async ({ recoveryCodes }) => {
      await added();
      if (recoveryCodes === undefined) finish();
    },
  });
  const codes = add.data?.recoveryCodes;
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={finish} />;
  const problem =
    add.error instanceof PasskeyCancelled
      ? t('security:ask.cancelled')
      : add.error instanceof Error && add.error.name === 'InvalidStateError'
        ? t('security:passkey.already')
        : add.isError
          ? failureText(add.error)
          : null;
  return (
    <Stack>
      <Text>{t('security:passkey.how')}</Text>
      {problem === null ? null : (
        <Alert color="clay" role="alert">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={add.isPending}>
          {t('common:cancel')}
        </Button>
        <Button data-autofocus loading={add.isPending} onClick={() => add.mutate()}>
          {t('security:passkey.create')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The recovery codes, which nobody sees again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('security');
  return (
    <Stack>
      <Text>{t('codes.keep')}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" className={classes.codes} dir="ltr">
        {codes.map((code) => (
          <Code key={code} fz="md">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end" gap="sm" className={classes.noPrint}>
        <Button
          variant="default"
          leftSection={<IconCopy size={18} aria-hidden />}
          onClick={() =>
            void navigator.clipboard
              .writeText(codes.join('\n'))
              .then(() => notifySuccess(t('codes.copied')))
              .catch(() => {})
          }
        >
          {t('codes.copy')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => window.print()}
        >
          {t('codes.print')}
        </Button>
        <Button data-autofocus onClick={onDone}>
          {t('codes.done')}
        </Button>
      </Group>
    </Stack>
  );
}
