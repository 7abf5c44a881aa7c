/** The facilities at which a child is known: added to a further one, and removed from this one (decision 048). */
import { facilityRoutes } from '@haris/contract/http/facilities';
import type { Child, FacilityEntry } from '@haris/contract/objects';
import { Badge, Button, Menu, Skeleton, Text } from '@mantine/core';
import { IconBuilding, IconBuildingMinus, IconBuildingPlus, IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { useFacilityName, useWork } from '../../../session/work.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { oneChildKey } from '../lists/queries.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { Section } from './section.tsx';
import classes from './sheet.module.css';

export interface FacilitiesPartProps {
  child: Child;
  /** The child was removed from the facility of this page, so its sheet has nothing to show. */
  onRemoved: () => void;
}

/** Renders nothing with one facility. */
export function FacilitiesPart(props: FacilitiesPartProps) {
  return useWork() === null ? null : <Facilities {...props} />;
}

function Facilities({ child, onRemoved }: FacilitiesPartProps) {
  const { t } = useTranslation('child');
  const nameOf = useFacilityName();
  const here = useWork()?.facilityId;
  const params = { id: child._id };
  const places = useQuery({
    // Among the children, so that a change at another desk is read too.
    queryKey: [keys.children, 'facilities', child._id],
    queryFn: ({ signal }) => call(facilityRoutes.listChildFacilities, { params, signal }),
  });
  if (places.data === undefined)
    return (
      <Section title={t('facilities.title')}>
        {places.isError ? (
          <ErrorState
            text={failureText(places.error)}
            onRetry={() => void places.refetch()}
            busy={places.isRefetching}
          />
        ) : (
          <Skeleton height={40} role="status" aria-label={t('facilities.loading')} />
        )}
      </Section>
    );
  const { facilities, addable } = places.data;
  return (
    <Section title={t('facilities.title')}>
      <ul className={classes.list} aria-label={t('facilities.title')}>
        {facilities.map((facility) => (
          <li key={facility._id} className={classes.person}>
            <IconBuilding size={20} stroke={1.75} aria-hidden />
            <Text size="sm" className={`${classes.who} ${classes.name}`}>
              <bdi>{nameOf(facility)}</bdi>
            </Text>
            {facility._id === here ? (
              <Badge tt="none" variant="light">
                {t('facilities.here')}
              </Badge>
            ) : null}
          </li>
        ))}
      </ul>
      <Allowed to="families.edit">
        <div className={classes.buttons}>
          <AddButton child={child} addable={addable} />
          {facilities.length > 1 && here !== undefined ? (
            <RemoveButton child={child} facilityId={here} onRemoved={onRemoved} />
          ) : null}
        </div>
      </Allowed>
    </Section>
  );
}

/** One press where there is one facility to choose, else a list of them. */
function AddButton({ child, addable }: { child: Child; addable: readonly FacilityEntry[] }) {
  const { t } = useTranslation('child');
  const client = useQueryClient();
  const nameOf = useFacilityName();
  const add = useMutation({
    mutationFn: ({ _id: facilityId }: FacilityEntry) =>
      call(facilityRoutes.addChildFacility, { params: { id: child._id }, body: { facilityId } }),
    onSuccess: (_, facility) => notifySuccess(t('facilities.added', { name: nameOf(facility) })),
    onError: (error) => showFailure(error),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.children, 'facilities', child._id] }),
  });
  const choose = (facility: FacilityEntry) => {
    if (!isRefusedOffline()) add.mutate(facility);
  };
  const look = {
    size: 'sm',
    variant: 'default',
    leftSection: <IconBuildingPlus size={18} aria-hidden />,
    loading: add.isPending,
  } as const;
  const [only, ...more] = addable;
  if (only === undefined) return null;
  if (more.length === 0)
    return (
      <Button {...look} onClick={() => choose(only)}>
        {t('facilities.addTo', { name: nameOf(only) })}
      </Button>
    );
  return (
    <Menu position="bottom-start" width={248} shadow="md" radius="md" withinPortal>
      <Menu.Target>
        <Button {...look} rightSection={<IconChevronDown size={16} aria-hidden />}>
          {t('facilities.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.facilities ?? ''} aria-label={t('facilities.add')}>
        {addable.map((facility) => (
          <Menu.Item key={facility._id} onClick={() => choose(facility)}>
            <bdi>{nameOf(facility)}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks first, because a person without a role at another facility cannot undo the removal. */
function RemoveButton({ child, facilityId, onRemoved }: FacilitiesPartProps & { facilityId: string }) {
  const { t } = useTranslation('child');
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => call(facilityRoutes.removeChildFacility, { params: { id: child._id, facilityId } }),
    onSuccess: () => {
      notifySuccess(t('facilities.removed'));
      onRemoved();
      client.removeQueries({ queryKey: [...oneChildKey, child._id] });
      void client.invalidateQueries({ queryKey: [keys.parents] });
      void client.invalidateQueries({ queryKey: [keys.children] });
    },
    onError: (error) => {
      setAsking(false);
      showFailure(error);
    },
  });
  return (
    <>
      <Button
        size="sm"
        variant="subtle"
        color="clay"
        leftSection={<IconBuildingMinus size={18} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('facilities.remove')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('facilities.removeTitle', { name: child.name })}
        confirmLabel={t('facilities.removeConfirm')}
        dangerous
        busy={remove.isPending}
        onConfirm={() => {
          if (!isRefusedOffline()) remove.mutate();
        }}
      >
        {t('facilities.removeText')}
      </ConfirmDialog>
    </>
  );
}
