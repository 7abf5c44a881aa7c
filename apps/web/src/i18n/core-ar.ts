/** Arabic texts that every page needs, in one file. */
export { default as common } from './ar/common.json';
export { default as shell } from './ar/shell.json';
