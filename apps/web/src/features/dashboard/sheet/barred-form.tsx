/** Enters an adult who must not pick up the child, or also the siblings. */
import { barredRoutes } from '@haris/contract/http/barred';
import { Alert, Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { useCallForm } from '../../../forms/use-call-form.ts';
import { validateWith } from '../../../forms/validation.ts';
import { useMay } from '../../../session/may.ts';
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
  /** Shown, and sent, only while the account itself is chosen. */
  blockAccount: boolean;
}

const route = barredRoutes.addBarred;
const filled = (text: string) => (text.trim() === '' ? null : text.trim());

function bodyOf({ phone, documentDate, adultId, blockAccount, ...rest }: Values, blockable: string | null) {
  return {
    ...rest,
    phone: filled(phone),
    documentDate: filled(documentDate),
    adultId: filled(adultId),
    ...(blockable !== null && adultId === blockable && { blockAccount }),
  };
}

const validate = validateWith(route.body);

export interface BarredFormProps {
  childId: string;
  /** Adults who are listed for the child. */
  listed: readonly { readonly _id: string; readonly name: string }[];
  /** The account of the family, unless it is blocked already. */
  openAccount: string | null;
  hasSiblings: boolean;
  onDone: () => void;
}

/** The form's state: it bars the person, and blocks the account if that is chosen and may be. */
function useBarredForm(childId: string, openAccount: string | null, onDone: () => void) {
  const { t } = useTranslation('barred');
  const client = useQueryClient();
  const mayBlock = useMay()('families.block');
  const blockable = mayBlock ? openAccount : null;
  const [isAccount, setIsAccount] = useState(false);
  const { form, onSubmit, isBusy } = useCallForm<Values, unknown>({
    initialValues: {
      ...{ name: '', phone: '', note: '', documentDate: '', adultId: '', siblings: false },
      // A bar alone leaves the account its live pictures and what it reads.
      blockAccount: true,
    },
    // No draft: what a court has ordered does not lie in the browser.
    validate: (values) => validate(bodyOf(values, blockable)),
    send: (values) => call(route, { params: { id: childId }, body: bodyOf(values, blockable) }),
    onSuccess: (_, { name }) => {
      notifySuccess(t('added', { name: name.trim() }));
      void refetchStale(client, [keys.barred, keys.parents]);
      onDone();
    },
  });
  form.watch('adultId', ({ value }) => setIsAccount(openAccount !== null && value === openAccount));
  return { form, onSubmit, isBusy, isAccount, mayBlock };
}

interface ListedAdultProps extends Pick<BarredFormProps, 'listed'> {
  form: ReturnType<typeof useBarredForm>['form'];
  /** The person has the family's account, which is not blocked yet. */
  isAccount: boolean;
  mayBlock: boolean;
}

/** Which of the listed adults the person is, and what becomes of the family's account if that is chosen. */
function ListedAdult({ listed, form, isAccount, mayBlock }: ListedAdultProps) {
  const { t } = useTranslation('barred');
  return (
    <>
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
      {isAccount && mayBlock ? (
        <Checkbox
          size="md"
          label={t('form.blockAccount')}
          description={t('form.blockAccountHint')}
          key={form.key('blockAccount')}
          {...form.getInputProps('blockAccount', { type: 'checkbox' })}
        />
      ) : null}
      {isAccount && !mayBlock ? (
        <Alert color="saffron" variant="light" role="note">
          {t('form.accountStaysOpen')}
        </Alert>
      ) : null}
    </>
  );
}

export function BarredForm({ childId, listed, openAccount, hasSiblings, onDone }: BarredFormProps) {
  const { t } = useTranslation(['barred', 'common']);
  const { form, onSubmit, isBusy, isAccount, mayBlock } = useBarredForm(childId, openAccount, onDone);
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
        <ListedAdult listed={listed} form={form} isAccount={isAccount} mayBlock={mayBlock} />
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
          {t('form.effect')} {t('form.photoLater')}
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
