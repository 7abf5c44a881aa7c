/** Opens the sheet that the address names, over any staff screen; its code loads on first use. */
import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { CHILD_PARAM, FAMILY_PARAM, type SheetState, searchWithSheet } from '../child/child-link.tsx';
import { loadTexts } from '../i18n/i18n.ts';
import { useLoaded } from '../ui/load-again.ts';

async function loadSheets() {
  const [sheets] = await Promise.all([
    import('./sheets.tsx'),
    loadTexts([
      'child',
      'bookings',
      'care-card',
      'care-log',
      'collectors',
      'guardians',
      'barred',
      'dashboard',
      'stays',
      'entry-slip',
      'hand-over',
      'add-child',
      'photo-field',
      'vouching',
    ]),
  ]);
  return sheets.default;
}

/** Only for staff: the server refuses everybody else. */
export function SheetHost() {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const childId = params.get(CHILD_PARAM);
  const familyId = params.get(FAMILY_PARAM);
  const isOpen = childId !== null || familyId !== null;
  const [isWanted, setWanted] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setWanted(true);
  }, [isOpen]);
  const Sheets = useLoaded(loadSheets, isWanted);
  const isPushed = (state as SheetState | null)?.hasSheet === true;
  const close = useCallback(() => {
    // The sheet of a link from outside has no entry before it that could be shown.
    if (isPushed) void navigate(-1);
    else
      void navigate(
        { pathname, search: searchWithSheet(search, null), hash },
        { replace: true, preventScrollReset: true },
      );
  }, [isPushed, navigate, pathname, search, hash]);
  return Sheets === null ? null : <Sheets childId={childId} familyId={familyId} onClose={close} />;
}
