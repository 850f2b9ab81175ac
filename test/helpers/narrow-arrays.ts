import * as ts from 'typescript';
import { narrowKinds } from '../checked-stores/checks.js';

/** An array narrower than 53 bits that is made somewhere. */
export interface NarrowArray {
  readonly line: number;
  readonly text: string;
  /** What stands behind `fits:`; undefined if nobody gave a reason. */
  readonly reason: string | undefined;
}

/** Finds the narrow arrays that a file makes and that need a reason: one behind `fits:` on their own line, or in the comment right
 *  above their statement, member or property. Arrays without room need none, nor do lists of literals, nor bytes into which the
 *  file stores no numbers, because those come from other arrays of bytes. */
export function narrowArraysIn(file: ts.SourceFile): NarrowArray[] {
  const lines = file.text.split('\n');
  const stored = namesStoredTo(file);
  const found: NarrowArray[] = [];
  const visit = (node: ts.Node): void => {
    const kind = kindMade(node);
    if (kind !== undefined && needsReason(node, kind, stored)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({ line: line + 1, text: lines[line].trim(), reason: reasonAt(file, lines, node, line) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The kind of array that an expression makes: `new Kind(…)`, `Kind.from(…)` or `Kind.of(…)`. */
function kindMade(node: ts.Node): string | undefined {
  let maker: ts.Expression | undefined;
  if (ts.isNewExpression(node)) maker = node.expression;
  else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && /^(from|of)$/.test(node.expression.name.text)) {
    maker = node.expression.expression;
  }
  const name = maker !== undefined && ts.isIdentifier(maker) ? maker.text : '';
  return (narrowKinds as readonly string[]).includes(name) ? name : undefined;
}

function needsReason(node: ts.Node, kind: string, stored: ReadonlySet<string>): boolean {
  const made = node as ts.NewExpression | ts.CallExpression;
  const [first] = made.arguments ?? [];
  if (first === undefined || (ts.isNewExpression(made) && first.getText() === '0')) return false;
  if (
    ts.isCallExpression(made) &&
    made.arguments.every((argument) => ts.isNumericLiteral(argument) || /^[A-Z]+$/.test(argument.getText()))
  ) {
    return false;
  }
  return kind !== 'Uint8Array' || ts.isCallExpression(made) || nameOf(made) === undefined || stored.has(nameOf(made) ?? '');
}

/** What the array is called where it is made. */
function nameOf(node: ts.Node): string | undefined {
  let { parent } = node;
  while (ts.isCallExpression(parent) || ts.isPropertyAccessExpression(parent) || ts.isConditionalExpression(parent)) parent = parent.parent;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  if (ts.isBinaryExpression(parent)) return parent.left.getText().replace(/^.*\./, '');
  return undefined;
}

/** Names of arrays into which numbers are stored one by one, or which are filled with one. */
function namesStoredTo(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (target: ts.Expression): void => void names.add(target.getText().replace(/^.*\./, ''));
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && node.operatorToken.getText().endsWith('=') && ts.isElementAccessExpression(node.left)) {
      add(node.left.expression);
    }
    if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && ts.isElementAccessExpression(node.operand)) {
      add(node.operand.expression);
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'fill') {
      add(node.expression.expression);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function reasonAt(file: ts.SourceFile, lines: readonly string[], node: ts.Node, line: number): string | undefined {
  const own = reasonIn(lines[line]);
  if (own !== undefined) return own;
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    const start = file.getLineAndCharacterOfPosition(at.getStart(file)).line;
    for (let above = start - 1; above >= 0 && /^\s*(\/\/|\/\*|\*)/.test(lines[above]); above--) {
      const reason = reasonIn(lines[above]);
      if (reason !== undefined) return reason;
    }
    if (ts.isStatement(at) || ts.isClassElement(at)) return undefined;
  }
  return undefined;
}

function reasonIn(text: string): string | undefined {
  const [, reason] = /(?:\/\/|\*).*\bfits: (.+?)(?: ?\*\/)?$/.exec(text) ?? [];
  return reason;
}
