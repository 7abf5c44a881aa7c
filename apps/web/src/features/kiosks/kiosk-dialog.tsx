/** Adds or renames a kiosk or a desk tablet. */
import { type DeviceKind, type Kiosk, kioskRoutes } from '@haris/contract/http/kiosk';
import { Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { useSaveKiosk } from './api.ts';

export interface KioskDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Null for a new one. */
  kiosk: Kiosk | null;
  /** Kind of a new device. */
  kind: DeviceKind;
}

export function KioskDialog({ opened, onClose, kiosk, kind }: KioskDialogProps) {
  const { t } = useTranslation('kiosks');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={kiosk === null ? t(`${kind}.addTitle`) : t(`${kiosk.kind}.renameTitle`)}
    >
      {opened ? <KioskForm key={kiosk?._id ?? 'new'} kiosk={kiosk} kind={kind} onClose={onClose} /> : null}
    </Dialog>
  );
}

function KioskForm({ kiosk, kind, onClose }: Omit<KioskDialogProps, 'opened'>) {
  const { t } = useTranslation(['kiosks', 'common']);
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { name: kiosk?.name ?? '' },
    validate: validateWith(kioskRoutes.createKiosk.body),
    send: useSaveKiosk(kiosk?._id ?? null, kind),
    onSuccess: onClose,
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('name')}
          description={t(`${kiosk?.kind ?? kind}.nameHint`)}
          data-autofocus
          aria-required
          autoComplete="off"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <FormButtons cancel={t('common:cancel')} submit={t('save')} onCancel={onClose} isBusy={isBusy} />
      </Stack>
    </form>
  );
}
