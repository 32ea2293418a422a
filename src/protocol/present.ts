// Leaves out what is undefined, for a panel.
export { present } from '../domain/present.js';
