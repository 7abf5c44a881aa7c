/** Opens the sheet of a child or of a family from any staff screen, by a search parameter of the current address. */
import { type MouseEvent, type ReactNode, useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../session/may.ts';

/** Search parameters that open a sheet; the value is an id. */
export const CHILD_PARAM = 'child';
export const FAMILY_PARAM = 'family';
type SheetParam = typeof CHILD_PARAM | typeof FAMILY_PARAM;

/** State of a history entry that a sheet pushed: closing the sheet goes back to the entry before. */
export interface SheetState {
  readonly hasSheet: true;
}

/** The address of the current screen without a sheet, or with another one. */
export function searchWithSheet(search: string, sheet: { param: SheetParam; id: string } | null): string {
  const params = new URLSearchParams(search);
  params.delete(CHILD_PARAM);
  params.delete(FAMILY_PARAM);
  if (sheet !== null) params.set(sheet.param, sheet.id);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

function useOpenSheet(param: SheetParam): (id: string) => void {
  const navigate = useNavigate();
  // Reads the address on the press, so that two hundred rows do not render again whenever the address changes.
  return useCallback(
    (id: string) => {
      const { pathname, search, hash } = window.location;
      const open = new URLSearchParams(search);
      // A sheet opened from another sheet replaces its history entry, so that Back closes the sheet.
      const replace = open.has(CHILD_PARAM) || open.has(FAMILY_PARAM);
      const isOurs = !replace || (history.state as { usr?: SheetState } | null)?.usr?.hasSheet === true;
      void navigate(
        { pathname, search: searchWithSheet(search, { param, id }), hash },
        { replace, preventScrollReset: true, ...(isOurs ? { state: { hasSheet: true } } : {}) },
      );
    },
    [navigate, param],
  );
}

/**
 * Returns a function that opens the sheet of the child with this id.
 * @public
 */
export function useOpenChild(): (id: string) => void {
  return useOpenSheet(CHILD_PARAM);
}

/**
 * Returns a function that opens the sheet of the family of the parent with this id.
 * @public
 */
export function useOpenFamily(): (id: string) => void {
  return useOpenSheet(FAMILY_PARAM);
}

export interface SheetLinkProps {
  /** Id of the child, or of the parent. */
  id: string;
  children: ReactNode;
  className?: string | undefined;
  /** Accessible name, if the content has none (a photo). */
  label?: string;
  /** False for a second link to the same sheet beside the first, such as the photo beside the name. */
  isFocusable?: boolean;
}

function SheetLink({
  param,
  open,
  id,
  children,
  className,
  label,
  isFocusable = true,
}: SheetLinkProps & { param: SheetParam; open: (id: string) => void }) {
  // Only staff who see families may open the sheet, but alerts and reports name children to other staff too.
  const isLink = useMay()('families.view');
  function press(event: MouseEvent) {
    // A new tab or window is the browser's business.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(id);
  }
  if (!isLink) return <span className={className}>{children}</span>;
  return (
    <a
      href={`?${param}=${encodeURIComponent(id)}`}
      onClick={press}
      className={className}
      aria-label={label}
      {...(isFocusable ? {} : { tabIndex: -1, 'aria-hidden': true })}
      data-sheet-link
    >
      {children}
    </a>
  );
}

/** A link that opens a child's sheet over the current screen. Put a name or a photo into it. */
export function ChildLink(props: SheetLinkProps) {
  return <SheetLink {...props} param={CHILD_PARAM} open={useOpenChild()} />;
}

/** Same for the sheet of a family; `id` is the parent's. */
export function FamilyLink(props: SheetLinkProps) {
  return <SheetLink {...props} param={FAMILY_PARAM} open={useOpenFamily()} />;
}
