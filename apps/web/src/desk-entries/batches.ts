/** Which entries a desk tablet sends in its next call. Pure. */

interface Queued {
  readonly id: string;
  readonly childId: string;
}

/**
 * The oldest entries, `most` of them at most. One of `held` has an entry that must arrive first, so the child's other entries wait as well: the
 * steps of a child arrive in their order.
 */
export function nextBatch<T extends Queued>(
  waiting: readonly T[],
  held: ReadonlySet<string>,
  most: number,
): T[] {
  return waiting.filter(({ childId }) => !held.has(childId)).slice(0, most);
}

interface Answered {
  readonly id: string;
  readonly outcome: string;
}

/** Those of a sent batch that have an answer for good, and those that must come again: an entry without an answer to its id is one of them. */
export function sortAnswers<T extends Queued>(
  sent: readonly T[],
  answers: readonly Answered[],
): { told: T[]; later: T[] } {
  const answered = new Set(answers.filter(({ outcome }) => outcome !== 'later').map(({ id }) => id));
  return {
    told: sent.filter(({ id }) => answered.has(id)),
    later: sent.filter(({ id }) => !answered.has(id)),
  };
}
