/** Who took the children in the last day, and the way to tell the desk that it was not expected. */
import { handOverRoutes, RELEASE_SHOWN_MS, type Release } from '@haris/contract/http/hand-over';
import { localDay } from '@haris/contract/zone-time';
import { Button, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconDoorExit } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText, showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { facilityTimeZone, momentFormat } from '../../i18n/locale.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import styles from './pickup.module.css';

const MINUTE_MS = 60_000;
export const minuteAt = (now: number) => Math.floor(now / MINUTE_MS) * MINUTE_MS;

const releasesQuery = queryOptions({
  queryKey: [keys.releases],
  queryFn: async ({ signal }) => (await call(handOverRoutes.listReleases, { signal })).releases,
});

/** The releases of the last day; undefined while they are not known. */
export function useRecentReleases(now: number): readonly Release[] | undefined {
  const { data } = useQuery(releasesQuery);
  return data?.filter(({ at }) => now - Date.parse(at) < RELEASE_SHOWN_MS);
}

/** Renders nothing while no child was picked up in the last day, and while that is not known yet. */
export function Releases() {
  const { t } = useTranslation('collectors');
  const now = useAtTick(minuteAt);
  const id = useId();
  const releases = useQuery(releasesQuery);
  const recent = useRecentReleases(now);
  if (recent === undefined)
    return releases.isError ? (
      <Card p="md" mb="md">
        <ErrorState
          text={failureText(releases.error)}
          onRetry={() => void releases.refetch()}
          busy={releases.isRefetching}
        />
      </Card>
    ) : null;
  if (recent.length === 0) return null;
  return (
    <Card component="section" p="md" mb="md" aria-labelledby={id}>
      <Title order={2} fz="md" id={id} mb="xs">
        {t('release.title')}
      </Title>
      <ul className={styles.releases}>
        {recent.map((release) => (
          <OneRelease key={release.stayId} release={release} now={now} />
        ))}
      </ul>
    </Card>
  );
}

function OneRelease({ release, now }: { release: Release; now: number }) {
  const { t } = useTranslation('collectors');
  const [isAsking, setAsking] = useState(false);
  const child = release.child.name;
  const said = useSentence(release, now);
  const by = useReleasedBy(release);
  return (
    <li className={styles.release}>
      <IconDoorExit size={22} stroke={1.75} aria-hidden />
      <div className={styles.words}>
        <Text fw={500}>{said}</Text>
        {by === '' ? null : (
          <Text size="sm" c="dimmed">
            {by}
          </Text>
        )}
        {release.isUnexpected ? (
          <Text size="sm" fw={600} c="clay" className={styles.told}>
            <IconAlertTriangle size={18} aria-hidden />
            {t('release.reported')}
          </Text>
        ) : (
          <Button
            size="sm"
            variant="light"
            color="clay"
            className={styles.unexpected ?? ''}
            aria-label={t('release.unexpectedOf', { child })}
            aria-haspopup="dialog"
            onClick={() => setAsking(true)}
          >
            {t('release.unexpected')}
          </Button>
        )}
      </div>
      <UnexpectedDialog release={release} opened={isAsking} onClose={() => setAsking(false)} />
    </li>
  );
}

interface UnexpectedDialogProps {
  release: Release;
  opened: boolean;
  onClose: () => void;
}

function UnexpectedDialog({ release: { stayId, child }, opened, onClose }: UnexpectedDialogProps) {
  const { t } = useTranslation('collectors');
  const client = useQueryClient();
  const report = useMutation({
    mutationFn: () => call(handOverRoutes.reportUnexpectedRelease, { params: { stayId } }),
    onSuccess: () => notifySuccess(t('release.told')),
    onError: (error) => showFailure(error),
    onSettled: () => {
      onClose();
      return refetchStale(client, [keys.releases]);
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => report.mutate()}
      title={t('release.sureTitle')}
      confirmLabel={t('release.confirm')}
      busy={report.isPending}
      dangerous
    >
      {t('release.sure', { child: child.name })}
    </ConfirmDialog>
  );
}

/** When and by whom: the time alone if it was today. */
function useSentence({ child: { name: child }, at, adult }: Release, now: number): string {
  const { t, i18n } = useTranslation('collectors');
  const zone = facilityTimeZone();
  const isToday = localDay(Date.parse(at), zone) === localDay(now, zone);
  const time = momentFormat(i18n.language, {
    ...(isToday ? {} : { dateStyle: 'medium' }),
    timeStyle: 'short',
  }).format(Date.parse(at));
  if (adult === null) return t('release.nobody', { child, time });
  const { kind, name, relation } = adult;
  if (kind === 'guardian') {
    if (name === null) return t('release.byYou', { child, time });
    return name === ''
      ? t('release.byGuardian', { child, time })
      : t('release.by', { child, time, who: name });
  }
  if (name === null) return t('release.byRemoved', { child, time });
  if (name === '') return t('release.byOther', { child, time });
  const who = relation === null ? name : t('release.who', { name, relation });
  return t('release.by', { child, time, who });
}

/** Which staff released the child, and by which proof; '' if neither is known. */
function useReleasedBy({ releasedBy, secondBy, proof }: Release): string {
  const { t } = useTranslation('collectors');
  const second = secondBy === null ? null : t('release.second', { staff: secondBy });
  if (releasedBy === null) return proof === null ? '' : t(`release.onlyProof.${proof}`);
  const first =
    proof === null
      ? t('release.released', { staff: releasedBy })
      : t('release.releasedWith', { staff: releasedBy, proof: t(`release.proof.${proof}`) });
  return second === null ? first : `${first} · ${second}`;
}
