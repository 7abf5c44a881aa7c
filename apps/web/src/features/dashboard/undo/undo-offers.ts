/** Recent actions of this desk that can still be undone. Makes no calls and renders nothing. */
import type { Child } from '@haris/contract/objects';

export interface UndoOffer {
  readonly id: number;
  readonly kind: 'checkIn' | 'checkOut' | 'extension' | 'move';
  /** The children with their data while inside, including the entry id, the end or the former room that an undo needs. */
  readonly children: readonly Child[];
  /** False until the server confirms the action: the offer exists, but cannot be undone yet. */
  readonly isOpen: boolean;
}

export interface HeldOffer {
  /** Starts the undo window. Returns the offer. */
  open: () => UndoOffer;
  /** Removes the offer, because the action failed or can no longer be undone. */
  withdraw: () => void;
}

export interface UndoOffers {
  /** Creates an offer that cannot be undone until it is opened. */
  hold: (kind: UndoOffer['kind'], children: readonly Child[]) => HeldOffer;
  withdraw: (id: number) => void;
  /** Removes all offers. */
  clear: () => void;
  /** All offers, oldest first; the same array until something changes. */
  all: () => readonly UndoOffer[];
  /** Calls the listener after each change. Returns a function that stops listening. */
  subscribe: (listener: () => void) => () => void;
}

/** Each offer ends `windowMs` after it was opened. */
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
      // A new action on a child ends older offers for that child.
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
    clear: () => change([]),
    all: () => offers,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
