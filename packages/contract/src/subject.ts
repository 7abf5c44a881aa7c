/** The person a face belongs to, shared by the server and the face engine. */
import * as z from 'zod/mini';

export const subjectSchema = z.object({
  kind: z.enum(['child', 'parent', 'staff']),
  id: z.string().check(z.minLength(1)),
});
export type Subject = z.infer<typeof subjectSchema>;

/** A unique string per subject, for maps and sets. */
export function subjectKey({ kind, id }: Subject): string {
  return `${kind} ${id}`;
}

/** Whether the subject is this child; false for any adult, whatever the id. */
export function isChild(subject: Subject | null, childId: string): boolean {
  return subject?.kind === 'child' && subject.id === childId;
}
