/** Parents & Children (spec §2): search as you type, page after page without a jump. */
import type { Child, Parent } from '@haris/contract/objects';
import { Button, Group, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconUserOff, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { type RefObject, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { PHONE_BELOW_PX, useGrowing } from '../../ui/use-growing.ts';
import classes from './families.module.css';
import { FamilyCard } from './family-card.tsx';
import { useFamilies } from './queries.ts';
import screen from './screen.module.css';
import { FamiliesSkeleton } from './skeletons.tsx';

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
  const families = useFamilies(search);
  // Drawn in pieces: the page answers in between.
  const pages = useDeferredValue(families.data?.pages);
  const parents = useMemo(() => (pages === undefined ? undefined : uniqueParents(pages)), [pages]);
  const total = families.data?.pages.at(-1)?.total;

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
        <Text size="xs" c="dimmed" mt={6} role="status">
          {total ? t('families.found', { count: total }) : '\u00a0'}
        </Text>
      </div>
      <FamiliesBody families={families} parents={parents} search={search} {...actions} />
    </Card>
  );
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
}

function FamiliesBody({ families, parents, search, onDeleteParent, onCheckIn }: FamiliesBodyProps) {
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
  if (parents.length === 0) return <NoFamilies search={search} />;
  return (
    <FamilyList families={families} parents={parents} onDeleteParent={onDeleteParent} onCheckIn={onCheckIn} />
  );
}

interface FamilyListProps extends Omit<FamiliesBodyProps, 'search'> {
  parents: readonly Parent[];
}

function FamilyList({ families, parents, onDeleteParent, onCheckIn }: FamilyListProps) {
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
          <FamilyCard key={parent._id} parent={parent} onDelete={onDeleteParent} onCheckIn={onCheckIn} />
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

function NoFamilies({ search }: { search: string }) {
  const { t } = useTranslation('dashboard');
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
