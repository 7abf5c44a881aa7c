/** English texts of failures and of fields, which every screen but the landing page needs, in one file. */
export { default as errors } from './en/errors.json';
export { default as fields } from './en/fields.json';
