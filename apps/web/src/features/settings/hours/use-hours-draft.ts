/** Opening hours and holidays as typed, joined with what others save meanwhile; their problems, and the call that saves them. */
import { operationRoutes } from '@haris/contract/http/operations';
import { settingsSchema } from '@haris/contract/objects';
import type { Holiday, OpeningHours } from '@haris/contract/opening-hours';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { fieldErrors, showFailure } from '../../../calls/failure.ts';
import { type AnswerOf, call } from '../../../calls/http.ts';
import { keys } from '../../../calls/query-client.ts';
import { validateWith } from '../../../forms/validation.ts';
import { settingsQuery } from '../../../setup/queries.ts';
import { notifySuccess } from '../../../ui/toast.ts';

const draftSchema = z.pick(settingsSchema, { openingHours: true, holidays: true });
const validate = validateWith(draftSchema);

export interface HoursDraft {
  readonly openingHours: OpeningHours | null;
  readonly holidays: readonly Holiday[];
}

type KnownSettings = AnswerOf<typeof operationRoutes.getSettings>;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function useHoursDraft(known: KnownSettings) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const saved: HoursDraft = draftSchema.parse(known.settings);
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(saved);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});

  // Somebody else has saved: take what was not touched here.
  if (!isSame(saved, base)) {
    setBase(saved);
    setDraft({
      openingHours: isSame(draft.openingHours, base.openingHours) ? saved.openingHours : draft.openingHours,
      holidays: isSame(draft.holidays, base.holidays) ? saved.holidays : draft.holidays,
    });
  }

  function show(found: Readonly<Record<string, string>>) {
    setProblems(found);
    // Waits for the errors to render, then focuses the first invalid field.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }

  const save = useMutation({
    mutationFn: (body: z.input<typeof draftSchema>) =>
      call(operationRoutes.updateSettings, { body: { ...body, revision: known.revision } }),
    onSuccess: async (answer) => {
      const stored = draftSchema.parse(answer.settings);
      setBase(stored);
      setDraft(stored);
      client.setQueryData(settingsQuery.queryKey, answer);
      notifySuccess(t('saved'));
      await client.invalidateQueries({ queryKey: [keys.settings, 'hours'] });
    },
    onError: async (error) => {
      showFailure(error);
      show(fieldErrors(error));
      // After a refusal for a change by somebody else, the next press saves on top of it.
      await client.invalidateQueries({ queryKey: [keys.settings] });
    },
  });

  return {
    form,
    draft,
    isSaving: save.isPending,
    problemOf: (path: string) => problems[path],
    /** Also takes the problems away: paths may now name something else. */
    change(part: Partial<HoursDraft>) {
      setDraft((old) => ({ ...old, ...part }));
      setProblems({});
    },
    submit(event: FormEvent) {
      event.preventDefault();
      if (save.isPending) return;
      const found = validate(draft);
      if (Object.keys(found).length > 0) return show(found);
      save.mutate(draftSchema.parse(draft));
    },
  };
}
