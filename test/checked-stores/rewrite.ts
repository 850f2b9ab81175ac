import * as ts from 'typescript';
import { type Narrow, narrowKinds } from './checks.js';

/** The comment that allows a store to lose something; it stands on the line of the store or above it, with the reason. */
export const marker = 'narrows:';

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** Lets every store into a narrow array be checked while the code runs. Lines stay where they are.
 *  @param checks  where to import the checks from */
export function rewriteStores(file: ts.SourceFile, checker: ts.TypeChecker, checks: string): string | undefined {
  const { text } = file;
  const edits: Edit[] = [];
  const insert = (at: number, inserted: string): void => void edits.push({ at, remove: 0, insert: inserted });
  const around = (node: ts.Node, before: string, after: string): void => {
    insert(node.getStart(file), before);
    insert(node.end, after);
  };
  const lines = text.split('\n');
  const isMarked = (node: ts.Node): boolean => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    return lines[line].includes(marker) || (line > 0 && lines[line - 1].includes(marker));
  };

  /** The kinds of array that an expression can be: narrow ones, and whether it can be something else. */
  const kindsOf = (node: ts.Node): { narrow: Narrow[]; mixed: boolean } => {
    const found = checker.getTypeAtLocation(node);
    const type = checker.getBaseConstraintOfType(found) ?? found;
    const types = type.isUnion() ? type.types : [type];
    const names = types.map((one) => (one.symbol?.name === 'Buffer' ? 'Uint8Array' : one.symbol?.name));
    const narrow = [...new Set(names)].filter((name): name is Narrow => narrowKinds.includes(name as Narrow));
    return { narrow, mixed: narrow.length > 1 || names.some((name) => !narrowKinds.includes(name as Narrow)) };
  };
  const isPure = (node: ts.Node): boolean => {
    if (ts.isCallExpression(node) || ts.isPostfixUnaryExpression(node) || ts.isAwaitExpression(node)) return false;
    if (ts.isPrefixUnaryExpression(node) && node.operator !== ts.SyntaxKind.MinusToken) return false;
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return false;
    return ts.forEachChild(node, (child) => (isPure(child) ? undefined : true)) !== true;
  };
  const give = (target: ts.ElementAccessExpression): string | undefined => {
    const { narrow, mixed } = kindsOf(target.expression);
    if (narrow.length === 0 || isMarked(target)) return undefined;
    if (!mixed) return `__stores.fits.${narrow[0]}(`;
    if (isPure(target.expression)) return `__stores.fitsIn(${target.expression.getText(file)}, `;
    throw new Error(`${where(target)}: give the array a name, so that the store can be checked`);
  };
  const where = (node: ts.Node): string => `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;

  const assignment = (node: ts.BinaryExpression): void => {
    const { left, right, operatorToken } = node;
    if (!ts.isElementAccessExpression(left)) return;
    const check = give(left);
    if (check === undefined) return;
    if (operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      around(right, check, ')');
      return;
    }
    if (!isPure(left)) throw new Error(`${where(node)}: give the index a name, so that the store can be checked`);
    const operator = operatorToken.getText(file).slice(0, -1);
    edits.push({ at: operatorToken.getStart(file), remove: operatorToken.end - operatorToken.getStart(file), insert: '=' });
    around(right, `${check}${left.getText(file)} ${operator} (`, '))');
  };
  const unary = (node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression): void => {
    const isStep = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
    if (!isStep || !ts.isElementAccessExpression(node.operand) || give(node.operand) === undefined) return;
    const { expression, argumentExpression } = node.operand;
    const start = node.getStart(file);
    const by = node.operator === ts.SyntaxKind.PlusPlusToken ? 1 : -1;
    // what stands between array and index is replaced, the two themselves may hold stores
    edits.push({ at: start, remove: expression.getStart(file) - start, insert: '__stores.step(' });
    edits.push({ at: expression.end, remove: argumentExpression.getStart(file) - expression.end, insert: ', ' });
    const rest = `, ${by}, ${ts.isPostfixUnaryExpression(node)})`;
    edits.push({ at: argumentExpression.end, remove: node.end - argumentExpression.end, insert: rest });
  };
  const isKind = (node: ts.Node, kind: Narrow): boolean => {
    const { narrow, mixed } = kindsOf(node);
    return narrow.length === 1 && narrow[0] === kind && !mixed;
  };
  const method = (node: ts.CallExpression, target: ts.PropertyAccessExpression): void => {
    const [first] = node.arguments;
    const name = target.name.text;
    const owner = target.expression.getText(file);
    if (first === undefined || isMarked(node)) return;
    if (owner === 'Atomics' && ['store', 'add', 'sub', 'exchange', 'compareExchange'].includes(name)) {
      const { narrow } = kindsOf(first);
      if (narrow.length === 1) for (const value of node.arguments.slice(2)) around(value, `__stores.fits.${narrow[0]}(`, ')');
      return;
    }
    if (narrowKinds.includes(owner as Narrow)) {
      const kind = owner as Narrow;
      if (name === 'of') {
        insert(first.getStart(file), `...__stores.allFit('${kind}', [`);
        insert(node.arguments[node.arguments.length - 1].end, '])');
      } else if (name === 'from' && node.arguments.length > 1) around(node.arguments[1], `__stores.resultsFit('${kind}', `, ')');
      else if (name === 'from' && !isKind(first, kind)) around(first, `__stores.allFit('${kind}', `, ')');
      return;
    }
    const view = /^set(Int8|Uint8|Int16|Uint16|Int32|Uint32|Float32)$/.exec(name);
    if (view !== null && checker.getTypeAtLocation(target.expression).symbol?.name === 'DataView') {
      around(node.arguments[1], `__stores.fits.${view[1]}Array(`, ')');
      return;
    }
    if (!['fill', 'set', 'map'].includes(name)) return;
    const { narrow, mixed } = kindsOf(target.expression);
    if (narrow.length !== 1 || mixed) return;
    if (name === 'fill') around(first, `__stores.fits.${narrow[0]}(`, ')');
    else if (name === 'map') around(first, `__stores.resultsFit('${narrow[0]}', `, ')');
    else if (!isKind(first, narrow[0])) around(first, `__stores.allFit('${narrow[0]}', `, ')');
  };
  const construction = (node: ts.NewExpression): void => {
    const kind = node.expression.getText(file) as Narrow;
    const first = node.arguments?.[0];
    if (first === undefined || node.arguments?.length !== 1 || !narrowKinds.includes(kind) || isMarked(node)) return;
    const type = checker.getTypeAtLocation(first);
    const holdsNumbers = checker.isArrayType(type) || checker.isTupleType(type) || kindsOf(first).narrow.length > 0;
    const isWide = type.symbol?.name === 'Float64Array';
    if ((holdsNumbers || isWide) && !isKind(first, kind)) around(first, `__stores.allFit('${kind}', `, ')');
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) assignment(node);
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) unary(node);
    else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) method(node, node.expression);
    else if (ts.isNewExpression(node)) construction(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edits.length === 0 ? undefined : `import * as __stores from ${JSON.stringify(checks)}; ${applied(text, edits)}`;
}

/** Outer insertions come first before a node and last behind it: in the order in which they were asked for, and against it. */
function applied(text: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, order) => ({ ...edit, order }));
  const opens = (insert: string): boolean => !insert.startsWith(')') && !insert.startsWith(']');
  ordered.sort(
    (a, b) => a.at - b.at || Number(opens(a.insert)) - Number(opens(b.insert)) || (opens(a.insert) ? a.order - b.order : b.order - a.order),
  );
  let result = '';
  let from = 0;
  for (const { at, remove, insert } of ordered) {
    result += text.slice(from, at) + insert;
    from = at + remove;
  }
  return result + text.slice(from);
}
