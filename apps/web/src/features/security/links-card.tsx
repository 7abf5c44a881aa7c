/** The identity providers that a staff member's own account is linked to; renders nothing without a link. */
import { oidcRoutes } from '@haris/contract/http/oidc';
import { Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { LinksList } from '../../second-factor/links-list.tsx';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { sessionsKey } from './api.ts';

const linksKey = ['account', 'links'] as const;

export function LinksCard() {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const title = useId();
  const { data } = useQuery({
    queryKey: linksKey,
    queryFn: ({ signal }) => call(oidcRoutes.listOwnLinks, { signal }),
  });
  const remove = useMutation({
    mutationFn: (linkId: string) => call(oidcRoutes.removeOwnLink, { params: { linkId } }),
    onSuccess: (answer) => {
      client.setQueryData(linksKey, answer);
      notifySuccess(t('links.removed'));
      void client.invalidateQueries({ queryKey: sessionsKey });
    },
    onError: (error) => showFailure(error),
  });
  if (data === undefined || data.links.length === 0) return null;
  return (
    <Card component="section" aria-labelledby={title}>
      <Title order={2} fz="lg" id={title} mb="xs">
        {t('links.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('links.about')}
      </Text>
      <LinksList
        {...data}
        isBusy={remove.isPending}
        consequence={t('links.sure')}
        onRemove={(id) => remove.mutateAsync(id).catch(() => {})}
      />
    </Card>
  );
}
