/** Employee Roster (spec §2): all employees, with search, Add and Delete. */
import type { Admin } from '@haris/contract/objects';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconUserOff, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Allowed } from '../../session/allowed.tsx';
import { useMay } from '../../session/may.ts';
import { useSession } from '../../session/session.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { AddEmployeeDialog } from './add-employee-dialog.tsx';
import { DeleteEmployeeDialog } from './delete-employee-dialog.tsx';
import { EmployeeCard } from './employee-card.tsx';
import classes from './employees.module.css';
import { useEmployees } from './queries.ts';

const SEARCH_DELAY_MS = 200;

export interface EmployeesScreenProps {
  /** Actions in the signed-in person's own row. */
  ownAccount: ReactNode;
}

export default function EmployeesScreen({ ownAccount }: EmployeesScreenProps) {
  const { t } = useTranslation('employees');
  const mayManage = useMay()('staff.manage');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const employees = useEmployees(search);
  const [open, setOpen] = useState<'none' | 'add' | 'deletion'>('none');
  const [doomed, setDoomed] = useState<Admin | null>(null);
  const count = useRef<HTMLParagraphElement>(null);
  const total = employees.data?.pages.at(-1)?.total;

  const askToDelete = useCallback((employee: Admin) => {
    setDoomed(employee);
    setOpen('deletion');
  }, []);
  function afterDeletion() {
    setOpen('none');
    // The button that opened the dialog has disappeared with its card.
    count.current?.focus();
  }

  return (
    <Page
      title={t('title')}
      size="xl"
      actions={
        <>
          <Allowed to="families.view">
            <BackLink to="/adminDashboard">{t('back')}</BackLink>
          </Allowed>
          {mayManage ? (
            <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setOpen('add')}>
              {t('add')}
            </Button>
          ) : null}
        </>
      }
    >
      <Group gap="md" mb="md">
        <SearchBox
          className={classes.search ?? ''}
          typed={typed}
          onType={setTyped}
          isBusy={employees.isPlaceholderData}
          label={t('search')}
          placeholder={t('searchPlaceholder')}
          clearLabel={t('clearSearch')}
        />
        <Text ref={count} size="sm" c="dimmed" role="status" tabIndex={-1} style={{ outline: 'none' }}>
          {total === undefined ? '' : t('found', { count: total })}
        </Text>
      </Group>
      <Roster employees={employees} search={search} ownAccount={ownAccount} onDelete={askToDelete} />
      <AddEmployeeDialog opened={open === 'add'} onClose={() => setOpen('none')} />
      <DeleteEmployeeDialog
        opened={open === 'deletion'}
        employee={doomed}
        onClose={() => setOpen('none')}
        onDeleted={afterDeletion}
      />
    </Page>
  );
}

interface RosterProps {
  employees: ReturnType<typeof useEmployees>;
  search: string;
  ownAccount: ReactNode;
  onDelete: (employee: Admin) => void;
}

function Roster({ employees, search, ownAccount, onDelete }: RosterProps) {
  const { t } = useTranslation('employees');
  const own = useSession().admin.identity?._id;
  const pages = employees.data?.pages;
  const admins = useMemo(
    () => [
      ...new Map((pages ?? []).flatMap((page) => page.admins).map((admin) => [admin._id, admin])).values(),
    ],
    [pages],
  );

  if (pages === undefined) {
    return employees.isError ? (
      <ErrorState text={t('error')} onRetry={() => void employees.refetch()} busy={employees.isRefetching} />
    ) : (
      <RosterSkeleton />
    );
  }
  if (admins.length === 0) {
    return search === '' ? (
      <EmptyState icon={<IconUsers size={28} />} text={t('empty')} />
    ) : (
      <EmptyState
        icon={<IconUserOff size={28} />}
        text={t('noResults', { search })}
        hint={t('noResultsHint')}
      />
    );
  }
  return (
    <>
      <ul
        className={classes.list}
        aria-label={t('title')}
        data-stale={employees.isPlaceholderData || undefined}
      >
        {admins.map((admin) => (
          <EmployeeCard
            key={admin._id}
            employee={admin}
            ownAccount={admin._id === own ? ownAccount : null}
            onDelete={onDelete}
          />
        ))}
      </ul>
      <LoadMore
        list={employees}
        label={t('loadMore')}
        busyLabel={t('loadingMore')}
        errorText={t('errorMore')}
      />
    </>
  );
}

/** Placeholder cards while the roster loads. */
function RosterSkeleton() {
  const { t } = useTranslation('common');
  return (
    <div className={classes.list} role="status" aria-label={t('loading')}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((card) => (
        <div key={card} className={classes.card}>
          <div className={classes.who}>
            <Skeleton circle height={48} style={{ flexShrink: 0 }} />
            <Skeleton height={16} width="60%" />
          </div>
          <Skeleton height={14} width="70%" />
          <Skeleton height={30} width="45%" />
        </div>
      ))}
    </div>
  );
}
