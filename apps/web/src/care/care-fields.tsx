/** The fields of a care card's form, in the order in which the card is read. */
import {
  ALLERGENS,
  ALLERGY_SEVERITIES,
  CARE_CONTACTS_MAX,
  CARE_DOCUMENTS,
  CARE_ENTRIES_MAX,
  CARE_LINE_MAX,
  CARE_TEXT_MAX,
} from '@haris/contract/care-card';
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../session/session.tsx';
import classes from './care.module.css';
import type { CareList, CareValues } from './form-values.ts';
import { useFormatCount } from './format.ts';

type Form = UseFormReturnType<CareValues>;

/** What a new entry of a list begins with. */
const NEW: { readonly [List in CareList]: () => CareValues[List][number] } = {
  allergies: () => ({ allergen: '', substance: '', severity: '', reaction: '', action: '' }),
  medicines: () => ({ name: '', dose: '', when: '', untilDate: '', permitted: false }),
  conditions: () => ({ text: '' }),
  contacts: () => ({ name: '', relation: '', phone: '' }),
  documents: () => ({ kind: 'vaccination', name: '', validUntil: '' }),
};

/** The first field of an entry, which gets the focus when it is added. */
const FIRST: Readonly<Record<CareList, string>> = {
  allergies: 'allergen',
  medicines: 'name',
  conditions: 'text',
  contacts: 'name',
  documents: 'kind',
};

export function CareFields({ form }: { form: Form }) {
  const { t } = useTranslation('care-card');
  return (
    <>
      <List form={form} list="allergies">
        {(path) => <AllergyFields form={form} path={path} />}
      </List>
      <List form={form} list="medicines">
        {(path) => (
          <>
            <Line form={form} path={`${path}.name`} label={t('field.medicine')} />
            <div className={classes.pair}>
              <Line form={form} path={`${path}.dose`} label={t('field.dose')} />
              <Line form={form} path={`${path}.when`} label={t('field.when')} />
            </div>
            <Day form={form} path={`${path}.untilDate`} label={t('field.untilDay')} />
            <Permitted form={form} path={`${path}.permitted`} />
          </>
        )}
      </List>
      <List form={form} list="conditions">
        {(path) => (
          <Line form={form} path={`${path}.text`} label={t('field.condition')} most={CARE_TEXT_MAX} />
        )}
      </List>
      <Text form={form} path="dietary" label={t('part.dietary')} />
      <List form={form} list="contacts">
        {(path) => (
          <>
            <div className={classes.pair}>
              <Line form={form} path={`${path}.name`} label={t('field.name')} />
              <Line form={form} path={`${path}.relation`} label={t('field.relation')} />
            </div>
            <Phone form={form} path={`${path}.phone`} />
          </>
        )}
      </List>
      <fieldset className={classes.group}>
        <legend>{t('part.doctor')}</legend>
        <div className={classes.pair}>
          <Line form={form} path="doctor.name" label={t('field.name')} />
          <Phone form={form} path="doctor.phone" />
        </div>
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{t('part.insurance')}</legend>
        <Line form={form} path="insurance.company" label={t('field.company')} />
        <div className={classes.pair}>
          <Line form={form} path="insurance.number" label={t('field.number')} />
          <Day form={form} path="insurance.validUntil" label={t('field.validUntilDay')} />
        </div>
      </fieldset>
      <List form={form} list="documents">
        {(path) => (
          <>
            <div className={classes.pair}>
              <NativeSelect
                size="md"
                label={t('field.kind')}
                data={CARE_DOCUMENTS.map((kind) => ({ value: kind, label: t(`document.${kind}`) }))}
                key={form.key(`${path}.kind`)}
                {...form.getInputProps(`${path}.kind`)}
              />
              <Day form={form} path={`${path}.validUntil`} label={t('field.validUntilDay')} />
            </div>
            <Line form={form} path={`${path}.name`} label={t('field.details')} />
          </>
        )}
      </List>
    </>
  );
}

/** Only the family can permit a medicine; staff read it on the card. */
function Permitted({ form, path }: { form: Form; path: string }) {
  const { t } = useTranslation('care-card');
  if (!useSession().parent.isAuthenticated) return null;
  return (
    <Checkbox
      size="md"
      label={t('field.permitted')}
      key={form.key(path)}
      {...form.getInputProps(path, { type: 'checkbox' })}
    />
  );
}

function AllergyFields({ form, path }: { form: Form; path: string }) {
  const { t } = useTranslation('care-card');
  const choose = { value: '', label: t('form.choose') };
  return (
    <>
      <div className={classes.pair}>
        <NativeSelect
          size="md"
          label={t('field.allergen')}
          data={[
            choose,
            ...ALLERGENS.map((allergen) => ({ value: allergen, label: t(`allergen.${allergen}`) })),
          ]}
          key={form.key(`${path}.allergen`)}
          {...form.getInputProps(`${path}.allergen`)}
        />
        <NativeSelect
          size="md"
          label={t('field.severity')}
          data={[
            choose,
            ...ALLERGY_SEVERITIES.map((severity) => ({ value: severity, label: t(`severity.${severity}`) })),
          ]}
          key={form.key(`${path}.severity`)}
          {...form.getInputProps(`${path}.severity`)}
        />
      </div>
      <Line form={form} path={`${path}.substance`} label={t('field.substance')} />
      <Text form={form} path={`${path}.reaction`} label={t('field.reaction')} />
      <Text form={form} path={`${path}.action`} label={t('field.action')} />
    </>
  );
}

interface ListProps {
  form: Form;
  list: CareList;
  /** The fields of one entry; `path` is its place in the form. */
  children: (path: string) => ReactNode;
}

function List({ form, list, children }: ListProps) {
  const { t } = useTranslation('care-card');
  const count = useFormatCount();
  const entries = form.getValues()[list];
  const most = list === 'contacts' ? CARE_CONTACTS_MAX : CARE_ENTRIES_MAX;

  function add() {
    form.insertListItem(list, NEW[list]());
    const path = `${list}.${entries.length}.${FIRST[list]}`;
    // Once it is in the page.
    setTimeout(() => form.getInputNode(path)?.focus());
  }

  return (
    <fieldset className={classes.group}>
      <legend>{t(`part.${list}`)}</legend>
      {entries.map((_, index) => {
        const label = t('form.entry', { part: t(`part.${list}`), number: count(index + 1) });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids, and the form's keys follow their places
          <fieldset key={index} className={classes.one} aria-label={label}>
            {children(`${list}.${index}`)}
            <div>
              <Button
                size="compact-sm"
                variant="subtle"
                color="clay"
                leftSection={<IconTrash size={16} aria-hidden />}
                aria-label={t('form.removeOf', { entry: label })}
                onClick={() => form.removeListItem(list, index)}
              >
                {t('form.remove')}
              </Button>
            </div>
          </fieldset>
        );
      })}
      {entries.length >= most ? null : (
        <div>
          <Button size="sm" variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            {t(`form.add.${list}`)}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface FieldProps {
  form: Form;
  path: string;
  label: string;
}

function Line({ form, path, label, most = CARE_LINE_MAX }: FieldProps & { most?: number }) {
  return (
    <TextInput
      label={label}
      maxLength={most}
      autoComplete="off"
      key={form.key(path)}
      {...form.getInputProps(path)}
    />
  );
}

function Text({ form, path, label }: FieldProps) {
  return (
    <Textarea
      size="md"
      label={label}
      autosize
      minRows={1}
      maxLength={CARE_TEXT_MAX}
      key={form.key(path)}
      {...form.getInputProps(path)}
    />
  );
}

function Phone({ form, path }: Omit<FieldProps, 'label'>) {
  const { t } = useTranslation('care-card');
  return (
    <TextInput
      type="tel"
      inputMode="tel"
      label={t('field.phone')}
      maxLength={30}
      autoComplete="off"
      key={form.key(path)}
      {...form.getInputProps(path)}
    />
  );
}

function Day({ form, path, label }: FieldProps) {
  return (
    <TextInput
      type="date"
      label={label}
      autoComplete="off"
      key={form.key(path)}
      {...form.getInputProps(path)}
    />
  );
}
