/** Reads a program's settings from the environment, once, with a schema that the program supplies. */
import type { z } from 'zod';

/** A setting is invalid. `message` is one line for the operator: the variable, the rule, and the value found. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Parses `env` with `schema` (an object schema whose keys are the variable names). A blank value counts as unset.
 * Values of variables in `secrets` never appear in errors.
 * Throws {@link ConfigError} for the first invalid variable.
 */
export function parseConfig<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[] = [],
): z.infer<S> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = env[name];
    if (value !== undefined && value.trim() !== '') given[name] = value;
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0] ?? 'settings');
  const value = given[name];
  let had = 'it is not set';
  if (value !== undefined)
    had = secrets.includes(name) ? 'its value is not shown' : `it is ${JSON.stringify(value)}`;
  throw new ConfigError(`${name} ${issue?.message ?? 'is wrong'} (${had})`);
}
