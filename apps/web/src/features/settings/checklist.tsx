/** The checklist of the first run: each item ticks itself off from the server's state, leads to its screen, or is skipped. */
import { type Setup, type SetupItem, setupRoutes } from '@haris/contract/http/setup';
import type { HarisEvent } from '@haris/contract/live/events';
import { Button, Group, Progress, Text, Title } from '@mantine/core';
import { IconArrowRight, IconCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { useLiveEvents } from '../../live/live-provider.tsx';
import { useOwnItems } from '../../setup/own-items.ts';
import { setupQuery } from '../../setup/queries.ts';
import { Card } from '../../ui/card.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import classes from './settings.module.css';

type State = Setup['items'][number]['state'];

/** The screens that the items lead to. */
const PATHS: Readonly<Record<Exclude<SetupItem, 'account'>, string>> = {
  locale: '/settings/facility#locale',
  facility: '/settings/facility',
  mail: '/settings/mail',
  phones: '/settings/phones',
  family: '/adminDashboard#families-title',
  camera: '/cameras',
  sensor: '/sensors',
  secondFactor: '/settings/sign-in',
};

/** Saves what is skipped and whether the dashboard shows the list. */
function useUpdateSetup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { skipped?: SetupItem[]; dismissed?: boolean }) =>
      call(setupRoutes.updateSetup, { body }),
    onSuccess: (answer) => client.setQueryData(setupQuery.queryKey, answer),
    onError: (error) => showFailure(error),
  });
}

/** Reads the list again after each change that can tick an item off, also one by a colleague. */
function useTicking(): void {
  const client = useQueryClient();
  const onEvent = useCallback(
    ({ type }: HarisEvent) => {
      if (/^(?:parent|camera|sensor)\.(?:created|updated|deleted)$/.test(type))
        void client.invalidateQueries({ queryKey: setupQuery.queryKey });
    },
    [client],
  );
  useLiveEvents(onEvent);
}

export interface ChecklistProps {
  setup: Setup;
  /** True on the dashboard, where the list can be hidden. */
  onDashboard?: boolean;
  /** Opens the dialog of a first family; by default the item leads to the dashboard. */
  onAddFamily?: () => void;
}

export function Checklist({ setup, onDashboard = false, onAddFamily }: ChecklistProps) {
  const { t } = useTranslation('settings');
  const update = useUpdateSetup();
  useTicking();
  const items = useOwnItems()(setup);
  // What others skipped stays skipped.
  const skipped = setup.items.filter(({ state }) => state === 'skipped').map(({ id }) => id);
  const done = items.filter(({ state }) => state === 'done').length;
  const isComplete = items.every(({ state }) => state !== 'open');
  const setSkipped = (id: SetupItem, isSkipped: boolean) =>
    update.mutate({ skipped: isSkipped ? [...skipped, id] : skipped.filter((one) => one !== id) });
  return (
    <Card
      component="section"
      aria-labelledby="checklist-title"
      className={onDashboard ? (classes.dashboard ?? '') : ''}
    >
      <Group justify="space-between" align="flex-start" gap="sm" mb="xs">
        <div>
          <Title order={2} id="checklist-title" fz="h3">
            {t('start.title')}
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {done === items.length ? t('start.allDone') : t('start.progress', { done, all: items.length })}
          </Text>
        </div>
        {onDashboard ? (
          <Button
            variant="subtle"
            size="compact-md"
            fz="sm"
            loading={update.isPending && update.variables?.dismissed === true}
            onClick={() =>
              update.mutate({ dismissed: true }, { onSuccess: () => notifySuccess(t('start.hidden')) })
            }
          >
            {t('start.hide')}
          </Button>
        ) : setup.dismissed && !isComplete ? (
          <Button
            variant="subtle"
            size="compact-md"
            fz="sm"
            onClick={() => update.mutate({ dismissed: false })}
          >
            {t('start.show')}
          </Button>
        ) : null}
      </Group>
      <Progress value={(100 * done) / items.length} size="sm" mb="sm" aria-hidden />
      <ol className={classes.items}>
        {items.map(({ id, state }) => (
          <Item
            key={id}
            id={id}
            state={state}
            setup={setup}
            isBusy={update.isPending}
            onSkip={(isSkipped) => setSkipped(id, isSkipped)}
            onAddFamily={onAddFamily}
          />
        ))}
      </ol>
      {setup.sample === 'possible' ? (
        <Text size="sm" mt="sm">
          {t('start.trySample')}{' '}
          <Text
            component={Link}
            to="/settings/sample"
            inherit
            fw={500}
            td="underline"
            c="var(--mantine-color-anchor)"
          >
            {t('sample.add')}
          </Text>
        </Text>
      ) : null}
    </Card>
  );
}

interface ItemProps {
  id: SetupItem;
  state: State;
  setup: Setup;
  isBusy: boolean;
  onSkip: (isSkipped: boolean) => void;
  onAddFamily: (() => void) | undefined;
}

function Item({ id, state, setup, isBusy, onSkip, onAddFamily }: ItemProps) {
  const { t } = useTranslation('settings');
  const title = t(`start.items.${id}.title`);
  const { folder } = setup.mail;
  const { links } = setup.reach;
  return (
    <li className={classes.item} data-state={state}>
      <span className={classes.tick} aria-hidden>
        {state === 'done' ? <IconCheck size={16} stroke={3} /> : null}
      </span>
      <div className={classes.words}>
        <Text fw={500}>
          {title}
          {state === 'open' ? null : (
            <Text span size="sm" c="dimmed" ms="xs" className={state === 'done' ? classes.quiet : ''}>
              {state === 'done' ? t('start.done') : t('start.skipped')}
            </Text>
          )}
        </Text>
        {state === 'open' ? (
          <Text size="sm" c="dimmed">
            {t(`start.items.${id}.text`)}
            {id === 'mail' && folder !== null ? ` ${t('start.items.mail.waiting', { folder })}` : null}
            {id === 'phones' && links.onlyHere
              ? ` ${t('start.items.phones.links', { url: links.url })}`
              : null}
          </Text>
        ) : null}
      </div>
      {state === 'open' ? (
        <Group gap="xs" wrap="nowrap" className={classes.actions ?? ''}>
          <Button
            variant="subtle"
            color="gray"
            size="compact-md"
            fz="sm"
            disabled={isBusy}
            aria-label={t('start.skipOf', { title })}
            onClick={() => onSkip(true)}
          >
            {t('start.skip')}
          </Button>
          <Go id={id} setup={setup} onAddFamily={onAddFamily} />
        </Group>
      ) : null}
      {state === 'skipped' ? (
        <Button
          variant="subtle"
          size="compact-md"
          fz="sm"
          disabled={isBusy}
          aria-label={t('start.unskipOf', { title })}
          onClick={() => onSkip(false)}
        >
          {t('start.unskip')}
        </Button>
      ) : null}
    </li>
  );
}

function Go({ id, setup, onAddFamily }: Pick<ItemProps, 'id' | 'setup' | 'onAddFamily'>) {
  const { t } = useTranslation('settings');
  const look = {
    variant: 'light',
    size: 'compact-md',
    fz: 'sm',
    rightSection: <IconArrowRight size={16} aria-hidden className={classes.arrow} />,
  } as const;
  if (id === 'family' && onAddFamily)
    return (
      <Button {...look} onClick={onAddFamily}>
        {t('start.items.family.go')}
      </Button>
    );
  if (id === 'account')
    return (
      <Button {...look} component={Link} to={setup.needsOwnAddress ? '/settings/account' : '/password'}>
        {setup.needsOwnAddress ? t('start.items.account.goAddress') : t('start.items.account.goPassword')}
      </Button>
    );
  return (
    <Button {...look} component={Link} to={PATHS[id]}>
      {t(`start.items.${id}.go`)}
    </Button>
  );
}
