/** Converts people of the database into subjects of the face engine. */
import type { AccountKind } from '@haris/contract/roles';
import type { Subject } from '@haris/contract/subject';

export function subjectOf({
  kind,
  id,
}: {
  readonly kind: 'child' | AccountKind;
  readonly id: string;
}): Subject {
  return { kind: kind === 'admin' ? 'staff' : kind, id };
}
