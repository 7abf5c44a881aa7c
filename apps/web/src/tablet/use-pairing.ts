/** Creates, watches and ends the pairing of this device as a kiosk or desk tablet. */
import type { DeviceKind } from '@haris/contract/http/kiosk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { signOut, useSession } from '../session/session.tsx';
import { keepPairing, readPairing, type TabletPairing } from './paired-device.ts';

export function usePairing(kind: DeviceKind) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const session = useSession();
  const [pairing, setPairing] = useState(() => readPairing(kind));
  const [wasUnpaired, setWasUnpaired] = useState(false);
  return {
    pairing,
    wasUnpaired,
    async pair(next: TabletPairing): Promise<void> {
      const isSignedIn = session.admin.isAuthenticated || session.parent.isAuthenticated;
      if (isSignedIn) await signOut(client, () => {});
      await keepPairing(kind, next);
      client.clear();
      setWasUnpaired(false);
      setPairing(next);
      // The code is used up; remove it from the address.
      void navigate(`/${kind}`, { replace: true });
    },
    /** Staff have removed this device or paired another in its place. */
    unpair(): void {
      void keepPairing(kind, null);
      setPairing(null);
      setWasUnpaired(true);
    },
    /** Staff have ended the pairing here. */
    leave(): void {
      void keepPairing(kind, null).then(() => location.replace('/'));
    },
  };
}
