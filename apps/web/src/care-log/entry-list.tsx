/** Entries of a care log as a list: what happened, who entered it, what was corrected, and who signed. Makes no calls. */
import type { CareLogEntry } from '@haris/contract/http/care-log';
import { localDay } from '@haris/contract/zone-time';
import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useClockFormat } from '../countdown/use-clock-format.ts';
import { facilityTimeZone, momentFormat } from '../i18n/locale.ts';
import classes from './care-log.module.css';
import { SignatureImage } from './signature-image.tsx';
import { useEntryWords } from './words.ts';

export interface EntryListProps {
  entries: readonly CareLogEntry[];
  label: string;
  /** Whether the reader is the family itself. */
  isFamily?: boolean;
  /** Below an entry; null for none. */
  renderAction?: (entry: CareLogEntry) => ReactNode;
}

export function EntryList({ entries, label, isFamily = false, renderAction }: EntryListProps) {
  return (
    <ul className={classes.entries} aria-label={label}>
      {entries.map((entry) => (
        <li
          key={entry._id}
          className={classes.entry}
          data-corrected={entry.correctedBy !== null || undefined}
          data-kind={entry.entry?.kind}
        >
          <Entry entry={entry} isFamily={isFamily} />
          {renderAction?.(entry)}
        </li>
      ))}
    </ul>
  );
}

function Entry({ entry, isFamily }: { entry: CareLogEntry; isFamily: boolean }) {
  const { t } = useTranslation('care-log');
  const format = useClockFormat();
  const { title, said } = useEntryWords()(entry.entry);
  return (
    <>
      <div className={classes.head}>
        <time dateTime={entry.at} className={classes.time}>
          {format.timeOfDay(entry.at)}
        </time>
        <strong className={classes.title}>
          <bdi>{title}</bdi>
        </strong>
        {entry.correctedBy === null ? null : (
          <Badge variant="default" tt="none" fw={500}>
            {t('corrected')}
          </Badge>
        )}
        {entry.corrects === null ? null : (
          <Badge variant="light" color="gray" tt="none" fw={500}>
            {t('correction')}
          </Badge>
        )}
      </div>
      {said.map((fact) => (
        <p key={fact.label} className={classes.said}>
          <span className={classes.label}>{fact.label}</span> <bdi>{fact.text}</bdi>
        </p>
      ))}
      <Recorded entry={entry} />
      <Signed entry={entry} isFamily={isFamily} />
    </>
  );
}

/** Who entered it; also when, if that was later than it happened. */
function Recorded({ entry: { at, day, recordedAt, recordedBy } }: { entry: CareLogEntry }) {
  const { t, i18n } = useTranslation('care-log');
  const name = recordedBy ?? t('formerColleague');
  const isLater = Date.parse(recordedAt) - Date.parse(at) >= 60_000;
  const isSameDay = localDay(Date.parse(recordedAt), facilityTimeZone()) === day;
  const format = momentFormat(
    i18n.language,
    isSameDay ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
  return (
    <Text size="xs" c="dimmed">
      {isLater
        ? t('recordedLater', { name, at: format.format(Date.parse(recordedAt)) })
        : t('recordedBy', { name })}
    </Text>
  );
}

function Signed({ entry, isFamily }: { entry: CareLogEntry; isFamily: boolean }) {
  const { t, i18n } = useTranslation('care-log');
  const { acknowledged, asksSignature, correctedBy } = entry;
  const format = momentFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  if (acknowledged !== null) {
    const at = format.format(Date.parse(acknowledged.at));
    return (
      <div className={classes.signed}>
        <Text size="xs">{t('sign.byFamily', { at })}</Text>
        <SignatureImage signature={acknowledged.signature} />
      </div>
    );
  }
  if (!asksSignature || correctedBy !== null || isFamily) return null;
  return (
    <Text size="xs" className={classes.waits}>
      {t('sign.waits')}
    </Text>
  );
}
