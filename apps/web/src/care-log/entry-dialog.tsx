/** Makes an entry of the care log with all its fields, or corrects one by another. */
import type { CareEntryKind } from '@haris/contract/care-log';
import type { CareLogEntry } from '@haris/contract/http/care-log';
import type { Child } from '@haris/contract/objects';
import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, showFailure } from '../calls/failure.ts';
import { keys, refetchStale } from '../calls/query-client.ts';
import { serverNow } from '../calls/server-clock.ts';
import { type FormProblems, useCallForm } from '../forms/use-call-form.ts';
import { facilityTimeZone } from '../i18n/locale.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { notifySuccess } from '../ui/toast.ts';
import { EntryFields } from './entry-fields.tsx';
import {
  type EntryValues,
  entryFields,
  entryOf,
  inForm,
  lacksTime,
  momentOf,
  newValues,
  problemsOf,
  valuesOf,
} from './entry-values.ts';
import { sendEntry } from './queries.ts';

/** A new entry of a kind, or the correction of one. */
export type EntryToMake = { readonly kind: CareEntryKind } | { readonly corrects: CareLogEntry };

export interface EntryDialogProps {
  opened: boolean;
  onClose: () => void;
  child: Child;
  made: EntryToMake;
}

/** Kinds that can be entered with a note, or later. */
const QUICK = ['nappy', 'meal', 'sleep_start', 'sleep_check', 'sleep_end'] as const;

export function EntryDialog({ opened, onClose, child, made }: EntryDialogProps) {
  const { t } = useTranslation('care-log');
  const { name } = child;
  const title =
    'corrects' in made
      ? t('dialog.correct', { name })
      : made.kind === 'accident' || made.kind === 'medicine'
        ? t(`dialog.${made.kind}`, { name })
        : t('dialog.other', { name });
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      {opened ? <EntryChoice child={child} made={made} onDone={onClose} /> : null}
    </Dialog>
  );
}

interface ChoiceProps {
  child: Child;
  made: EntryToMake;
  onDone: () => void;
}

/** Asks for the kind of a quick entry, or whether a correction replaces or withdraws the entry. */
function EntryChoice({ child, made, onDone }: ChoiceProps) {
  const { t } = useTranslation('care-log');
  const corrected = 'corrects' in made ? made.corrects : null;
  const before =
    'corrects' in made
      ? valuesOf(made.corrects, facilityTimeZone())
      : newValues(made.kind, facilityTimeZone(), serverNow());
  const [kind, setKind] = useState<CareEntryKind>(before.kind);
  const kinds: readonly CareEntryKind[] =
    corrected !== null ? [...new Set([before.kind, 'withdrawn' as const])] : QUICK;
  const isAsked = corrected === null ? QUICK.some((one) => one === kind) : kinds.length > 1;
  return (
    <Stack gap="md">
      {corrected === null ? null : (
        <Text size="sm" c="dimmed">
          {t('dialog.correctHint')}
        </Text>
      )}
      {isAsked ? (
        <NativeSelect
          size="md"
          label={t(corrected === null ? 'field.kind' : 'field.correction')}
          data={kinds.map((one) => ({
            value: one,
            label:
              corrected === null
                ? t(`kindName.${one as (typeof QUICK)[number]}`)
                : t(one === 'withdrawn' ? 'dialog.withdraw' : 'dialog.replace'),
          }))}
          value={kind}
          onChange={({ currentTarget }) => setKind(kinds[currentTarget.selectedIndex] ?? kind)}
        />
      ) : null}
      <EntryForm
        key={kind}
        child={child}
        before={{ ...before, kind }}
        corrected={corrected}
        onDone={onDone}
      />
    </Stack>
  );
}

interface EntryFormProps {
  child: Child;
  before: EntryValues;
  corrected: CareLogEntry | null;
  onDone: () => void;
}

function EntryForm({ child, before, corrected, onDone }: EntryFormProps) {
  const { t } = useTranslation(['care-log', 'common']);
  const client = useQueryClient();
  const zone = facilityTimeZone();
  const { form, onSubmit, isBusy } = useCallForm<EntryValues, unknown>({
    initialValues: before,
    draft: {
      key: `care-log:${child._id}:${corrected?._id ?? ''}:${before.kind}`,
      fields: entryFields,
    },
    validate: (values): FormProblems => ({
      ...problemsOf(values),
      ...(lacksTime(values, before) ? { time: t('field.timeNeeded') } : {}),
    }),
    send: (values) => {
      const at = momentOf(values, before, zone);
      return sendEntry(child._id, {
        entry: entryOf(values),
        ...(at === undefined ? {} : { at }),
        ...(corrected === null ? {} : { corrects: corrected._id }),
      });
    },
    onSuccess: () => {
      notifySuccess(t('recorded'));
      void refetchStale(client, [keys.careLog]);
      onDone();
    },
    onFailure: (error) => {
      showFailure(error);
      // Somebody else may have corrected the entry, or the child is awake by now.
      void refetchStale(client, [keys.careLog]);
      return inForm(fieldErrors(error));
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <EntryFields form={form} childId={child._id} kind={before.kind} />
        {before.kind === 'withdrawn' ? null : (
          <Group grow align="flex-start">
            <TextInput
              type="date"
              label={t('field.day')}
              key={form.key('day')}
              {...form.getInputProps('day')}
            />
            <TextInput
              type="time"
              label={t('field.time')}
              description={corrected === null ? t('field.timeHint') : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              key={form.key('time')}
              {...form.getInputProps('time')}
            />
          </Group>
        )}
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('dialog.save')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
