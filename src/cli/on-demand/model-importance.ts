export { measuredImportance } from '../../experiment/index.js';
export { ownImportance } from '../../ltr/index.js';
