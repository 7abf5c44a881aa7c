/** "Who is this?": staff take a photo, compare each face with the registered photos, and take the next step. */
import { Button, Group, Loader, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../calls/failure.ts';
import { useMay } from '../../session/may.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { type LookedAt, type SeenFace, useCheckFace } from './api.ts';
import { FaceCard, type FaceCardProps } from './face-card.tsx';

interface PhotoStepProps {
  photo: LookedAt | null;
  onPhoto: (photo: LookedAt | null) => void;
  refusal: string | null;
  isLocked: boolean;
  purpose: 'look';
}

export interface CheckFaceScreenProps extends Pick<FaceCardProps, 'ChildSteps' | 'onSearch'> {
  /** The camera and the choice of a file, of another feature. */
  PhotoStep: ComponentType<PhotoStepProps>;
}

export default function CheckFaceScreen({ PhotoStep, ...joined }: CheckFaceScreenProps) {
  const { t } = useTranslation('check-face');
  const mayGoBack = useMay()('families.view');
  const check = useCheckFace();
  const [photo, setPhoto] = useState<LookedAt | null>(null);
  // The photo shows a child, so the browser forgets it with the next one or with the screen.
  useEffect(() => () => URL.revokeObjectURL(photo?.url ?? ''), [photo]);

  function look(next: LookedAt | null) {
    setPhoto(next);
    if (next === null) check.reset();
    else check.mutate(next);
  }

  const faces = check.data ?? [];
  const refusal = check.isError ? failureText(check.error) : check.isSuccess ? t('none') : null;
  return (
    <Page
      title={t('title')}
      description={t('lead')}
      size={760}
      actions={mayGoBack ? <BackLink to="/adminDashboard">{t('back')}</BackLink> : undefined}
    >
      {faces.length > 0 ? (
        <Faces key={check.submittedAt} faces={faces} onAnother={() => look(null)} {...joined} />
      ) : (
        <Card>
          <Stack gap="md">
            <PhotoStep
              photo={photo}
              onPhoto={look}
              refusal={refusal}
              isLocked={check.isPending}
              purpose="look"
            />
            <Group justify="center" gap="xs" role="status">
              {check.isPending ? (
                <>
                  <Loader size={18} aria-hidden />
                  <Text size="sm">{t('looking')}</Text>
                </>
              ) : null}
            </Group>
          </Stack>
        </Card>
      )}
    </Page>
  );
}

interface FacesProps extends Pick<FaceCardProps, 'ChildSteps' | 'onSearch'> {
  faces: readonly SeenFace[];
  onAnother: () => void;
}

function Faces({ faces, onAnother, ...joined }: FacesProps) {
  const { t } = useTranslation('check-face');
  const top = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone.
  useEffect(() => top.current?.focus(), []);
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Text component="h2" size="lg" fw={600} ref={top} tabIndex={-1} style={{ outline: 'none' }}>
          {t('found', { count: faces.length })}
        </Text>
        <Button variant="default" leftSection={<IconCamera size={18} aria-hidden />} onClick={onAnother}>
          {t('another')}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: faces.length > 1 ? 2 : 1 }}>
        {faces.map((face) => (
          <FaceCard key={face.box.join(' ')} face={face} {...joined} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
