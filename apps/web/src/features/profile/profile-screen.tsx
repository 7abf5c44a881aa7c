/** "My Profile": the parent's home, with one card per child, "I'm on my way", and the way to the live feed. */

import type { ChildBookings } from '@haris/contract/http/bookings';
import type { Child, Parent } from '@haris/contract/objects';
import { Button, Group, Title } from '@mantine/core';
import { IconLogout, IconMoodKid, IconPlus, IconVideo } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type Ref, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ownBookingsQuery } from '../../bookings/queries.ts';
import { failureText } from '../../calls/failure.ts';
import { useLogout } from '../../session/logout.ts';
import { useParent } from '../../session/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { DeskCode } from '../../vouching/desk-code.tsx';
import { OwnBookings } from './bookings/own-bookings.tsx';
import { Questions } from './bookings/question.tsx';
import { LogToSign } from './care-log/own-log.tsx';
import cards from './child-card.module.css';
import { ChildCard } from './child-card.tsx';
import { ChildDetails } from './child-details.tsx';
import { GuardianRequests } from './guardian-requests.tsx';
import { NurseryHours } from './nursery-hours.tsx';
import { OnMyWay } from './on-my-way.tsx';
import { PickupCode } from './pickup-code.tsx';
import styles from './profile.module.css';
import { Releases } from './releases.tsx';
import { ThingsBelow } from './things-below.tsx';
import { type HomeChildren, useHomeChildren } from './use-home-children.ts';
import { useNurseries } from './use-nurseries.ts';
import { OwnWaiting, useDecisions } from './waiting.tsx';
import { WhoMayPickUp } from './who-may-pick-up.tsx';

const NO_BOOKINGS: readonly ChildBookings[] = [];

export interface ProfileScreenProps {
  /** Card of a child for "View Details", from the stays feature; joined in app/. */
  renderDetails: (child: Child) => ReactNode;
  /** A danger where a child inside is, from the incidents feature; null without one. */
  renderDanger: (child: Child) => ReactNode;
  /** The air of a room in words, from the environment feature. */
  renderAir: (room: string | null) => ReactNode;
  /** Air of the areas, from the environment feature. */
  environment: ReactNode;
  /** Opens the camera of the add-child feature for a new photo of a child. */
  onNewPhoto: (child: Child) => void;
  /** Opens the camera for a further photo of a child, from another angle. */
  onFurtherPhoto: (child: Child) => void;
}

function AddChildButton({ variant }: { variant: 'filled' | 'light' }) {
  const { t } = useTranslation('profile');
  return (
    <Button
      component={Link}
      to="/addChild"
      variant={variant}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      {t('addChild')}
    </Button>
  );
}

/** Says that there are no children once the list has said so, too: the parent may be a guardian of one of another family. */
function NoChildren({ awaited }: Pick<HomeChildren, 'awaited'>) {
  const { t } = useTranslation('profile');
  if (awaited !== null && awaited.error !== null)
    return (
      <ErrorState text={failureText(awaited.error)} onRetry={awaited.refetch} busy={awaited.isFetching} />
    );
  // Its place is kept meanwhile, because nearly always it is what comes.
  return (
    <div style={{ visibility: awaited === null ? 'visible' : 'hidden' }}>
      <EmptyState
        icon={<IconMoodKid size={30} />}
        text={t('empty')}
        hint={t('emptyHint')}
        action={<AddChildButton variant="filled" />}
      />
    </div>
  );
}

function LiveFeedButton() {
  const { t } = useTranslation('profile');
  return (
    <Button component={Link} to="/liveFeed" variant="light" leftSection={<IconVideo size={18} aria-hidden />}>
      {t('viewLiveFeed')}
    </Button>
  );
}

function LogoutButton() {
  const { t } = useTranslation('profile');
  const logout = useLogout();
  const [isBusy, setBusy] = useState(false);
  return (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconLogout size={18} className={styles.mirror ?? ''} aria-hidden />}
      onClick={() => {
        setBusy(true);
        void logout();
      }}
    >
      {t('logout')}
    </Button>
  );
}

interface WaitingThingsProps {
  /** The button above the cards leads here. */
  ref: Ref<HTMLDivElement>;
  home: HomeChildren;
  pending: Parent['pending'];
  bookings: readonly ChildBookings[];
}

/** What waits for the nursery, and what asks the family for something or tells it of a release. */
function WaitingThings({ ref, home, pending, bookings }: WaitingThingsProps) {
  const { children, own } = home;
  const nameOf = (id: string) => children.find(({ _id }) => _id === id)?.name ?? '';
  return (
    <div ref={ref} tabIndex={-1} className={styles.things}>
      <OwnWaiting pending={pending} />
      <GuardianRequests />
      {children.length > 0 ? <Releases /> : null}
      <Questions bookings={bookings} nameOf={nameOf} />
      {own.length > 0 ? <LogToSign family={own} /> : null}
    </div>
  );
}

interface FamilyProps extends Pick<ProfileScreenProps, 'renderDanger' | 'renderAir' | 'onNewPhoto'> {
  home: HomeChildren;
  bookings: readonly ChildBookings[];
  isAnyInside: boolean;
  isFirst: (child: Child) => boolean;
  onDetails: (child: Child) => void;
  /** Leads to what waits below the cards. */
  onGo: () => void;
}

/** A card for each child, below a heading with the way to what waits and the way to add a child. */
function Family({
  home,
  bookings,
  isAnyInside,
  isFirst,
  renderDanger,
  renderAir,
  onNewPhoto,
  onDetails,
  onGo,
}: FamilyProps) {
  const { t } = useTranslation('profile');
  const { children, own, awaited, awaitsPictures } = home;
  const hasChildren = children.length > 0;
  return (
    <>
      <Group justify="space-between" mih="2.625rem" mb="xs" gap="xs">
        <Title order={2} fz="lg">
          {t('children')}
        </Title>
        {isAnyInside ? <ThingsBelow family={own} bookings={bookings} onGo={onGo} /> : null}
        {hasChildren ? <AddChildButton variant="light" /> : null}
      </Group>
      {!hasChildren ? (
        <Card>
          <NoChildren awaited={awaited} />
        </Card>
      ) : (
        <ul className={cards.cards}>
          {children.map((child) => (
            <ChildCard
              key={child._id}
              child={child}
              isFirst={isFirst(child)}
              awaitsPicture={awaitsPictures}
              danger={child.isInside ? renderDanger(child) : null}
              renderAir={renderAir}
              onNewPhoto={() => onNewPhoto(child)}
              onDetails={() => onDetails(child)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

export default function ProfileScreen({
  renderDetails,
  renderDanger,
  renderAir,
  environment,
  onNewPhoto,
  onFurtherPhoto,
}: ProfileScreenProps) {
  const { t } = useTranslation('profile');
  const parent = useParent();
  const home = useHomeChildren();
  const { children, own, taken, isListed } = home;
  const [shownId, setShownId] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  // Stored by id, so that the open card follows changes at the desk.
  const shown = children.find(({ _id }) => _id === shownId);
  const hasChildren = children.length > 0;
  const isFirst = (child: Child) => own.some(({ _id }) => _id === child._id);
  const { nurseries, phone, awaitsHours } = useNurseries();
  const { data: bookings = NO_BOOKINGS } = useQuery(ownBookingsQuery);
  useDecisions();
  const things = useRef<HTMLDivElement>(null);
  const isAnyInside = children.some((child) => child.isInside);
  const waiting = (
    <WaitingThings key="waiting" ref={things} home={home} pending={parent.pending} bookings={bookings} />
  );
  const way = hasChildren ? <OnMyWay key="way" family={taken} phone={phone} /> : null;
  const family = (
    <Family
      key="family"
      home={home}
      bookings={bookings}
      isAnyInside={isAnyInside}
      isFirst={isFirst}
      renderDanger={renderDanger}
      renderAir={renderAir}
      onNewPhoto={onNewPhoto}
      onDetails={({ _id }) => {
        setShownId(_id);
        setOpen(true);
      }}
      onGo={() => {
        things.current?.scrollIntoView();
        things.current?.focus({ preventScroll: true });
      }}
    />
  );
  return (
    <Page title={t('title')} actions={<LiveFeedButton />}>
      {/* The time that is left stands on the first screen, so nothing that waits or comes late is above it. */}
      {isAnyInside ? [way, family, waiting] : [waiting, way, family]}
      <PickupCode isAnyInside={taken.some((child) => child.isInside)} isKnown={isListed} />
      <NurseryHours nurseries={nurseries} awaitsHours={awaitsHours} />
      {own.length > 0 ? <WhoMayPickUp family={own} /> : null}
      <OwnBookings family={own} bookings={bookings} />
      {environment}
      <div className={styles.actions}>
        {/* Staff vouch before the first child. Later they rarely need a code, and it is on the account page. */}
        {hasChildren ? null : <DeskCode />}
        <LogoutButton />
      </div>
      <Dialog opened={isOpen && shown !== undefined} onClose={() => setOpen(false)} title={shown?.name ?? ''}>
        {shown === undefined ? null : (
          <ChildDetails
            child={shown}
            isFirst={isFirst(shown)}
            renderDetails={renderDetails}
            onFurtherPhoto={() => {
              setOpen(false);
              onFurtherPhoto(shown);
            }}
          />
        )}
      </Dialog>
    </Page>
  );
}
