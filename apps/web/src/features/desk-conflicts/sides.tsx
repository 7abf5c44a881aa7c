/** The two sides of a conflict as facts: what the desk wrote, and the stay as Haris has it. */
import type { DeskConflict } from '@haris/contract/http/desk-conflicts';
import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './desk-conflicts.module.css';
import { useNames } from './use-names.ts';

type Fact = readonly [label: string, value: ReactNode];

interface SideProps {
  title: string;
  facts: readonly Fact[];
  children?: ReactNode;
}

function Side({ title, facts, children }: SideProps) {
  return (
    <div className={classes.side}>
      <Title order={3} fz="md">
        {title}
      </Title>
      {children}
      {facts.length === 0 ? null : (
        <dl className={classes.facts}>
          {facts.map(([label, value]) => (
            <div key={label} className={classes.fact}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

export function DeskSide({ conflict: { desk } }: { conflict: DeskConflict }) {
  const { t } = useTranslation('desk-conflicts');
  const { deskOf, staffOf, adultOf, momentOf } = useNames();
  const { kind, at, claimedAt, isUnsure, receivedAt, by, adult, proof } = desk;
  const time = (
    <>
      <time dateTime={at}>{momentOf(at)}</time>
      {claimedAt === null ? null : <Text size="sm">{t('desk.claimed', { time: momentOf(claimedAt) })}</Text>}
      {isUnsure && claimedAt === null ? <Text size="sm">{t('desk.unsure')}</Text> : null}
    </>
  );
  const facts: Fact[] = [
    [t('desk.tablet'), <bdi key="tablet">{deskOf(desk)}</bdi>],
    [t(kind === 'check_in' ? 'desk.came' : 'desk.left'), time],
    ...(kind === 'check_in'
      ? []
      : ([
          [t('adult'), adult === null ? t('desk.nobody') : adultOf(adult)],
          [t('proof'), proof === null ? t('desk.nobody') : t(`proofs.${proof}`)],
        ] satisfies Fact[])),
    [t('desk.by'), by === null ? t('desk.nobody') : <bdi key="by">{staffOf(by)}</bdi>],
    [
      t('desk.told'),
      <time key="told" dateTime={receivedAt}>
        {momentOf(receivedAt)}
      </time>,
    ],
  ];
  return <Side title={t('desk.title')} facts={facts} />;
}

export function StaySide({ stay }: Pick<DeskConflict, 'stay'>) {
  const { t } = useTranslation('desk-conflicts');
  const { staffOf, adultOf, momentOf } = useNames();
  if (stay === null)
    return (
      <Side title={t('stay.title')} facts={[]}>
        <Text>{t('stay.none')}</Text>
      </Side>
    );
  const { entryTime, exitTime, isVoid, checkedInBy, checkedOutBy, room, adult, proof } = stay;
  const left: Fact[] =
    exitTime === null
      ? isVoid
        ? []
        : [[t('stay.left'), t('stay.inside')]]
      : [
          [
            t('stay.left'),
            <time key="left" dateTime={exitTime}>
              {momentOf(exitTime)}
            </time>,
          ],
          [t('adult'), adult === null ? t('nobodyNamed') : adultOf(adult)],
          [t('proof'), proof === null ? t('noProof') : t(`proofs.${proof}`)],
        ];
  const facts: Fact[] = [
    [
      t('stay.came'),
      <time key="came" dateTime={entryTime}>
        {momentOf(entryTime)}
      </time>,
    ],
    ...left,
    [t('stay.checkedInBy'), <bdi key="in">{staffOf(checkedInBy)}</bdi>],
    ...(checkedOutBy === null
      ? []
      : ([[t('stay.checkedOutBy'), <bdi key="out">{staffOf(checkedOutBy)}</bdi>]] satisfies Fact[])),
    ...(room === null ? [] : ([[t('stay.room'), <bdi key="room">{room}</bdi>]] satisfies Fact[])),
  ];
  return (
    <Side title={t('stay.title')} facts={facts}>
      {isVoid ? <Text fw={500}>{t('stay.void')}</Text> : null}
    </Side>
  );
}
