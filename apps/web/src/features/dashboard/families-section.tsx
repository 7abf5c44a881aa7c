/** Parents & Children (spec §2): search as you type, page after page without a jump. */
import type { Child, Parent } from '@haris/contract/objects';
import { Button, Group, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheck, IconUserOff, IconUserPlus, IconUserQuestion, IconUsers } from '@tabler/icons-react';
import { type RefObject, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { PHONE_BELOW_PX, useGrowing } from '../../ui/use-growing.ts';
import classes from './families.module.css';
import { FamilyCard } from './family-card.tsx';
import { ProposalDialog } from './proposal-dialog.tsx';
import { useFamilies } from './queries.ts';
import screen from './screen.module.css';
import { FamiliesSkeleton } from './skeletons.tsx';
import { useWaitingCount, type Waiting } from './use-decision.ts';

/** Long enough that a word typed in one go is one question. */
const SEARCH_DELAY_MS = 200;
/** A family with one child; others are higher. On a phone the buttons and the child have lines of their own. */
const FAMILY_PX = 140;
const FAMILY_ON_PHONE_PX = 200;

export interface FamiliesSectionProps {
  heading: RefObject<HTMLHeadingElement | null>;
  onAddParent: () => void;
  onDeleteParent: (parent: Parent) => void;
  onCheckIn: (parent: Parent, child: Child) => void;
}

export function FamiliesSection({ heading, onAddParent, ...actions }: FamiliesSectionProps) {
  const { t } = useTranslation('dashboard');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const [isWaiting, setIsWaiting] = useState(false);
  const waitingCount = useWaitingCount();
  const families = useFamilies(search, isWaiting);
  // Drawn in pieces: the page answers in between.
  const pages = useDeferredValue(families.data?.pages);
  const parents = useMemo(() => (pages === undefined ? undefined : uniqueParents(pages)), [pages]);
  const total = families.data?.pages.at(-1)?.total;
  // By id: the question follows what happens meanwhile, and stays to be seen when the family leaves the list.
  const [question, setQuestion] = useState<Waiting | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const setAsked = useCallback((next: Waiting) => {
    setQuestion(next);
    setIsAsking(true);
  }, []);
  const asked = question && ((parents && currentOf(question, parents)) ?? question);

  return (
    <Card component="section" p={0} className={screen.families} aria-labelledby="families-title">
      <div className={screen.head}>
        <Group justify="space-between" gap="sm">
          <Title order={2} id="families-title" fz="h4" ref={heading} tabIndex={-1} className={screen.heading}>
            {t('families.title')}
          </Title>
          <Button
            size="sm"
            variant="light"
            leftSection={<IconUserPlus size={18} aria-hidden />}
            onClick={onAddParent}
          >
            {t('families.addParent')}
          </Button>
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
        <Group justify="space-between" gap="xs" mt={6} mih="1.75rem">
          <Text size="xs" c="dimmed" role="status">
            {total ? t('families.found', { count: total }) : '\u00a0'}
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

/** The same child or parent as the list has it now; undefined where it is not in it any more. */
function currentOf({ kind, of }: Waiting, parents: readonly Parent[]): Waiting | undefined {
  if (kind === 'parent') {
    const parent = parents.find(({ _id }) => _id === of._id);
    return parent && { kind, of: parent };
  }
  const child = parents.flatMap(({ children }) => children).find(({ _id }) => _id === of._id);
  return child && { kind, of: child };
}

/** All pages as one list. A parent who moved between two pages stands in it once. */
function uniqueParents(pages: readonly { parents: readonly Parent[] }[]): Parent[] {
  return [...new Map(pages.flatMap((page) => page.parents).map((parent) => [parent._id, parent])).values()];
}

interface FamiliesBodyProps extends Pick<FamiliesSectionProps, 'onDeleteParent' | 'onCheckIn'> {
  families: ReturnType<typeof useFamilies>;
  /** Undefined while nobody knows. */
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
  const { shown, isWhole } = useGrowing(
    parents,
    innerWidth < PHONE_BELOW_PX ? FAMILY_ON_PHONE_PX : FAMILY_PX,
  );
  return (
    <>
      <ul
        className={classes.list}
        aria-labelledby="families-title"
        data-stale={families.isPlaceholderData || undefined}
      >
        {shown.map((parent) => (
          <FamilyCard
            key={parent._id}
            parent={parent}
            onDelete={onDeleteParent}
            onCheckIn={onCheckIn}
            onWaiting={onWaiting}
          />
        ))}
      </ul>
      <LoadMore
        // Its end is not near while families that are known are still to be drawn.
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

/** How many families wait to be confirmed, and only these once it is pressed. Nothing while none does. */
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
  if (isWaiting && search === '')
    return <EmptyState icon={<IconCircleCheck size={28} />} text={t('proposals.filterNone')} />;
  if (search === '') {
    return (
      <EmptyState icon={<IconUsers size={28} />} text={t('families.empty')} hint={t('families.emptyHint')} />
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
