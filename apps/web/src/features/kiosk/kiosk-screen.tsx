/** `/kiosk`: a tablet at which families announce themselves. Nobody is signed in here. */
import { useParams } from 'react-router';
import { TabletPairingForm } from '../../tablet/pairing-form.tsx';
import { usePairing } from '../../tablet/use-pairing.ts';
import { KioskHome } from './kiosk-home.tsx';

export default function KioskScreen() {
  const { code } = useParams();
  const { pairing, wasUnpaired, pair, unpair, leave } = usePairing('kiosk');
  if (pairing === null)
    return (
      <TabletPairingForm
        as="kiosk"
        code={code}
        wasUnpaired={wasUnpaired}
        onPaired={(next) => void pair(next)}
      />
    );
  return <KioskHome key={pairing.token} pairing={pairing} onUnpaired={unpair} onLeft={leave} />;
}
