/**
 * The settings of a tablet, and the only way to leave its page: e-mail and password of a staff member, who is not signed in by
 * that.
 */
import type { DeviceKind } from '@haris/contract/http/kiosk';
import { Alert, Button, Divider, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type TabletCalls, tabletFailureOf } from './failure.ts';
import styles from './tablet.module.css';
import { useIdle } from './use-idle.ts';

export interface LeaveButtonProps {
  as: DeviceKind;
  calls: TabletCalls;
  onLeft: () => void;
  /** What anybody at the tablet may set. */
  settings?: ReactNode;
}

export function LeaveButton({ as, calls, onLeft, settings }: LeaveButtonProps) {
  const { t } = useTranslation(['kiosk', 'desk']);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.leave} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <IconLock size={18} aria-hidden />
        {t(`${as}:leave.open`)}
      </button>
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t(settings === undefined ? `${as}:leave.title` : `${as}:leave.open`)}
      >
        {settings === undefined ? null : (
          <>
            {settings}
            <Divider my="lg" />
            <Title order={3} fz="md" mb="sm">
              {t(`${as}:leave.title`)}
            </Title>
          </>
        )}
        {isOpen ? <LeaveForm as={as} calls={calls} onLeft={onLeft} onClose={() => setOpen(false)} /> : null}
      </Dialog>
    </>
  );
}

function LeaveForm({
  as,
  calls,
  onLeft,
  onClose,
}: {
  as: DeviceKind;
  calls: TabletCalls;
  onLeft: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['kiosk', 'desk']);
  useIdle(true, onClose);
  const leave = useMutation({
    mutationFn: calls.leave,
    onSuccess: onLeft,
    onError: (error) => {
      // If staff have removed the tablet in the meantime, there is nothing left to leave.
      if (tabletFailureOf(error) === 'unpaired') onLeft();
    },
  });
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } });

  return (
    <form noValidate onSubmit={form.onSubmit((credentials) => leave.mutate(credentials))} autoComplete="off">
      <Stack gap="md">
        <Text>{t(`${as}:leave.about`)}</Text>
        {leave.error === null ? null : (
          <Alert role="alert" color="clay" variant="light">
            {failureText(leave.error)}
          </Alert>
        )}
        <TextInput
          type="email"
          label={t(`${as}:leave.email`)}
          autoComplete="off"
          data-autofocus
          dir="ltr"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t(`${as}:leave.password`)}
          autoComplete="off"
          dir="ltr"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" color="clay" loading={leave.isPending}>
          {t(`${as}:leave.button`)}
        </Button>
      </Stack>
    </form>
  );
}
