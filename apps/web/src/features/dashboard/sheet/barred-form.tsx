/** Enters an adult who must not pick up the child, or also the siblings. */
import { barredRoutes } from '@haris/contract/http/barred';
import { Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { useCallForm } from '../../../forms/use-call-form.ts';
import { validateWith } from '../../../forms/validation.ts';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { notifySuccess } from '../../../ui/toast.ts';

interface Values extends Record<string, unknown> {
  name: string;
  phone: string;
  note: string;
  documentDate: string;
  /** '' if the person is not listed. */
  adultId: string;
  siblings: boolean;
}

const route = barredRoutes.addBarred;
const filled = (text: string) => (text.trim() === '' ? null : text.trim());

function bodyOf({ phone, documentDate, adultId, ...rest }: Values) {
  return { ...rest, phone: filled(phone), documentDate: filled(documentDate), adultId: filled(adultId) };
}

const validate = validateWith(route.body);

export interface BarredFormProps {
  childId: string;
  /** Adults who are listed for the child. */
  listed: readonly { readonly _id: string; readonly name: string }[];
  hasSiblings: boolean;
  onDone: () => void;
}

export function BarredForm({ childId, listed, hasSiblings, onDone }: BarredFormProps) {
  const { t } = useTranslation(['barred', 'common']);
  const client = useQueryClient();
  const { form, onSubmit, isBusy } = useCallForm<Values, unknown>({
    initialValues: { name: '', phone: '', note: '', documentDate: '', adultId: '', siblings: false },
    validate: (values) => validate(bodyOf(values)),
    send: (values) => call(route, { params: { id: childId }, body: bodyOf(values) }),
    onSuccess: (_, { name }) => {
      notifySuccess(t('added', { name: name.trim() }));
      void refetchStale(client, [keys.barred]);
      onDone();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('form.name')}
          required
          data-autofocus
          autoComplete="off"
          maxLength={100}
          dir="auto"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('form.phone')}
          description={t('form.optional')}
          type="tel"
          autoComplete="off"
          dir="ltr"
          key={form.key('phone')}
          {...form.getInputProps('phone')}
        />
        <NativeSelect
          size="md"
          label={t('form.adult')}
          data={[
            { value: '', label: t('form.adultNone') },
            ...listed.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          key={form.key('adultId')}
          {...form.getInputProps('adultId')}
        />
        <Textarea
          size="md"
          label={t('form.note')}
          description={t('form.noteHint')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={1000}
          dir="auto"
          key={form.key('note')}
          {...form.getInputProps('note')}
        />
        <TextInput
          type="date"
          label={t('form.documentDate')}
          description={t('form.documentDateHint')}
          autoComplete="off"
          key={form.key('documentDate')}
          {...form.getInputProps('documentDate')}
        />
        {hasSiblings ? (
          <Checkbox
            size="md"
            label={t('form.siblings')}
            description={t('form.siblingsHint')}
            key={form.key('siblings')}
            {...form.getInputProps('siblings', { type: 'checkbox' })}
          />
        ) : null}
        <Text size="sm" c="dimmed">
          {t('form.effect')}
        </Text>
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('form.submit')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
