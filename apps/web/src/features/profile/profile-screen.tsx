/** "My Profile": the parent's children, and the way to add one and to sign out. */

import type { HarisEvent } from '@haris/contract/live/events';
import type { Child, Parent } from '@haris/contract/objects';
import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconClock, IconLogout, IconMoodKid, IconPlus, IconVideo } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DeskCode } from '../../client/desk-code.tsx';
import { useLiveEvents } from '../../client/live-provider.tsx';
import { useLogout } from '../../client/logout.ts';
import { Photo } from '../../client/photo.tsx';
import { useParent } from '../../client/session.tsx';
import { localeOf } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { notifyError, notifySuccess } from '../../ui/toast.ts';
import styles from './profile.module.css';

export interface ProfileScreenProps {
  /** What "View Details" shows of a child; the stays feature's card, joined in app/. */
  renderDetails: (child: Child) => ReactNode;
  /** The air of the areas, of the environment feature. */
  environment: ReactNode;
  /** Whether the cameras know the parent, of the recognition feature. */
  recognition: ReactNode;
  /** The way to what reaches the parent elsewhere, of the notices feature. */
  notices: ReactNode;
  /** The way to a new password, of the password feature. */
  password: ReactNode;
}

function ChildCard({ child, onDetails }: { child: Child; onDetails: () => void }) {
  const { t } = useTranslation('profile');
  return (
    <Card component="li">
      <Group wrap="nowrap" gap="md">
        <Photo path={child.photo} name={child.name} size={76} shape="rounded" />
        <Stack gap={6} miw={0} flex={1} align="flex-start">
          <Text fw={600} fz="lg" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{child.name}</bdi>
          </Text>
          <Badge variant={child.isInside ? 'filled' : 'default'} size="lg" tt="none" fw={500}>
            {child.isInside ? t('inside') : t('outside')}
          </Badge>
        </Stack>
      </Group>
      <WaitingForNursery child={child} />
      <Button
        mt="md"
        fullWidth
        variant="light"
        onClick={onDetails}
        aria-label={t('viewDetailsOf', { name: child.name })}
        aria-haspopup="dialog"
      >
        {t('viewDetails')}
      </Button>
    </Card>
  );
}

/** What of a child the staff have not confirmed, and what that means. */
function WaitingForNursery({ child }: { child: Child }) {
  const { t } = useTranslation('profile');
  const { pending } = child;
  if (pending.length === 0) return null;
  return (
    <Alert
      mt="md"
      color="saffron"
      variant="light"
      icon={<IconClock size={20} aria-hidden />}
      title={t('waiting.badge')}
    >
      <Stack gap={4}>
        {pending.map((field) => (
          <Text key={field} size="sm">
            {t(`waiting.${field}`)}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

const OWN = {
  photo: 'waiting.ownPhoto',
  name: 'waiting.ownName',
  phone: 'waiting.ownPhone',
  recognition: 'waiting.ownRecognition',
} as const;

/** The same of the own account. */
function OwnWaiting({ pending }: Pick<Parent, 'pending'>) {
  const { t, i18n } = useTranslation('profile');
  if (pending.length === 0) return null;
  const fields = new Intl.ListFormat(localeOf(i18n.language)).format(pending.map((field) => t(OWN[field])));
  return (
    <Alert mb="md" color="saffron" variant="light" icon={<IconClock size={20} aria-hidden />}>
      <Text size="sm">{t('waiting.own', { fields })}</Text>
    </Alert>
  );
}

/** Says what staff decided while the page is open. */
function useDecisions(): void {
  const { t } = useTranslation('profile');
  useLiveEvents(
    useCallback(
      ({ type }: HarisEvent) => {
        if (type === 'proposal.accepted') notifySuccess(t('waiting.accepted'));
        if (type === 'proposal.rejected') notifyError(t('waiting.rejected'));
      },
      [t],
    ),
  );
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

function LiveFeedButton({ variant }: { variant: 'filled' | 'light' }) {
  const { t } = useTranslation('profile');
  return (
    <Button
      component={Link}
      to="/liveFeed"
      variant={variant}
      className={styles.first ?? ''}
      leftSection={<IconVideo size={18} aria-hidden />}
    >
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

export default function ProfileScreen({
  renderDetails,
  environment,
  recognition,
  notices,
  password,
}: ProfileScreenProps) {
  const { t } = useTranslation('profile');
  const parent = useParent();
  const [shownId, setShownId] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  // By id, so that the card follows what happens at the desk while it is open.
  const shown = parent.children.find(({ _id }) => _id === shownId);
  const hasChildren = parent.children.length > 0;
  useDecisions();
  return (
    <Page
      title={t('title')}
      description={
        <span className={styles.account}>
          <span>
            <bdi>{parent.name}</bdi>
          </span>
          <span>
            <bdi>{parent.email}</bdi>
          </span>
        </span>
      }
      actions={
        <div className={styles.actions}>
          <LiveFeedButton variant={hasChildren ? 'filled' : 'light'} />
          {notices}
          {password}
          <LogoutButton />
        </div>
      }
    >
      <OwnWaiting pending={parent.pending} />
      <Group justify="space-between" mih="2.625rem" mb="md">
        <Title order={2} fz="lg">
          {t('children')}
        </Title>
        {hasChildren ? <AddChildButton variant="light" /> : null}
      </Group>
      {!hasChildren ? (
        <Card>
          <EmptyState
            icon={<IconMoodKid size={30} />}
            text={t('empty')}
            hint={t('emptyHint')}
            action={<AddChildButton variant="filled" />}
          />
        </Card>
      ) : (
        <SimpleGrid
          component="ul"
          cols={{ base: 1, sm: 2, lg: 3 }}
          style={{ listStyle: 'none', margin: 0, padding: 0 }}
        >
          {parent.children.map((child) => (
            <ChildCard
              key={child._id}
              child={child}
              onDetails={() => {
                setShownId(child._id);
                setOpen(true);
              }}
            />
          ))}
        </SimpleGrid>
      )}
      {environment}
      {recognition}
      <Group mt="xl">
        <DeskCode />
      </Group>
      <Dialog opened={isOpen && shown !== undefined} onClose={() => setOpen(false)} title={shown?.name ?? ''}>
        {shown === undefined ? null : (
          <Stack>
            <Group wrap="nowrap">
              <Photo path={shown.photo} name={shown.name} size={96} shape="rounded" />
              <Badge variant={shown.isInside ? 'filled' : 'default'} size="lg" tt="none" fw={500}>
                {shown.isInside ? t('inside') : t('outside')}
              </Badge>
            </Group>
            {renderDetails(shown)}
          </Stack>
        )}
      </Dialog>
    </Page>
  );
}
