/** Arabic texts of every page, as one file. */
export { default as common } from './ar/common.json';
export { default as errors } from './ar/errors.json';
export { default as fields } from './ar/fields.json';
export { default as shell } from './ar/shell.json';
