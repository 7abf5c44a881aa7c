/** English texts of a child's stay, the air and the vouching, which the desk and the parents read, in one file. */
export { default as bookings } from './en/bookings.json';
export { default as environment } from './en/environment.json';
export { default as stays } from './en/stays.json';
export { default as vouching } from './en/vouching.json';
