/** A missing child: who it is, where it was last, what to do, whom to call, and the end of the search. */
import { incidentRoutes } from '@haris/contract/http/incidents';
import { Button, Text, TextInput } from '@mantine/core';
import { IconCheck, IconPhone, IconUser } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { useOpenChild } from '../../../child/child-link.tsx';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { Photo } from '../../../photos/photo.tsx';
import { Allowed } from '../../../session/allowed.tsx';
import { useMay } from '../../../session/may.ts';
import { useRollCallNow } from '../api.ts';
import classes from './danger-dialog.module.css';
import type { MissingDanger } from './shown-danger.ts';

const isolated = (name: string) => `\u2068${name}\u2069`;

export interface MissingDetailsProps {
  danger: MissingDanger;
  /** The sheet of the child opens below the dialog. */
  onMinimise: () => void;
}

export function MissingDetails({ danger: { key, child, raisedBy }, onMinimise }: MissingDetailsProps) {
  const { t } = useTranslation('emergency');
  return (
    <>
      {raisedBy === null ? null : (
        <Text size="sm">{t('missing.raisedBy', { name: isolated(raisedBy) })}</Text>
      )}
      {child === null ? null : <Sought child={child} onMinimise={onMinimise} />}
      <Text>{t('missing.todo')}</Text>
      <Allowed to="children.check_in">
        <Found incidentId={key} />
      </Allowed>
    </>
  );
}

interface SoughtProps {
  child: { readonly id: string; readonly name: string };
  onMinimise: () => void;
}

/** Photo, room and last sighting, as on the roll call; and the ways to the family. */
function Sought({ child: { id, name }, onMinimise }: SoughtProps) {
  const { t } = useTranslation(['emergency', 'incidents']);
  const may = useMay();
  const format = useClockFormat();
  const openChild = useOpenChild();
  const { data } = useRollCallNow();
  const listed = data?.rollCall.children.find(({ childId }) => childId === id);
  // A child who is signed out leaves the roll call, and the search goes on with what was known.
  const [known, setKnown] = useState(listed);
  if (listed !== undefined && listed !== known) setKnown(listed);
  const entry = listed ?? known;
  const guardian = entry?.guardian ?? null;
  return (
    <>
      <div className={classes.sought}>
        <Photo path={entry?.photo ?? null} name={name} size={96} isEager />
        <div>
          <Text fw={600} fz="lg">
            <bdi>{name}</bdi>
          </Text>
          {data !== undefined && listed === undefined ? <Text>{t('rollCall.checkedOut')}</Text> : null}
          {entry?.room == null ? null : (
            <Text>
              {entry.room.since === null
                ? t('missing.room', { room: isolated(entry.room.name) })
                : t('missing.roomSince', {
                    room: isolated(entry.room.name),
                    time: format.timeOfDay(entry.room.since),
                  })}
            </Text>
          )}
          {entry?.lastSeen == null ? null : (
            <Text>
              {t('missing.seen', {
                area: isolated(entry.lastSeen.area),
                time: format.timeOfDay(entry.lastSeen.at),
              })}
            </Text>
          )}
        </div>
      </div>
      <div className={classes.ways}>
        {guardian?.phone == null ? null : (
          <Button
            component="a"
            href={`tel:${guardian.phone}`}
            variant="default"
            size="md"
            leftSection={<IconPhone size={18} aria-hidden />}
          >
            {t('rollCall.callOf', { name: isolated(guardian.name), phone: isolated(guardian.phone) })}
          </Button>
        )}
        {may('families.view') ? (
          <Button
            variant="default"
            size="md"
            leftSection={<IconUser size={18} aria-hidden />}
            onClick={() => {
              onMinimise();
              openChild(id);
            }}
          >
            {t('incidents:openChild', { name: isolated(name) })}
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** Ends the search by two presses; a dialog of the page would open below this one. */
function Found({ incidentId }: { incidentId: string }) {
  const { t } = useTranslation('emergency');
  const [isAsking, setAsking] = useState(false);
  if (isAsking) return <EndSearch incidentId={incidentId} onClose={() => setAsking(false)} />;
  return (
    <div className={classes.ways}>
      <Button size="md" leftSection={<IconCheck size={18} aria-hidden />} onClick={() => setAsking(true)}>
        {t('missing.found')}
      </Button>
    </div>
  );
}

/** Asks where the child was. No form: an Enter from a scanner must not end a search. */
function EndSearch({ incidentId, onClose }: { incidentId: string; onClose: () => void }) {
  const { t } = useTranslation(['emergency', 'incidents']);
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [where, setWhere] = useState('');
  useEffect(() => field.current?.focus(), []);
  const end = useMutation({
    mutationFn: () =>
      call(incidentRoutes.markChildFound, { params: { id: incidentId }, body: { note: where } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: [keys.incidents] }),
    onError: (error) => showFailure(error),
  });
  return (
    <div className={classes.found}>
      <TextInput
        ref={field}
        label={t('missing.where')}
        value={where}
        maxLength={500}
        dir="auto"
        onChange={(event) => setWhere(event.currentTarget.value)}
      />
      <div className={classes.asking}>
        <Button onClick={() => end.mutate()} loading={end.isPending}>
          {t('missing.confirm')}
        </Button>
        <Button variant="default" onClick={onClose} disabled={end.isPending}>
          {t('incidents:cancel')}
        </Button>
      </div>
    </div>
  );
}
