/** Facilities: those where this person works, the change to another one, and a new one (decision 048). */
import type { FacilityEntry } from '@haris/contract/objects';
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconBuilding, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { switchFacility } from '../../calls/switch-facility.ts';
import { facilitiesQuery } from '../../facilities/queries.ts';
import { useSession } from '../../session/session.tsx';
import { useFacilityName } from '../../session/work.ts';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { AddFacilityDialog } from './add-facility-dialog.tsx';
import classes from './facilities.module.css';

export default function FacilitiesScreen() {
  const { t } = useTranslation('facilities');
  const facilities = useQuery(facilitiesQuery);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title={t('title')}
      description={t('lead')}
      size="md"
      actions={
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
      }
    >
      {facilities.data !== undefined ? (
        <ul className={classes.list} aria-label={t('title')}>
          {facilities.data.facilities.map((facility) => (
            <FacilityCard
              key={facility._id}
              facility={facility}
              isHere={facility._id === facilities.data.current}
            />
          ))}
        </ul>
      ) : facilities.isError ? (
        <ErrorState
          text={failureText(facilities.error)}
          onRetry={() => void facilities.refetch()}
          busy={facilities.isRefetching}
        />
      ) : (
        <FacilitiesSkeleton />
      )}
      <AddFacilityDialog opened={isAdding} onClose={() => setAdding(false)} />
    </Page>
  );
}

function FacilityCard({ facility, isHere }: { facility: FacilityEntry; isHere: boolean }) {
  const { t } = useTranslation('facilities');
  const name = useFacilityName()(facility);
  const accountId = useSession().admin.identity?._id;
  return (
    <Card component="li" className={classes.card ?? ''}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" className={classes.who ?? ''}>
          <IconBuilding size={24} stroke={1.75} className={classes.icon ?? ''} aria-hidden />
          <Text component="h2" fw={600} className={classes.name ?? ''}>
            <bdi>{name}</bdi>
          </Text>
        </Group>
        {isHere ? (
          <Badge tt="none" size="lg" variant="light">
            {t('here')}
          </Badge>
        ) : (
          <Button
            variant="default"
            size="sm"
            rightSection={<IconArrowRight size={17} className={classes.mirror ?? ''} aria-hidden />}
            aria-label={t('switchTo', { name })}
            onClick={() => {
              if (accountId !== undefined) switchFacility(accountId, facility._id, '/adminDashboard');
            }}
          >
            {t('switch')}
          </Button>
        )}
      </Group>
    </Card>
  );
}

function FacilitiesSkeleton() {
  const { t } = useTranslation('common');
  return (
    <Stack gap="sm" role="status" aria-label={t('loading')}>
      {['a', 'b'].map((card) => (
        <Skeleton key={card} height={76} radius="md" />
      ))}
    </Stack>
  );
}
