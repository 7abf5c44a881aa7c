/** The pick-up code of this minute, computed here from the account's secret, so that it needs no connection. */
import { handOverRoutes, PICKUP_CODE_PERIOD_S } from '@haris/contract/http/hand-over';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call } from '../../calls/http.ts';
import { keys } from '../../calls/query-client.ts';
import { useAtTick } from '../../countdown/use-tick.ts';
import { useLoaded } from '../../ui/load-again.ts';
import { keepSecret, readKeptSecret } from './pickup-secret.ts';

/**
 * The secret while a child is inside whom the account may take; null once the server says that nobody is. `isKnown`: whether the page has
 * heard of all children yet; what this tab keeps is not given up before.
 */
export function usePickupSecret({ isAnyInside, isKnown }: { isAnyInside: boolean; isKnown: boolean }) {
  useEffect(() => {
    if (isKnown && !isAnyInside) keepSecret(null);
  }, [isAnyInside, isKnown]);
  const query = useQuery({
    queryKey: [keys.collectors, 'code'],
    queryFn: async ({ signal }) => {
      const { secret } = await call(handOverRoutes.createPickupCode, { signal });
      keepSecret(secret);
      return { secret };
    },
    enabled: isAnyInside,
  });
  // What this tab kept counts until the server has answered.
  const kept = useMemo(readKeptSecret, []);
  const secret = isAnyInside ? (query.data === undefined ? kept : query.data.secret) : null;
  return { secret, query };
}

const loadOtp = () => import('otplib/functional');

const stepAt = (now: number) => Math.floor(now / 1000 / PICKUP_CODE_PERIOD_S);
const leftAt = (now: number) => PICKUP_CODE_PERIOD_S - (Math.floor(now / 1000) % PICKUP_CODE_PERIOD_S);

/** Six digits of this minute, null until the code that computes them is here, and the seconds that they are shown. */
export function usePickupCode(secret: string): { code: string | null; secondsLeft: number } {
  const otp = useLoaded(loadOtp);
  const step = useAtTick(stepAt);
  const secondsLeft = useAtTick(leftAt);
  const code = useMemo(
    () =>
      otp === null
        ? null
        : otp.generateSync({
            secret,
            algorithm: 'sha1',
            digits: 6,
            period: PICKUP_CODE_PERIOD_S,
            epoch: step * PICKUP_CODE_PERIOD_S,
          }),
    [otp, secret, step],
  );
  return { code, secondsLeft };
}
