/** "Who is this?": staff take a photo and see the matches of its faces. Staff decide on uncertain matches. */
import { Button, FileButton, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCamera, IconFaceId } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../calls/failure.ts';
import { Card } from '../../ui/card.tsx';
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
        <Card ta="center" py="xl">
          <Stack align="center" gap="md">
            <ThemeIcon size={72} radius="xl" variant="light" aria-hidden>
              <IconFaceId size={38} stroke={1.5} />
            </ThemeIcon>
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
          </Stack>
        </Card>
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
