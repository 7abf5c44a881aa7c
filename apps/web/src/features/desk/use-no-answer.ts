/** Whether the server answers this tablet at all. A line that flickers is no cut: it takes fifteen seconds without any answer. */
import { useEffect, useState } from 'react';
import { ApiError } from '../../calls/api-error.ts';

/** Without an answer for so many seconds there is no connection. */
const CUT_SECONDS = 15;
/** How often the server is asked. Seconds. */
const ASK_SECONDS = 5;
const SECOND_MS = 1_000;

/** What a proxy answers while there is no server behind it. */
const NO_SERVER: readonly number[] = [502, 503, 504];

/** Whether a failed call was answered all the same: a refusal is an answer. */
function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status !== 0 && !NO_SERVER.includes(error.status);
}

/** Asks with `ask`, which must be stable across renders, while `isOn`. */
export function useNoAnswer(ask: () => Promise<unknown>, isOn: boolean): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    let isOver = false;
    let isAsking = false;
    // Seconds are counted, because the clock of the device may be set, and a tablet that slept has not waited.
    let silent = 0;
    let sinceAsked = 0;
    const heard = () => {
      if (isOver) return;
      silent = 0;
      setCut(false);
    };
    const onSecond = () => {
      silent++;
      sinceAsked++;
      if (silent >= CUT_SECONDS) setCut(true);
      if (isAsking || sinceAsked < ASK_SECONDS) return;
      isAsking = true;
      sinceAsked = 0;
      void ask()
        .then(heard, (error: unknown) => {
          if (isAnswer(error)) heard();
        })
        .finally(() => {
          isAsking = false;
        });
    };
    const timer = setInterval(onSecond, SECOND_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
      setCut(false);
    };
  }, [ask, isOn]);
  return isCut;
}
