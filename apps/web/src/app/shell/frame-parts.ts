/** The parts that the frame of an account has; staff and parents have their own. */
import type { ComponentType } from 'react';

/** The parts of the frame; shell.tsx and header.tsx put each in its place. */
export interface SessionFrame {
  /** Beside the screen, from 768 px; null for parents. */
  Rail: ComponentType | null;
  /** At the lower edge of phones. */
  Bar: ComponentType;
  /** Links in the middle of the header; null for staff, who have the rail. */
  HeaderLinks: ComponentType | null;
  /** Tools at the start of the header's tools: state, search, emergency. `hasRail`: the rail is beside this screen. */
  HeaderTools: ComponentType<{ hasRail: boolean }>;
  /** The account's menu, at the end of the header. */
  AccountMenu: ComponentType;
  /** Invisible companions of every screen, such as dialogs; null for parents. */
  Companions: ComponentType | null;
}
