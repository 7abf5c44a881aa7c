/** Name and address of the first administrator, whose address is made up. */
import { setupRoutes } from '@haris/contract/http/setup';
import { Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export function OwnAddressForm() {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: { name: '', email: '' },
    draft: { key: 'own-address', fields: { name: z.string(), email: z.string() } },
    validate: validateWith(setupRoutes.setOwnAddress.body),
    send: (body) => call(setupRoutes.setOwnAddress, { body }),
    onSuccess: async () => {
      notifySuccess(t('account.saved'));
      await refetchStale(client, [keys.settings, keys.session, keys.admins]);
      void navigate('/settings');
    },
  });
  return (
    <Card component="section" aria-labelledby="own-address-title">
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="md">
          <div>
            <Title order={2} id="own-address-title" fz="h4">
              {t('account.title')}
            </Title>
            <Text c="dimmed">{t('account.lead')}</Text>
          </div>
          <TextInput
            label={t('account.name')}
            autoComplete="name"
            dir="auto"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <TextInput
            label={t('account.email')}
            type="email"
            autoComplete="email"
            dir="ltr"
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <Group justify="space-between" gap="sm">
            <Anchor component={Link} to="/password" size="sm">
              {t('account.password')}
            </Anchor>
            <Button type="submit" loading={isBusy}>
              {t('account.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
