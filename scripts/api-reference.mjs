// The pages of docs/reference/api: one for each entry point that package.json publishes, made from its declarations and their comments.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The published entry points in the order of package.json: what is imported, and the declarations behind it. */
const publishedDoors = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([path, { types }]) => ({ name: path.replace('.', manifest.name), types: `${root}${types.slice(2)}` }));

/** The entry points with their descriptions and their groups of exports. */
export function readDoors() {
  const program = ts.createProgram(
    publishedDoors.map(({ types }) => types),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, skipLibCheck: true, types: ['node'] },
  );
  const checker = program.getTypeChecker();
  return publishedDoors.map(({ name, types }) => {
    const file = program.getSourceFile(types);
    return { name, page: `${name.replaceAll('/', '-')}.md`, ...descriptionOf(file), groups: groupsOf(file, checker) };
  });
}

/** What the comment at the head of an index file says. */
function descriptionOf(file) {
  const [first] = ts.getLeadingCommentRanges(file.text, 0) ?? [];
  const description = first === undefined ? '' : commentText(file.text.slice(first.pos, first.end));
  return { description, summary: firstSentence(description) };
}

/** One group for each module that an index file exports from, in its order; values stand before types. */
function groupsOf(file, checker) {
  const groups = new Map();
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || !ts.isNamedExports(statement.exportClause)) {
      throw new Error(`${file.fileName}: an entry point holds lists of exports only, so that the reference can follow them`);
    }
    const module = statement.moduleSpecifier.text;
    const group = groups.get(module) ?? { title: titleOf(module), entries: [] };
    groups.set(module, group);
    for (const element of statement.exportClause.elements) {
      const symbol = checker.getAliasedSymbol(checker.getSymbolAtLocation(element.name));
      group.entries.push({ name: element.name.text, declarations: symbol.declarations ?? [] });
    }
  }
  const isType = ({ declarations }) => declarations.every((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node));
  for (const group of groups.values()) group.entries.sort((a, b) => Number(isType(a)) - Number(isType(b)));
  return [...groups.values()];
}

/** ./trees/score-table.js → Score table; ./dialects/index.js → Dialects */
function titleOf(module) {
  const words = module
    .replace(/\/index\.js$/, '')
    .replace(/\.js$/, '')
    .split('/')
    .at(-1)
    .replaceAll('-', ' ');
  return words[0].toUpperCase() + words.slice(1);
}

/** The text between the marks of a JSDoc comment; indented examples keep their indentation. */
function commentText(comment) {
  return comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line, i) => (i === 0 ? line.trim() : line.replace(/^\s*\* {0,2}/, '').trimEnd()))
    .join('\n')
    .trim();
}

const firstSentence = (text) =>
  text
    .split('\n\n')[0]
    .replace(/\s+/g, ' ')
    .split(/(?<=\.)\s/)[0];

/** The comment of a declaration or a member, with the tags of JSDoc written out. */
export function commentOf(node) {
  // the comments of a constant stand at its statement
  const carrier = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const comment = (carrier.jsDoc ?? []).at(-1);
  if (comment === undefined) return '';
  const [text, ...tags] = commentText(comment.getText()).split(/^(?=@\w)/m);
  return [withoutTags(text).trim(), tags.map(tagText).join('\n')].filter((part) => part !== '').join('\n\n');
}

/** @param depth how far → - `depth`: how far */
function tagText(tag) {
  const [, name, rest] = /^@(\w+)\s*([\s\S]*)$/.exec(tag.trim());
  const text = rest.replace(/\s+/g, ' ');
  if (name === 'param') return text.replace(/^(\S+)\s*(.*)$/, '- `$1`: $2');
  if (name === 'throws') return `- throws ${text}`;
  if (name === 'returns') return `- returns ${text}`;
  throw new Error(`the reference does not know how to write @${name}: ${text}`);
}

/** A word in angle brackets is not an HTML tag. */
const withoutTags = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/<(?=[a-z/])/gi, '&lt;')))
    .join('');

const isHidden = (member) =>
  (ts.canHaveModifiers(member) && ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) ||
  (member.name !== undefined && ts.isPrivateIdentifier(member.name));

/** The text of a node without its comments, in one line if it is short. */
const printer = ts.createPrinter({ removeComments: true });
function codeOf(node) {
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  return text.replace(/^export /, '').replace(/^declare /, '');
}

const inOneLine = (text) => text.replace(/\s+/g, ' ').trim();

function memberLines(members) {
  return members
    .filter((member) => !isHidden(member))
    .map((member) => {
      const text = commentOf(member);
      const code = inOneLine(codeOf(member)).replace(/;$/, '');
      if (text === '') return `- \`${code}\``;
      const isOneParagraph = !/^(- |\s*$|\s)/m.test(text);
      return isOneParagraph ? `- \`${code}\`: ${inOneLine(text)}` : `- \`${code}\`\n\n${text.replace(/^(?=.)/gm, '  ')}\n`;
    });
}

/** The members that a type is listed with: of a class, an interface, or an alias of an object type. */
function membersOf(node) {
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) return node.members;
  return ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type) ? node.type.members : undefined;
}

/** class ScoreTable, interface Options extends Rules: a declaration up to its members. */
function headOf(node) {
  const type = (list) => (list ?? []).map((each) => inOneLine(codeOf(each))).join(', ');
  const parameters = node.typeParameters === undefined ? '' : `<${type(node.typeParameters)}>`;
  if (ts.isTypeAliasDeclaration(node)) return `type ${node.name.text}${parameters} = { … }`;
  const heritage = (node.heritageClauses ?? []).map(
    ({ token, types }) => ` ${token === ts.SyntaxKind.ExtendsKeyword ? 'extends' : 'implements'} ${type(types)}`,
  );
  return `${ts.isClassDeclaration(node) ? 'class' : 'interface'} ${node.name.text}${parameters}${heritage.join('')}`;
}

function signatureOf(node) {
  if (membersOf(node) !== undefined) return headOf(node);
  return ts.isVariableDeclaration(node) ? `const ${codeOf(node)};` : codeOf(node);
}

function entrySection({ name, declarations }) {
  const parts = [`### ${name}`];
  parts.push(`\`\`\`typescript\n${declarations.map(signatureOf).join('\n')}\n\`\`\``);
  for (const node of declarations) {
    const text = commentOf(node);
    if (text !== '') parts.push(text);
    const members = membersOf(node);
    if (members !== undefined && members.length > 0) parts.push(memberLines(members).join('\n'));
  }
  return parts.join('\n\n');
}

/** Anchors as GitHub makes them of headings: the second of the same letters gets -1. */
function anchorsOfPage() {
  const seen = new Map();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}

/** One page: what the entry point is for, a table of contents, and every export. */
function doorPage({ name, description, groups }, generated) {
  const anchor = anchorsOfPage();
  anchor(name);
  const contents = groups.map(({ title, entries }) => {
    const at = anchor(title);
    return `- [${title}](#${at}): ${entries.map((entry) => `[\`${entry.name}\`](#${anchor(entry.name)})`).join(', ')}`;
  });
  const sections = groups.flatMap(({ title, entries }) => [`## ${title}`, ...entries.map(entrySection)]);
  return `${[`# ${name}`, generated, description, contents.join('\n'), ...sections].filter((part) => part !== '').join('\n\n')}\n`;
}

/** The pages by their names. */
export function apiPages(doors, generated) {
  const pages = Object.fromEntries(doors.map((door) => [door.page, doorPage(door, generated)]));
  const overview = [
    '# API reference',
    generated,
    'Every export of every entry point, with its signature and what it is for. [The guide to the library](../../library.md) shows how they are used together.',
    doors.map(({ name, page, description }) => `- [\`${name}\`](${page}): ${description.replace(/\s+/g, ' ')}`).join('\n'),
  ];
  return { 'README.md': `${overview.join('\n\n')}\n`, ...pages };
}
