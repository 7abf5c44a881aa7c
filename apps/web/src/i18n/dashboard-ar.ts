/** Arabic texts of the dashboard, in one file. */
export { default as approvals } from './ar/approvals.json';
export { default as child } from './ar/child.json';
export { default as dashboard } from './ar/dashboard.json';
export { default as kiosks } from './ar/kiosks.json';
