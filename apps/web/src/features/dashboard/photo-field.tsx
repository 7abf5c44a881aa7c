/** Chooses a photo file and shows it; optional. */
import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconPhoto, IconPhotoPlus } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface PhotoFieldProps {
  photo: File | null;
  onChange: (photo: File | null) => void;
  /** Larger files are refused here, before they are sent. */
  maxBytes: number;
}

export function PhotoField({ photo, onChange, maxBytes }: PhotoFieldProps) {
  const { t } = useTranslation('dashboard');
  const [isTooLarge, setTooLarge] = useState(false);
  const preview = usePreview(photo);
  const clearInput = useRef<() => void>(null);
  const hint = useId();

  function choose(file: File | null) {
    if (file === null) return;
    setTooLarge(file.size > maxBytes);
    if (file.size <= maxBytes) onChange(file);
    // The same file may be chosen again after it was removed.
    clearInput.current?.();
  }

  return (
    <Group gap="md" wrap="nowrap" align="center">
      <Avatar src={preview ?? null} size={64} radius="50%" alt="">
        <IconPhoto size={26} aria-hidden />
      </Avatar>
      <Stack gap={4} flex={1}>
        <Text size="sm" fw={500}>
          {t('addParent.photo')}
        </Text>
        <Group gap="xs">
          <FileButton accept="image/png,image/jpeg,image/webp" onChange={choose} resetRef={clearInput}>
            {(props) => (
              <Button
                {...props}
                size="compact-md"
                fz="sm"
                variant="light"
                leftSection={<IconPhotoPlus size={17} aria-hidden />}
                aria-describedby={hint}
              >
                {photo === null ? t('addParent.choosePhoto') : t('addParent.changePhoto')}
              </Button>
            )}
          </FileButton>
          {photo === null ? null : (
            <Button size="compact-md" fz="sm" variant="subtle" color="gray" onClick={() => onChange(null)}>
              {t('addParent.removePhoto')}
            </Button>
          )}
        </Group>
        <Text
          id={hint}
          size="xs"
          {...(isTooLarge ? { c: 'var(--mantine-color-error)', role: 'alert' } : { c: 'dimmed' })}
        >
          {isTooLarge ? t('addParent.photoTooLarge') : t('addParent.photoHint')}
        </Text>
      </Stack>
    </Group>
  );
}

/** A URL of the chosen file for as long as it is shown. */
function usePreview(photo: File | null): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (photo === null) return setUrl(undefined);
    const made = URL.createObjectURL(photo);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [photo]);
  return url;
}
