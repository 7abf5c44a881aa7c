/** The product's version, defined once: in the package.json of the repository's root. Only this field is bundled. */
export { version as VERSION } from '../../../package.json';
