/** The dialog that takes a child's photo at the desk, which belongs to another feature. */
import type { Child } from '@haris/contract/objects';
import type { ComponentType } from 'react';

export type PhotoDialogComponent = ComponentType<{
  opened: boolean;
  child: Child;
  purpose: 'replace';
  /** Called once the photo is stored, before `onClose`. */
  onSaved?: () => void;
  onClose: () => void;
}>;
