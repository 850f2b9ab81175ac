export { ownImportance, shuffledImportance } from '../../ltr/index.js';
