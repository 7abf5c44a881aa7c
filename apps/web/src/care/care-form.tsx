/** The form of a care card. A save that another one overtook keeps what was typed, and shows the other version. */
import { CARE_NOTE_MAX } from '@haris/contract/care-card';
import { type CareCardView, careRoutes } from '@haris/contract/http/care';
import { Alert, Stack, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../calls/api-error.ts';
import { fieldErrors, showFailure } from '../calls/failure.ts';
import { call } from '../calls/http.ts';
import { keys, refetchStale } from '../calls/query-client.ts';
import { useCallForm } from '../forms/use-call-form.ts';
import { FormButtons } from '../ui/form-buttons.tsx';
import { notifySuccess } from '../ui/toast.ts';
import classes from './care.module.css';
import { CareFields } from './care-fields.tsx';
import { CareView } from './care-view.tsx';
import { cardOf, careFields, problemsOf, serverProblems, valuesOf } from './form-values.ts';
import type { CareSubject } from './open-card.ts';
import { careCardQuery } from './queries.ts';

export interface CareFormProps {
  child: CareSubject;
  /** The card with which the form begins. */
  view: CareCardView;
  onDone: () => void;
}

export function CareForm({ child, view, onDone }: CareFormProps) {
  const { t } = useTranslation(['care-card', 'common']);
  const client = useQueryClient();
  /** The version that somebody else saved meanwhile. */
  const [other, setOther] = useState<CareCardView | null>(null);
  const { form, onSubmit, isBusy } = useCallForm({
    initialValues: valuesOf(view.card),
    draft: { key: `care-card:${child.id}`, fields: careFields },
    validate: problemsOf,
    send: (values) =>
      call(careRoutes.saveCareCard, {
        params: { id: child.id },
        body: { version: (other ?? view).version, card: cardOf(values) },
      }),
    onSuccess: (saved) => {
      notifySuccess(t('form.saved'));
      client.setQueryData(careCardQuery(child.id).queryKey, saved);
      void refetchStale(client, [keys.care]);
      onDone();
    },
    onFailure: (error) => {
      if (error instanceof ApiError && error.code === 'care_card_changed') void readOther();
      else showFailure(error);
      return serverProblems(fieldErrors(error));
    },
  });

  async function readOther() {
    try {
      setOther(await client.fetchQuery({ ...careCardQuery(child.id), staleTime: 0 }));
    } catch (error) {
      showFailure(error);
    }
  }

  return (
    <form noValidate onSubmit={onSubmit} autoComplete="off">
      <Stack gap="lg">
        <CareFields form={form} />
        <Textarea
          size="md"
          label={t('part.note')}
          autosize
          minRows={2}
          maxLength={CARE_NOTE_MAX}
          key={form.key('note')}
          {...form.getInputProps('note')}
        />
        {other === null ? null : (
          <Alert color="saffron" title={t('form.changed')} role="alert">
            <Stack gap="sm">
              <div>{t('form.changedHint')}</div>
              <details className={classes.other}>
                <summary>{t('form.showOther')}</summary>
                <CareView card={other.card} />
              </details>
            </Stack>
          </Alert>
        )}
        <div className={classes.foot}>
          <FormButtons
            cancel={t('common:cancel')}
            submit={other === null ? t('form.save') : t('form.replace')}
            onCancel={onDone}
            isBusy={isBusy}
          />
        </div>
      </Stack>
    </form>
  );
}
