/** The foot of the roll call: minimise it, or end the evacuation after a question. */
import { type Evacuation, incidentRoutes } from '@haris/contract/http/incidents';
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import classes from './roll-call.module.css';

export interface EndPanelProps {
  evacuation: Evacuation;
  /** Number of people who are missing or not yet ticked. */
  unclear: number;
  mayEnd: boolean;
  onFold: () => void;
}

/** The confirmation is inline, because a dialog of the page would open below the roll call. */
export function EndPanel({ evacuation, unclear, mayEnd, onFold }: EndPanelProps) {
  const { t } = useTranslation('emergency');
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Focuses Cancel, so that a stray Enter does not end the evacuation.
    if (isAsking) cancel.current?.focus();
  }, [isAsking]);
  const end = useMutation({
    mutationFn: () => call(incidentRoutes.endEvacuation, { params: { id: evacuation._id }, body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: [keys.incidents] }),
  });
  if (!isAsking)
    return (
      <footer className={classes.foot}>
        <Button variant="default" onClick={onFold}>
          {t('rollCall.fold')}
        </Button>
        {mayEnd ? (
          <Button color="clay" variant="light" onClick={() => setAsking(true)}>
            {t('rollCall.end')}
          </Button>
        ) : null}
      </footer>
    );
  return (
    <footer className={classes.foot} data-asking>
      <div role="alert">
        <Text fw={600}>{t('rollCall.endQuestion')}</Text>
        {unclear === 0 ? null : <Text>{t('rollCall.unclear', { count: unclear })}</Text>}
        {end.isError ? <Text c="var(--mantine-color-error)">{failureText(end.error)}</Text> : null}
      </div>
      <Group gap="sm">
        <Button variant="default" ref={cancel} onClick={() => setAsking(false)} disabled={end.isPending}>
          {t('rollCall.goOn')}
        </Button>
        <Button color="clay" onClick={() => end.mutate()} loading={end.isPending}>
          {t('rollCall.endNow')}
        </Button>
      </Group>
    </footer>
  );
}
