/** Acknowledges a card of the list, with an optional note. */
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { showFailure } from '../../calls/failure.ts';
import { keys } from '../../calls/query-client.ts';
import { useDraft } from '../../forms/use-draft.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import type { AlertCard } from './alert-cards.ts';
import { acknowledge, acknowledgeMany } from './api.ts';
import { isDangerous } from './shown-incident.ts';
import type { IncidentWords } from './use-incident-words.ts';

const NOTE_MAX = 500;

export interface AcknowledgeDialogProps {
  opened: boolean;
  card: AlertCard | null;
  wordsOf: (card: AlertCard) => IncidentWords;
  onClose: () => void;
}

export function AcknowledgeDialog({ opened, card, wordsOf, onClose }: AcknowledgeDialogProps) {
  const { t } = useTranslation('incidents');
  const client = useQueryClient();
  // With its alert, because a note about one must not be sent with another.
  const [typed, setTyped] = useState({ about: '', note: '' });
  const about = card?.incidents[0]._id ?? '';
  const note = typed.about === about ? typed.note : '';
  const setNote = (text: string) => setTyped({ about, note: text });
  const shown = opened && card !== null;
  useDraft(shown ? { key: `incident:${about}`, fields: { note: z.string() } } : undefined, {
    now: () => ({ note: shown ? note : '' }),
    before: () => ({ note: '' }),
    restore: (kept) => setNote(kept.note ?? ''),
  });
  const send = useMutation({
    mutationFn: async (sent: AlertCard) => {
      const said = note.trim() === '' ? undefined : note;
      // A danger is acknowledged by a call of its own.
      if (isDangerous(sent)) await acknowledge(sent.incidents[0]._id, said);
      else await acknowledgeMany(sent.incidents, said);
    },
    onSuccess: () => {
      notifySuccess(t('acknowledged'));
      setNote('');
      onClose();
    },
    onError: (error) => showFailure(error),
    onSettled: () => void client.invalidateQueries({ queryKey: [keys.incidents] }),
  });
  if (card === null) return null;
  const { title, text } = wordsOf(card);
  return (
    <Dialog opened={opened} onClose={send.isPending ? () => {} : onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending) send.mutate(card);
        }}
      >
        <Stack gap="md">
          <Text>{text}</Text>
          <Textarea
            label={t('note')}
            description={t('noteHint')}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
            maxLength={NOTE_MAX}
            autosize
            minRows={2}
            maxRows={6}
            size="md"
            data-autofocus
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={send.isPending}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={send.isPending}>
              {t('acknowledge')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
