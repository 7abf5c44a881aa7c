/** Live Feed (spec §2): the parent chooses one child and watches it live; everybody else stays unrecognisable. */
import type { HarisEvent } from '@haris/contract/live/events';
import type { Child } from '@haris/contract/objects';
import { Button, Checkbox, Text, Title } from '@mantine/core';
import { IconMoodKid, IconPlayerPlay, IconPlayerStop, IconShieldCheck } from '@tabler/icons-react';
import { useCallback, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { failureText } from '../../calls/failure.ts';
import { type GuardedChildren, useGuardedChildren } from '../../child/guarded-children.ts';
import { useLiveEvents } from '../../live/live-provider.tsx';
import { LivePicture } from '../../live-picture/live-picture.tsx';
import { Photo } from '../../photos/photo.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, PeopleSkeleton } from '../../ui/states.tsx';
import styles from './live-feed.module.css';

export default function LiveFeedScreen() {
  const { t } = useTranslation('live-feed');
  const guarded = useGuardedChildren();
  const children = useInsideFirst([...guarded.own, ...guarded.others]);
  const [chosenId, setChosenId] = useState(useAskedChild());
  const [isStopped, setStopped] = useState(false);
  const chosen = children.find(({ _id }) => _id === chosenId) ?? children[0];

  return (
    <Page title={t('title')} actions={<BackButton />}>
      {chosen === undefined ? (
        <Card>
          <NoChildren guarded={guarded} />
        </Card>
      ) : (
        <div className={styles.columns}>
          <fieldset className={styles.choice}>
            <legend className={styles.legend}>{t('choose')}</legend>
            {children.map((child) => (
              <ChildChoice
                key={child._id}
                child={child}
                isChosen={child._id === chosen._id}
                onChoose={() => {
                  setChosenId(child._id);
                  setStopped(false);
                }}
              />
            ))}
          </fieldset>
          <section className={styles.feed} aria-labelledby="feed-title">
            <div className={styles.head}>
              <Title order={2} id="feed-title" fz="h4" className={styles.name}>
                <bdi>{chosen.name}</bdi>
              </Title>
              {chosen.isInside ? (
                <StopButton isStopped={isStopped} onPress={() => setStopped(!isStopped)} />
              ) : null}
            </div>
            <Feed key={chosen._id} child={chosen} isStopped={isStopped} />
            <Text size="sm" c="dimmed" className={styles.promise}>
              <IconShieldCheck size={18} aria-hidden />
              {t('promise')}
            </Text>
          </section>
        </div>
      )}
    </Page>
  );
}

function NoChildren({ guarded: { listed, error, isFetching, refetch } }: { guarded: GuardedChildren }) {
  const { t } = useTranslation('live-feed');
  // The parent may be a guardian of a child of another family.
  if (listed === undefined)
    return error === null ? (
      <PeopleSkeleton rows={1} />
    ) : (
      <ErrorState text={failureText(error)} onRetry={refetch} busy={isFetching} />
    );
  return (
    <EmptyState
      icon={<IconMoodKid size={30} />}
      text={t('noChildren')}
      hint={t('noChildrenHint')}
      action={
        <Button component={Link} to="/addChild">
          {t('addChild')}
        </Button>
      }
    />
  );
}

/** The child whose picture another screen led here with; null if none did. */
function useAskedChild(): string | null {
  const state: unknown = useLocation().state;
  const isAsked = typeof state === 'object' && state !== null && 'childId' in state;
  return isAsked ? String(state.childId) : null;
}

function StopButton({ isStopped, onPress }: { isStopped: boolean; onPress: () => void }) {
  const { t } = useTranslation('live-feed');
  const Icon = isStopped ? IconPlayerPlay : IconPlayerStop;
  return (
    <Button size="sm" variant="default" leftSection={<Icon size={18} aria-hidden />} onClick={onPress}>
      {t(isStopped ? 'start' : 'stop')}
    </Button>
  );
}

/**
 * Sorts children who were inside when the screen opened to the front, because the first is preselected; the order stays
 * fixed.
 */
function useInsideFirst(children: readonly Child[]): readonly Child[] {
  const [inside] = useState(() => new Set(children.filter(({ isInside }) => isInside).map(({ _id }) => _id)));
  return children.toSorted((a, b) => Number(inside.has(b._id)) - Number(inside.has(a._id)));
}

function BackButton() {
  const { t } = useTranslation('live-feed');
  return <BackLink to="/profile">{t('back')}</BackLink>;
}

interface ChildChoiceProps {
  child: Child;
  isChosen: boolean;
  /** Also called for the chosen child, which stays chosen: one child always is. */
  onChoose: () => void;
}

function ChildChoice({ child, isChosen, onChoose }: ChildChoiceProps) {
  const { t } = useTranslation('live-feed');
  const id = useId();
  return (
    <label htmlFor={id} className={styles.child} data-chosen={isChosen || undefined}>
      <Checkbox
        id={id}
        size="md"
        checked={isChosen}
        onChange={onChoose}
        aria-label={child.name}
        aria-describedby={`${id}-status`}
      />
      <Photo path={child.photo} name={child.name} size={44} />
      <span className={styles.who}>
        <span className={styles.name}>
          <bdi>{child.name}</bdi>
        </span>
        <Text span size="sm" c="dimmed" id={`${id}-status`}>
          {child.isInside ? t('inside') : t('outside')}
        </Text>
      </span>
    </label>
  );
}

/** Counts check-ins and undone checkouts of a child: each makes an ended stream available again. */
function useStayCount(childId: string): number {
  const [count, setCount] = useState(0);
  useLiveEvents(
    useCallback(
      (event: HarisEvent) => {
        const isBack = event.type === 'child.checked_in' || event.type === 'child.checkout_undone';
        if (isBack && event.childId === childId) setCount((before) => before + 1);
      },
      [childId],
    ),
  );
  return count;
}

function Feed({ child, isStopped }: { child: Child; isStopped: boolean }) {
  const { t } = useTranslation('live-feed');
  const stays = useStayCount(child._id);
  return (
    <LivePicture
      key={stays}
      target={{ kind: 'child', id: child._id }}
      subject={child.name}
      offReason={child.isInside ? (isStopped ? t('stopped') : null) : t('notInside', { name: child.name })}
      isUnconfirmed={child.unconfirmed?.includes('photo') ?? false}
      hasTools
    />
  );
}
