/** Live Feed (spec §2): the parent chooses one child and sees it live; everybody else stays unrecognisable. */
import type { HarisEvent } from '@haris/contract/live/events';
import type { Child } from '@haris/contract/objects';
import { Button, Checkbox, Text, Title } from '@mantine/core';
import { IconMoodKid, IconShieldCheck } from '@tabler/icons-react';
import { useCallback, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLiveEvents } from '../../client/live-provider.tsx';
import { Photo } from '../../client/photo.tsx';
import { useParent } from '../../client/session.tsx';
import { LivePicture } from '../../live-picture/live-picture.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import styles from './live-feed.module.css';

export default function LiveFeedScreen() {
  const { t } = useTranslation('live-feed');
  const children = useInsideFirst(useParent().children);
  // The first child, until another is chosen; null once the choice was taken back.
  const [chosenId, setChosenId] = useState<string | null | undefined>(undefined);
  const chosen = chosenId === undefined ? children[0] : children.find(({ _id }) => _id === chosenId);

  return (
    <Page title={t('title')} actions={<BackButton />}>
      {children.length === 0 ? (
        <Card>
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
        </Card>
      ) : (
        <div className={styles.columns}>
          <fieldset className={styles.choice}>
            <legend className={styles.legend}>{t('choose')}</legend>
            {children.map((child) => (
              <ChildChoice
                key={child._id}
                child={child}
                isChosen={child._id === chosen?._id}
                onChange={(isChosen) => setChosenId(isChosen ? child._id : null)}
              />
            ))}
          </fieldset>
          <section className={styles.feed} aria-labelledby="feed-title">
            <Title order={2} id="feed-title" fz="h4" className={styles.name}>
              <bdi>{chosen?.name ?? t('nobodyChosen')}</bdi>
            </Title>
            {chosen === undefined ? (
              <Card>
                <EmptyState icon={<IconMoodKid size={30} />} text={t('nobodyChosenHint')} />
              </Card>
            ) : (
              <Feed key={chosen._id} child={chosen} />
            )}
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

/** Those who were inside when the screen was opened come first: the first is preselected, and nobody moves while one looks. */
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
  onChange: (isChosen: boolean) => void;
}

function ChildChoice({ child, isChosen, onChange }: ChildChoiceProps) {
  const { t } = useTranslation('live-feed');
  const id = useId();
  return (
    <label htmlFor={id} className={styles.child} data-chosen={isChosen || undefined}>
      <Checkbox
        id={id}
        size="md"
        checked={isChosen}
        onChange={(event) => onChange(event.currentTarget.checked)}
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

/** A stay that begins, or whose end was undone, is a picture that ended and comes back. */
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

function Feed({ child }: { child: Child }) {
  const { t } = useTranslation('live-feed');
  const stays = useStayCount(child._id);
  return (
    <LivePicture
      key={stays}
      target={{ kind: 'child', id: child._id }}
      subject={child.name}
      offReason={child.isInside ? null : t('notInside', { name: child.name })}
      hasTools
    />
  );
}
