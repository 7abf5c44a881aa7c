/** Arabic texts of a child's stay, the air and the vouching, which the desk and the parents read, in one file. */
export { default as bookings } from './ar/bookings.json';
export { default as environment } from './ar/environment.json';
export { default as stays } from './ar/stays.json';
export { default as vouching } from './ar/vouching.json';
