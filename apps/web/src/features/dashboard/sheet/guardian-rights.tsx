/** What a guardian may do. A right that is taken away is saved at once; one that is given asks for a proof. */
import { type Guardian, guardianRoutes } from '@haris/contract/http/guardians';
import type { Child } from '@haris/contract/objects';
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { notifyError, notifySuccess } from '../../../ui/toast.ts';
import { guardiansQuery } from './queries.ts';

export const RIGHTS = ['mayLive', 'mayTake', 'mayEdit', 'mayCollect'] as const;
type Right = (typeof RIGHTS)[number];
type Rights = Readonly<Record<Right, boolean>>;

/** Whether the guardian has every right. */
export function hasAll(rights: Rights): boolean {
  return RIGHTS.every((right) => rights[right]);
}

/** The name, or the address of somebody who was asked. */
export function nameOf({ name, email }: Pick<Guardian, 'name' | 'email'>): string {
  return name ?? email;
}

/** Shows why a change of a guardian was refused. */
export function useShowGuardianFailure(): (error: unknown) => void {
  const { t } = useTranslation('guardians');
  return (error) => {
    if (error instanceof ApiError && error.code === 'not_found') notifyError(t('gone'));
    else showFailure(error);
  };
}

const rightsOf = ({ mayLive, mayTake, mayEdit, mayCollect }: Rights): Rights => ({
  ...{ mayLive, mayTake, mayEdit, mayCollect },
});

/** What was pressed and is not saved yet; null: as the guardian has it. */
type Pressed = Readonly<Record<Right, boolean | null>>;
const NOTHING: Pressed = { mayLive: null, mayTake: null, mayEdit: null, mayCollect: null };

export interface GuardianRightsProps {
  child: Child;
  /** As the list has it now. */
  guardian: Guardian;
  onDone: () => void;
}

export function GuardianRights({ child, guardian, onDone }: GuardianRightsProps) {
  const { t } = useTranslation('guardians');
  const client = useQueryClient();
  const showGuardianFailure = useShowGuardianFailure();
  const [pressed, setPressed] = useState(NOTHING);
  const { parentId } = guardian;
  const { queryKey } = guardiansQuery(child._id);
  const change = useMutation({
    // One after the other: each sends all rights, and the next must not give back what this one takes away.
    scope: { id: `rights ${child._id} ${parentId}` },
    mutationFn: ({ right, isGiven }: { right: Right; isGiven: boolean }) => {
      const known = client.getQueryData(queryKey)?.find((one) => one.parentId === parentId) ?? guardian;
      // Who takes the child is said by its own box alone: a list that is out of date must not give it back beside another one.
      const { mayTake: _, ...others } = rightsOf(known);
      return call(guardianRoutes.setGuardianRights, {
        params: { id: child._id, parentId },
        body: { ...others, [right]: isGiven },
      });
    },
    onSuccess: ({ guardian: next }) => {
      client.setQueryData(queryKey, (list) =>
        list?.map((one) => (one.parentId === next.parentId ? next : one)),
      );
      notifySuccess(t('saved'), 'guardian-rights');
    },
    onError: showGuardianFailure,
    onSettled: (_answer, _error, { right }) => {
      setPressed((before) => ({ ...before, [right]: null }));
      void refetchStale(client, [keys.guardians, keys.collectors]);
    },
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('rightsHint')}
      </Text>
      {RIGHTS.map((right, index) => (
        <Checkbox
          key={right}
          size="md"
          data-autofocus={index === 0 || undefined}
          label={t(`may.${right}`)}
          description={t(`hint.${right}`, { child: child.name })}
          checked={pressed[right] ?? guardian[right]}
          onChange={({ currentTarget }) => {
            const isGiven = currentTarget.checked;
            setPressed((before) => ({ ...before, [right]: isGiven }));
            change.mutate({ right, isGiven });
          }}
        />
      ))}
      <Text size="sm" c="dimmed">
        {t('takesOver')}
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
