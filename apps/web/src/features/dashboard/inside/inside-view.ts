/** How this device shows the children inside: as tiles or rows, in which order, by room or not. */
import { useLocalStorage } from '@mantine/hooks';
import { useCallback } from 'react';

const LOOKS = ['tiles', 'rows'] as const;
const ORDERS = ['due', 'name', 'entry'] as const;

export type Look = (typeof LOOKS)[number];
export type Order = (typeof ORDERS)[number];

export interface InsideView {
  /** Null until somebody has chosen: then the number of children decides. */
  readonly look: Look | null;
  readonly order: Order;
  readonly byRoom: boolean;
}

const USUAL: InsideView = { look: null, order: 'due', byRoom: false };

/** Reads the stored view; an invalid value is ignored. */
function read(stored: string | undefined): InsideView {
  try {
    const { look, order, byRoom } = JSON.parse(stored ?? '') as Record<string, unknown>;
    return {
      look: LOOKS.find((known) => known === look) ?? USUAL.look,
      order: ORDERS.find((known) => known === order) ?? USUAL.order,
      byRoom: byRoom === true,
    };
  } catch {
    return USUAL;
  }
}

const STORED = {
  key: 'haris.inside-view',
  defaultValue: USUAL,
  deserialize: read,
  getInitialValueInEffect: false,
};

/** The view, and a function that changes a part of it. This device remembers both. */
export function useInsideView(): readonly [InsideView, (part: Partial<InsideView>) => void] {
  const [view, setView] = useLocalStorage<InsideView>(STORED);
  const change = useCallback(
    (part: Partial<InsideView>) => setView((before) => ({ ...before, ...part })),
    [setView],
  );
  return [view, change];
}
