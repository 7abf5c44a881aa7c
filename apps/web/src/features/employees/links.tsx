/** The links of a colleague to the organisation's identity provider, in a dialog. Nothing without a provider. */
import { oidcRoutes } from '@haris/contract/http/oidc';
import type { Admin } from '@haris/contract/objects';
import { Button, Skeleton, Text } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useProviderName } from '../../calls/use-provider-name.ts';
import { LinksList } from '../../second-factor/links-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';

export function EmployeeLinks({ employee }: { employee: Admin }) {
  const { t } = useTranslation('security');
  const provider = useProviderName();
  const [isOpen, setOpen] = useState(false);
  if (provider === null) return null;
  return (
    <>
      <Button
        size="sm"
        variant="subtle"
        leftSection={<IconBuilding size={17} aria-hidden />}
        aria-label={t('links.titleOf', { name: employee.name })}
        onClick={() => setOpen(true)}
      >
        {t('links.title')}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('links.titleOf', { name: employee.name })}
      >
        {isOpen ? <Links employee={employee} /> : null}
      </Dialog>
    </>
  );
}

function Links({ employee: { _id: id, name } }: { employee: Admin }) {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const key = [keys.admins, 'links', id] as const;
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(oidcRoutes.listStaffLinks, { params: { id }, signal }),
    staleTime: 0,
  });
  const remove = useMutation({
    mutationFn: (linkId: string) => call(oidcRoutes.removeStaffLink, { params: { id, linkId } }),
    onSuccess: (answer) => {
      client.setQueryData(key, answer);
      notifySuccess(t('links.removed'));
    },
    onError: (error) => showFailure(error),
  });
  if (found.isError)
    return (
      <ErrorState
        text={failureText(found.error)}
        onRetry={() => void found.refetch()}
        busy={found.isRefetching}
      />
    );
  if (found.data === undefined) return <Skeleton height={60} role="status" aria-label={t('loading')} />;
  if (found.data.links.length === 0) return <Text>{t('links.none')}</Text>;
  return (
    <LinksList
      {...found.data}
      isBusy={remove.isPending}
      consequence={t('links.sureOf', { name })}
      onRemove={(linkId) => remove.mutateAsync(linkId).catch(() => {})}
    />
  );
}
