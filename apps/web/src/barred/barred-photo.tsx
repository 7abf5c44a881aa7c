/** The photo of a barred adult, large enough to compare with a face at the door. */
import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Photo, usePhotoFetch } from '../photos/photo.tsx';
import classes from './barred.module.css';

/** The side, in pixels: staff compare from where they stand. */
const SIDE_PX = 200;

export interface BarredPhotoProps {
  name: string;
  /** Path of the photo; null: there is none, and nothing is shown. */
  path: string | null;
}

export function BarredPhoto({ name, path }: BarredPhotoProps) {
  return path === null ? null : <Shown name={name} path={path} />;
}

function Shown({ name, path }: { name: string; path: string }) {
  const { t } = useTranslation(['emergency', 'common']);
  const { isLoading, isError, fetchAgain } = usePhotoFetch(path);
  return (
    <div className={classes.stack}>
      <Photo name={name} path={path} size={SIDE_PX} shape="rounded" isWhole />
      {isLoading ? (
        <Text size="sm" role="status">
          {t('barred.photoLoading')}
        </Text>
      ) : null}
      {isError ? (
        <>
          <Text size="sm" role="alert">
            {t('barred.photoFailed')}
          </Text>
          <Button
            size="compact-md"
            variant="light"
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={fetchAgain}
          >
            {t('common:tryAgain')}
          </Button>
        </>
      ) : null}
    </div>
  );
}
