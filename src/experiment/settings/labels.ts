/** The settings that the page has. */
export type LabelledSetting =
  | 'measures'
  | 'convention'
  | 'ties'
  | 'missing'
  | 'rel'
  | 'depth'
  | 'judgedOnly'
  | 'baseline'
  | 'test'
  | 'correction'
  | 'alpha';

/** What a page with panels calls settings. A module of its own, so that the page has the words before it has the rest. */
export const settingLabels: Readonly<Record<LabelledSetting, string>> = {
  measures: 'Measures',
  convention: 'Whose rules',
  ties: 'Equal scores',
  missing: 'Topics not answered',
  rel: 'Relevant from grade',
  depth: 'Look only at the first',
  judgedOnly: 'Take documents without a judgement out first',
  baseline: 'Compare',
  test: 'Test',
  correction: 'Correction',
  alpha: 'Alpha',
};
