/** Joins the visitors with the printed list of the building, because features do not import each other. */
import { PrintInside } from '../features/incidents/roll-call/print-inside.tsx';
import VisitorsScreen from '../features/visitors/visitors-screen.tsx';
import { useMay } from '../session/may.ts';

export default function Visitors() {
  const maySeeWho = useMay()('incidents.view');
  return <VisitorsScreen print={maySeeWho ? <PrintInside /> : null} />;
}
