export { assertNever } from '../domain/assert-never.js';
