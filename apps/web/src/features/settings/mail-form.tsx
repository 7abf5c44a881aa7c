/** The form that tests new settings of the mail server before they are saved. */
import { type MailServerView, setupRoutes } from '@haris/contract/http/setup';
import { Alert, Button, Code, Group, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { fieldErrors, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import classes from './settings.module.css';

const bodySchema = setupRoutes.updateMailServer.body;

type Values = {
  host: string;
  port: string;
  security: string;
  user: string;
  password: string;
  from: string;
};

const text = z.string();
/** Never the password. */
const draftFields = {
  ...{ host: text, port: text, user: text, from: text },
  security: z.enum(['tls', 'starttls']),
};

function toBody({ port, user, password, ...rest }: Values) {
  return {
    ...rest,
    port: /^[0-9]+$/.test(port.trim()) ? Number(port) : Number.NaN,
    user: user.trim() === '' ? null : user.trim(),
    ...(password === '' ? {} : { password }),
  };
}

function useMailForm(mail: MailServerView) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const { form, onSubmit, isBusy } = useCallForm<Values, unknown>({
    initialValues: {
      host: mail.host ?? '',
      port: String(mail.port ?? 465),
      security: mail.security ?? 'tls',
      user: mail.user ?? '',
      password: '',
      from: mail.from ?? '',
    },
    draft: { key: 'mail', fields: draftFields },
    validate: (values) => validateWith(bodySchema)(toBody(values)),
    send: (values) => call(setupRoutes.updateMailServer, { body: bodySchema.parse(toBody(values)) }),
    onSuccess: () => {
      notifySuccess(t('saved'));
      return refresh();
    },
  });
  async function refresh(): Promise<void> {
    await client.invalidateQueries({ queryKey: [keys.settings] });
    await client.invalidateQueries({ queryKey: [keys.config] });
  }
  const test = useMutation({
    mutationFn: (values: Values) =>
      call(setupRoutes.testMailServer, { body: bodySchema.parse(toBody(values)) }),
    onError: (error) => {
      form.setErrors(fieldErrors(error));
      showFailure(error);
    },
  });
  const remove = useMutation({
    mutationFn: () => call(setupRoutes.deleteMailServer),
    onSuccess: () => {
      notifySuccess(t('mail.removed'));
      return refresh();
    },
    onError: (error) => showFailure(error),
  });
  const runTest = form.onSubmit((values) => {
    if (!test.isPending) test.mutate(values);
  });
  return { form, onSubmit, isBusy, test, runTest, remove };
}

export function MailForm({ mail }: { mail: MailServerView }) {
  const { t } = useTranslation('settings');
  const { form, onSubmit, isBusy, test, runTest, remove } = useMailForm(mail);
  return (
    <Card component="section" aria-label={t('parts.mail')}>
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="md">
          <MailFields form={form} hasPassword={mail.hasPassword} />
          <div role="status">
            {test.data === undefined || test.isPending ? null : <Outcome {...test.data} />}
          </div>
          <Group justify="space-between" gap="sm">
            {mail.source === 'settings' ? (
              <Button
                variant="subtle"
                color="clay"
                loading={remove.isPending}
                onClick={() => remove.mutate()}
              >
                {t('mail.remove')}
              </Button>
            ) : (
              <span />
            )}
            <Group gap="sm">
              <Button variant="default" loading={test.isPending} onClick={() => runTest()}>
                {t('mail.test')}
              </Button>
              <Button type="submit" loading={isBusy}>
                {t('save')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

interface MailFieldsProps {
  form: ReturnType<typeof useMailForm>['form'];
  /** Whether the server has a stored password, which an empty field leaves unchanged. */
  hasPassword: boolean;
}

function MailFields({ form, hasPassword }: MailFieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <>
      <TextInput
        label={t('mail.host')}
        placeholder="smtp.example.org"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        key={form.key('host')}
        {...form.getInputProps('host')}
      />
      <div className={classes.pair}>
        <Select
          label={t('mail.security')}
          data={[
            { value: 'tls', label: t('mail.tls') },
            { value: 'starttls', label: t('mail.starttls') },
          ]}
          allowDeselect={false}
          openOnFocus={false}
          key={form.key('security')}
          {...form.getInputProps('security')}
          onChange={(value) => {
            if (value === null) return;
            const port = form.getValues().port;
            form.setFieldValue('security', value);
            // The usual port follows, unless another one was typed.
            if (port === '465' || port === '587') form.setFieldValue('port', value === 'tls' ? '465' : '587');
          }}
        />
        <TextInput
          label={t('mail.port')}
          inputMode="numeric"
          dir="ltr"
          key={form.key('port')}
          {...form.getInputProps('port')}
        />
      </div>
      <div className={classes.pair}>
        <TextInput
          label={t('mail.user')}
          description={t('mail.userHint')}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          key={form.key('user')}
          {...form.getInputProps('user')}
        />
        <PasswordInput
          label={t('mail.password')}
          description={hasPassword ? t('mail.passwordKept') : undefined}
          // The browser must not fill in the person's own password.
          autoComplete="new-password"
          dir="ltr"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      </div>
      <TextInput
        label={t('mail.from')}
        type="email"
        autoComplete="off"
        dir="ltr"
        key={form.key('from')}
        {...form.getInputProps('from')}
      />
    </>
  );
}

/** The mail server's reply, verbatim. */
function Outcome({ to, problem }: { to: string; problem: string | null }) {
  const { t } = useTranslation('settings');
  if (problem === null)
    return (
      <Alert variant="light" icon={<IconCheck size={20} aria-hidden />}>
        {t('mail.accepted', { to })}
      </Alert>
    );
  return (
    <Alert color="clay" variant="light" icon={<IconAlertTriangle size={20} aria-hidden />}>
      <Text size="sm" mb={4}>
        {t('mail.refused', { to })}
      </Text>
      <Code dir="ltr" className={classes.reply ?? ''}>
        {problem}
      </Code>
    </Alert>
  );
}
