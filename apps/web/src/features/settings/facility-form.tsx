/** Name, phone, address, time zone, language and formats of the facility, and how long names of visitors are kept. */
import { operationRoutes } from '@haris/contract/http/operations';
import { type Settings, settingsSchema } from '@haris/contract/objects';
import { REGIONS } from '@haris/contract/regions';
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { serverNow } from '../../calls/server-clock.ts';
import { useCallForm } from '../../forms/use-call-form.ts';
import { validateWith } from '../../forms/validation.ts';
import { formatElsewhere } from '../../i18n/locale.ts';
import { Allowed } from '../../session/allowed.tsx';
import { SharedValues } from '../../session/read-only.tsx';
import { useMayEverywhere, useWork } from '../../session/work.ts';
import { Card } from '../../ui/card.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { notifySuccess } from '../../ui/toast.ts';
import classes from './settings.module.css';

const bodySchema = z.pick(settingsSchema, {
  facilityName: true,
  facilityPhone: true,
  facilityAddress: true,
  timeZone: true,
  language: true,
  region: true,
  visitorDays: true,
});

type Values = {
  facilityName: string;
  facilityPhone: string;
  facilityAddress: string;
  timeZone: string;
  language: string;
  region: string;
  /** Null and NaN: the typed text is not a number. */
  visitorDays: number | null;
};

const text = z.string();
const draftFields = {
  ...{ facilityName: text, facilityPhone: text, facilityAddress: text },
  ...{ timeZone: text, language: z.enum(['en', 'ar']), region: text, visitorDays: z.nullable(z.number()) },
};

/** An empty field removes the value. */
function toBody(values: Values) {
  const orNone = (text: string) => (text.trim() === '' ? null : text);
  return {
    ...values,
    facilityName: orNone(values.facilityName),
    facilityPhone: orNone(values.facilityPhone),
    facilityAddress: orNone(values.facilityAddress),
  };
}

/** Regions with their names in the language of the page, by name. */
function regionOptions(language: string, own: string) {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return [...new Set([own, ...REGIONS])]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
}

/** The form's state. It sends the values that all facilities share only for somebody who may change those. */
function useFacilityForm(settings: Settings, proposedZone: string | null) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const work = useWork();
  const mayChangeShared = useMayEverywhere()('settings.manage');
  return useCallForm<Values, unknown>({
    initialValues: {
      facilityName: settings.facilityName ?? '',
      facilityPhone: settings.facilityPhone ?? '',
      facilityAddress: settings.facilityAddress ?? '',
      timeZone: proposedZone ?? settings.timeZone,
      language: settings.language,
      region: settings.region,
      visitorDays: settings.visitorDays,
    },
    draft: { key: 'facility', fields: draftFields },
    validate: (values) => {
      const problems = validateWith(bodySchema)(toBody(values));
      return problems.visitorDays === undefined
        ? problems
        : { ...problems, visitorDays: t('facility.visitorDaysRange') };
    },
    send: (values) => {
      const { visitorDays: days, ...own } = bodySchema.parse(toBody(values));
      const body = mayChangeShared ? { ...own, visitorDays: days } : own;
      return call(operationRoutes.updateSettings, { body });
    },
    onSuccess: async () => {
      notifySuccess(t('saved'));
      await client.invalidateQueries({ queryKey: [keys.settings] });
      await client.invalidateQueries({ queryKey: [keys.config] });
      // With several facilities the menu shows the name.
      if (work !== null) await client.invalidateQueries({ queryKey: [keys.session] });
    },
  });
}

/** This device's time zone; null if it is the present one, or none that the form lists. */
function zoneOfDevice(present: string): string | null {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone !== present && Intl.supportedValuesOf('timeZone').includes(timeZone) ? timeZone : null;
}

interface PartProps {
  settings: Settings;
  form: ReturnType<typeof useFacilityForm>['form'];
}

export interface FacilityFormProps {
  settings: Settings;
  /** Nobody has chosen a time zone yet, so the form offers this device's. */
  isZoneOpen: boolean;
}

export function FacilityForm({ settings, isZoneOpen }: FacilityFormProps) {
  const { t } = useTranslation('settings');
  const proposedZone = isZoneOpen ? zoneOfDevice(settings.timeZone) : null;
  const { form, onSubmit, isBusy } = useFacilityForm(settings, proposedZone);
  return (
    <Card component="section" aria-label={t('parts.facility')}>
      <form noValidate onSubmit={onSubmit}>
        <Stack gap="md">
          <NameAndContact form={form} />
          <ZoneAndFormats settings={settings} form={form} proposedZone={proposedZone} />
          <VisitorDays settings={settings} form={form} />
          <Allowed to="settings.manage">
            <Group justify="flex-end">
              <Button type="submit" loading={isBusy}>
                {t('save')}
              </Button>
            </Group>
          </Allowed>
        </Stack>
      </form>
    </Card>
  );
}

function NameAndContact({ form }: Pick<PartProps, 'form'>) {
  const { t } = useTranslation('settings');
  return (
    <>
      <TextInput
        label={t('facility.name')}
        placeholder={t('facility.namePlaceholder')}
        autoComplete="organization"
        maxLength={200}
        dir="auto"
        key={form.key('facilityName')}
        {...form.getInputProps('facilityName')}
      />
      <div className={classes.pair}>
        <TextInput
          label={t('facility.phone')}
          description={t('facility.phoneHint')}
          type="tel"
          autoComplete="off"
          dir="ltr"
          key={form.key('facilityPhone')}
          {...form.getInputProps('facilityPhone')}
        />
        <TextInput
          label={t('facility.address')}
          autoComplete="street-address"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="auto"
          key={form.key('facilityAddress')}
          {...form.getInputProps('facilityAddress')}
        />
      </div>
    </>
  );
}

/** Time zone, language and region, with the current time as they write it. */
function ZoneAndFormats({ settings, form, proposedZone }: PartProps & { proposedZone: string | null }) {
  const { t, i18n } = useTranslation('settings');
  const [shown, setShown] = useState({
    timeZone: proposedZone ?? settings.timeZone,
    region: settings.region,
  });
  form.watch('timeZone', ({ value }) => setShown((old) => ({ ...old, timeZone: value })));
  form.watch('region', ({ value }) => setShown((old) => ({ ...old, region: value })));
  const zones = useMemo(
    // The server may use an older name of the zone, which browsers do not list.
    () => [...new Set([settings.timeZone, ...Intl.supportedValuesOf('timeZone')])].sort(),
    [settings.timeZone],
  );
  const regions = useMemo(
    () => regionOptions(i18n.language, settings.region),
    [i18n.language, settings.region],
  );
  return (
    <>
      <div className={classes.pair} id="locale">
        <Select
          label={t('facility.timeZone')}
          description={
            proposedZone === null
              ? t('facility.timeZoneHint')
              : t('facility.timeZoneProposed', { zone: settings.timeZone })
          }
          data={zones}
          searchable
          allowDeselect={false}
          limit={100}
          nothingFoundMessage={t('facility.noZone')}
          openOnFocus={false}
          dir="ltr"
          key={form.key('timeZone')}
          {...form.getInputProps('timeZone')}
        />
        <Select
          label={t('facility.language')}
          description={t('facility.languageHint')}
          data={[
            { value: 'en', label: 'English' },
            { value: 'ar', label: 'العربية' },
          ]}
          allowDeselect={false}
          openOnFocus={false}
          key={form.key('language')}
          {...form.getInputProps('language')}
        />
      </div>
      <div>
        <Select
          label={t('facility.region')}
          data={regions}
          searchable
          allowDeselect={false}
          nothingFoundMessage={t('facility.noRegion')}
          openOnFocus={false}
          key={form.key('region')}
          {...form.getInputProps('region')}
        />
        <Text size="sm" c="dimmed" mt={4}>
          {t('facility.example', { now: formatElsewhere(i18n.language, shown, serverNow()) })}
        </Text>
      </div>
    </>
  );
}

/** How long names of visitors are kept: one value for all facilities. */
function VisitorDays({ settings, form }: PartProps) {
  const { t } = useTranslation('settings');
  const [visitorDays, setVisitorDays] = useState<number | null>(settings.visitorDays);
  return (
    <SharedValues unless="settings.manage">
      <NumberField
        label={t('facility.visitorDays')}
        description={t('facility.visitorDaysHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={visitorDays}
        error={form.getInputProps('visitorDays').error}
        onChange={(days) => {
          setVisitorDays(days);
          form.setFieldValue('visitorDays', days);
        }}
        allowDecimal={false}
      />
    </SharedValues>
  );
}
