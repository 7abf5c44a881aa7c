/** Signs somebody in by name: a visitor, or a colleague without an account on this device. */
import { type Visitor, visitorRoutes } from '@haris/contract/http/visitors';
import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../calls/http.ts';
import { keys } from '../calls/query-client.ts';
import { randomUuid } from '../calls/random-uuid.ts';
import { useCallForm } from '../forms/use-call-form.ts';
import { validateWith } from '../forms/validation.ts';
import styles from './visitor-form.module.css';

interface Values extends Record<string, unknown> {
  kind: Visitor['kind'];
  name: string;
  phone: string;
  reason: string;
}

const route = visitorRoutes.signInVisitor;
const text = z.string();
const draftFields = { kind: z.enum(['visitor', 'staff']), name: text, phone: text, reason: text };

const filled = (text: string) => (text.trim() === '' ? null : text);

export interface VisitorFormProps {
  onSaved: (visitor: Visitor) => void;
  onCancel: () => void;
}

export function VisitorForm({ onSaved, onCancel }: VisitorFormProps) {
  const { t } = useTranslation('emergency');
  const client = useQueryClient();
  const name = useRef<HTMLInputElement>(null);
  // The id makes a second send of the same form harmless.
  const id = useRef(randomUuid());
  useEffect(() => name.current?.focus(), []);
  const [kind, setKind] = useState<Visitor['kind']>('visitor');
  const bodyOf = ({ kind, phone, reason, ...values }: Values) => ({
    ...values,
    _id: id.current,
    kind,
    phone: filled(phone),
    reason: kind === 'staff' ? null : filled(reason),
  });
  const { form, onSubmit, isBusy } = useCallForm<Values, { visitor: Visitor }>({
    initialValues: { kind: 'visitor', name: '', phone: '', reason: '' },
    draft: { key: 'visitor', fields: draftFields },
    validate: (values) => validateWith(route.body)(bodyOf(values as Values)),
    send: (values) => call(route, { body: bodyOf(values) }),
    onSuccess: ({ visitor }) => {
      void client.invalidateQueries({ queryKey: [keys.visitors] });
      onSaved(visitor);
    },
  });
  form.watch('kind', ({ value }) => setKind(value));
  return (
    <form noValidate onSubmit={onSubmit} className={styles.form}>
      <SegmentedControl
        aria-label={t('visitors.kind')}
        data={(['visitor', 'staff'] as const).map((value) => ({
          value,
          label: t(`visitors.kinds.${value}`),
        }))}
        key={form.key('kind')}
        {...form.getInputProps('kind')}
      />
      <TextInput
        ref={name}
        label={t('visitors.name')}
        required
        autoComplete="off"
        maxLength={200}
        dir="auto"
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('visitors.phone')}
        type="tel"
        autoComplete="off"
        dir="ltr"
        key={form.key('phone')}
        {...form.getInputProps('phone')}
      />
      {kind === 'staff' ? null : (
        <TextInput
          label={t('visitors.reason')}
          autoComplete="off"
          maxLength={200}
          dir="auto"
          key={form.key('reason')}
          {...form.getInputProps('reason')}
        />
      )}
      <Group gap="sm" className={styles.buttons ?? ''}>
        <Button type="submit" loading={isBusy}>
          {t('visitors.signIn')}
        </Button>
        <Button variant="default" onClick={onCancel} disabled={isBusy}>
          {t('visitors.cancel')}
        </Button>
      </Group>
    </form>
  );
}
