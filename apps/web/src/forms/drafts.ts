/**
 * What is typed on this page and not yet sent, and keeping it across the reload that a new version needs. Reading it back is
 * in use-draft.ts, because this is part of every page.
 */
import { DRAFTS_KEY } from '../calls/token-store.ts';
import { isDeskTablet } from '../session/at-desk.ts';

/** How long a draft is kept. Milliseconds. */
export const KEPT_MS = 3_600_000;

export interface Draft {
  /** Account and facility; '' while nobody is signed in. */
  readonly account: string;
  /** The form and what it is about. */
  readonly key: string;
  /** The changed fields. */
  readonly typed: Readonly<Record<string, unknown>>;
  /** What these fields held before. */
  readonly over: Readonly<Record<string, unknown>>;
}

export interface TypedInput {
  /** Null: nothing of it can be kept. */
  readonly draft: Draft | null;
  /** Whether some of it cannot be kept: a photo, a password, a code, or a form without drafts. */
  readonly isLost: boolean;
}

/** Returns null if nothing was typed. */
type Source = () => TypedInput | null;

const sources = new Set<Source>();

/** Adds a form that is on the page. Returns a function that removes it. */
export function addSource(source: Source): () => void {
  sources.add(source);
  return () => {
    sources.delete(source);
  };
}

function allInput(): TypedInput[] {
  return [...sources].flatMap((source) => source() ?? []);
}

/** Whether a reload would lose typed input. At a desk tablet it ends the session, so nothing is kept. */
export function wouldLoseInput(): boolean {
  const isDesk = isDeskTablet();
  return allInput().some(({ isLost }) => isDesk || isLost);
}

/** Keeps what can be kept, in this tab. Call it right before the reload. */
export function keepDrafts(): void {
  if (isDeskTablet()) return;
  const at = Date.now();
  const drafts = allInput().flatMap(({ draft }) => (draft === null ? [] : { ...draft, at }));
  try {
    if (drafts.length > 0) sessionStorage.setItem(DRAFTS_KEY, JSON.stringify(drafts));
  } catch {
    // Storage is forbidden or full: the input is lost, as by any other reload.
  }
}

/** Drafts are stored right before a reload: an hour after this page was loaded, all that are still there are too old. */
export function forgetOldDrafts(): void {
  setTimeout(() => {
    try {
      sessionStorage.removeItem(DRAFTS_KEY);
    } catch {
      // Storage is forbidden: there are no drafts.
    }
  }, KEPT_MS);
}
