export { contributionImportance, explainPair, explainQuery } from '../../ltr/index.js';
