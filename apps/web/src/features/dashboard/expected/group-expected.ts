/** Groups the children who are booked today by whether they are here. Pure. */
import type { ExpectedChild } from '@haris/contract/http/bookings';

/** In the order in which the desk looks at them. */
const GROUPS = ['missing', 'expected', 'absent', 'here', 'gone'] as const;
export type ExpectedGroup = (typeof GROUPS)[number];

function groupOf({ presence }: ExpectedChild): ExpectedGroup {
  switch (presence) {
    case 'late':
    case 'missing':
    case 'over':
      return 'missing';
    case 'absent':
    case 'here':
      return presence;
    case 'left':
      return 'gone';
    default:
      return 'expected';
  }
}

/** The groups that have children, each in the order of the list. */
export function groupExpected(
  expected: readonly ExpectedChild[],
): readonly { readonly group: ExpectedGroup; readonly children: readonly ExpectedChild[] }[] {
  const by = Map.groupBy(expected, groupOf);
  return GROUPS.flatMap((group) => {
    const children = by.get(group);
    return children === undefined ? [] : [{ group, children }];
  });
}

/** How many are still expected, and whether one of them is late. */
export function countExpected(expected: readonly ExpectedChild[]): { awaited: number; isLate: boolean } {
  const late = expected.filter(({ presence }) => presence === 'late' || presence === 'missing').length;
  const early = expected.filter(({ presence }) => presence === 'expected').length;
  return { awaited: late + early, isLate: late > 0 };
}
