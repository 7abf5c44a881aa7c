/** Adds or changes a sensor: name, area and, for a new one, its device type. */

import {
  createSensorBodySchema,
  PERIOD_SECONDS_MAX,
  PERIOD_SECONDS_MIN,
  SENSOR_KINDS,
  type Sensor,
  type SensorKind,
  type SensorSecrets,
  sensorRoutes,
} from '@haris/contract/http/sensors';
import { Autocomplete, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { SensorSecretsPanel } from './sensor-secrets.tsx';

const placeFields = { name: z.string(), area: z.string() };

export interface AddSensorDialogProps {
  opened: boolean;
  /** Existing areas to choose from. */
  areas: readonly string[];
  onClose: () => void;
}

export function AddSensorDialog({ opened, areas, onClose }: AddSensorDialogProps) {
  const { t } = useTranslation('environment');
  const [made, setMade] = useState<SensorSecrets | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={t(made ? 'secrets.title' : 'add.title')} size="lg">
      {made ? (
        <SensorSecretsPanel made={made} onDone={close} />
      ) : (
        <AddSensorForm areas={areas} onMade={setMade} onCancel={close} />
      )}
    </Dialog>
  );
}

interface AddSensorFormProps {
  areas: readonly string[];
  onMade: (made: SensorSecrets) => void;
  onCancel: () => void;
}

function AddSensorForm({ areas, onMade, onCancel }: AddSensorFormProps) {
  const { t } = useTranslation('environment');
  const client = useQueryClient();
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { name: '', area: '', kind: 'haris' as SensorKind },
    draft: { key: 'add-sensor', fields: { ...placeFields, kind: z.enum(SENSOR_KINDS) } },
    validate: validateWith(createSensorBodySchema),
    send: (body) => call(sensorRoutes.createSensor, { body }),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: [keys.sensors] });
      notifySuccess(t('add.success'));
      onMade(made);
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <NameAndArea form={form} areas={areas} />
        <Radio.Group size="md" label={t('add.kind')} key={form.key('kind')} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt="xs">
            {SENSOR_KINDS.map((kind) => (
              <Radio key={kind} value={kind} label={t(`kind.${kind}`)} description={t(`kindHint.${kind}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <FormButtons cancel={t('cancel')} submit={t('add.submit')} onCancel={onCancel} isBusy={isBusy} />
      </Stack>
    </form>
  );
}

interface FieldsForm {
  key: (field: 'name' | 'area') => string;
  // biome-ignore lint/suspicious/noExplicitAny: the props of Mantine's inputs differ
  getInputProps: (field: 'name' | 'area') => any;
}

function NameAndArea({ form, areas }: { form: FieldsForm; areas: readonly string[] }) {
  const { t } = useTranslation('environment');
  return (
    <>
      <TextInput
        label={t('add.name')}
        description={t('add.nameHint')}
        required
        data-autofocus
        autoComplete="off"
        maxLength={100}
        dir="auto"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Autocomplete
        size="md"
        label={t('add.area')}
        description={t('add.areaHint')}
        required
        autoComplete="off"
        maxLength={100}
        dir="auto"
        data={[...areas]}
        key={form.key('area')}
        {...form.getInputProps('area')}
      />
    </>
  );
}

export interface EditSensorDialogProps {
  opened: boolean;
  /** Kept while the dialog fades out; null if the dialog was never opened. */
  sensor: Sensor | null;
  areas: readonly string[];
  onClose: () => void;
}

export function EditSensorDialog({ opened, sensor, areas, onClose }: EditSensorDialogProps) {
  const { t } = useTranslation('environment');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('edit.title')}>
      {sensor === null ? null : (
        <EditSensorForm key={sensor._id} sensor={sensor} areas={areas} onDone={onClose} />
      )}
    </Dialog>
  );
}

interface EditSensorFormProps {
  sensor: Sensor;
  areas: readonly string[];
  onDone: () => void;
}

const changeSchema = z.omit(createSensorBodySchema, { kind: true });

function EditSensorForm({ sensor, areas, onDone }: EditSensorFormProps) {
  const { t } = useTranslation('environment');
  const client = useQueryClient();
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { name: sensor.name, area: sensor.area, period: sensor.period },
    draft: { key: `sensor:${sensor._id}`, fields: { ...placeFields, period: z.nullable(z.number()) } },
    validate: validateWith(changeSchema),
    send: (body) => call(sensorRoutes.updateSensor, { params: { id: sensor._id }, body }),
    onSuccess: () => {
      notifySuccess(t('edit.success'));
      void client.invalidateQueries({ queryKey: [keys.sensors] });
      onDone();
    },
  });
  const period = form.getInputProps('period');
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <NameAndArea form={form} areas={areas} />
        <NumberInput
          size="md"
          label={t('edit.period')}
          description={t('edit.periodHint')}
          min={PERIOD_SECONDS_MIN}
          max={PERIOD_SECONDS_MAX}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          dir="ltr"
          key={form.key('period')}
          {...period}
          onChange={(value) => period.onChange(value === '' ? null : Number(value))}
        />
        <FormButtons cancel={t('cancel')} submit={t('edit.submit')} onCancel={onDone} isBusy={isBusy} />
      </Stack>
    </form>
  );
}
