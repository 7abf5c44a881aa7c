/** Changes to a child and to the parent's account that wait for the nursery, and its decisions while the page is open. */
import type { HarisEvent } from '@haris/contract/live/events';
import type { Child, Parent } from '@haris/contract/objects';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconCamera, IconClock } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import { useLiveEvents } from '../../live/live-provider.tsx';
import { notifyError, notifySuccess } from '../../ui/toast.ts';

type Pending = Child['pending'][number];

/**
 * Key of the sentence about a field that waits; null if another sentence says it. Of a child whose photo staff never
 * confirmed there is one sentence about photo and name, because nothing older is in use.
 */
function sentenceOf({ photo, unconfirmed = [], isInside, lastVisit }: Child, field: Pending) {
  const isNew = unconfirmed.includes('photo');
  if (field === 'photo' && photo === null) return 'noPhoto';
  if (field === 'photo' && isNew) return isInside || lastVisit ? 'atDesk' : 'firstVisit';
  if (field === 'name' && isNew) return null;
  return field === 'name' && unconfirmed.includes('name') ? 'firstName' : field;
}

export interface WaitingForNurseryProps {
  child: Child;
  /** Names this field alone. */
  only?: Pending;
  /** Opens the camera for a new photo of the child; offered if it has none. */
  onNewPhoto?: () => void;
}

/** What of a child is not confirmed, and the effect. Asks for a photo if the child has none. */
export function WaitingForNursery({ child, only, onNewPhoto }: WaitingForNurseryProps) {
  const { t } = useTranslation('profile');
  const sentences = child.pending
    .filter((field) => only === undefined || field === only)
    .flatMap((field) => sentenceOf(child, field) ?? []);
  if (sentences.length === 0) return null;
  const { name } = child;
  const isPhotoMissing = sentences.includes('noPhoto');
  return (
    <Alert
      color="saffron"
      variant="light"
      icon={<IconClock size={20} aria-hidden />}
      title={t(isPhotoMissing ? 'waiting.needsPhoto' : 'waiting.badge')}
    >
      <Stack gap={4}>
        {sentences.map((sentence) => (
          <Text key={sentence} size="sm">
            {t(`waiting.${sentence}`)}
          </Text>
        ))}
        {isPhotoMissing && onNewPhoto ? (
          <Button
            mt={4}
            size="sm"
            leftSection={<IconCamera size={18} aria-hidden />}
            style={{ alignSelf: 'start' }}
            aria-label={t('waiting.takePhotoOf', { name })}
            aria-haspopup="dialog"
            onClick={onNewPhoto}
          >
            {t('waiting.takePhoto')}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

const OWN = {
  photo: 'waiting.ownPhoto',
  name: 'waiting.ownName',
  phone: 'waiting.ownPhone',
  recognition: 'waiting.ownRecognition',
} as const;

/** Unconfirmed changes to the parent's account. */
export function OwnWaiting({ pending }: Pick<Parent, 'pending'>) {
  const { t, i18n } = useTranslation('profile');
  if (pending.length === 0) return null;
  const fields = new Intl.ListFormat(localeOf(i18n.language)).format(pending.map((field) => t(OWN[field])));
  return (
    <Alert mb="md" color="saffron" variant="light" icon={<IconClock size={20} aria-hidden />}>
      <Text size="sm">{t('waiting.own', { fields })}</Text>
    </Alert>
  );
}

/** Announces decisions of staff on unconfirmed changes while the page is open. */
export function useDecisions(): void {
  const { t } = useTranslation('profile');
  useLiveEvents(
    useCallback(
      ({ type }: HarisEvent) => {
        if (type === 'proposal.accepted') notifySuccess(t('waiting.accepted'));
        if (type === 'proposal.rejected') notifyError(t('waiting.rejected'));
      },
      [t],
    ),
  );
}
