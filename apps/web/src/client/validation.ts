/** Contract schemas as validation of Mantine forms, with the sentences in the current language. */
import { localizeSentence } from './failure.ts';

interface Schema {
  safeParse(
    value: unknown,
  ): { success: true } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** For `useForm({ validate: validateWith(schema) })`: the first sentence per field. */
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

/** Second argument of `form.onSubmit`, and after `setErrors`: the keyboard goes to the first field that is wrong. */
export function focusFirstError(form: {
  getInputNode: (path: string) => HTMLElement | null;
}): (errors: Record<string, unknown>) => void {
  return (errors) => {
    const [first] = Object.keys(errors);
    if (first !== undefined) form.getInputNode(first)?.focus();
  };
}
