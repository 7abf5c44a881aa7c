/** What was done at this desk a moment ago and can still be undone. Knows no network and no screen. */
import type { Child } from '@haris/contract/objects';

export interface UndoOffer {
  readonly id: number;
  readonly kind: 'checkIn' | 'checkOut';
  /** The children as they are, or were, inside: with the entry id that an undo names. */
  readonly children: readonly Child[];
  /** False while nobody knows yet whether it was done: it can be seen already, but not undone. */
  readonly isOpen: boolean;
}

export interface HeldOffer {
  /** It was done: it can be undone from now on, for the time of an offer. Answers the offer. */
  open: () => UndoOffer;
  /** It was not done, or there is nothing to undo any more. */
  withdraw: () => void;
}

export interface UndoOffers {
  /** Begins an offer; nothing can be undone until it is opened. */
  hold: (kind: UndoOffer['kind'], children: readonly Child[]) => HeldOffer;
  withdraw: (id: number) => void;
  /** All there are, the oldest first; the same array until something changes. */
  all: () => readonly UndoOffer[];
  /** Calls back with each change. Answers the way to stop. */
  subscribe: (listener: () => void) => () => void;
}

/** Offers end by themselves `windowMs` after they were opened. */
export function createUndoOffers(windowMs: number): UndoOffers {
  let offers: readonly UndoOffer[] = [];
  let made = 0;
  const listeners = new Set<() => void>();

  function change(next: readonly UndoOffer[]): void {
    offers = next;
    for (const listener of listeners) listener();
  }

  function withdraw(id: number): void {
    if (offers.some((offer) => offer.id === id)) change(offers.filter((offer) => offer.id !== id));
  }

  return {
    hold(kind, children) {
      const id = ++made;
      // A newer act on a child ends what an older one offered.
      const ids = new Set(children.map((child) => child._id));
      const others = offers.filter((offer) => !offer.children.some((child) => ids.has(child._id)));
      change([...others, { id, kind, children, isOpen: false }]);
      return {
        open() {
          const opened: UndoOffer = { id, kind, children, isOpen: true };
          change(offers.map((offer) => (offer.id === id ? opened : offer)));
          setTimeout(() => withdraw(id), windowMs);
          return opened;
        },
        withdraw: () => withdraw(id),
      };
    },
    withdraw,
    all: () => offers,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
