/** A form over one call of the contract: validation, busy state, field errors of a refusal, focus on the first error. */
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { fieldErrors, showFailure } from '../calls/failure.ts';
import { closeErrors } from '../ui/toast.ts';
import { useLock } from '../ui/use-lock.ts';
import { type DraftOptions, useDraft } from './use-draft.ts';
import { focusFirstError } from './validation.ts';

/** Field → sentence in the current language; `true` marks a field without a sentence. */
export type FormProblems = Record<string, string | true>;

export interface CallFormOptions<Values, Answer> {
  initialValues: Values;
  /** `validateWith(schema)` of the contract, or a function with additional rules. */
  validate: (values: Values) => FormProblems | Record<string, string>;
  send: (values: Values) => Promise<Answer>;
  onSuccess: (answer: Answer, values: Values) => unknown;
  /**
   * Shows a failed call and returns the problems of its fields. By default it shows a toast and returns the fields that
   * the server names.
   */
  onFailure?: (error: unknown) => FormProblems;
  /** Called when `validate` found problems, so the values were not sent. */
  onInvalid?: (values: Values) => void;
  /** What of it is kept across the reload that a new version needs; nothing by default. */
  draft?: DraftOptions<Values>;
}

export interface CallForm<Values> {
  form: UseFormReturnType<Values>;
  /** For `<form noValidate onSubmit>`. Repeated presses while the call runs send nothing. */
  onSubmit: ReturnType<UseFormReturnType<Values>['onSubmit']>;
  isBusy: boolean;
  /** Error of the last call; null while a call runs and after a success. */
  error: unknown;
  /** Values of the last call. */
  sent: Values | undefined;
}

function showAndName(error: unknown): FormProblems {
  showFailure(error);
  return fieldErrors(error);
}

/** Fields are uncontrolled: `key={form.key('name')} {...form.getInputProps('name')}`. */
export function useCallForm<Values extends Record<string, unknown>, Answer>({
  initialValues,
  validate,
  send,
  onSuccess,
  onFailure = showAndName,
  onInvalid,
  draft,
}: CallFormOptions<Values, Answer>): CallForm<Values> {
  const lock = useLock();
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues, validate });
  const focusFirst = focusFirstError(form);
  /** A form that stays on the page holds nothing unsent after a success. */
  const saved = useRef<Values>(null);
  useDraft(draft, {
    now: form.getValues,
    before: () => saved.current ?? form.getInitialValues(),
    restore: form.setValues,
  });
  const call = useMutation({
    mutationFn: send,
    onSuccess: (answer, values) => {
      // An error of the try before would stand beside the notice of success.
      closeErrors();
      saved.current = values;
      return onSuccess(answer, values);
    },
    onError(error) {
      const problems = onFailure(error);
      form.setErrors(problems);
      focusFirst(problems);
    },
    onSettled: lock.release,
  });
  const onSubmit = form.onSubmit(
    (values) => {
      if (lock.take()) call.mutate(values);
    },
    (problems, values) => {
      onInvalid?.(values);
      focusFirst(problems);
    },
  );
  return { form, onSubmit, isBusy: call.isPending, error: call.error, sent: call.variables };
}
