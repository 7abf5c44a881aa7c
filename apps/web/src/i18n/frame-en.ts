/** English texts of the frame around every screen behind a login, in one file. */
export { default as 'care-card' } from './en/care-card.json';
export { default as emergency } from './en/emergency.json';
export { default as frame } from './en/frame.json';
export { default as incidents } from './en/incidents.json';
