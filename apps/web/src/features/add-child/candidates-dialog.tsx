/** To staff: a registered child looks like this one. The photos lie side by side, the person decides. */

import type { AdultCandidate, FaceCandidate } from '@haris/contract/errors';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Photo } from '../../client/photo.tsx';
import { localeOf } from '../../i18n/locale.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';

export interface CandidatesDialogProps {
  /** Null while there is no question. */
  candidates: readonly FaceCandidate[] | null;
  /** Adults whom the cameras recognise and who look alike. */
  adults: readonly AdultCandidate[];
  /** The child that is being added. */
  name: string;
  photoUrl: string | undefined;
  isBusy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

function Face({ picture, name, under }: { picture: React.ReactNode; name: string; under: string }) {
  return (
    <Stack gap={6} align="center" ta="center" miw={0} flex={1}>
      {picture}
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
      title={t('known.title')}
      size="lg"
    >
      <Stack gap="lg">
        <Text>{t('known.text')}</Text>
        {props.candidates?.map((candidate) => (
          <Group key={candidate.childId} wrap="nowrap" align="flex-start" grow>
            <Face
              picture={<InitialsAvatar name={props.name} src={props.photoUrl} size={148} shape="rounded" />}
              name={props.name}
              under={t('known.new')}
            />
            <Face
              picture={<Photo path={candidate.photo} name={candidate.name} size={148} shape="rounded" />}
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
              picture={<Photo path={adult.photo} name={adult.name} size={148} shape="rounded" />}
              name={adult.name}
              under={t(`known.${adult.kind}`, { similarity: percent.format(adult.similarity) })}
            />
          </Group>
        ))}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={props.onCancel} disabled={props.isBusy} data-autofocus>
            {t('common:cancel')}
          </Button>
          <Button onClick={props.onConfirm} loading={props.isBusy}>
            {t('known.confirm')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** To staff, after saving: recognition may not tell these children apart. */
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
