/** Parents & Children (spec §2): search as you type, further pages loaded without a jump. */
import type { Child, Parent } from '@haris/contract/objects';
import { Button, Group, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheck, IconUserOff, IconUserPlus, IconUserQuestion, IconUsers } from '@tabler/icons-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { Allowed } from '../../../session/allowed.tsx';
import { useMay } from '../../../session/may.ts';
import { Card } from '../../../ui/card.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { PHONE_BELOW_PX, useGrowing } from '../../../ui/use-growing.ts';
import screen from '../frame/screen.module.css';
import { useFamilies } from '../lists/queries.ts';
import { ProposalDialog } from '../proposals/proposal-dialog.tsx';
import { useWaitingCount, type Waiting } from '../proposals/use-decision.ts';
import classes from './families.module.css';
import { FamiliesSkeleton } from './families-skeleton.tsx';
import { FamilyCard } from './family-card.tsx';
import { FAMILIES_ID, goToFamilies } from './go-to-families.ts';

/** Delay before a search, long enough that a word typed in one go sends one request. */
const SEARCH_DELAY_MS = 200;
/**
 * Estimated height of a family with one child; the real one may be larger. On a phone the buttons and the child have
 * lines of their own.
 */
const FAMILY_PX = 140;
const FAMILY_ON_PHONE_PX = 200;

/** Follows a link to this section, such as the sidebar's, also if the section is already in sight. */
function useFamiliesAddress(): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation counts, to the same address too
  useEffect(() => {
    if (hash === `#${FAMILIES_ID}`) goToFamilies();
  }, [hash, key]);
}

export interface FamiliesSectionProps {
  onAddParent: () => void;
  onDeleteParent: (parent: Parent) => void;
  onCheckIn: (parent: Parent, child: Child) => void;
}

export function FamiliesSection({ onAddParent, ...actions }: FamiliesSectionProps) {
  const { t } = useTranslation('dashboard');
  useFamiliesAddress();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const [isWaiting, setIsWaiting] = useState(false);
  const waitingCount = useWaitingCount();
  const families = useFamilies(search, isWaiting);
  // Deferred, so that the page stays responsive while the list renders.
  const pages = useDeferredValue(families.data?.pages);
  const parents = useMemo(() => (pages === undefined ? undefined : uniqueParents(pages)), [pages]);
  const total = families.data?.pages.at(-1)?.total;
  // Nothing to count; the line is kept free only where a count comes and goes.
  const isEmpty = total === 0 && search === '' && waitingCount === 0;
  // Looked up by id on each render, so that the dialog shows current data; the last known data are kept when the family
  // leaves the list.
  const [question, setQuestion] = useState<Waiting | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const setAsked = useCallback((next: Waiting) => {
    setQuestion(next);
    setIsAsking(true);
  }, []);
  const asked = question && ((parents && currentOf(question, parents)) ?? question);

  return (
    <Card component="section" p={0} className={screen.families} aria-labelledby={FAMILIES_ID}>
      <div className={screen.head}>
        <Group justify="space-between" gap="sm">
          <Title order={2} id={FAMILIES_ID} fz="h4" tabIndex={-1} className={screen.heading}>
            {t('families.title')}
          </Title>
          <Allowed to="families.edit">
            <Button
              size="sm"
              variant="light"
              leftSection={<IconUserPlus size={18} aria-hidden />}
              onClick={onAddParent}
            >
              {t('families.addParent')}
            </Button>
          </Allowed>
        </Group>
        <SearchBox
          mt="sm"
          typed={typed}
          onType={setTyped}
          isBusy={families.isPlaceholderData}
          label={t('families.search')}
          placeholder={t('families.searchPlaceholder')}
          clearLabel={t('families.clearSearch')}
        />
        <Group justify="space-between" gap="xs" mt={isEmpty ? 0 : 6} mih={isEmpty ? 0 : '1.75rem'}>
          <Text size="xs" c="dimmed" role="status">
            {total ? t('families.found', { count: total }) : isEmpty ? '' : '\u00a0'}
          </Text>
          <WaitingFilter
            count={waitingCount}
            isWaiting={isWaiting}
            onToggle={() => setIsWaiting((before) => !before)}
          />
        </Group>
      </div>
      <FamiliesBody
        families={families}
        parents={parents}
        search={search}
        isWaiting={isWaiting}
        onWaiting={setAsked}
        {...actions}
      />
      <ProposalDialog opened={isAsking} onClose={() => setIsAsking(false)} waiting={asked} />
    </Card>
  );
}

/** The same child or parent in the current list; undefined if the list no longer contains it. */
function currentOf({ kind, of }: Waiting, parents: readonly Parent[]): Waiting | undefined {
  if (kind === 'parent') {
    const parent = parents.find(({ _id }) => _id === of._id);
    return parent && { kind, of: parent };
  }
  const child = parents.flatMap(({ children }) => children).find(({ _id }) => _id === of._id);
  return child && { kind, of: child };
}

/** All pages as one list without duplicates: a parent may move from one page to the next between two requests. */
function uniqueParents(pages: readonly { parents: readonly Parent[] }[]): Parent[] {
  return [...new Map(pages.flatMap((page) => page.parents).map((parent) => [parent._id, parent])).values()];
}

interface FamiliesBodyProps extends Pick<FamiliesSectionProps, 'onDeleteParent' | 'onCheckIn'> {
  families: ReturnType<typeof useFamilies>;
  /** Undefined until loaded. */
  parents: readonly Parent[] | undefined;
  search: string;
  isWaiting: boolean;
  onWaiting: (waiting: Waiting) => void;
}

function FamiliesBody({ families, parents, search, isWaiting, ...list }: FamiliesBodyProps) {
  const { t } = useTranslation('dashboard');
  if (parents === undefined) {
    if (families.isError) {
      return (
        <ErrorState
          text={t('families.error')}
          onRetry={() => void families.refetch()}
          busy={families.isRefetching}
        />
      );
    }
    return <FamiliesSkeleton />;
  }
  if (parents.length === 0) return <NoFamilies search={search} isWaiting={isWaiting} />;
  return <FamilyList families={families} parents={parents} {...list} />;
}

interface FamilyListProps extends Omit<FamiliesBodyProps, 'search' | 'isWaiting'> {
  parents: readonly Parent[];
}

function FamilyList({ families, parents, onDeleteParent, onCheckIn, onWaiting }: FamilyListProps) {
  const { t } = useTranslation('dashboard');
  const may = useMay();
  const { shown, isWhole } = useGrowing(parents, () =>
    innerWidth < PHONE_BELOW_PX ? FAMILY_ON_PHONE_PX : FAMILY_PX,
  );
  return (
    <>
      <ul
        className={classes.list}
        aria-labelledby={FAMILIES_ID}
        data-stale={families.isPlaceholderData || undefined}
      >
        {shown.map((parent) => (
          <FamilyCard
            key={parent._id}
            parent={parent}
            mayEdit={may('families.edit')}
            onDelete={may('families.delete') ? onDeleteParent : null}
            onCheckIn={may('children.check_in') ? onCheckIn : null}
            onWaiting={onWaiting}
          />
        ))}
      </ul>
      <LoadMore
        // Loads no further page until all loaded families are rendered.
        list={{ ...families, isPlaceholderData: families.isPlaceholderData || !isWhole }}
        label={t('families.loadMore')}
        busyLabel={t('families.loadingMore')}
        errorText={t('families.errorMore')}
      />
    </>
  );
}

interface WaitingFilterProps {
  count: number | undefined;
  isWaiting: boolean;
  onToggle: () => void;
}

/** Number of families with a proposal; pressing it shows only those. Hidden if there are none. */
function WaitingFilter({ count, isWaiting, onToggle }: WaitingFilterProps) {
  const { t } = useTranslation('dashboard');
  if (!isWaiting && !count) return null;
  return (
    <Button
      size="compact-sm"
      variant={isWaiting ? 'filled' : 'light'}
      color="saffron"
      autoContrast
      aria-pressed={isWaiting}
      leftSection={<IconUserQuestion size={16} aria-hidden />}
      onClick={onToggle}
    >
      {isWaiting ? t('proposals.showAll') : t('proposals.filter', { count: count ?? 0 })}
    </Button>
  );
}

function NoFamilies({ search, isWaiting }: { search: string; isWaiting: boolean }) {
  const { t } = useTranslation('dashboard');
  const may = useMay();
  if (isWaiting && search === '')
    return <EmptyState icon={<IconCircleCheck size={28} />} text={t('proposals.filterNone')} />;
  if (search === '') {
    return (
      <EmptyState
        icon={<IconUsers size={28} />}
        text={t('families.empty')}
        {...(may('families.edit') ? { hint: t('families.emptyHint') } : {})}
      />
    );
  }
  return (
    <EmptyState
      icon={<IconUserOff size={28} />}
      text={t('families.noResults', { search })}
      hint={t('families.noResultsHint')}
    />
  );
}
