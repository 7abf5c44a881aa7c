/**
 * The roll call on paper: by room, with a box, a small photo and phone numbers. Uses only data that the page already
 * has.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../../calls/server-clock.ts';
import { UnconfirmedMark } from '../../../child/unconfirmed-mark.tsx';
import { useClockFormat } from '../../../countdown/use-clock-format.ts';
import { momentFormat } from '../../../i18n/locale.ts';
import { Photo } from '../../../photos/photo.tsx';
import { type RollEntry, sheetOf } from './roll-list.ts';
import { useGroupTitle } from './roll-sections.tsx';
import classes from './roll-sheet.module.css';
import { UnsettledMark } from './unsettled-mark.tsx';

/** The longest wait for photos: without a connection some never come. Milliseconds. */
const PHOTOS_MS = 2_000;

/** Waits until the photos of an element can be drawn, or for {@link PHOTOS_MS}. */
async function photosDrawn(element: HTMLElement): Promise<void> {
  const drawn = [...element.querySelectorAll('img')].map((image) => image.decode?.().catch(() => {}));
  await Promise.race([Promise.all(drawn), new Promise((resolve) => setTimeout(resolve, PHOTOS_MS))]);
}

/** `since`: start of the evacuation, ISO 8601; null: a list of who is inside now. */
export function usePrintedRollCall(
  entries: readonly RollEntry[],
  since: string | null,
): { print: () => void; sheet: ReactNode } {
  const [printedAt, setPrintedAt] = useState<number | null>(null);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (printedAt === null) return;
    let isStopped = false;
    void photosDrawn(element.current ?? document.body).then(() => {
      if (isStopped) return;
      window.print();
      setPrintedAt(null);
    });
    return () => {
      isStopped = true;
    };
  }, [printedAt]);
  const sheet =
    printedAt === null
      ? null
      : createPortal(
          <div ref={element} data-print-sheet className={classes.sheet} aria-hidden="true">
            <Sheet entries={entries} since={since} printedAt={printedAt} />
          </div>,
          document.body,
        );
  return { print: () => setPrintedAt(serverNow()), sheet };
}

interface SheetProps {
  entries: readonly RollEntry[];
  since: string | null;
  printedAt: number;
}

function Sheet({ entries, since, printedAt }: SheetProps) {
  const { t, i18n } = useTranslation('emergency');
  const clock = useClockFormat();
  const titleOf = useGroupTitle();
  const moment = momentFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  return (
    <>
      <h1>{t(since === null ? 'sheet.title' : 'rollCall.title')}</h1>
      <p>
        {since === null ? null : `${t('rollCall.since', { time: clock.timeOfDay(since) })} · `}
        {t('sheet.printedAt', { time: moment.format(printedAt) })} ·{' '}
        {t('sheet.count', { count: entries.length })}
      </p>
      {sheetOf(entries).map(({ group, entries: rows }) => (
        <section key={group.kind === 'room' ? `room ${group.room}` : group.kind}>
          <h2>
            <bdi>{titleOf(group)}</bdi> ({clock.count(rows.length)})
          </h2>
          <ul>
            {rows.map(({ id, name, photo, note, phone, tick, unconfirmed, unsettled }) => (
              <li key={id}>
                <span className={classes.box}>{tick?.state === 'present' ? '✓' : ''}</span>
                <Photo path={photo} name={name} size={30} isEager />
                <span>
                  <b>
                    <bdi>{name}</bdi>
                  </b>{' '}
                  {tick !== null && tick.state !== 'present' ? `(${t(`rollCall.${tick.state}`)}) ` : ''}
                  <span className={classes.small}>
                    {note === null ? null : <bdi>{note} </bdi>}
                    {phone === null ? null : <bdi dir="ltr">{phone}</bdi>}
                    <UnconfirmedMark of={{ unconfirmed }} />
                    <UnsettledMark of={{ unsettled }} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
