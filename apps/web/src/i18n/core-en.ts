/** English texts of every page, as one file. */
export { default as common } from './en/common.json';
export { default as errors } from './en/errors.json';
export { default as fields } from './en/fields.json';
export { default as shell } from './en/shell.json';
