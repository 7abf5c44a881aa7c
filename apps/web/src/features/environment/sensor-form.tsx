/** Add a sensor, and change one: name, area, and when it is new what speaks there. */
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
import { Autocomplete, Button, Group, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, showFailure } from '../../client/failure.ts';
import { call } from '../../client/http.ts';
import { keys } from '../../client/query-client.ts';
import { validateWith } from '../../client/validation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { SensorSecretsPanel } from './sensor-secrets.tsx';

export interface AddSensorDialogProps {
  opened: boolean;
  /** Areas that there are already, to choose from. */
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
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', area: '', kind: 'haris' as SensorKind },
    validate: validateWith(createSensorBodySchema),
    validateInputOnBlur: false,
  });
  const add = useMutation({
    mutationFn: (values: typeof form.values) => call(sensorRoutes.createSensor, { body: values }),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: [keys.sensors] });
      notifySuccess(t('add.success'));
      onMade(made);
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      showFailure(error);
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!add.isPending) add.mutate(values);
      })}
    >
      <Stack gap="md">
        <NameAndArea form={form} areas={areas} />
        <Radio.Group size="md" label={t('add.kind')} key={form.key('kind')} {...form.getInputProps('kind')}>
          <Stack gap="xs" mt="xs">
            {SENSOR_KINDS.map((kind) => (
              <Radio key={kind} value={kind} label={t(`kind.${kind}`)} description={t(`kindHint.${kind}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={add.isPending}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('add.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsForm {
  key: (field: 'name' | 'area') => string;
  // biome-ignore lint/suspicious/noExplicitAny: what Mantine's inputs take is not the same for all of them
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
  /** Stays while the dialog fades out. */
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

const changeSchema = createSensorBodySchema.omit({ kind: true });

function EditSensorForm({ sensor, areas, onDone }: EditSensorFormProps) {
  const { t } = useTranslation('environment');
  const client = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: sensor.name, area: sensor.area, period: sensor.period },
    validate: validateWith(changeSchema),
    validateInputOnBlur: false,
  });
  const change = useMutation({
    mutationFn: (values: typeof form.values) =>
      call(sensorRoutes.updateSensor, { params: { id: sensor._id }, body: values }),
    onSuccess: () => {
      notifySuccess(t('edit.success'));
      void client.invalidateQueries({ queryKey: [keys.sensors] });
      onDone();
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      showFailure(error);
    },
  });
  const period = form.getInputProps('period');
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!change.isPending) change.mutate(values);
      })}
    >
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
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone} disabled={change.isPending}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('edit.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
