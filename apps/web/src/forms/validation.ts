/** Validates Mantine forms with contract schemas; sentences are in the current language. */
import { localizeSentence } from '../calls/failure.ts';

interface Schema {
  safeParse(
    value: unknown,
  ): { success: true } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** For `useForm({ validate: validateWith(schema) })`: returns the first sentence per field. */
export function validateWith(schema: Schema): (values: unknown) => Record<string, string> {
  return (values) => {
    const result = schema.safeParse(values);
    if (result.success) return {};
    const errors: Record<string, string> = {};
    for (const { path, message } of result.error.issues) {
      errors[path.join('.')] ??= localizeSentence(message);
    }
    return errors;
  };
}

/** Moves the focus to the first invalid field. Second argument of `form.onSubmit`; also call it after `setErrors`. */
export function focusFirstError(form: {
  getInputNode: (path: string) => HTMLElement | null;
}): (errors: Record<string, unknown>) => void {
  return (errors) => {
    const [first] = Object.keys(errors);
    if (first !== undefined) form.getInputNode(first)?.focus();
  };
}
