/** Names or changes somebody who may pick up a child. A parent proves with the password, which the app asks for. */
import { type Collector, collectorRoutes } from '@haris/contract/http/collectors';
import { Chip, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../calls/http.ts';
import { type FormProblems, useCallForm } from '../forms/use-call-form.ts';
import { validateWith } from '../forms/validation.ts';
import { FormButtons } from '../ui/form-buttons.tsx';
import { notifySuccess } from '../ui/toast.ts';
import classes from './collectors.module.css';
import { nameOfWeekday, today, type When, weekdaysInOrder, whenOf } from './days.ts';
import { refreshCollectors } from './queries.ts';

const RELATIONS = [
  'grandmother',
  'grandfather',
  'aunt',
  'uncle',
  'sibling',
  'nanny',
  'driver',
  'friend',
] as const;
const WHENS: readonly When[] = ['always', 'today', 'some'];

interface Values extends Record<string, unknown> {
  name: string;
  relation: string;
  phone: string;
  when: When;
  /** Of the contract: 0 is Sunday. */
  weekdays: string[];
  from: string;
  until: string;
}

const filled = (text: string) => (text.trim() === '' ? null : text.trim());

function bodyOf({ name, relation, phone, when, weekdays, from, until }: Values) {
  const whole = { name, relation, phone: filled(phone) };
  if (when === 'always') return { ...whole, from: null, until: null, weekdays: [] };
  if (when === 'today') return { ...whole, from: today(), until: today(), weekdays: [] };
  return { ...whole, from: filled(from), until: filled(until), weekdays: weekdays.map(Number) };
}

function valuesOf(collector: Collector | null): Values {
  if (collector === null)
    return { name: '', relation: '', phone: '', when: 'always', weekdays: [], from: '', until: '' };
  const { name, relation, phone, from, until, weekdays } = collector;
  return {
    name,
    relation,
    phone: phone ?? '',
    when: whenOf(collector, today()),
    weekdays: weekdays.map(String),
    from: from ?? '',
    until: until ?? '',
  };
}

const text = z.string();
const draftFields = {
  ...{ name: text, relation: text, phone: text, from: text, until: text },
  ...{ when: z.enum(WHENS), weekdays: z.array(text) },
};

const validate = validateWith(collectorRoutes.addCollector.body);

export interface CollectorFormProps {
  childId: string;
  /** Null for a new one. */
  collector: Collector | null;
  onDone: () => void;
}

export function CollectorForm({ childId, collector, onDone }: CollectorFormProps) {
  const { t } = useTranslation(['collectors', 'common']);
  const client = useQueryClient();
  const relations = useId();
  const initialValues = valuesOf(collector);
  const [when, setWhen] = useState(initialValues.when);
  const { form, onSubmit, isBusy } = useCallForm<Values, unknown>({
    initialValues,
    draft: { key: `collector:${childId}:${collector?._id ?? ''}`, fields: draftFields },
    validate(values): FormProblems {
      const problems: FormProblems = validate(bodyOf(values));
      if (values.relation.trim() === '') problems.relation = t('form.relationMissing');
      const isNever = values.weekdays.length === 0 && values.from === '' && values.until === '';
      if (values.when === 'some' && isNever) problems.weekdays = t('form.chooseDays');
      return problems;
    },
    send: (values) =>
      collector === null
        ? call(collectorRoutes.addCollector, { params: { id: childId }, body: bodyOf(values) })
        : call(collectorRoutes.updateCollector, { params: { id: collector._id }, body: bodyOf(values) }),
    onSuccess: (_, { name }) => {
      notifySuccess(collector === null ? t('added', { name: name.trim() }) : t('saved'));
      void refreshCollectors(client);
      onDone();
    },
  });
  form.watch('when', ({ value }) => setWhen(value));
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="md">
        <TextInput
          label={t('form.name')}
          description={t('form.nameHint')}
          required
          data-autofocus
          autoComplete="off"
          maxLength={100}
          dir="auto"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('form.relation')}
          required
          autoComplete="off"
          maxLength={100}
          dir="auto"
          list={relations}
          key={form.key('relation')}
          {...form.getInputProps('relation')}
        />
        <datalist id={relations}>
          {RELATIONS.map((relation) => (
            <option key={relation} value={t(`form.relations.${relation}`)} />
          ))}
        </datalist>
        <TextInput
          label={t('form.phone')}
          description={t('form.phoneHint')}
          type="tel"
          autoComplete="off"
          dir="ltr"
          key={form.key('phone')}
          {...form.getInputProps('phone')}
        />
        <fieldset className={classes.group}>
          <legend>{t('form.when')}</legend>
          <SegmentedControl
            fullWidth
            aria-label={t('form.when')}
            data={WHENS.map((value) => ({ value, label: t(`form.${value}`) }))}
            key={form.key('when')}
            {...form.getInputProps('when')}
          />
        </fieldset>
        {when === 'some' ? <SomeDays form={form} /> : null}
        {collector === null ? null : (
          <Text size="sm" c="dimmed">
            {t('form.reset')}
          </Text>
        )}
        <FormButtons
          cancel={t('common:cancel')}
          submit={t(collector === null ? 'form.submit' : 'form.save')}
          onCancel={onDone}
          isBusy={isBusy}
        />
      </Stack>
    </form>
  );
}

function SomeDays({ form }: { form: ReturnType<typeof useCallForm<Values, unknown>>['form'] }) {
  const { t, i18n } = useTranslation('collectors');
  const { error, ...weekdays } = form.getInputProps('weekdays') as ReturnType<typeof form.getInputProps>;
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{t('form.weekdays')}</legend>
        <Chip.Group multiple key={form.key('weekdays')} {...weekdays}>
          <div className={classes.weekdays}>
            {weekdaysInOrder().map((weekday) => (
              <Chip key={weekday} value={String(weekday)} size="md">
                {nameOfWeekday(weekday, i18n.language)}
              </Chip>
            ))}
          </div>
        </Chip.Group>
        {error ? (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        ) : (
          <Text size="xs" c="dimmed">
            {t('form.weekdaysHint')}
          </Text>
        )}
      </fieldset>
      <div className={classes.dates}>
        {(['from', 'until'] as const).map((field) => (
          <TextInput
            key={form.key(field)}
            type="date"
            label={t(`form.${field}`)}
            description={t('form.dayHint')}
            autoComplete="off"
            {...form.getInputProps(field)}
          />
        ))}
      </div>
    </>
  );
}
