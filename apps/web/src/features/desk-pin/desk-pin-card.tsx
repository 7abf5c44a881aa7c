/** The own PIN for desk tablets. Shown once the facility has a desk tablet. */
import { deskRoutes } from '@haris/contract/http/desk';
import { Button, Group, Text, Title } from '@mantine/core';
import { IconKey, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { PinForm } from '../../forms/pin-form.tsx';
import { momentFormat } from '../../i18n/locale.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';

const pinKey = [keys.kiosks, 'desk-pin'] as const;

export function DeskPinCard() {
  const { t, i18n } = useTranslation('desk');
  const sendsMail = useSendsMail();
  const client = useQueryClient();
  const state = useQuery({
    queryKey: pinKey,
    queryFn: ({ signal }) => call(deskRoutes.getDeskPin, { signal }),
  });
  const remove = useMutation({
    mutationFn: () => call(deskRoutes.removeDeskPin),
    onSuccess: () => notifySuccess(t('account.removed')),
    onError: (error) => showFailure(error),
    onSettled: () => client.invalidateQueries({ queryKey: pinKey }),
  });
  const title = useId();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (state.data === undefined || (!state.data.hasDesk && state.data.setAt === null)) return null;
  const { setAt } = state.data;
  const day = momentFormat(i18n.language, { dateStyle: 'medium' });
  const label = setAt === null ? t('account.set') : t('account.change');
  return (
    <Card component="section" aria-labelledby={title}>
      <Title order={2} fz="lg" id={title} mb="xs">
        {t('account.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('account.about')}
      </Text>
      <Text size="sm" mb="md">
        {setAt === null ? t('account.none') : t('account.has', { date: day.format(new Date(setAt)) })}
      </Text>
      <Group gap="sm">
        <Button
          variant={setAt === null ? 'filled' : 'light'}
          leftSection={<IconKey size={18} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {label}
        </Button>
        {setAt === null ? null : (
          <Button
            variant="subtle"
            color="clay"
            leftSection={<IconTrash size={18} aria-hidden />}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {t('account.remove')}
          </Button>
        )}
      </Group>
      <Dialog opened={isOpen} onClose={close} title={label}>
        {isOpen ? (
          <PinForm
            body={deskRoutes.setDeskPin.body}
            texts={{
              rules: t('account.rules'),
              pin: t('account.new'),
              again: t('account.again'),
              different: t('account.different'),
              save: t('account.save'),
            }}
            send={async (pin) => {
              await call(deskRoutes.setDeskPin, { body: { pin } });
              await client.invalidateQueries({ queryKey: pinKey });
            }}
            onSaved={() => {
              notifySuccess(t(sendsMail ? 'account.saved' : 'account.savedKept'));
              close();
            }}
            onCancel={close}
          />
        ) : null}
      </Dialog>
    </Card>
  );
}
