/** "Who is this?": staff take a photo and see whose face it is; a face that is not surely known is a question. */
import { Button, FileButton, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../client/failure.ts';
import { Page } from '../../ui/page.tsx';
import { useCheckFace } from './api.ts';
import { FaceCard } from './face-card.tsx';

export default function CheckFaceScreen() {
  const { t } = useTranslation('check-face');
  const check = useCheckFace();
  const look = (photo: File | null) => {
    if (photo === null) return;
    check.mutate(photo, { onError: (error) => showFailure(error) });
  };
  return (
    <Page title={t('title')} description={t('lead')} size={760}>
      <Stack gap="lg">
        <FileButton accept="image/png,image/jpeg,image/webp" capture="environment" onChange={look}>
          {(button) => (
            <Button
              {...button}
              size="md"
              loading={check.isPending}
              leftSection={<IconCamera size={20} aria-hidden />}
            >
              {t('take')}
            </Button>
          )}
        </FileButton>
        {check.data?.length === 0 ? <Text role="status">{t('none')}</Text> : null}
        <SimpleGrid cols={{ base: 1, sm: (check.data?.length ?? 0) > 1 ? 2 : 1 }}>
          {check.data?.map((face) => (
            <FaceCard key={`${check.submittedAt} ${face.box.join(' ')}`} face={face} />
          ))}
        </SimpleGrid>
      </Stack>
    </Page>
  );
}
