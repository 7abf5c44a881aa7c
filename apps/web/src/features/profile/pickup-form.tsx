/**
 * Form for the time of arrival: some minutes by one press, or a time of day; for all children inside or some of them.
 */
import type { Child } from '@haris/contract/objects';
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../calls/server-clock.ts';
import { facilityTimeZone } from '../../i18n/locale.ts';
import { arrivalAt } from './arrival.ts';
import styles from './on-my-way.module.css';
import { useAnnouncePickup } from './use-pickup.ts';

const MINUTES = [5, 10, 15, 30] as const;

export interface PickupFormProps {
  inside: readonly Child[];
  onDone: () => void;
}

export function PickupForm({ inside, onDone }: PickupFormProps) {
  const { t } = useTranslation('profile');
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const announce = useAnnouncePickup();
  const children = inside.map(({ _id }) => _id).filter((id) => !leftOut.has(id));

  function send(arrivesAt: number) {
    if (children.length === 0) return setProblem(t('way.nobody'));
    announce.mutate({ children, arrivesAt: new Date(arrivesAt).toISOString() }, { onSuccess: onDone });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const at = arrivalAt(typed, serverNow(), facilityTimeZone());
    if (at === null) setProblem(t('way.noTime'));
    else send(at);
  }

  return (
    <Stack gap="md">
      {inside.length > 1 ? (
        <fieldset className={styles.who}>
          <legend>{t('way.who')}</legend>
          {inside.map(({ _id, name }) => (
            <Checkbox
              key={_id}
              label={<bdi>{name}</bdi>}
              checked={!leftOut.has(_id)}
              onChange={({ currentTarget: { checked } }) => {
                setProblem(null);
                setLeftOut((before) => new Set([...before, _id].filter((id) => id !== _id || !checked)));
              }}
            />
          ))}
        </fieldset>
      ) : null}
      <div>
        <Text fw={500} mb="xs">
          {t('way.when')}
        </Text>
        <div className={styles.minutes}>
          {MINUTES.map((count) => (
            <Button
              key={count}
              size="lg"
              px="xs"
              variant="light"
              disabled={announce.isPending}
              onClick={() => send(serverNow() + count * 60_000)}
            >
              {t('way.minutes', { count })}
            </Button>
          ))}
        </div>
      </div>
      <form onSubmit={submit} noValidate>
        <div className={styles.at}>
          <TextInput
            type="time"
            label={t('way.at')}
            value={typed}
            onChange={({ currentTarget }) => {
              setProblem(null);
              setTyped(currentTarget.value);
            }}
          />
          <Button type="submit" variant="default" disabled={typed === ''} loading={announce.isPending}>
            {t('way.send')}
          </Button>
        </div>
      </form>
      {problem === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}
