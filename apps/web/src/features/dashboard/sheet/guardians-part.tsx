/** Who answers for the child. Staff with `families.edit` ask a further guardian, change rights, and remove one. */
import { GUARDIANS_MAX, type Guardian, guardianRoutes } from '@haris/contract/http/guardians';
import type { Child } from '@haris/contract/objects';
import { Alert, Badge, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../calls/api-error.ts';
import { failureText, localizeCode } from '../../../calls/failure.ts';
import { call } from '../../../calls/http.ts';
import { keys, refetchStale } from '../../../calls/query-client.ts';
import { FamilyLink } from '../../../child/child-link.tsx';
import { momentFormat } from '../../../i18n/locale.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { notifySuccess } from '../../../ui/toast.ts';
import { GuardianForm } from './guardian-form.tsx';
import { GuardianRights, hasAll, nameOf, RIGHTS, useShowGuardianFailure } from './guardian-rights.tsx';
import { guardiansQuery } from './queries.ts';
import { Section } from './section.tsx';
import classes from './sheet.module.css';

export function GuardiansPart({ child }: { child: Child }) {
  const { t } = useTranslation('guardians');
  const guardians = useQuery(guardiansQuery(child._id));
  return (
    <Section title={t('title')}>
      {guardians.data !== undefined ? (
        <Guardians child={child} guardians={guardians.data} />
      ) : guardians.isError ? (
        <ErrorState
          text={failureText(guardians.error)}
          onRetry={() => void guardians.refetch()}
          busy={guardians.isRefetching}
        />
      ) : (
        <Skeleton height={40} role="status" aria-label={t('loading')} />
      )}
    </Section>
  );
}

/** The first guardian if it is the only one and there is nothing to say of it beside that. */
function onlyOf(guardians: readonly Guardian[]): Guardian | undefined {
  const [first, ...others] = guardians;
  const isPlain = first?.isFirst && hasAll(first) && !first.isBlocked;
  return isPlain && others.length === 0 ? first : undefined;
}

type Open = 'ask' | 'rights' | 'remove';

function Guardians({ child, guardians }: { child: Child; guardians: readonly Guardian[] }) {
  const { t } = useTranslation('guardians');
  const [open, setOpen] = useState<Open | null>(null);
  // Kept while a dialog fades out.
  const [subject, setSubject] = useState<Guardian | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const close = () => setOpen(null);
  const about = (what: Open) => (guardian: Guardian) => {
    setSubject(guardian);
    setOpen(what);
  };
  // As the list has it now; a dialog about somebody whom a colleague has removed meanwhile closes.
  const now = guardians.find(({ parentId }) => parentId === subject?.parentId);
  const shown = now ?? subject;
  const only = onlyOf(guardians);
  return (
    <div ref={place} tabIndex={-1} className={classes.place}>
      {only !== undefined || guardians.length === 0 ? (
        <Text size="sm" c="dimmed" className={classes.name}>
          {only === undefined
            ? t('nobody', { child: child.name })
            : t('only', { name: nameOf(only), child: child.name })}
        </Text>
      ) : (
        <ul className={classes.list} aria-label={t('title')}>
          {guardians.map((guardian) => (
            <Row
              key={guardian.parentId}
              guardian={guardian}
              onRights={() => about('rights')(guardian)}
              onRemove={() => about('remove')(guardian)}
            />
          ))}
        </ul>
      )}
      <Allowed to="families.edit">
        {guardians.length >= GUARDIANS_MAX ? (
          <Text size="sm" c="dimmed">
            {localizeCode('too_many_guardians')}
          </Text>
        ) : (
          <div className={classes.buttons}>
            {only === undefined ? null : (
              <Button
                size="sm"
                variant="default"
                aria-label={t('rightsOf', { name: nameOf(only) })}
                aria-haspopup="dialog"
                onClick={() => about('rights')(only)}
              >
                {t('rights')}
              </Button>
            )}
            <Button
              size="sm"
              variant="light"
              leftSection={<IconUserPlus size={18} aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => setOpen('ask')}
            >
              {t('add')}
            </Button>
          </div>
        )}
      </Allowed>
      <Dialog opened={open === 'ask'} onClose={close} title={t('add')}>
        <GuardianForm child={child} onDone={close} />
      </Dialog>
      {shown === null ? null : (
        <>
          <Dialog
            opened={open === 'rights' && now !== undefined}
            onClose={close}
            title={t('rightsOf', { name: nameOf(shown) })}
          >
            <GuardianRights key={shown.parentId} child={child} guardian={shown} onDone={close} />
          </Dialog>
          <RemoveDialog
            key={shown.parentId}
            child={child}
            guardian={shown}
            opened={open === 'remove' && now !== undefined}
            onClose={close}
            onRemoved={() => {
              close();
              place.current?.focus({ preventScroll: true });
            }}
          />
        </>
      )}
    </div>
  );
}

interface RowProps {
  guardian: Guardian;
  onRights: () => void;
  onRemove: () => void;
}

function Row({ guardian, onRights, onRemove }: RowProps) {
  const { t } = useTranslation('guardians');
  const name = nameOf(guardian);
  const { acceptedAt, isFirst, isBlocked, mayTake, parentId } = guardian;
  // The one thing that matters at the door is not left to be read from what is missing.
  const isNotTaking = acceptedAt !== null && !mayTake;
  const rights = RIGHTS.filter((right) => guardian[right]).map((right) => t(`may.${right}`));
  return (
    <li className={classes.guardian}>
      <Text fw={600} className={classes.name}>
        {acceptedAt === null ? (
          <bdi>{name}</bdi>
        ) : (
          <FamilyLink id={parentId}>
            <bdi>{name}</bdi>
          </FamilyLink>
        )}
      </Text>
      {acceptedAt === null ? <Asked at={guardian.askedAt} /> : <Contacts guardian={guardian} />}
      <Text size="sm">{rights.length === 0 ? t('may.none') : rights.join(' · ')}</Text>
      {isFirst || isBlocked || isNotTaking ? (
        <div className={classes.marks}>
          {isFirst ? (
            <Badge variant="light" color="pine" tt="none" fw={500}>
              {t('first')}
            </Badge>
          ) : null}
          {isBlocked ? (
            <Badge variant="light" color="clay" tt="none" fw={500}>
              {t('blocked')}
            </Badge>
          ) : null}
          {isNotTaking ? (
            <Badge variant="light" color="clay" tt="none" fw={500}>
              {t('notTaking')}
            </Badge>
          ) : null}
        </div>
      ) : null}
      <Allowed to="families.edit">
        <div className={classes.buttons}>
          <Button
            size="compact-md"
            fz="sm"
            variant="default"
            aria-label={t('rightsOf', { name })}
            aria-haspopup="dialog"
            onClick={onRights}
          >
            {t('rights')}
          </Button>
          <Button
            size="compact-md"
            fz="sm"
            variant="default"
            aria-label={t(acceptedAt === null ? 'withdrawOf' : 'removeOf', { name })}
            aria-haspopup="dialog"
            onClick={onRemove}
          >
            {t(acceptedAt === null ? 'withdraw' : 'remove')}
          </Button>
        </div>
      </Allowed>
    </li>
  );
}

function Asked({ at }: { at: string }) {
  const { t, i18n } = useTranslation('guardians');
  const format = momentFormat(i18n.language, { dateStyle: 'medium' });
  return (
    <Text size="sm" c="dimmed">
      {t('waiting', { date: format.format(Date.parse(at)) })}
    </Text>
  );
}

function Contacts({ guardian }: { guardian: Guardian }) {
  const { t } = useTranslation('guardians');
  const { phone, email } = guardian;
  const name = nameOf(guardian);
  return (
    <Text size="sm" component="div" className={classes.contacts}>
      {phone === null ? null : (
        <a href={`tel:${phone}`} aria-label={`${t('call', { name })}: ${phone}`}>
          <bdi dir="ltr">{phone}</bdi>
        </a>
      )}
      <a href={`mailto:${email}`} aria-label={`${t('mail', { name })}: ${email}`}>
        <bdi dir="ltr">{email}</bdi>
      </a>
    </Text>
  );
}

interface RemoveDialogProps {
  child: Child;
  guardian: Guardian;
  opened: boolean;
  onClose: () => void;
  /** The row, and so what has opened the dialog, will go. */
  onRemoved: () => void;
}

function RemoveDialog({ child, guardian, opened, onClose, onRemoved }: RemoveDialogProps) {
  const { t } = useTranslation('guardians');
  const client = useQueryClient();
  const showFailure = useShowGuardianFailure();
  const [isRemoved, setRemoved] = useState(false);
  const { parentId, acceptedAt, isFirst, mayTake } = guardian;
  const isAsked = acceptedAt === null;
  const text = { name: nameOf(guardian), child: child.name };
  const remove = useMutation({
    mutationFn: () => call(guardianRoutes.endGuardian, { params: { id: child._id, parentId } }),
    onSuccess: () => {
      setRemoved(true);
      onRemoved();
      notifySuccess(isAsked ? t('withdrawn') : t('removed', text));
    },
    onError: (error) => {
      // Said in the dialog, where the other guardians are a step away.
      if (error instanceof ApiError && error.code === 'last_guardian') return;
      showFailure(error);
      onClose();
    },
    // Another one may be the first guardian now, and collectors have ended.
    onSettled: () => refetchStale(client, [keys.guardians, keys.children, keys.parents, keys.collectors]),
  });
  const isLast = remove.error instanceof ApiError && remove.error.code === 'last_guardian';
  return (
    <ConfirmDialog
      opened={opened}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      onConfirm={() => remove.mutate()}
      title={isAsked ? t('withdrawTitle') : t('removeTitle', text)}
      confirmLabel={t(isAsked ? 'withdraw' : 'remove')}
      busy={remove.isPending}
      returnFocus={!isRemoved}
      dangerous
    >
      <Stack gap="sm">
        <Text>{t(isAsked ? 'withdrawText' : 'removeText', text)}</Text>
        {isAsked ? null : <Text>{t('removeSlips', text)}</Text>}
        {isAsked || mayTake ? null : <Text>{t('removeAlias', text)}</Text>}
        {isFirst ? <Text>{t('removeFirst', text)}</Text> : null}
        {isLast ? (
          <Alert color="clay" variant="light" role="alert">
            {failureText(remove.error)}
          </Alert>
        ) : null}
      </Stack>
    </ConfirmDialog>
  );
}
