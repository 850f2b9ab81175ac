import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { repository } from './run-gradus.js';

/** What the source writes for a part of a suggestion that is only known when the program runs. */
export const HOLE = '…';

/** What a suggestion is called where it is made. */
const NAMED = /^(wayOut|\w*WAY_OUT|SKIPS_LINES|CHECK_TEXT|recommendation)$/;

/** How advice begins that stands in a message itself, or in a note: a thing to do, or an option and what it does. */
const ASIDE =
  /[;:] (?:(?:use|give|leave|add|try|take|choose|write|name|read|check|run|set|convert|put|see|say) \S|--[a-z-]+ [a-z]+s\b)|^gradus \S+ --help/;

/** What functions are called that make suggestions. */
const MAKES = /wayOut|advice/i;

/** All suggestions in the source, with a hole for each part that is computed. They are found by the name `wayOut`: what is declared
 *  or assigned under it, what is passed for a parameter of that name, and what a function returns that is called in such a place;
 *  then what audits recommend, and advice in messages and notes. */
export function suggestionTexts(): string[] {
  const files = sources();
  const search = new SuggestionSearch();
  for (const file of files) search.learnParameters(file);
  for (const file of files) search.collect(file);
  // functions are known by their calls, which may be in files that come later
  for (let known = -1; known !== search.functions.size; ) {
    known = search.functions.size;
    for (const file of files) search.collectReturned(file);
  }
  return [...search.found].sort();
}

function sources(): ts.SourceFile[] {
  return ['src', 'web/src'].flatMap((folder) =>
    readdirSync(`${repository}${folder}`, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.ts') && !/\.(test|d)\.ts$/.test(name))
      .map((name) => ts.createSourceFile(name, readFileSync(`${repository}${folder}/${name}`, 'utf8'), ts.ScriptTarget.Latest, true)),
  );
}

class SuggestionSearch {
  readonly found = new Set<string>();
  /** Functions that make suggestions. */
  readonly functions = new Set<string>();
  /** Where functions, by name, take a suggestion. */
  private readonly places = new Map<string, Set<number>>();
  /** Functions that take none, and the files of those that do, by name: two files may each have a function of one name. */
  private readonly others = new Set<string>();
  private readonly homes = new Map<string, Set<string>>();

  learnParameters(node: ts.Node): void {
    if (ts.isFunctionLike(node)) {
      const place = node.parameters.findIndex(({ name }) => name.getText() === 'wayOut');
      const name = nameOf(node);
      if (place >= 0 && name !== undefined) {
        this.places.set(name, (this.places.get(name) ?? new Set()).add(place));
        this.homes.set(name, (this.homes.get(name) ?? new Set()).add(node.getSourceFile().fileName));
      } else if (ts.isFunctionDeclaration(node) && name !== undefined) this.others.add(name);
    }
    ts.forEachChild(node, (child) => this.learnParameters(child));
  }

  collect(node: ts.Node): void {
    const isNamed = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node) || ts.isParameter(node);
    if (isNamed && node.initializer !== undefined) {
      if (NAMED.test(node.name.getText())) this.add(node.initializer);
      else if (node.name.getText() === 'message') this.addAside(node.initializer);
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const callee = lastName(node.expression);
      const isOther =
        ts.isIdentifier(node.expression) && this.others.has(callee) && this.homes.get(callee)?.has(node.getSourceFile().fileName) !== true;
      for (const place of isOther ? [] : (this.places.get(callee) ?? [])) {
        const argument = node.arguments?.[place];
        if (argument !== undefined && (isText(argument) || isMade(argument))) this.add(argument);
      }
      if (callee === 'InputError' || callee === 'say' || (callee === 'push' && /notes?\.push$/i.test(node.expression.getText()))) {
        for (const argument of node.arguments ?? []) this.addAside(argument);
      }
    }
    ts.forEachChild(node, (child) => this.collect(child));
  }

  collectReturned(node: ts.Node): void {
    if (ts.isFunctionLike(node) && this.functions.has(nameOf(node) ?? '')) {
      const visit = (inner: ts.Node): void => {
        if (ts.isReturnStatement(inner) && inner.expression !== undefined) this.add(inner.expression);
        ts.forEachChild(inner, visit);
      };
      ts.forEachChild(node, visit);
    }
    ts.forEachChild(node, (child) => this.collectReturned(child));
  }

  private add(expression: ts.Expression): void {
    for (const text of this.textsOf(expression)) this.found.add(text);
  }

  private addAside(expression: ts.Expression): void {
    if (!isText(expression)) return;
    for (const text of this.textsOf(expression)) if (ASIDE.test(text)) this.found.add(text);
  }

  /** The texts that an expression can be. A name stands for a text that is collected where it is declared. */
  private textsOf(expression: ts.Expression): string[] {
    if (ts.isStringLiteralLike(expression)) return [expression.text];
    if (ts.isTemplateExpression(expression)) {
      return [expression.head.text + expression.templateSpans.map((span) => HOLE + span.literal.text).join('')];
    }
    if (ts.isConditionalExpression(expression)) return [...this.textsOf(expression.whenTrue), ...this.textsOf(expression.whenFalse)];
    if (ts.isParenthesizedExpression(expression)) return this.textsOf(expression.expression);
    if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
      return [...this.textsOf(expression.left), ...this.textsOf(expression.right)];
    }
    if (ts.isIdentifier(expression) || ts.isPropertyAccessExpression(expression) || expression.kind === ts.SyntaxKind.NullKeyword)
      return [];
    if (isMade(expression)) {
      this.functions.add(lastName(expression.expression));
      return [];
    }
    return [expression.getText()];
  }
}

function isText(expression: ts.Expression): boolean {
  return (
    ts.isStringLiteralLike(expression) ||
    ts.isTemplateExpression(expression) ||
    ts.isConditionalExpression(expression) ||
    (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
  );
}

function isMade(expression: ts.Expression): expression is ts.CallExpression {
  return ts.isCallExpression(expression) && MAKES.test(lastName(expression.expression));
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text;
  if (node.name !== undefined) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : undefined;
}

function lastName(expression: ts.Expression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}
