/** A child's care card over the roll call: the current one, or the kept one while the server cannot be reached. */
import type { CareCard } from '@haris/contract/care-card';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CareView } from '../../../care/care-view.tsx';
import { careCardQuery } from '../../../care/queries.ts';
import classes from './roll-call.module.css';

export interface KeptCardProps {
  child: { readonly id: string; readonly name: string };
  kept: CareCard;
  /** Nobody is known to be signed in, so nothing is asked for. */
  isOffline: boolean;
  onClose: () => void;
}

export function KeptCard({ child, kept, isOffline, onClose }: KeptCardProps) {
  const { t } = useTranslation('care-card');
  const frame = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Reading it is recorded, as at the desk.
  const current = useQuery({ ...careCardQuery(child.id), staleTime: 0, retry: false, enabled: !isOffline });
  useEffect(() => {
    frame.current?.showModal();
  }, []);
  return (
    <dialog
      ref={frame}
      className={classes.card}
      aria-labelledby={id}
      onCancel={(event) => event.stopPropagation()}
      onClose={(event) => {
        event.stopPropagation();
        onClose();
      }}
    >
      <h3 id={id}>{t('titleOf', { name: child.name })}</h3>
      <CareView card={current.isSuccess && current.isFetchedAfterMount ? current.data.card : kept} />
      {isOffline || current.isError ? (
        <Text size="sm" c="dimmed" mt="sm">
          {t('view.kept')}
        </Text>
      ) : null}
      <Button mt="md" fullWidth variant="default" onClick={() => frame.current?.close()}>
        {t('view.close')}
      </Button>
    </dialog>
  );
}
