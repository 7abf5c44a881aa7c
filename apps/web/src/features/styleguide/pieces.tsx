/** The components, grouped as in docs/design.md. */
import {
  Alert,
  Anchor,
  Badge,
  Button,
  Checkbox,
  PasswordInput,
  Select,
  Skeleton,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconArrowRight, IconInfoCircle, IconMenu2, IconMoodKid, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ActionButton, ActionLink } from '../../ui/action.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { LoadingScreen } from '../../ui/loading-screen.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { ShelterScene } from '../../ui/shelter-scene.tsx';
import { EmptyState, ErrorState, PeopleSkeleton } from '../../ui/states.tsx';
import { notifyBlank, notifyError, notifySuccess } from '../../ui/toast.ts';
import styles from './styleguide.module.css';

const SAMPLES = {
  english: {
    sentence: 'Omar is inside until 11:30.',
    name: 'Mona Hassan',
    long: 'Maximilian Alexander Theodor von Hohenlohe-Langenburg',
    press: 'Check in',
    error: 'Invalid phone number format',
  },
  arabic: {
    sentence: 'عمر في الداخل حتى ١١:٣٠.',
    name: 'منى حسن',
    long: 'عبد الرحمن محمد عبد العزيز عبد الفتاح المنصوري',
    press: 'تسجيل الدخول',
    error: 'صيغة رقم الهاتف غير صحيحة',
  },
};

const ROLES = ['pine', 'saffron', 'clay', 'gray'] as const;
const GROUNDS = ['--haris-page', '--mantine-color-body'];
const TEXTS = ['text', 'dimmed', 'anchor', 'error', 'placeholder'];
const nothing = () => {};

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Colours() {
  return (
    <Group title="Colours">
      {GROUNDS.map((ground) => (
        <div key={ground} className={styles.row}>
          {TEXTS.map((text) => (
            <span
              key={text}
              className={styles.swatch}
              style={{ background: `var(${ground})`, color: `var(--mantine-color-${text})` }}
            >
              {text} on {ground}
            </span>
          ))}
        </div>
      ))}
      <div className={styles.row}>
        {ROLES.map((role) => (
          <Badge key={role} color={role} variant="filled">
            {role}
          </Badge>
        ))}
        {ROLES.map((role) => (
          <Badge key={role} color={role} variant="light">
            {role}
          </Badge>
        ))}
      </div>
    </Group>
  );
}

function Buttons({ press }: { press: string }) {
  return (
    <Group title="Buttons">
      {(['filled', 'light', 'default', 'subtle'] as const).map((variant) => (
        <div key={variant} className={styles.row}>
          <Button variant={variant}>{press}</Button>
          <Button variant={variant} leftSection={<IconPlus size={18} aria-hidden />}>
            {press}
          </Button>
          <Button variant={variant} color="clay">
            {press}
          </Button>
          <Button variant={variant} loading>
            {press}
          </Button>
          <Button variant={variant} disabled>
            {press}
          </Button>
          <Button variant={variant} size="compact-md">
            {press}
          </Button>
        </div>
      ))}
      {(['filled', 'light', 'plain', 'quiet'] as const).map((look) => (
        <div key={look} className={styles.row}>
          <ActionLink to="/styleguide" look={look}>
            {press}
          </ActionLink>
          <ActionLink
            to="/styleguide"
            look={look}
            size="large"
            iconAfter={<IconArrowRight size={20} aria-hidden />}
          >
            {press}
          </ActionLink>
          <ActionButton look={look} icon={<IconPlus size={18} aria-hidden />}>
            {press}
          </ActionButton>
          <ActionButton look={look} size="square" aria-label={press}>
            <IconMenu2 size={22} aria-hidden />
          </ActionButton>
        </div>
      ))}
    </Group>
  );
}

function Fields({ name, error }: { name: string; error: string }) {
  const [typed, setTyped] = useState('');
  const box = { onType: setTyped, label: 'Search', placeholder: 'Search', clearLabel: 'Clear' };
  return (
    <Group title="Fields">
      <div className={styles.fields}>
        <TextInput label={name} placeholder={name} />
        <TextInput label={name} defaultValue={name} description={name} required />
        <TextInput label={name} defaultValue="0123" error={error} />
        <TextInput label={name} defaultValue={name} disabled />
        <PasswordInput label={name} defaultValue="secret" />
        <Select label={name} data={[name, error]} defaultValue={name} />
        <Checkbox label={name} defaultChecked />
        <Checkbox label={name} disabled />
        <SearchBox {...box} typed={typed} isBusy={false} />
        <SearchBox {...box} typed={name} isBusy />
      </div>
    </Group>
  );
}

function People({ name, long }: { name: string; long: string }) {
  return (
    <Group title="People">
      <div className={styles.row}>
        {[name, long, 'Omar'].map((person) => (
          <InitialsAvatar key={person} name={person} />
        ))}
        <InitialsAvatar name={name} size={96} shape="rounded" />
        <InitialsAvatar name={name} src="/favicon.svg" />
        <Badge variant="light">{name}</Badge>
      </div>
      <PeopleSkeleton rows={2} />
    </Group>
  );
}

function States({ sentence }: { sentence: string }) {
  const list = {
    hasNextPage: true,
    isFetchingNextPage: false,
    isFetchNextPageError: true,
    isPlaceholderData: true,
    fetchNextPage: nothing,
  };
  return (
    <Group title="States">
      <div className={styles.fields}>
        <Card>
          <EmptyState
            icon={<IconMoodKid size={28} />}
            text={sentence}
            hint={sentence}
            action={<Button>{sentence}</Button>}
          />
        </Card>
        <Card>
          <ErrorState text={sentence} onRetry={nothing} />
        </Card>
        <Card>
          <ErrorState text={sentence} onRetry={nothing} busy />
        </Card>
        <Card>
          <Problem text={sentence} onRetry={nothing} />
        </Card>
        <Card>
          <Problem text={sentence} offline onRetry={nothing} />
        </Card>
        <Card>
          <Skeleton height={96} />
          <LoadMore list={list} label="Load more" busyLabel="…" errorText={sentence} />
          <LoadMore
            list={{ ...list, isFetchNextPageError: false, isFetchingNextPage: true }}
            label="Load more"
            busyLabel="…"
            errorText={sentence}
          />
        </Card>
      </div>
      {ROLES.map((role) => (
        <Alert key={role} color={role} icon={<IconInfoCircle aria-hidden />} mt="sm">
          {sentence}
        </Alert>
      ))}
      <LoadingScreen />
    </Group>
  );
}

function Dialogs({ sentence, press }: { sentence: string; press: string }) {
  const [open, setOpen] = useState<'dialog' | 'question' | 'busy' | null>(null);
  const close = () => setOpen(null);
  return (
    <Group title="Dialogs and toasts">
      <div className={styles.row}>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('question')}>Question</Button>
        <Button onClick={() => setOpen('busy')}>Busy question</Button>
        <Button onClick={() => notifySuccess(sentence)}>Success</Button>
        <Button onClick={() => notifyError(sentence)}>Error</Button>
        <Button onClick={() => notifyBlank(sentence)}>Blank</Button>
      </div>
      <Dialog opened={open === 'dialog'} onClose={close} title={press}>
        <Text>{sentence}</Text>
      </Dialog>
      <ConfirmDialog
        opened={open === 'question' || open === 'busy'}
        busy={open === 'busy'}
        onClose={close}
        onConfirm={close}
        title={press}
        confirmLabel={press}
        dangerous
      >
        {sentence}
      </ConfirmDialog>
    </Group>
  );
}

export function Pieces({ isArabic }: { isArabic: boolean }) {
  const { sentence, name, long, press, error } = isArabic ? SAMPLES.arabic : SAMPLES.english;
  return (
    <div className={styles.pieces}>
      <Group title="Logo and drawing">
        <div className={styles.row}>
          {[24, 36, 64].map((size) => (
            <Logo key={size} size={size} />
          ))}
          <img src="/favicon.svg" alt="" width={64} height={64} />
        </div>
        <ShelterScene />
      </Group>
      <Group title="Type">
        {([1, 2, 3, 4] as const).map((order) => (
          <Title key={order} order={order}>
            {sentence}
          </Title>
        ))}
        {(['lg', 'md', 'sm', 'xs'] as const).map((size) => (
          <Text key={size} size={size}>
            {sentence} <Anchor href="/styleguide">{press}</Anchor>
          </Text>
        ))}
        <Text c="dimmed">{long}</Text>
      </Group>
      <Colours />
      <Buttons press={press} />
      <Fields name={name} error={error} />
      <People name={name} long={long} />
      <States sentence={sentence} />
      <Dialogs sentence={sentence} press={press} />
    </div>
  );
}
