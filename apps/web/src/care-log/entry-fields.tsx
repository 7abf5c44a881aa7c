/** The fields of an entry of the care log, by its kind. */

import { CARE_LINE_MAX } from '@haris/contract/care-card';
import {
  CARE_LOG_TEXT_MAX,
  type CareEntryKind,
  EATEN,
  NAPPIES,
  SLEEP_MINUTES_MAX,
  SLEEP_MINUTES_MIN,
} from '@haris/contract/care-log';
import { NativeSelect, Skeleton, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { ErrorState } from '../ui/states.tsx';
import type { EntryValues } from './entry-values.ts';
import { permittedMedicinesQuery } from './queries.ts';

type Form = UseFormReturnType<EntryValues>;

export interface EntryFieldsProps {
  form: Form;
  childId: string;
  kind: CareEntryKind;
}

export function EntryFields({ form, childId, kind }: EntryFieldsProps) {
  const { t } = useTranslation('care-log');
  switch (kind) {
    case 'accident':
      return <AccidentFields form={form} />;
    case 'medicine':
      return <MedicineFields form={form} childId={childId} />;
    case 'sleep_start':
      return (
        <TextInput
          type="number"
          min={SLEEP_MINUTES_MIN}
          max={SLEEP_MINUTES_MAX}
          label={t('field.everyMinutes')}
          key={form.key('everyMinutes')}
          {...form.getInputProps('everyMinutes')}
        />
      );
    case 'nappy':
      return (
        <>
          <Choice
            form={form}
            path="nappy"
            label={t('group.nappy')}
            data={NAPPIES.map((value) => ({ value, label: t(`press.${value}`) }))}
          />
          <Line form={form} path="note" label={t('field.note')} />
        </>
      );
    case 'meal':
      return (
        <>
          <Choice
            form={form}
            path="eaten"
            label={t('group.meal')}
            data={EATEN.map((value) => ({ value, label: t(`press.${value}`) }))}
          />
          <Line form={form} path="note" label={t('field.note')} />
        </>
      );
    case 'withdrawn':
      return <Line form={form} path="reason" label={t('field.reason')} isRequired />;
    default:
      return <Line form={form} path="note" label={t('field.note')} />;
  }
}

function AccidentFields({ form }: { form: Form }) {
  const { t } = useTranslation('care-log');
  return (
    <>
      <Long form={form} path="what" label={t('field.what')} />
      <Line form={form} path="where" label={t('field.where')} isRequired />
      <Long form={form} path="firstAid" label={t('field.firstAid')} />
      <Line form={form} path="seenBy" label={t('field.seenBy')} hint={t('field.seenByHint')} />
    </>
  );
}

/** Only what the family permitted can be chosen; what a corrected entry says stays. */
function MedicineFields({ form, childId }: { form: Form; childId: string }) {
  const { t } = useTranslation('care-log');
  const medicines = useQuery(permittedMedicinesQuery(childId));
  const { name } = form.getValues();
  if (medicines.data === undefined)
    return medicines.isError ? (
      <ErrorState
        text={failureText(medicines.error)}
        onRetry={() => void medicines.refetch()}
        busy={medicines.isRefetching}
      />
    ) : (
      <Skeleton height={64} role="status" aria-label={t('loading')} />
    );
  const names = [...new Set([...medicines.data.map((one) => one.name), name])].filter((one) => one !== '');
  if (names.length === 0) return <Text>{t('noMedicine')}</Text>;
  return (
    <>
      <NativeSelect
        size="md"
        label={t('field.medicine')}
        required
        data={[{ value: '', label: t('choose') }, ...names.map((value) => ({ value, label: value }))]}
        key={form.key('name')}
        {...form.getInputProps('name')}
        onChange={(event) => {
          form.getInputProps('name').onChange(event);
          const chosen = medicines.data.find((one) => one.name === event.currentTarget.value);
          if (chosen) form.setFieldValue('dose', chosen.dose);
        }}
      />
      {medicines.data.map((one) => (
        <Text key={JSON.stringify(one)} size="sm" c="dimmed">
          <bdi>{[one.name, one.dose, one.when].filter(Boolean).join(' · ')}</bdi>
        </Text>
      ))}
      <Line form={form} path="dose" label={t('field.dose')} isRequired />
      <Line form={form} path="givenBy" label={t('field.givenBy')} hint={t('field.givenByHint')} />
      <Line form={form} path="witnessedBy" label={t('field.witnessedBy')} hint={t('field.optional')} />
    </>
  );
}

interface FieldProps {
  form: Form;
  path: string;
  label: string;
  hint?: string;
  isRequired?: boolean;
}

function Line({ form, path, label, hint, isRequired = false }: FieldProps) {
  return (
    <TextInput
      label={label}
      description={hint}
      required={isRequired}
      autoComplete="off"
      maxLength={CARE_LINE_MAX}
      dir="auto"
      key={form.key(path)}
      {...form.getInputProps(path)}
    />
  );
}

function Long({ form, path, label }: FieldProps) {
  return (
    <Textarea
      size="md"
      label={label}
      required
      autosize
      minRows={2}
      maxRows={6}
      maxLength={CARE_LOG_TEXT_MAX}
      dir="auto"
      key={form.key(path)}
      {...form.getInputProps(path)}
    />
  );
}

interface ChoiceProps extends FieldProps {
  data: readonly { readonly value: string; readonly label: string }[];
}

function Choice({ form, path, label, data }: ChoiceProps) {
  return (
    <NativeSelect
      size="md"
      label={label}
      data={[...data]}
      key={form.key(path)}
      {...form.getInputProps(path)}
    />
  );
}
