/** Asks staff whether the new child is one of the registered children who look alike, with the photos side by side. */

import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import { Photo } from '../../photos/photo.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import classes from './add-child.module.css';

export interface CandidatesDialogProps {
  /** Null while the dialog is closed. */
  candidates: readonly FaceCandidate[] | null;
  /** Adults known to the cameras who look alike. */
  adults: readonly AdultCandidate[];
  /** Words of the question, if it is not about a new child. */
  question?: { readonly title: string; readonly text: string; readonly confirm: string };
  /** Name of the new child. */
  name: string;
  photoUrl: string | undefined;
  isBusy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

function Face({ picture, name, under }: { picture: React.ReactNode; name: string; under: string }) {
  return (
    <Stack gap={6} align="center" ta="center" miw={0} flex={1}>
      <div className={classes.face}>{picture}</div>
      <Text fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        {under}
      </Text>
    </Stack>
  );
}

export function CandidatesDialog(props: CandidatesDialogProps) {
  const { t, i18n } = useTranslation(['add-child', 'common']);
  const percent = new Intl.NumberFormat(localeOf(i18n.language), { style: 'percent' });
  return (
    <Dialog
      opened={props.candidates !== null}
      onClose={props.isBusy ? () => {} : props.onCancel}
      title={props.question?.title ?? t('known.title')}
      size="lg"
    >
      <Stack gap="lg">
        <Text>{props.question?.text ?? t('known.text')}</Text>
        {props.candidates?.map((candidate) => (
          <Group key={candidate.childId} wrap="nowrap" align="flex-start" grow>
            <Face
              picture={<InitialsAvatar name={props.name} src={props.photoUrl} size={148} shape="rounded" />}
              name={props.name}
              under={t('known.new')}
            />
            <Face
              picture={
                <Photo path={candidate.photo} name={candidate.name} size={148} shape="rounded" isWhole />
              }
              name={candidate.name}
              under={t('known.of', {
                parentName: candidate.parentName,
                similarity: percent.format(candidate.similarity),
              })}
            />
          </Group>
        ))}
        {props.adults.map((adult) => (
          <Group key={`${adult.kind} ${adult.name}`} wrap="nowrap" align="flex-start" grow>
            <Face
              picture={<InitialsAvatar name={props.name} src={props.photoUrl} size={148} shape="rounded" />}
              name={props.name}
              under={t('known.new')}
            />
            <Face
              picture={<Photo path={adult.photo} name={adult.name} size={148} shape="rounded" isWhole />}
              name={adult.name}
              under={t(`known.${adult.kind}`, { similarity: percent.format(adult.similarity) })}
            />
          </Group>
        ))}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={props.onConfirm} loading={props.isBusy}>
            {props.question?.confirm ?? t('known.confirm')}
          </Button>
          {/* The safe answer: two children under one face are given to the wrong adult. */}
          <Button onClick={props.onCancel} disabled={props.isBusy} data-autofocus>
            {t('common:cancel')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Tells staff after saving that recognition may confuse these children. */
export function LookalikesDialog(props: {
  lookalikes: readonly FaceCandidate[] | null;
  onClose: () => void;
}) {
  const { t, i18n } = useTranslation('add-child');
  const names = new Intl.ListFormat(localeOf(i18n.language)).format(
    (props.lookalikes ?? []).map(({ name, parentName }) => t('lookalikes.child', { name, parentName })),
  );
  return (
    <Dialog opened={props.lookalikes !== null} onClose={props.onClose} title={t('lookalikes.title')}>
      <Stack gap="lg">
        <Text>{t('lookalikes.text', { names })}</Text>
        <Group justify="flex-end">
          <Button onClick={props.onClose} data-autofocus>
            {t('lookalikes.understood')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
