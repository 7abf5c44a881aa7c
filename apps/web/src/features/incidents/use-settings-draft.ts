/** The typed settings, merged with those that others save in the meantime, their problems, and the call that saves them. */
import { operationRoutes } from '@haris/contract/http/operations';
import { settingsSchema } from '@haris/contract/objects';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiError } from '../../calls/api-error.ts';
import { showFailure } from '../../calls/failure.ts';
import { type AnswerOf, call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { settingsQuery } from '../../setup/queries.ts';
import { notifySuccess } from '../../ui/toast.ts';
import { type Draft, draftOf, isSame, mergeDraft } from './merge-settings.ts';

const draftSchema = z.pick(settingsSchema, {
  alarms: true,
  areaAlarms: true,
  notSeenAfterMinutes: true,
  backupDueDays: true,
  incidentDays: true,
});

export type KnownSettings = AnswerOf<typeof operationRoutes.getSettings>;

/** `refreshed`: others changed fields that were not touched here; `refused`: a save was refused because of their change. */
export type Notice = 'refreshed' | 'refused' | null;

export function useSettingsDraft(known: KnownSettings) {
  const { t } = useTranslation('incidents');
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [base, setBase] = useState(() => draftOf(known.settings));
  const [draft, setDraft] = useState(base);
  /** Paths of invalid fields, joined with dots. */
  const [problems, setProblems] = useState<ReadonlySet<string>>(new Set());
  const [notice, setNotice] = useState<Notice>(null);

  const saved = draftOf(known.settings);
  // Somebody else has saved: keep what was typed here, and take the rest from them.
  if (!isSame(saved, base)) {
    if (!isSame(draft, base) && !isSame(draft, saved)) setNotice((now) => now ?? 'refreshed');
    setDraft(mergeDraft(base, draft, saved));
    setBase(saved);
  }

  const save = useMutation({
    mutationFn: (body: Draft) =>
      call(operationRoutes.updateSettings, { body: { ...body, revision: known.revision } }),
    onSuccess: (answer) => {
      setNotice(null);
      client.setQueryData(settingsQuery.queryKey, answer);
      notifySuccess(t('settings.saved'));
    },
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === 'settings_changed')) return showFailure(error);
      setNotice('refused');
      void client.invalidateQueries({ queryKey: [keys.settings] });
    },
  });
  return {
    form,
    draft,
    notice,
    isSaving: save.isPending,
    change(part: Partial<Draft>) {
      setDraft((old) => ({ ...old, ...part }));
      setProblems(new Set());
    },
    problemOf: (path: string) => (problems.has(path) ? t('settings.outOfRange') : undefined),
    submit(event: FormEvent) {
      event.preventDefault();
      const checked = draftSchema.safeParse(draft);
      if (checked.success) return save.mutate(checked.data);
      setProblems(new Set(checked.error.issues.map(({ path }) => path.join('.'))));
      // Waits for the errors to render, then focuses the first invalid field.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    },
  };
}
