/** English texts that every page needs, in one file. */
export { default as common } from './en/common.json';
export { default as shell } from './en/shell.json';
