/** One face in a photo: its match, or the candidates for staff to choose from. None is preselected. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localeOf } from '../../i18n/locale.ts';
import { Photo } from '../../photos/photo.tsx';
import { Card } from '../../ui/card.tsx';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import type { SeenFace } from './api.ts';

const PICTURE = 128;

interface Named {
  name: string;
  parentName: string;
}

export function FaceCard({ face: { match, question = [], picture } }: { face: SeenFace }) {
  const { t, i18n } = useTranslation('check-face');
  const percent = new Intl.NumberFormat(localeOf(i18n.language), { style: 'percent' });
  const [asked, setAsked] = useState(0);
  const [chosen, setChosen] = useState<Named | null>(null);
  const known = match ?? chosen;
  const candidate = known ? undefined : question[asked];
  return (
    <Card>
      <Stack gap="md">
        <Group wrap="nowrap" align="flex-start" justify="center" gap="lg">
          <Stack gap={6} align="center" miw={0}>
            <InitialsAvatar name={t('thisFace')} src={picture} size={PICTURE} shape="rounded" />
            <Text size="sm" c="dimmed">
              {t('thisFace')}
            </Text>
          </Stack>
          {candidate ? (
            <Stack gap={6} align="center" ta="center" miw={0}>
              <Photo path={candidate.photo} name={candidate.name} size={PICTURE} shape="rounded" />
              <Text fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {candidate.name}
              </Text>
              <Text size="sm" c="dimmed">
                {t('childOf', {
                  parentName: candidate.parentName,
                  similarity: percent.format(candidate.similarity),
                })}
              </Text>
            </Stack>
          ) : null}
        </Group>
        <Text ta="center" fw={500} role="status">
          {candidate
            ? t('question', { name: candidate.name })
            : known
              ? t(match ? 'known' : 'confirmed', { name: known.name, parentName: known.parentName })
              : t('unknown')}
        </Text>
        {candidate ? (
          <Group justify="center" gap="sm">
            <Button variant="default" onClick={() => setAsked(asked + 1)}>
              {t('no')}
            </Button>
            <Button variant="default" onClick={() => setChosen(candidate)}>
              {t('yes', { name: candidate.name })}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Card>
  );
}
