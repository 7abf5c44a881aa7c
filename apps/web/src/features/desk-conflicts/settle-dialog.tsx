/** Asks before one or several conflicts are settled, says what changes, and takes a note about one. */
import { type DeskConflict, deskConflictRoutes } from '@haris/contract/http/desk-conflicts';
import { Button, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { call } from '../../calls/http.ts';
import { keys, refetchStale } from '../../calls/query-client.ts';
import { useDraft } from '../../forms/use-draft.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { notifyBlank, notifySuccess } from '../../ui/toast.ts';
import type { Choice } from './conflict-card.tsx';
import { useChanges } from './use-changes.ts';
import { useNames } from './use-names.ts';

const NOTE_MAX = 500;

/** Several are only kept. As they were when the question was put: their revisions are sent. */
export interface Question {
  readonly choice: Choice;
  readonly conflicts: readonly DeskConflict[];
}

export interface SettleDialogProps {
  opened: boolean;
  question: Question | null;
  onClose: () => void;
  /** Before the cards of these go. */
  onSettled: (ids: readonly string[]) => void;
  /** Those of these that are still there were not settled, because they have changed. */
  onChanged: (ids: readonly string[]) => void;
}

/** After these the same question makes no sense any more. */
const OVER: readonly string[] = [
  'conflict_changed',
  'entry_cannot_be_taken',
  'registration_disowned',
  'not_found',
];

const idsOf = ({ conflicts }: Question) => conflicts.map(({ _id }) => _id);

/** `left`: how many had changed. */
async function settle(
  { choice, conflicts }: Question,
  note: string,
): Promise<{ settled: number; left: number }> {
  const [only, ...others] = conflicts;
  if (only === undefined) return { settled: 0, left: 0 };
  if (others.length > 0)
    return call(deskConflictRoutes.keepDeskConflicts, {
      body: { conflicts: conflicts.map(({ _id, revision }) => ({ id: _id, revision })) },
    });
  await call(deskConflictRoutes.settleDeskConflict, {
    params: { id: only._id },
    body: { choice, revision: only.revision, ...(note.trim() === '' ? {} : { note }) },
  });
  return { settled: 1, left: 0 };
}

/** The note about one conflict: one about another must not be sent with it. */
function useNote(about: string | null) {
  const [typed, setTyped] = useState({ about: '', note: '' });
  const note = about !== null && typed.about === about ? typed.note : '';
  const setNote = (text: string) => setTyped({ about: about ?? '', note: text });
  useDraft(about === null ? undefined : { key: `desk-conflict:${about}`, fields: { note: z.string() } }, {
    now: () => ({ note }),
    before: () => ({ note: '' }),
    restore: (kept) => setNote(kept.note ?? ''),
  });
  return { note, setNote };
}

interface SettleOptions extends Pick<SettleDialogProps, 'onClose' | 'onChanged'> {
  note: string;
  onDone: (asked: Question) => void;
}

/** Sends the answer to a question, and says what came of it. */
function useSettle({ note, onClose, onChanged, onDone }: SettleOptions) {
  const { t } = useTranslation('desk-conflicts');
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: Question) => settle(asked, note),
    onSuccess: ({ settled, left }, asked) => {
      if (asked.conflicts.length === 1)
        notifySuccess(t(isOnlySeen(asked) ? 'done.seen' : `done.${asked.choice}`));
      else if (settled > 0) notifySuccess(t('done.many', { count: settled }));
      if (left > 0) notifyBlank(t('done.left', { count: left }));
      onDone(asked);
    },
    onError: (error, asked) => {
      showFailure(error);
      if (!(error instanceof ApiError) || !OVER.includes(error.code)) return;
      if (error.code === 'conflict_changed') onChanged(idsOf(asked));
      onClose();
    },
    onSettled: (answer, _error, asked) => {
      const read = refetchStale(client, [keys.deskConflicts, keys.children, keys.incidents, keys.rooms]);
      // Which of them are left is known once the list is there.
      if (answer !== undefined && answer.left > 0) void read.then(() => onChanged(idsOf(asked)));
    },
  });
}

export function SettleDialog({ opened, question, onClose, onSettled, onChanged }: SettleDialogProps) {
  const { t } = useTranslation('desk-conflicts');
  const titleOf = useTitle();
  const [done, setDone] = useState<Question | null>(null);
  const [only, ...others] = question?.conflicts ?? [];
  // Of a child that Haris does not know no note is kept.
  const about = only !== undefined && others.length === 0 && only.child.name !== null ? only._id : null;
  const { note, setNote } = useNote(opened ? about : null);
  const send = useSettle({
    note,
    onClose,
    onChanged,
    onDone: (asked) => {
      setNote('');
      setDone(asked);
      onClose();
      onSettled(idsOf(asked));
    },
  });
  if (question === null) return null;
  return (
    <Dialog
      opened={opened}
      onClose={send.isPending ? () => {} : onClose}
      title={titleOf(question)}
      returnFocus={done !== question}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending) send.mutate(question);
        }}
      >
        <Stack gap="md">
          <Consequences question={question} />
          {about !== null ? (
            <Textarea
              label={t('confirm.note')}
              description={t('confirm.noteHint')}
              value={note}
              onChange={({ currentTarget: { value } }) => setNote(value)}
              maxLength={NOTE_MAX}
              autosize
              minRows={2}
              maxRows={6}
              size="md"
              dir="auto"
            />
          ) : null}
          <Group justify="flex-end" gap="sm" data-wraps>
            <Button variant="default" onClick={onClose} disabled={send.isPending} data-autofocus>
              {t('confirm.cancel')}
            </Button>
            <Button type="submit" loading={send.isPending}>
              <SubmitWords question={question} />
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What was done already is only seen to. */
const isOnlySeen = ({ choice, conflicts }: Question) =>
  choice === 'keep' && conflicts.length === 1 && conflicts[0]?.reason === 'release_refused';

function useTitle(): (question: Question) => string {
  const { t } = useTranslation('desk-conflicts');
  const { deskOf } = useNames();
  return (question) => {
    const [only, ...others] = question.conflicts;
    if (only === undefined || others.length > 0)
      return t('confirm.manyTitle', { count: question.conflicts.length });
    if (question.choice === 'take')
      return t('confirm.takeTitle', { desk: `\u2068${deskOf(only.desk)}\u2069` });
    return isOnlySeen(question) ? t('confirm.seenTitle') : t('confirm.keepTitle');
  };
}

function SubmitWords({ question }: { question: Question }) {
  const { t } = useTranslation('desk-conflicts');
  const { deskOf } = useNames();
  const [only] = question.conflicts;
  if (question.choice === 'take' && only !== undefined) return t('take', { desk: deskOf(only.desk) });
  return isOnlySeen(question) ? t('seen') : t('keep');
}

function Consequences({ question: { choice, conflicts } }: { question: Question }) {
  const { t } = useTranslation('desk-conflicts');
  const { childOf } = useNames();
  const changesOf = useChanges();
  const [only, ...others] = conflicts;
  if (only === undefined || others.length > 0)
    return (
      <>
        <Text>{t('confirm.manyText')}</Text>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {conflicts.map((conflict) => `\u2068${childOf(conflict)}\u2069`).join(' · ')}
        </Text>
      </>
    );
  return (
    <div>
      <Text fw={500}>{t('confirm.about', { name: `\u2068${childOf(only)}\u2069` })}</Text>
      <List withPadding mt="xs">
        {changesOf(only, choice).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </div>
  );
}
