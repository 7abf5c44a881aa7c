/** Arabic texts of failures and of fields, which every screen but the landing page needs, in one file. */
export { default as errors } from './ar/errors.json';
export { default as fields } from './ar/fields.json';
