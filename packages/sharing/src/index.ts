export { afreshBy } from './afresh-by.ts';
