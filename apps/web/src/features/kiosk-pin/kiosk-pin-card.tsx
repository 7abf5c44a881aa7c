/** The code and the PIN that a parent needs at the kiosk. Shown once the facility has a kiosk. */
import { kioskRoutes } from '@haris/contract/http/kiosk';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconKey, IconQrcode, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { PinForm } from '../../forms/pin-form.tsx';
import { momentFormat } from '../../i18n/locale.ts';
import { useSendsMail } from '../../setup/mail-note.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useKioskPin, useRemoveKioskPin, useSetKioskPin } from './api.ts';
import { KioskCode } from './kiosk-code.tsx';

export function KioskPinCard() {
  const { t, i18n } = useTranslation('kiosk-pin');
  const sendsMail = useSendsMail();
  const state = useKioskPin();
  const remove = useRemoveKioskPin();
  const setPin = useSetKioskPin();
  const title = useId();
  const [open, setOpen] = useState<'none' | 'code' | 'pin'>('none');
  const close = () => setOpen('none');
  if (state.data === undefined || (!state.data.hasKiosk && state.data.setAt === null)) return null;
  const { setAt, digits } = state.data;
  const day = momentFormat(i18n.language, { dateStyle: 'medium' });
  return (
    <Card component="section" aria-labelledby={title}>
      <Title order={2} fz="lg" id={title} mb="xs">
        {t('title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('about')}
      </Text>
      <Stack gap="md">
        <Text size="sm">
          {digits === null
            ? t('noPhone')
            : setAt === null
              ? t('noPin')
              : t('hasPin', { digits, date: day.format(new Date(setAt)) })}
        </Text>
        <Group gap="sm">
          <Button leftSection={<IconQrcode size={18} aria-hidden />} onClick={() => setOpen('code')}>
            {t('showCode')}
          </Button>
          {digits === null ? null : (
            <Button
              variant="light"
              leftSection={<IconKey size={18} aria-hidden />}
              onClick={() => setOpen('pin')}
            >
              {setAt === null ? t('setPin') : t('changePin')}
            </Button>
          )}
          {setAt === null ? null : (
            <Button
              variant="subtle"
              color="clay"
              leftSection={<IconTrash size={18} aria-hidden />}
              loading={remove.isPending}
              onClick={() =>
                remove.mutate(undefined, {
                  onSuccess: () => notifySuccess(t('pinRemoved')),
                  onError: (error) => showFailure(error),
                })
              }
            >
              {t('removePin')}
            </Button>
          )}
        </Group>
      </Stack>
      <Dialog opened={open === 'code'} onClose={close} title={t('codeTitle')} size="sm">
        {open === 'code' ? <KioskCode /> : null}
      </Dialog>
      <Dialog opened={open === 'pin'} onClose={close} title={setAt === null ? t('setPin') : t('changePin')}>
        {open === 'pin' ? (
          <PinForm
            body={kioskRoutes.setKioskPin.body}
            texts={{
              rules: t('pinRules'),
              pin: t('pin'),
              again: t('pinAgain'),
              different: t('different'),
              save: t('savePin'),
            }}
            send={setPin}
            onSaved={() => {
              notifySuccess(t(sendsMail ? 'pinSet' : 'pinSetKept'));
              close();
            }}
            onCancel={close}
          />
        ) : null}
      </Dialog>
    </Card>
  );
}
