/** Adds or changes a room: name, capacity, ratios by age, and whether it is the default. */
import { type Room, type RoomRatio, roomRoutes } from '@haris/contract/http/rooms';
import { ActionIcon, Button, Checkbox, NumberInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useSaveRoom } from './api.ts';
import styles from './rooms.module.css';

export interface RoomDialogProps {
  opened: boolean;
  onClose: () => void;
  /** Null for a new room. */
  room: Room | null;
}

export function RoomDialog({ opened, onClose, room }: RoomDialogProps) {
  const { t } = useTranslation('rooms');
  return (
    <Dialog opened={opened} onClose={onClose} title={room === null ? t('addTitle') : t('editTitle')}>
      {opened ? <RoomForm key={room?._id ?? 'new'} room={room} onClose={onClose} /> : null}
    </Dialog>
  );
}

/** A first ratio that staff change: few nurseries have none. */
const NEXT: RoomRatio = { underMonths: 36, childrenPerStaff: 6 };

function RoomForm({ room, onClose }: Omit<RoomDialogProps, 'opened'>) {
  const { t } = useTranslation(['rooms', 'common']);
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: {
      name: room?.name ?? '',
      capacity: room?.capacity ?? null,
      capacityKind: room?.capacityKind ?? 'soft',
      ratios: room?.ratios ?? [],
      isDefault: room?.isDefault ?? false,
    },
    validate: validateWith(roomRoutes.createRoom.body),
    send: useSaveRoom(room),
    onSuccess: () => {
      notifySuccess(t('saved'));
      onClose();
    },
  });
  const { ratios, capacity } = form.values;
  const setRatios = (next: RoomRatio[]) => form.setFieldValue('ratios', next);
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('name')}
          description={room === null ? undefined : t('nameHint')}
          data-autofocus
          aria-required
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <NumberInput
          size="md"
          label={t('capacity')}
          description={t('capacityHint')}
          min={1}
          max={1000}
          allowDecimal={false}
          value={capacity ?? ''}
          error={form.errors.capacity}
          onChange={(value) => form.setFieldValue('capacity', typeof value === 'number' ? value : null)}
        />
        {capacity === null ? null : (
          <Radio.Group label={t('whenFull')} {...form.getInputProps('capacityKind')}>
            <Stack gap={6} mt={6}>
              <Radio value="soft" label={t('soft')} />
              <Radio value="hard" label={t('hard')} />
            </Stack>
          </Radio.Group>
        )}
        <Ratios ratios={ratios} error={form.errors.ratios} onChange={setRatios} />
        <Checkbox
          label={t('defaultLabel')}
          description={room?.isDefault ? t('defaultStays') : t('defaultHint')}
          disabled={room?.isDefault === true}
          checked={form.values.isDefault}
          onChange={(event) => form.setFieldValue('isDefault', event.currentTarget.checked)}
        />
        <FormButtons cancel={t('common:cancel')} submit={t('save')} onCancel={onClose} isBusy={isBusy} />
      </Stack>
    </form>
  );
}

interface RatiosProps {
  ratios: readonly RoomRatio[];
  error: React.ReactNode;
  onChange: (ratios: RoomRatio[]) => void;
}

function Ratios({ ratios, error, onChange }: RatiosProps) {
  const { t } = useTranslation('rooms');
  const put = (at: number, part: Partial<RoomRatio>) =>
    onChange(ratios.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minInlineSize: 0 }}>
      <Text component="legend" size="sm" fw={500}>
        {t('ratios')}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {t('ratiosHint')}
      </Text>
      <div className={styles.ratios}>
        {ratios.map(({ underMonths, childrenPerStaff }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bands have no identity, and their order does not change here
          <div key={index} className={styles.ratio}>
            <NumberInput
              size="md"
              label={t('underMonths')}
              min={1}
              max={240}
              allowDecimal={false}
              value={underMonths}
              onChange={(value) => put(index, { underMonths: Number(value) })}
            />
            <NumberInput
              size="md"
              label={t('perStaff')}
              min={1}
              max={100}
              allowDecimal={false}
              value={childrenPerStaff}
              onChange={(value) => put(index, { childrenPerStaff: Number(value) })}
            />
            <ActionIcon
              size={36}
              variant="subtle"
              color="clay"
              aria-label={t('removeRatio', { months: underMonths })}
              onClick={() => onChange(ratios.filter((_one, at) => at !== index))}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </div>
        ))}
      </div>
      {error ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      ) : null}
      <Button
        size="compact-sm"
        variant="light"
        mt={6}
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={ratios.length >= 10}
        onClick={() => {
          const last = ratios.at(-1);
          onChange([...ratios, last ? { ...last, underMonths: Math.min(240, last.underMonths + 12) } : NEXT]);
        }}
      >
        {t('addRatio')}
      </Button>
    </fieldset>
  );
}
