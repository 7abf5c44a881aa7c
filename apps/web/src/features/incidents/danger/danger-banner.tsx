/** A line on every screen for each danger that is not over, acknowledged or not: red for staff, calm for parents. */
import { Button, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import banners from '../banners.module.css';
import { INCIDENT_ICONS } from '../incident-icons.ts';
import type { DangerParts } from './danger-dialog.tsx';
import { isInAir, type ShownDanger } from './shown-danger.ts';

export interface DangerBannerProps extends Pick<DangerParts, 'Reading'> {
  dangers: readonly ShownDanger[];
  isStaff: boolean;
  /** Opens the dialog. */
  onOpen: () => void;
}

/** More lines than these would hide the screen. */
const LINES = 2;

export function DangerBanner({ dangers, isStaff, Reading, onOpen }: DangerBannerProps) {
  const { t } = useTranslation('emergency');
  const more = dangers.length - LINES;
  const label = t('banner.label');
  if (dangers.length === 0) return null;
  return (
    <section className={banners.dangers} aria-label={label} data-staff={isStaff || undefined}>
      {dangers.slice(0, LINES).map((danger, index) => (
        <Line key={danger.key} danger={danger} isStaff={isStaff} Reading={Reading}>
          {isStaff && index === 0 ? (
            <Button size="compact-md" variant="white" color="clay" onClick={onOpen}>
              {t('banner.open')}
            </Button>
          ) : null}
        </Line>
      ))}
      {isStaff ? null : (
        <Text size="sm" ta="center">
          {t('parents.calm')}
        </Text>
      )}
      {more > 0 ? <Text size="sm">{t('banner.more', { count: more })}</Text> : null}
    </section>
  );
}

interface LineProps extends Pick<DangerParts, 'Reading'> {
  danger: ShownDanger;
  isStaff: boolean;
  children: React.ReactNode;
}

function Line({ danger, isStaff, Reading, children }: LineProps) {
  const { t } = useTranslation('emergency');
  const Icon = isStaff ? INCIDENT_ICONS[danger.kind] : IconInfoCircle;
  const { about, title, isAnswered, answeredBy } = danger;
  return (
    <div className={banners.line}>
      <Icon size={22} aria-hidden />
      <span className={banners.words}>
        <Text span fw={600}>
          {isStaff || !isInAir(danger)
            ? about === null
              ? title
              : t('banner.title', { title, about })
            : danger.area === null
              ? t(`parents.${danger.kind}`)
              : t(`parents.${danger.kind}In`, { area: danger.area })}
        </Text>
        {isInAir(danger) ? <Reading area={danger.area} kind={danger.kind} /> : null}
        {isStaff ? (
          <Text span size="sm" className={banners.answered ?? ''}>
            {!isAnswered
              ? t('notAcknowledged')
              : answeredBy === null
                ? t('acknowledged')
                : t('acknowledgedBy', { name: answeredBy })}
          </Text>
        ) : null}
      </span>
      {children}
    </div>
  );
}
