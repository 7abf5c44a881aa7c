/** Settings of the facility, in parts with addresses of their own: getting started, facility, mail, phones, health, sample data. */
import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { failureText } from '../../calls/failure.ts';
import { useMay } from '../../session/may.ts';
import { ReadOnly, SharedValues } from '../../session/read-only.tsx';
import { settingsQuery, useSetup } from '../../setup/queries.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Checklist } from './checklist.tsx';
import { DeskIdlePanel } from './desk-idle-panel.tsx';
import { DeskOfflinePanel } from './desk-offline-panel.tsx';
import { FacilityForm } from './facility-form.tsx';
import { HealthPanel } from './health-panel.tsx';
import { HoursForm } from './hours/hours-form.tsx';
import { MailPanel } from './mail-panel.tsx';
import { OwnAddressForm } from './own-address-form.tsx';
import { PhonesPanel } from './phones-panel.tsx';
import { PickupPanel } from './pickup-panel.tsx';
import { SamplePanel } from './sample-panel.tsx';
import { SecondPersonPanel } from './second-person-panel.tsx';
import classes from './settings.module.css';
import { SignInPanel } from './sign-in-panel.tsx';
import { PanelSkeleton } from './skeleton.tsx';
import { SlipPanel } from './slip-panel.tsx';
import { StayEndsPanel } from './stay-ends-panel.tsx';

const PARTS = ['start', 'facility', 'pickup', 'sign-in', 'mail', 'phones', 'health', 'sample'] as const;
type Part = (typeof PARTS)[number];

/** Parts that show only settings. */
const SETTINGS_PARTS = ['facility', 'pickup', 'sign-in'] as const;
type SettingsPart = (typeof SETTINGS_PARTS)[number];

function isOfSettings(part: Part): part is SettingsPart {
  return SETTINGS_PARTS.some((one) => one === part);
}

/** Parts that only read: for staff who may not change the settings. */
const PARTS_TO_READ: readonly Part[] = ['facility', 'pickup', 'sign-in', 'mail'];

/** The parts that this person may see, and the one named in the address, or else the first. */
function useParts(text: string | undefined): { parts: readonly Part[]; part: Part } {
  const may = useMay();
  const mayChange = may('settings.manage');
  const parts = PARTS.filter((part) =>
    part === 'health' ? may('installation.operate') : mayChange || PARTS_TO_READ.includes(part),
  );
  return { parts, part: parts.find((part) => part === text) ?? parts[0] ?? 'facility' };
}

export default function SettingsScreen() {
  const { t } = useTranslation('settings');
  const navigate = useNavigate();
  const { part: named } = useParams();
  const { parts, part } = useParts(named);
  return (
    <Page title={t('title')} description={t('lead')} size="md">
      <Tabs value={part} onChange={(next) => void navigate(`/settings/${next}`)} keepMounted={false}>
        <Tabs.List mb="md" className={classes.tabs ?? ''} aria-label={t('title')}>
          {parts.map((one) => (
            <Tabs.Tab
              key={one}
              value={one}
              // On the narrowest phones the last tab is out of sight until the row is scrolled.
              ref={one === part ? (tab) => tab?.scrollIntoView?.({ block: 'nearest' }) : null}
            >
              {t(`parts.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part}>
          {part === 'health' ? (
            <HealthPanel />
          ) : isOfSettings(part) ? (
            <PartOfSettings part={part} />
          ) : (
            <SetupPart part={part} isAccount={named === 'account'} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function PartOfSettings({ part }: { part: SettingsPart }) {
  const settings = useQuery(settingsQuery);
  const setup = useSetup();
  // The form of the facility begins with a time zone, which depends on whether anybody has chosen one.
  const isWaiting = part === 'facility' && setup.isLoading;
  if (settings.data !== undefined && !isWaiting)
    return (
      <ReadOnly unless="settings.manage">
        {part === 'facility' ? (
          <>
            <FacilityForm
              settings={settings.data.settings}
              isZoneOpen={setup.data?.timeZoneIsChosen === false}
            />
            <HoursForm known={settings.data} />
            <StayEndsPanel offered={settings.data.settings.stayEnds} />
            <SlipPanel namesAllergies={settings.data.settings.slipAllergies} />
          </>
        ) : part === 'pickup' ? (
          <PickupPanel settings={settings.data.settings} />
        ) : (
          <Stack gap="md">
            <SharedValues unless="security.manage">
              <Stack gap="md">
                <SignInPanel isRequired={settings.data.settings.staffSecondFactor} />
                <SecondPersonPanel isWanted={settings.data.settings.secondPerson} />
              </Stack>
            </SharedValues>
            <DeskIdlePanel minutes={settings.data.settings.deskIdleMinutes} />
            <DeskOfflinePanel isOn={settings.data.settings.deskOffline} />
          </Stack>
        )}
      </ReadOnly>
    );
  if (!settings.isError) return <PanelSkeleton />;
  return (
    <ErrorState
      text={failureText(settings.error)}
      onRetry={() => void settings.refetch()}
      busy={settings.isRefetching}
    />
  );
}

/** The parts that depend on the state of the installation. */
function SetupPart({
  part,
  isAccount,
}: {
  part: Exclude<Part, SettingsPart | 'health'>;
  isAccount: boolean;
}) {
  const setup = useSetup();
  if (setup.data === undefined)
    return setup.isError ? (
      <ErrorState
        text={failureText(setup.error)}
        onRetry={() => void setup.refetch()}
        busy={setup.isRefetching}
      />
    ) : (
      <PanelSkeleton />
    );
  if (part === 'mail') return <MailPanel setup={setup.data} />;
  if (part === 'phones') return <PhonesPanel setup={setup.data} />;
  if (part === 'sample') return <SamplePanel sample={setup.data.sample} />;
  if (isAccount && setup.data.needsOwnAddress) return <OwnAddressForm />;
  return <Checklist setup={setup.data} />;
}
