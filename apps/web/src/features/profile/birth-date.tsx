/** The birth date of a parent's own child in "View Details"; staff confirm a parent's change. */
import { birthDateSchema } from '@haris/contract/fields';
import { childRoutes } from '@haris/contract/http/children';
import type { Child } from '@haris/contract/objects';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { WaitingForNursery } from './waiting.tsx';

const validate = validateWith(z.object({ birthDate: birthDateSchema }));

export function BirthDate({ child }: { child: Child }) {
  const { t, i18n } = useTranslation('profile');
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  // A day has no time zone; any other would show the day before or after.
  const format = momentFormat(i18n.language, { dateStyle: 'long', timeZone: 'UTC' });

  function close() {
    setOpen(false);
    opener.current?.focus();
  }

  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm" c="dimmed">
            {t('birthDate.label')}
          </Text>
          <Text>
            {child.birthDate === null ? t('birthDate.unknown') : format.format(Date.parse(child.birthDate))}
          </Text>
        </div>
        <Button
          ref={opener}
          size="sm"
          variant="default"
          aria-expanded={isOpen}
          aria-label={t(child.birthDate === null ? 'birthDate.addOf' : 'birthDate.changeOf', {
            name: child.name,
          })}
          onClick={() => setOpen(!isOpen)}
        >
          {t(child.birthDate === null ? 'birthDate.add' : 'birthDate.change')}
        </Button>
      </Group>
      {isOpen ? <BirthDateForm child={child} onDone={close} /> : null}
      <WaitingForNursery child={child} only="birthDate" />
    </Stack>
  );
}

function BirthDateForm({ child, onDone }: { child: Child; onDone: () => void }) {
  const { t } = useTranslation(['profile', 'common']);
  const client = useQueryClient();
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { birthDate: child.birthDate ?? '' },
    // Only staff remove a birth date.
    validate: (values) =>
      values.birthDate.trim() === '' ? { birthDate: t('birthDate.missing') } : validate(values),
    send: ({ birthDate }) =>
      call(childRoutes.updateChild, { params: { id: child._id }, body: { birthDate } }),
    onSuccess: () => {
      notifySuccess(t('birthDate.sent'));
      void refetchStale(client, [keys.session, keys.children]);
      onDone();
    },
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput
          type="date"
          label={t('birthDate.label')}
          description={t('birthDate.hint')}
          autoFocus
          autoComplete="off"
          key={form.key('birthDate')}
          {...form.getInputProps('birthDate')}
        />
        <FormButtons
          cancel={t('common:cancel')}
          submit={t('birthDate.send')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}
