/** Arabic texts of the frame around every screen behind a login, in one file. */
export { default as 'care-card' } from './ar/care-card.json';
export { default as emergency } from './ar/emergency.json';
export { default as frame } from './ar/frame.json';
export { default as incidents } from './ar/incidents.json';
