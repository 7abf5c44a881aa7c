/** The care log on the parent's home: what waits for a signature, and the log of each child. */
import type { Child } from '@haris/contract/objects';
import { Button, Text, Title } from '@mantine/core';
import { IconNotebook, IconSignature } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toSignQuery } from '../../../care-log/queries.ts';
import { Card } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SignableLog } from './signable-log.tsx';

/** Opens the log of a child; callers say which. */
export function LogButton({ child }: { child: Child }) {
  const { t } = useTranslation('care-log');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant="default"
        leftSection={<IconNotebook size={18} aria-hidden />}
        aria-label={t('openOf', { name: child.name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('title')}
      </Button>
      <OwnLogDialog child={child} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/** Accidents and medicines that the family has not signed; nothing if there are none. */
export function LogToSign({ family }: { family: readonly Child[] }) {
  const { data: waiting = [] } = useQuery(toSignQuery);
  const [shown, setShown] = useState<Child | null>(null);
  const [isOpen, setOpen] = useState(false);
  const rows = family.flatMap((child) => {
    const found = waiting.find(({ childId }) => childId === child._id);
    return found === undefined ? [] : [{ child, count: found.count }];
  });
  return (
    <>
      {rows.map(({ child, count }) => (
        <Waiting
          key={child._id}
          child={child}
          count={count}
          onOpen={() => {
            setShown(child);
            setOpen(true);
          }}
        />
      ))}
      {shown === null ? null : <OwnLogDialog child={shown} opened={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}

function Waiting({ child, count, onOpen }: { child: Child; count: number; onOpen: () => void }) {
  const { t } = useTranslation('care-log');
  const id = `log-to-sign-${child._id}`;
  return (
    <Card component="section" p="md" mb="md" aria-labelledby={id}>
      <Title order={2} fz="lg" id={id}>
        {t('sign.title', { name: child.name })}
      </Title>
      <Text size="sm" mt={4} mb="sm" role="status">
        {t('sign.waiting', { count })}
      </Text>
      <Button
        leftSection={<IconSignature size={18} aria-hidden />}
        aria-label={t('sign.readOf', { name: child.name })}
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        {t('sign.read')}
      </Button>
    </Card>
  );
}

interface OwnLogDialogProps {
  child: Child;
  opened: boolean;
  onClose: () => void;
}

function OwnLogDialog({ child, opened, onClose }: OwnLogDialogProps) {
  const { t } = useTranslation('care-log');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('titleOf', { name: child.name })} size="lg">
      {opened ? <SignableLog childId={child._id} /> : null}
    </Dialog>
  );
}
