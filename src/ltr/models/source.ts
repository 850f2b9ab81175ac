import { InputError } from '../../core/problem.js';
import type { LinearScorer, Model, TreeScorer } from '../ranker.js';
import { ZERO_SIZE } from '../scoring/rows.js';
import type { ModelWriting, WrittenModel } from './model-file.js';

/** A language that source is written in: how it says the few things that differ. */
interface Language {
  readonly finite: (value: number) => string;
  readonly infinity: string;
  readonly array: (type: 'double' | 'integer' | 'word' | 'byte', name: string, values: ArrayLike<number>) => string;
}

const typeScript: Language = {
  finite: (value) => (Object.is(value, -0) ? '-0' : String(value)),
  infinity: 'Infinity',
  array(type, name, values) {
    const kind = { double: 'Float64Array', integer: 'Int32Array', word: 'Uint32Array', byte: 'Uint8Array' }[type];
    // a list and not arguments, of which a call can have 65,535
    return `const ${name} = new ${kind}([\n${wrapped(Array.from(values, (value) => numberText(typeScript, value)))}\n]);\n`;
  },
};

const c: Language = {
  // a number without a point or exponent would be an integer
  finite: (value) => (/[.e]/.test(String(value)) ? String(value) : Object.is(value, -0) ? '-0.0' : `${value}.0`),
  infinity: 'INFINITY',
  array(type, name, values) {
    const kind = { double: 'double', integer: 'int', word: 'unsigned int', byte: 'unsigned char' }[type];
    const text = Array.from(values, (value) => (type === 'double' ? numberText(c, value) : type === 'word' ? `${value}u` : String(value)));
    return `static const ${kind} ${name}[${Math.max(1, values.length)}] = {\n${wrapped(text.length === 0 ? ['0'] : text)}\n};\n`;
  },
};

function numberText({ finite, infinity }: Language, value: number): string {
  return value === Infinity ? infinity : value === -Infinity ? `-${infinity}` : finite(value);
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  let line = ' ';
  for (const [i, word] of words.entries()) {
    const piece = ` ${word}${i === words.length - 1 ? '' : ','}`;
    if (line.length + piece.length > 118) {
      lines.push(line);
      line = ' ';
    }
    line += piece;
  }
  return [...lines, line].join('\n');
}

/** A name that both languages accept, made of any text. */
export function identifierOf(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=[0-9]|$)/, '_');
  return reserved.has(plain) ? `${plain}_` : plain;
}

const reserved = new Set(
  'auto await break byte case catch char class const continue debugger default delete do double else enum export extends extern false finally float for function goto if implements import in inline instanceof int interface let long new null package private protected public register restrict return score short signed sizeof static struct super switch this throw true try typedef typeof undefined union unsigned var void volatile while with yield NaN Infinity isnan fabs eval arguments main'.split(
    ' ',
  ),
);

/** The model as a TypeScript module without imports: a function from the features of a document to its score. */
export function modelToTypeScript(model: Model, { functionName = 'scoreDocument' }: ModelWriting = {}): WrittenModel {
  const { scorer } = checkedForSource(model, 'TypeScript');
  const name = identifierOf(functionName);
  const document = [
    `/** Score of a document by a model (${comment(model.learner)}) over ${model.numFeatures} features: features[0] is feature ${model.firstFeature}${nameNote(model)}. */`,
    `export function ${name}(features: ArrayLike<number>): number {`,
  ];
  const body = scorer.kind === 'linear' ? tsLinear(model, scorer) : tsTrees(model, scorer);
  return { content: `${body.tables}\n${document.join('\n')}\n${body.lines.map((line) => `  ${line}\n`).join('')}}\n`, notes: [] };
}

/** The model as C99: a function from the features of a document to its score. Compile with IEEE arithmetic (no -ffast-math). */
export function modelToC(model: Model, { functionName = 'score_document' }: ModelWriting = {}): WrittenModel {
  const { scorer } = checkedForSource(model, 'C');
  const name = identifierOf(functionName);
  const body = scorer.kind === 'linear' ? cLinear(model, scorer) : cTrees(model, scorer);
  const text = [
    '#include <math.h>\n',
    body.tables,
    `/* Score of a document by a model (${comment(model.learner)}) over ${model.numFeatures} features: features[0] is feature ${model.firstFeature}${nameNote(model)}. */`,
    `double ${name}(const double *features) {`,
    ...body.lines.map((line) => `  ${line}`),
    '}\n',
  ].join('\n');
  return { content: text, notes: ['compile without -ffast-math and -ffp-contract=fast, which change the sums'] };
}

type SourceModel = Model & { readonly scorer: LinearScorer | TreeScorer };

function checkedForSource(model: Model, language: string): SourceModel {
  const { scorer, normalisation } = model;
  if (scorer.kind === 'net') {
    throw new InputError({ message: `nets are not written as ${language}`, wayOut: 'write them as onnx' });
  }
  if (normalisation?.kind === 'query') {
    throw new InputError({
      message: `the model scales features query by query (${normalisation.method}), which a function of one document cannot do`,
      wayOut: 'train it without normalisation, or with zscore or minmax over all data',
    });
  }
  return { ...model, scorer };
}

/** Text from a file inside a comment of either language. */
function comment(text: string): string {
  return text.replace(/[^A-Za-z0-9 _.-]/g, '_').slice(0, 60);
}

function nameNote({ featureNames }: Model): string {
  return featureNames === undefined ? '' : ` (${comment(featureNames[0] ?? '')})`;
}

interface Body {
  readonly tables: string;
  readonly lines: readonly string[];
}

/** What becomes of a value before it is used, as an expression or statements on `x` of column `c`. */
function preparation({ inputs, missing, normalisation, scorer }: Model, language: 'ts' | 'c'): string[] {
  const lines: string[] = [];
  const number = (value: number): string => numberText(language === 'ts' ? typeScript : c, value);
  const isMissing = language === 'ts' ? 'Number.isNaN(x)' : 'isnan(x)';
  if (inputs === 'float32') lines.push(language === 'ts' ? 'x = Math.fround(x);' : 'x = (double)(float)x;');
  if (scorer.kind === 'trees' && scorer.zeroIsMissing) {
    lines.push(
      language === 'ts' ? `if (Math.abs(x) <= ${number(ZERO_SIZE)}) x = Number.NaN;` : `if (fabs(x) <= ${number(ZERO_SIZE)}) x = NAN;`,
    );
  } else if (!Number.isNaN(missing)) lines.push(`if (${isMissing}) x = ${number(missing)};`);
  if (normalisation?.kind === 'global') lines.push('x = (x - shift[c]) * factor[c];');
  return lines;
}

function normalisationTables(language: Language, { normalisation }: Model): string {
  if (normalisation?.kind !== 'global') return '';
  return language.array('double', 'shift', normalisation.shift) + language.array('double', 'factor', normalisation.factor);
}

function tsLinear(model: Model, { weights, bias }: LinearScorer): Body {
  return {
    tables: typeScript.array('double', 'weights', weights) + normalisationTables(typeScript, model),
    lines: [
      `let sum = ${numberText(typeScript, bias)};`,
      'for (let c = 0; c < weights.length; c++) {',
      '  let x = features[c] ?? Number.NaN;',
      ...preparation(model, 'ts').map((line) => `  ${line}`),
      '  sum += weights[c] * x;',
      '}',
      'return sum;',
    ],
  };
}

function cLinear(model: Model, { weights, bias }: LinearScorer): Body {
  return {
    tables: c.array('double', 'weights', weights) + normalisationTables(c, model),
    lines: [
      `double sum = ${numberText(c, bias)};`,
      `for (int c = 0; c < ${weights.length}; c++) {`,
      '  double x = features[c];',
      ...preparation(model, 'c').map((line) => `  ${line}`),
      '  sum += weights[c] * x;',
      '}',
      'return sum;',
    ],
  };
}

/** The arrays of the ensemble; a leaf's value is in the place of a threshold. */
function treeTables(language: Language, model: Model, scorer: TreeScorer): string {
  const { nodeOffsets, treeWeights, feature, threshold, value, left, right, missingLeft } = scorer;
  return [
    language.array('integer', 'roots', nodeOffsets.subarray(0, treeWeights.length)),
    language.array('double', 'tree_weights', treeWeights),
    language.array('integer', 'feature_of', feature),
    language.array(
      'double',
      'threshold_or_value',
      threshold.map((limit, node) => (feature[node] < 0 ? value[node] : limit)),
    ),
    language.array('integer', 'left_of', left),
    language.array('integer', 'right_of', right),
    language.array('byte', 'missing_left', missingLeft),
    categoryTables(language, scorer),
    normalisationTables(language, model),
  ].join('');
}

function categoryTables(language: Language, { categories }: TreeScorer): string {
  if (categories === undefined) return '';
  const { setOf, offsets, words } = categories;
  return [
    language.array('integer', 'set_of', setOf),
    language.array('integer', 'set_start', offsets),
    language.array('word', 'set_words', words),
  ].join('');
}

function tsTrees(model: Model, scorer: TreeScorer): Body {
  const sum = 'sum + tree_weights[t] * threshold_or_value[n]';
  return {
    tables: treeTables(typeScript, model, scorer),
    lines: [
      `let sum = ${numberText(typeScript, scorer.base)};`,
      'for (let t = 0; t < roots.length; t++) {',
      '  let n = roots[t];',
      '  for (let c = feature_of[n]; c >= 0; c = feature_of[n]) {',
      '    let x = features[c] ?? Number.NaN;',
      ...preparation(model, 'ts').map((line) => `    ${line}`),
      ...(scorer.categories === undefined
        ? []
        : [
            '    if (set_of[n] >= 0 && !Number.isNaN(x)) {',
            '      const word = set_start[set_of[n]] + Math.floor(Math.trunc(x) / 32);',
            '      const known = x > threshold_or_value[n] && word < set_start[set_of[n] + 1];',
            '      n = known && ((set_words[word] >>> (Math.trunc(x) % 32)) & 1) === 1 ? left_of[n] : right_of[n];',
            '      continue;',
            '    }',
          ]),
      '    n = x <= threshold_or_value[n] || (Number.isNaN(x) && missing_left[n] === 1) ? left_of[n] : right_of[n];',
      '  }',
      scorer.sums === 'float32' ? `  sum = Math.fround(${sum});` : `  sum = ${sum};`,
      '}',
      scorer.divisor === undefined ? 'return sum;' : `return sum / ${numberText(typeScript, scorer.divisor)};`,
    ],
  };
}

function cTrees(model: Model, scorer: TreeScorer): Body {
  const sum = 'sum + tree_weights[t] * threshold_or_value[n]';
  return {
    tables: treeTables(c, model, scorer),
    lines: [
      `double sum = ${numberText(c, scorer.base)};`,
      `for (int t = 0; t < ${scorer.treeWeights.length}; t++) {`,
      '  int n = roots[t];',
      '  for (int c = feature_of[n]; c >= 0; c = feature_of[n]) {',
      '    double x = features[c];',
      ...preparation(model, 'c').map((line) => `    ${line}`),
      ...(scorer.categories === undefined
        ? []
        : [
            '    if (set_of[n] >= 0 && !isnan(x)) {',
            '      double known = (double)(set_start[set_of[n] + 1] - set_start[set_of[n]]) * 32.0;',
            '      int c_is_left = 0;',
            '      if (x > threshold_or_value[n] && x < known) {',
            '        unsigned int k = x < 0 ? 0u : (unsigned int)x;',
            '        c_is_left = (set_words[set_start[set_of[n]] + (int)(k / 32u)] >> (k % 32u)) & 1u;',
            '      }',
            '      n = c_is_left ? left_of[n] : right_of[n];',
            '      continue;',
            '    }',
          ]),
      '    n = x <= threshold_or_value[n] || (isnan(x) && missing_left[n]) ? left_of[n] : right_of[n];',
      '  }',
      scorer.sums === 'float32' ? `  sum = (double)(float)(${sum});` : `  sum = ${sum};`,
      '}',
      scorer.divisor === undefined ? 'return sum;' : `return sum / ${numberText(c, scorer.divisor)};`,
    ],
  };
}
