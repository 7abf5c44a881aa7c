/** Who must not pick up a child, with their photos. Render it on request: the person may be looking at the screen. */
import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import classes from './barred.module.css';
import { BarredPhoto } from './barred-photo.tsx';
import { useBarred } from './use-barred.ts';

export interface BarredListProps {
  child: { readonly id: string; readonly name: string };
}

export function BarredList({ child: { id, name } }: BarredListProps) {
  const { t } = useTranslation(['emergency', 'common']);
  const { data, error, isError, refetch } = useBarred(id);
  const label = t('barred.who', { name: `\u2068${name}\u2069` });
  if (data === undefined)
    return (
      <div className={classes.stack}>
        <Text size="sm" role="status">
          {isError ? failureText(error) : t('barred.loading')}
        </Text>
        {isError ? (
          <Button
            size="compact-md"
            variant="light"
            leftSection={<IconRefresh size={18} aria-hidden />}
            onClick={() => void refetch()}
          >
            {t('common:tryAgain')}
          </Button>
        ) : null}
      </div>
    );
  if (data.barred.length === 0) return <Text size="sm">{t('barred.nobody')}</Text>;
  return (
    <section aria-label={label}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <ul className={classes.list}>
        {data.barred.map((one) => (
          <li key={one._id}>
            <BarredPhoto name={one.name} path={one.photo} />
            <bdi className={classes.name}>{one.name}</bdi>
            {one.phone === null ? null : <bdi dir="ltr">{one.phone}</bdi>}
          </li>
        ))}
      </ul>
    </section>
  );
}
