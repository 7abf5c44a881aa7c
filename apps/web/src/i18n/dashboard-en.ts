/** English texts of the dashboard, in one file. */
export { default as approvals } from './en/approvals.json';
export { default as child } from './en/child.json';
export { default as dashboard } from './en/dashboard.json';
export { default as kiosks } from './en/kiosks.json';
