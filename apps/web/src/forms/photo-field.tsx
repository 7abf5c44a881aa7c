/** Selects an optional photo file and shows a preview. */
import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconCamera, IconPhoto, IconPhotoPlus } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './photo-field.module.css';
import { useUnkeptInput } from './use-draft.ts';

export interface PhotoFieldProps {
  photo: File | null;
  onChange: (photo: File | null) => void;
  /** Shown while no file is chosen; an icon by default. */
  current?: ReactNode;
  /** Larger files are refused before upload. */
  maxBytes: number;
  /** Says whose photo it is; that it is optional by default. */
  label?: string;
  /** On phones and tablets a second button opens the camera. */
  hasCamera?: boolean;
}

export function PhotoField({
  photo,
  onChange,
  current,
  maxBytes,
  label,
  hasCamera = false,
}: PhotoFieldProps) {
  const { t } = useTranslation('photo-field');
  const [isTooLarge, setTooLarge] = useState(false);
  const preview = usePreview(photo);
  useUnkeptInput(photo !== null);
  const clearInput = useRef<() => void>(null);
  const clearTaken = useRef<() => void>(null);
  const hint = useId();

  function choose(file: File | null) {
    if (file === null) return;
    setTooLarge(file.size > maxBytes);
    if (file.size <= maxBytes) onChange(file);
    // Clears the input, so that the same file can be chosen again after its removal.
    clearInput.current?.();
    clearTaken.current?.();
  }

  return (
    <Group gap="md" wrap="nowrap" align="center">
      {photo === null && current ? (
        current
      ) : (
        <Avatar src={preview ?? null} size={64} radius="50%" alt="">
          <IconPhoto size={26} aria-hidden />
        </Avatar>
      )}
      <Stack gap={4} flex={1}>
        <Text size="sm" fw={500}>
          {label ?? t('label')}
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
                {photo === null ? t('choose') : t('change')}
              </Button>
            )}
          </FileButton>
          {hasCamera ? (
            <FileButton
              accept="image/png,image/jpeg,image/webp"
              capture="environment"
              onChange={choose}
              resetRef={clearTaken}
            >
              {(props) => (
                <Button
                  {...props}
                  className={classes.camera ?? ''}
                  size="compact-md"
                  fz="sm"
                  variant="light"
                  leftSection={<IconCamera size={17} aria-hidden />}
                  aria-describedby={hint}
                >
                  {t('take')}
                </Button>
              )}
            </FileButton>
          ) : null}
          {photo === null ? null : (
            <Button size="compact-md" fz="sm" variant="subtle" color="gray" onClick={() => onChange(null)}>
              {t('remove')}
            </Button>
          )}
        </Group>
        <Text
          id={hint}
          size="xs"
          {...(isTooLarge ? { c: 'var(--mantine-color-error)', role: 'alert' } : { c: 'dimmed' })}
        >
          {isTooLarge ? t('tooLarge') : t('hint')}
        </Text>
      </Stack>
    </Group>
  );
}

/** Object URL of the chosen file; revoked when the file changes or the field unmounts. */
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
