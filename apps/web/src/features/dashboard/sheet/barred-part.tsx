/** Who must not pick up the child. Staff with `families.edit` add; only the owner lifts, or notes a namesake. */
import { type BarredAdult, barredRoutes, type ListedForBar } from '@haris/contract/http/barred';
import type { Child, Parent } from '@haris/contract/objects';
import { canBeSamePerson } from '@haris/contract/release';
import { namesSoundAlike } from '@haris/contract/search/names-alike';
import { Button, Skeleton, Text } from '@mantine/core';
import { IconUserCancel } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BarredPhoto } from '../../../barred/barred-photo.tsx';
import { useBarred } from '../../../barred/use-barred.ts';
import { failureText, showFailure } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { useDayFormat } from '../../../collectors/days.ts';
import { useCollectors } from '../../../collectors/queries.ts';
import { momentFormat } from '../../../i18n/locale.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { useMay } from '../../../session/may.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { isRefusedOffline } from '../stays/offline.ts';
import { BarredForm } from './barred-form.tsx';
import { BarredPhotoDialog } from './barred-photo-dialog.tsx';
import { nameOf } from './guardian-rights.tsx';
import { NamesakeForm } from './namesake-form.tsx';
import { guardiansQuery } from './queries.ts';
import { Section } from './section.tsx';
import classes from './sheet.module.css';

export interface BarredPartProps {
  child: Child;
  parent: Pick<Parent, '_id' | 'name' | 'phone' | 'blockedAt'>;
  hasSiblings: boolean;
}

/** Renders nothing for staff who may not see it. */
export function BarredPart(props: BarredPartProps) {
  return useMay()('barred.view') ? <Barred {...props} /> : null;
}

/** The listed adults whom the server refuses or asks about as the barred one, but of whom staff did not say that they are that person. */
function alikeOf(bar: BarredAdult, adults: readonly ListedForBar[]): ListedForBar[] {
  return adults.filter(
    (one) => one._id !== bar.adultId && (canBeSamePerson(one, bar) || namesSoundAlike(one.name, bar.name)),
  );
}

type Open = 'add' | 'lift' | 'namesake' | 'photo';

function Barred({ child, parent, hasSiblings }: BarredPartProps) {
  const { t } = useTranslation('barred');
  const [open, setOpen] = useState<Open | null>(null);
  // Kept while a dialog fades out.
  const [subject, setSubject] = useState<BarredAdult | null>(null);
  const barred = useBarred(child._id);
  const collectors = useCollectors(child._id).data ?? [];
  const { data: guardians = [] } = useQuery(guardiansQuery(child._id));
  // A bar on the account ends the guardian, or the question to one, also of one who may not take the child.
  const further = guardians
    .filter(({ parentId }) => parentId !== parent._id)
    .map((one) => ({ _id: one.parentId, name: nameOf(one), phone: one.phone }));
  const listed = [parent, ...further, ...collectors];
  const { barred: bars = [], adults = [] } = barred.data ?? {};
  const close = () => setOpen(null);
  const about = (what: Open) => (adult: BarredAdult) => {
    setSubject(adult);
    setOpen(what);
  };
  return (
    <Section title={t('title')}>
      <Text size="xs" c="dimmed">
        {t('hint')}
      </Text>
      {barred.data === undefined ? (
        barred.isError ? (
          <ErrorState
            text={failureText(barred.error)}
            onRetry={() => void barred.refetch()}
            busy={barred.isRefetching}
          />
        ) : (
          <Skeleton height={40} role="status" aria-label={t('loading')} />
        )
      ) : bars.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('empty')}
        </Text>
      ) : (
        <ul className={classes.list} aria-label={t('title')}>
          {bars.map((adult) => (
            <Row
              key={adult._id}
              adult={adult}
              listed={listed}
              hasAlike={alikeOf(adult, adults).length > 0}
              onLift={() => about('lift')(adult)}
              onNamesake={() => about('namesake')(adult)}
              onPhoto={() => about('photo')(adult)}
            />
          ))}
        </ul>
      )}
      <Allowed to="families.edit">
        <div className={classes.buttons}>
          <Button
            size="sm"
            variant="light"
            color="clay"
            leftSection={<IconUserCancel size={18} aria-hidden />}
            onClick={() => setOpen('add')}
            aria-label={`${t('add')}: ${t('title')}`}
            aria-haspopup="dialog"
          >
            {t('add')}
          </Button>
        </div>
      </Allowed>
      <Dialog opened={open === 'add'} onClose={close} title={t('addTitle')}>
        <BarredForm
          childId={child._id}
          listed={listed}
          openAccount={parent.blockedAt === undefined ? parent._id : null}
          hasSiblings={hasSiblings}
          onDone={close}
        />
      </Dialog>
      {subject === null ? null : (
        <>
          <LiftDialog child={child} adult={subject} opened={open === 'lift'} onClose={close} />
          <BarredPhotoDialog adult={subject} opened={open === 'photo'} onClose={close} />
          <Dialog opened={open === 'namesake'} onClose={close} title={t('namesakeTitle')}>
            <NamesakeForm adult={subject} alike={alikeOf(subject, adults)} onDone={close} />
          </Dialog>
        </>
      )}
    </Section>
  );
}

interface RowProps {
  adult: BarredAdult;
  listed: readonly { readonly _id: string; readonly name: string }[];
  /** Whether a listed adult can be noted as somebody else. */
  hasAlike: boolean;
  onLift: () => void;
  onNamesake: () => void;
  onPhoto: () => void;
}

function Row({ adult, listed, hasAlike, onLift, onNamesake, onPhoto }: RowProps) {
  const { t, i18n } = useTranslation('barred');
  const dayText = useDayFormat();
  const moment = momentFormat(i18n.language, { dateStyle: 'medium' });
  const { name, phone, note, documentDate, photo, adultId, createdAt } = adult;
  const same = listed.find(({ _id }) => _id === adultId);
  return (
    <li className={classes.barred}>
      <Text fw={600} className={classes.name}>
        <bdi>{name}</bdi>
        {phone === null ? null : (
          <Text span fw={400} size="sm">
            {' · '}
            <bdi dir="ltr">{phone}</bdi>
          </Text>
        )}
      </Text>
      <BarredPhoto name={name} path={photo} />
      {note === '' ? null : (
        <Text size="sm" className={classes.note}>
          <bdi>{note}</bdi>
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('since', { date: moment.format(new Date(createdAt)) })}
        {documentDate === null ? null : ` · ${t('document', { date: dayText(documentDate) })}`}
        {same === undefined ? null : ` · ${t('is', { name: same.name })}`}
      </Text>
      <div className={classes.buttons}>
        <Allowed to="families.edit">
          <Button
            size="compact-md"
            fz="sm"
            variant="default"
            aria-label={t(photo === null ? 'photo.addOf' : 'photo.changeOf', { name })}
            aria-haspopup="dialog"
            onClick={onPhoto}
          >
            {t(photo === null ? 'photo.add' : 'photo.change')}
          </Button>
        </Allowed>
        <Allowed to="barred.lift">
          <Button
            size="compact-md"
            fz="sm"
            variant="default"
            aria-label={t('liftOf', { name })}
            onClick={onLift}
          >
            {t('lift')}
          </Button>
          {hasAlike ? (
            <Button
              size="compact-md"
              fz="sm"
              variant="default"
              aria-label={t('namesakeOf', { name })}
              onClick={onNamesake}
            >
              {t('namesake')}
            </Button>
          ) : null}
        </Allowed>
      </div>
    </li>
  );
}

interface LiftDialogProps {
  child: Child;
  adult: BarredAdult;
  opened: boolean;
  onClose: () => void;
}

function LiftDialog({ child, adult: { _id, name }, opened, onClose }: LiftDialogProps) {
  const { t } = useTranslation('barred');
  const client = useQueryClient();
  const lift = useMutation({
    mutationFn: () => call(barredRoutes.liftBarred, { params: { id: _id } }),
    onSuccess: () => notifySuccess(t('lifted')),
    onError: (error) => showFailure(error),
    onSettled: () => {
      onClose();
      return refetchStale(client, [keys.barred]);
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => {
        if (!isRefusedOffline()) lift.mutate();
      }}
      title={t('liftTitle', { name })}
      confirmLabel={t('liftConfirm')}
      busy={lift.isPending}
      dangerous
    >
      {t('liftText', { name, child: child.name })}
    </ConfirmDialog>
  );
}
