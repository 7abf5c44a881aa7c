/** The validation library alone, so that it can be started in a task of its own before the schemas are. */
export { string } from 'zod';
