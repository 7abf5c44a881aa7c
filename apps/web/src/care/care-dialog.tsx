/** The dialog of a care card: to read, and to change. */
import type { CareCardView } from '@haris/contract/http/care';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { momentFormat } from '../i18n/locale.ts';
import { useSees } from '../session/may.ts';
import { useSession } from '../session/session.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/states.tsx';
import { CareForm } from './care-form.tsx';
import { CareView } from './care-view.tsx';
import { type CareSubject, closeCareCard, useOpenCareCard } from './open-card.ts';
import { careCardQuery, useCareSigns } from './queries.ts';
import { useAllergyWords } from './words.ts';

export function CareDialog() {
  const { t } = useTranslation('care-card');
  const { isOpen, child } = useOpenCareCard();
  return (
    <Dialog
      opened={isOpen}
      onClose={closeCareCard}
      title={child === null ? t('title') : t('titleOf', { name: child.name })}
      size="lg"
      onTop
    >
      {child === null || !isOpen ? null : <CardOf key={child.id} child={child} />}
    </Dialog>
  );
}

function CardOf({ child }: { child: CareSubject }) {
  const [isEditing, setEditing] = useState(false);
  const card = useQuery({ ...careCardQuery(child.id), staleTime: 0, enabled: !isEditing });
  if (card.data !== undefined && isEditing)
    return <CareForm child={child} view={card.data} onDone={() => setEditing(false)} />;
  if (card.data !== undefined) return <Shown view={card.data} onEdit={() => setEditing(true)} />;
  if (card.error === null) return <Skeleton height={180} radius="md" />;
  return (
    <Stack>
      <KnownAllergies child={child} />
      <ErrorState text={failureText(card.error)} onRetry={() => void card.refetch()} busy={card.isFetching} />
    </Stack>
  );
}

/** What the sign says, while the card itself cannot be read. */
function KnownAllergies({ child }: { child: CareSubject }) {
  const { t } = useTranslation('care-card');
  const { listOf } = useAllergyWords();
  const allergies = useCareSigns().signs.get(child.id)?.allergies;
  if (!allergies?.length) return null;
  return <Alert color="clay">{t('sign.allergies', { list: listOf(allergies) })}</Alert>;
}

function Shown({ view, onEdit }: { view: CareCardView; onEdit: () => void }) {
  const { t } = useTranslation('care-card');
  const mayEdit = useSees('care.edit');
  return (
    <Stack>
      <CareView card={view.card} />
      <LastChange view={view} />
      {mayEdit ? (
        <Group justify="flex-end">
          <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={onEdit}>
            {t(view.version === 0 ? 'form.fillIn' : 'form.change')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

function LastChange({ view: { updatedAt, updatedBy } }: { view: CareCardView }) {
  const { t, i18n } = useTranslation('care-card');
  const isParent = useSession().parent.isAuthenticated;
  if (updatedAt === null || updatedBy === null) return null;
  const format = momentFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const at = format.format(Date.parse(updatedAt));
  return (
    <Text size="sm" c="dimmed">
      {t(`view.changedBy.${isParent && updatedBy === 'parent' ? 'you' : updatedBy}`, { at })}
    </Text>
  );
}
