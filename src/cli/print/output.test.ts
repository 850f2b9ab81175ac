import { describe, expect, test } from 'vitest';
import { CapturedWriter } from '../../../test/helpers/captured-context.js';
import { type Grid, type GridForm, writeGrid } from './output.js';

function printed(form: GridForm, columns: Grid['columns'], rows: readonly (readonly string[])[], writer = new CapturedWriter()): string {
  writeGrid(form, { columns, rows: () => rows }, writer, {});
  return writer.text;
}

const columns = [{ name: 'topic' }, { name: 'AP', numeric: true }];

describe('writeGrid', () => {
  test('table aligns text left and numbers right, wide letters included', () => {
    expect(
      printed('table', columns, [
        ['検索', '0.5000'],
        ['b', '12.0000'],
      ]),
    ).toBe('topic       AP\n検索    0.5000\nb      12.0000\n');
  });

  test('table shows control characters instead of sending them to the terminal', () => {
    const text = printed('table', columns, [['\x1b[2J\x07\u202e', '1']]);
    expect(text).toBe('topic              AP\n\\x1b[2J\\x07\\u202e   1\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });

  test('table has a bold heading on a terminal, unless colours are unwanted', () => {
    const onTerminal = new CapturedWriter(true);
    expect(printed('table', columns, [['a', '1']], onTerminal)).toBe('\x1b[1mtopic  AP\x1b[22m\na       1\n');
    const without = new CapturedWriter(true);
    writeGrid('table', { columns, rows: () => [['a', '1']] }, without, { NO_COLOR: '1' });
    expect(without.text).toBe('topic  AP\na       1\n');
  });

  test('tsv quotes as csv does, and keeps one row per line and one tab per column on a terminal', () => {
    expect(printed('tsv', columns, [['a\tb\nc', '1']])).toBe('topic\tAP\n"a\tb\nc"\t1\n');
    expect(printed('tsv', columns, [['a\tb\nc', '1']], new CapturedWriter(true))).toBe('topic\tAP\na\\x09b\\x0ac\t1\n');
  });

  test.each(['csv', 'tsv'] as const)('%s keeps names as they are in files and pipes, and is safe to look at', (form) => {
    const separator = form === 'csv' ? ',' : '\t';
    for (const name of ['\x1b[31mred', '\u202egnp.exe', '\0', 'a\u2028b']) {
      expect(printed(form, columns, [[name, '1']])).toBe(`topic${separator}AP\n${name}${separator}1\n`);
    }
    const onTerminal = printed(form, columns, [['\x1b[31m\u202e\r', '1']], new CapturedWriter(true));
    expect(onTerminal).toBe(`topic${separator}AP\n\\x1b[31m\\u202e\\x0d${separator}1\n`);
  });

  test('a name that begins with # does not become a comment', () => {
    expect(printed('csv', columns, [['#1', '1']])).toBe('topic,AP\n"#1",1\n');
  });

  test('csv quotes what RFC 4180 asks to quote', () => {
    expect(
      printed('csv', columns, [
        ['a,"b"\nc', '1'],
        [' lead', '2'],
        ['plain', '3'],
      ]),
    ).toBe('topic,AP\n"a,""b""\nc",1\n" lead",2\nplain,3\n');
  });

  test('csv does not let a spreadsheet take ids for formulas, and leaves numbers alone', () => {
    expect(
      printed('csv', columns, [
        ['=1+1', '-0.5'],
        ['@SUM(A1)', '1'],
        ['-12', '1'],
        ['-x', '1'],
        ['+49', '1'],
        ["'=1", '1'],
        ["'a", '1'],
      ]),
    ).toBe("topic,AP\n'=1+1,-0.5\n'@SUM(A1),1\n-12,1\n'-x,1\n+49,1\n''=1,1\n'a,1\n");
  });

  test('md escapes what would be markup, HTML or another column', () => {
    expect(printed('md', columns, [['a|b *c* <i>&', '1']])).toBe(
      ['| topic                     |  AP |', '| ------------------------- | --: |', '| a\\|b \\*c\\* &lt;i&gt;&amp; |   1 |', ''].join(
        '\n',
      ),
    );
  });

  test('latex escapes its ten special characters and straight quotes', () => {
    expect(printed('latex', columns, [['a_b & 50% $x {y} #1 ~^\\ <|> \'"', '1']])).toBe(
      [
        '\\begin{tabular}{lr}',
        '\\toprule',
        'topic & AP \\\\',
        '\\midrule',
        'a\\_b \\& 50\\% \\$x \\{y\\} \\#1 \\textasciitilde{}\\textasciicircum{}\\textbackslash{} \\textless{}\\textbar{}\\textgreater{} \\textquotesingle{}{\\char34} & 1 \\\\',
        '\\bottomrule',
        '\\end{tabular}',
        '',
      ].join('\n'),
    );
  });
});
