/** The shown and the proposed photo and details, side by side and large enough to compare. */
import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import type { Child, Parent } from '@haris/contract/objects';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh, IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../../i18n/locale.ts';
import { Photo, useFailedPhotos } from '../../../photos/photo.tsx';
import classes from './proposals.module.css';

/** Side of a photo in the comparison dialog, in pixels. */
const SIDE_PX = 144;

interface FaceProps {
  side?: number | string;
  path: string | null;
  name: string;
  under: string;
  /** Whether staff decide about this photo, so that they have to see it (`useInView`). */
  isAsked?: boolean;
}

function Face({ path, name, under, side = SIDE_PX, isAsked = false }: FaceProps) {
  return (
    <figure className={classes.face} data-photo={isAsked || undefined}>
      <Photo path={path} name={name} size={side} shape="rounded" isWhole />
      <figcaption>
        <Text size="sm" fw={600} className={classes.caption} dir="auto">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {under}
        </Text>
      </figcaption>
    </figure>
  );
}

/** Paths of the photos about which staff decide. */
function askedPhotos({ proposal }: Child | Parent): string[] {
  return [proposal?.photo, ...(proposal?.photos ?? [])].filter((path) => path != null);
}

/** Says that a photo about which staff decide could not be loaded, and loads it again; `children`: other ways out. */
export function PhotosFailed({ of, children }: { of: Child | Parent; children?: ReactNode }) {
  const { t } = useTranslation(['dashboard', 'common']);
  const fetchAgain = useFailedPhotos(askedPhotos(of));
  if (fetchAgain === null) return null;
  return (
    <Group gap="sm">
      <Text size="sm" role="status">
        {t('proposals.photoFailed')}
      </Text>
      <Button
        size="compact-md"
        variant="light"
        leftSection={<IconRefresh size={18} aria-hidden />}
        onClick={fetchAgain}
      >
        {t('common:tryAgain')}
      </Button>
      {children}
    </Group>
  );
}

export interface ProposalFacesProps {
  of: Child | Parent;
  /** Side of each photo: pixels, or a CSS length. */
  side?: number | string;
  /** Places the photos close together, without the name that stands above them. */
  isDense?: boolean;
}

/** Photos and details of one child or parent. Without a proposal, the photo and name that staff never confirmed. */
export function ProposalFaces({ of, side = SIDE_PX, isDense = false }: ProposalFacesProps) {
  if (of.proposal === undefined) return <Photos of={of} side={side} />;
  return (
    <Stack gap={isDense ? 'xs' : 'md'}>
      <div className={isDense ? classes.dense : classes.faces} data-dense={isDense || undefined}>
        <Photos of={of} side={side} />
      </div>
      <Changes of={of} />
    </Stack>
  );
}

/** The shown and the proposed photos. */
function Photos({ of, side }: { of: Child | Parent; side: number | string }) {
  const { t } = useTranslation('dashboard');
  const { proposal } = of;
  const isUnconfirmed = 'unconfirmed' in of && of.unconfirmed?.includes('photo');
  const shown = t(
    of.photo === null ? 'proposals.noPhoto' : isUnconfirmed ? 'proposals.only' : 'proposals.before',
  );
  if (proposal === undefined) return <Face side={side} path={of.photo} name={of.name} under={shown} />;
  const name = proposal.name ?? of.name;
  // A child who was never confirmed has the proposed photo only.
  const isFirst = proposal.photo !== undefined && proposal.photo === of.photo;
  return (
    <>
      {proposal.photo !== undefined && !isFirst ? (
        <Face side={side} path={of.photo} name={of.name} under={shown} />
      ) : null}
      {proposal.photo === undefined ? (
        <Face side={side} path={of.photo} name={of.name} under={shown} />
      ) : (
        <Face
          side={side}
          path={proposal.photo}
          name={name}
          under={t(isFirst ? 'proposals.only' : 'proposals.after')}
          isAsked
        />
      )}
      {(proposal.photos ?? []).map((path) => (
        <Face key={path} side={side} path={path} name={name} under={t('proposals.more')} isAsked />
      ))}
    </>
  );
}

/** What else would change: name, date of birth, phone, recognition. */
function Changes({ of }: { of: Child | Parent }) {
  const { t } = useTranslation('dashboard');
  const { proposal, pending } = of;
  if (proposal === undefined) return null;
  const phone = 'phone' in of ? of.phone : null;
  return (
    <dl className={classes.words}>
      {proposal.name !== undefined && proposal.name !== of.name ? (
        <Change label={t('proposals.nameChange')} before={of.name} after={proposal.name} />
      ) : null}
      {proposal.birthDate === undefined ? null : (
        <Change
          label={t('proposals.birthDateChange')}
          before={('birthDate' in of ? of.birthDate : null) ?? '–'}
          after={proposal.birthDate}
        />
      )}
      {proposal.phone === undefined ? null : (
        <Change label={t('proposals.phoneChange')} before={phone ?? '–'} after={proposal.phone} />
      )}
      {pending.some((field) => field === 'recognition') ? (
        <>
          <dt>{t('proposals.recognition')}</dt>
          <dd>{t('proposals.recognitionAsked')}</dd>
        </>
      ) : null}
    </dl>
  );
}

function Change({ label, before, after }: { label: string; before: string; after: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <del>
          <bdi>{before}</bdi>
        </del>{' '}
        <ins>
          <bdi>{after}</bdi>
        </ins>
      </dd>
    </>
  );
}

export interface LookAlikesProps {
  /** Whom the new photo is to show. */
  name: string;
  candidates: readonly FaceCandidate[];
  adults: readonly AdultCandidate[];
}

interface AlikeFacesProps extends Omit<LookAlikesProps, 'name'> {
  side?: string;
}

function AlikeFaces({ candidates, adults, ...side }: AlikeFacesProps) {
  const { t, i18n } = useTranslation('dashboard');
  const percent = new Intl.NumberFormat(localeOf(i18n.language), { style: 'percent' });
  return (
    <>
      {candidates.map(({ childId, photo, name, parentName, similarity }) => (
        <Face
          key={childId}
          {...side}
          path={photo}
          name={name}
          under={t('proposals.alike.childOf', { parentName, similarity: percent.format(similarity) })}
        />
      ))}
      {adults.map(({ kind, photo, name, similarity }) => (
        <Face
          key={`${kind} ${name}`}
          {...side}
          path={photo}
          name={name}
          under={t(`proposals.alike.${kind}`, { similarity: percent.format(similarity) })}
        />
      ))}
    </>
  );
}

/** The new photo and the people who look like it, in one row, so that the answers below are seen with them on a phone. */
export function AlikeRow({ of, ...alike }: Omit<LookAlikesProps, 'name'> & { of: Child }) {
  const side = 'var(--side)';
  return (
    <>
      <div className={classes.alikeRow}>
        <div className={classes.dense} data-dense>
          <Photos of={of} side={side} />
        </div>
        <div className={classes.dense}>
          <AlikeFaces {...alike} side={side} />
        </div>
      </div>
      <Changes of={of} />
    </>
  );
}

/** People who look like the new face, shown before it is accepted. */
export function LookAlikes({ name, ...alike }: LookAlikesProps) {
  const { t } = useTranslation('dashboard');
  return (
    <Alert
      color="saffron"
      variant="light"
      role="alert"
      icon={<IconUsers size={22} aria-hidden />}
      title={t('proposals.alike.title')}
    >
      <Stack gap="md">
        <Text size="sm">{t('proposals.alike.text', { name })}</Text>
        <div className={classes.faces}>
          <AlikeFaces {...alike} />
        </div>
      </Stack>
    </Alert>
  );
}
