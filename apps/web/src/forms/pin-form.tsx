/** A new PIN of six digits, typed twice. Knows no tablet: its texts and the call come from outside. */
import { PasswordInput, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormButtons } from '../ui/form-buttons.tsx';
import { useCallForm } from './use-call-form.ts';
import { validateWith } from './validation.ts';

export interface PinFormProps {
  /** Schema of the call's body. */
  body: Parameters<typeof validateWith>[0];
  texts: Readonly<Record<'rules' | 'pin' | 'again' | 'different' | 'save', string>>;
  send: (pin: string) => Promise<unknown>;
  onSaved: () => void;
  onCancel: () => void;
}

export function PinForm({ body, texts, send, onSaved, onCancel }: PinFormProps) {
  const { t } = useTranslation('common');
  const check = validateWith(body);
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { pin: '', again: '' },
    validate: (values) => ({
      ...check(values),
      ...(values.pin === values.again ? {} : { again: texts.different }),
    }),
    send: ({ pin }) => send(pin),
    onSuccess: onSaved,
  });
  const field = { inputMode: 'numeric', autoComplete: 'off', dir: 'ltr', maxLength: 6 } as const;
  return (
    <form noValidate onSubmit={onSubmit} autoComplete="off">
      <Stack gap="md">
        <Text size="sm">{texts.rules}</Text>
        <PasswordInput
          label={texts.pin}
          data-autofocus
          aria-required
          {...field}
          key={form.key('pin')}
          {...form.getInputProps('pin')}
        />
        <PasswordInput
          label={texts.again}
          aria-required
          {...field}
          key={form.key('again')}
          {...form.getInputProps('again')}
        />
        <FormButtons cancel={t('cancel')} submit={texts.save} onCancel={onCancel} isBusy={isBusy} />
      </Stack>
    </form>
  );
}
