/** The facility at which this page works, and the change to another one: for staff of several (decision 048). */
import { Menu, UnstyledButton } from '@mantine/core';
import { IconBuilding, IconSelector } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { followChoice, switchFacility } from '../../calls/switch-facility.ts';
import { isDeskTablet } from '../../session/at-desk.ts';
import { useSession } from '../../session/session.tsx';
import { useFacilityName, useWork } from '../../session/work.ts';
import { useOnline } from '../../ui/use-online.ts';
import classes from './facility-chooser.module.css';
import rail from './rail.module.css';

/** Renders nothing for staff of one facility, and at a desk tablet, which belongs to one facility. */
export function FacilityChooser({ compact = false }: { compact?: boolean }) {
  const { t } = useTranslation('frame');
  const nameOf = useFacilityName();
  const accountId = useSession().admin.identity?._id;
  const work = useWork();
  const isOnline = useOnline();
  useEffect(followChoice, []);
  if (accountId === undefined || work === null || work.facilities.length < 2 || isDeskTablet()) return null;
  const here = work.facilities.find(({ _id }) => _id === work.facilityId);
  const name = nameOf(here ?? { name: null });
  return (
    <Menu
      position="bottom-start"
      width={248}
      shadow="md"
      radius="md"
      // The menu stays in the landmark of its button, and has no child that is no item.
      withinPortal={false}
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton
          className={`${rail.item} ${classes.target}`}
          mod={{ compact }}
          aria-label={t('facility.choose', { name })}
          title={compact ? name : undefined}
        >
          <span className={rail.icon} aria-hidden="true">
            <IconBuilding />
          </span>
          <span className={`${rail.label} ${classes.name}`} dir="auto">
            {name}
          </span>
          {compact ? null : <IconSelector size={18} className={classes.more ?? ''} aria-hidden />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.list ?? ''} aria-label={t('facility.label')}>
        <Menu.RadioGroup
          value={work.facilityId}
          onChange={(facility) => {
            if (facility !== work.facilityId) switchFacility(accountId, facility, '/adminDashboard');
          }}
        >
          {work.facilities.map((facility) => (
            <Menu.RadioItem
              key={facility._id}
              value={facility._id}
              closeMenuOnClick
              // Without a connection the page could not start over.
              disabled={!isOnline && facility._id !== work.facilityId}
            >
              <bdi>{nameOf(facility)}</bdi>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
