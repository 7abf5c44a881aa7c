/** Visitors of the day: sign in and out by name, and everybody of the last weeks. */
import type { Visitor } from '@haris/contract/http/visitors';
import { Badge, Button, Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDoorExit, IconPhone, IconUserPlus, IconUsersGroup } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { momentFormat } from '../../i18n/locale.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useMay } from '../../session/may.ts';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import { useSignOutVisitor, useVisitors } from '../../visitors/api.ts';
import { VisitorForm } from '../../visitors/visitor-form.tsx';
import classes from './visitors.module.css';

const SEARCH_DELAY_MS = 200;

export interface VisitorsScreenProps {
  /** Button that prints who is in the building, from the incidents feature. */
  print: ReactNode;
}

export default function VisitorsScreen({ print }: VisitorsScreenProps) {
  const { t } = useTranslation('emergency');
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<'inside' | 'all'>('inside');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const opener = useRef<HTMLButtonElement>(null);
  const visitors = useVisitors(search, shown === 'inside');
  const close = () => {
    setAdding(false);
    opener.current?.focus();
  };
  return (
    <Page
      title={t('visitors.title')}
      description={t('visitors.lead')}
      size="xl"
      actions={
        <>
          {print}
          <Allowed to="visitors.sign_in">
            <Button
              ref={opener}
              leftSection={<IconUserPlus size={18} aria-hidden />}
              onClick={() => setAdding(true)}
              disabled={isAdding}
            >
              {t('visitors.add')}
            </Button>
          </Allowed>
        </>
      }
    >
      {isAdding ? (
        <Card mb="md">
          <VisitorForm
            onCancel={close}
            onSaved={({ name }) => {
              notifySuccess(t('visitors.signedIn', { name }));
              close();
            }}
          />
        </Card>
      ) : null}
      <Group gap="sm" mb="md">
        <SegmentedControl
          aria-label={t('visitors.which')}
          value={shown}
          onChange={setShown}
          data={(['inside', 'all'] as const).map((value) => ({ value, label: t(`visitors.${value}`) }))}
        />
        <SearchBox
          className={classes.search ?? ''}
          typed={typed}
          onType={setTyped}
          isBusy={visitors.isPlaceholderData}
          label={t('visitors.search')}
          placeholder={t('visitors.search')}
          clearLabel={t('rollCall.clear')}
        />
      </Group>
      <List visitors={visitors} isSearch={search !== ''} isInside={shown === 'inside'} />
    </Page>
  );
}

interface ListProps {
  visitors: ReturnType<typeof useVisitors>;
  isSearch: boolean;
  isInside: boolean;
}

function List({ visitors, isSearch, isInside }: ListProps) {
  const { t } = useTranslation(['emergency', 'common']);
  const maySignIn = useMay()('visitors.sign_in');
  if (visitors.data === undefined)
    return visitors.isError ? (
      <ErrorState
        text={failureText(visitors.error)}
        onRetry={() => void visitors.refetch()}
        busy={visitors.isRefetching}
      />
    ) : (
      <div role="status" aria-label={t('common:loading')}>
        {['a', 'b', 'c'].map((row) => (
          <Skeleton key={row} height={58} mb="xs" />
        ))}
      </div>
    );
  const rows = visitors.data.pages.flatMap((page) => page.visitors);
  if (rows.length === 0)
    return (
      <Card>
        <EmptyState
          icon={<IconUsersGroup size={30} />}
          text={t(isSearch ? 'rollCall.noMatch' : isInside ? 'visitors.nobody' : 'visitors.none')}
          {...(isSearch || !maySignIn ? {} : { hint: t('visitors.hint') })}
        />
      </Card>
    );
  return (
    <>
      <ul className={classes.list} aria-label={t('visitors.title')}>
        {rows.map((visitor) => (
          <Row key={visitor._id} visitor={visitor} maySignOut={maySignIn} />
        ))}
      </ul>
      <LoadMore
        list={visitors}
        label={t('visitors.loadMore')}
        busyLabel={t('visitors.loadingMore')}
        errorText={t('visitors.moreFailed')}
      />
    </>
  );
}

function Row({ visitor, maySignOut }: { visitor: Visitor; maySignOut: boolean }) {
  const { t, i18n } = useTranslation('emergency');
  const signOut = useSignOutVisitor();
  const moment = momentFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const { name, kind, phone, reason, isInside, signedInAt, signedOutAt } = visitor;
  return (
    <Card component="li" className={classes.row ?? ''} data-inside={isInside || undefined}>
      <div className={classes.who}>
        <Group gap="xs">
          <Text fw={600} className={classes.name ?? ''}>
            <bdi>{name}</bdi>
          </Text>
          <Badge variant="light" color={isInside ? 'pine' : 'gray'} tt="none" fw={500}>
            {t(isInside ? 'visitors.inside' : signedOutAt === null ? 'visitors.forgotten' : 'visitors.left')}
          </Badge>
          {kind === 'staff' ? (
            <Badge variant="default" tt="none" fw={500}>
              {t('people.kind.staff')}
            </Badge>
          ) : null}
        </Group>
        <Text size="sm" c="dimmed" className={classes.facts ?? ''}>
          {reason === null ? null : <bdi>{reason}</bdi>}
          <span>{t('visitors.since', { time: moment.format(new Date(signedInAt)) })}</span>
          {signedOutAt === null ? null : (
            <span>{t('visitors.until', { time: moment.format(new Date(signedOutAt)) })}</span>
          )}
        </Text>
      </div>
      {phone === null ? null : (
        <Button
          component="a"
          href={`tel:${phone}`}
          variant="default"
          leftSection={<IconPhone size={18} aria-hidden />}
          aria-label={t('rollCall.callOf', { name, phone })}
        >
          <bdi dir="ltr">{phone}</bdi>
        </Button>
      )}
      {signedOutAt === null && maySignOut ? (
        <Button
          variant="light"
          leftSection={<IconDoorExit size={18} aria-hidden />}
          aria-label={t('visitors.signOutOf', { name })}
          loading={signOut.isPending}
          onClick={() => signOut.mutate(visitor._id, { onError: (error) => showFailure(error) })}
        >
          {t('visitors.signOut')}
        </Button>
      ) : null}
    </Card>
  );
}
