/** `/desk`: a tablet that staff share. It shows the clock and Evacuate, and lets staff sign in by PIN or passkey. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { beginList } from '../../desk-list/kept-list.ts';
import { startSession, useSession } from '../../session/session.tsx';
import { TabletPairingForm } from '../../tablet/pairing-form.tsx';
import { usePairing } from '../../tablet/use-pairing.ts';
import { Redirect } from '../../ui/redirect.tsx';
import { DeskHome } from './desk-home.tsx';
import { keepIdleMinutes } from './desk-time.ts';
import { LeftEntries } from './left-entries.tsx';

export default function DeskScreen() {
  const { code } = useParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { admin } = useSession();
  const { pairing, wasUnpaired, pair, unpair, leave } = usePairing('desk');
  if (pairing === null)
    return (
      <TabletPairingForm
        as="desk"
        code={code}
        wasUnpaired={wasUnpaired}
        left={<LeftEntries />}
        onPaired={(next) => void pair(next)}
      />
    );
  // Back leads here while somebody is signed in: only "Hand over" ends that.
  if (admin.isAuthenticated) return <Redirect to="/adminDashboard" replace />;
  return (
    <DeskHome
      key={pairing.token}
      pairing={pairing}
      onUnpaired={unpair}
      onLeft={leave}
      onSignedIn={({ token, admin: member, idleMinutes, offlineKey, offlineTicket }) => {
        keepIdleMinutes(idleMinutes);
        void beginList(pairing.token, offlineKey, offlineTicket);
        startSession(client, { token, admin: member });
        void navigate('/adminDashboard', { replace: true });
      }}
    />
  );
}
