import { describe, expect, test } from 'vitest';
import { runGradus, runShell } from '../helpers/run-gradus.js';

/** What bash would offer at the end of this line. */
function offered(line: string): string[] {
  const script = `
    source <(gradus completion bash)
    COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
    COMP_LINE=${JSON.stringify(line)}
    COMP_POINT=\${#COMP_LINE}
    _gradus
    echo "\${COMPREPLY[*]}"`;
  const { stdout, stderr } = runShell(script);
  expect(stderr).toBe('');
  return stdout.trim().split(' ').filter(Boolean);
}

describe('gradus completion bash', () => {
  test('offers commands, and the options of a command', () => {
    expect(offered('gradus ')).toEqual(expect.arrayContaining(['eval', 'as', 'measures', 'completion', 'help']));
    expect(offered('gradus ev')).toEqual(['eval']);
    expect(offered('gradus eval --per')).toEqual(['--per-topic']);
  });

  test('offers the commands of a group, and the options of each', () => {
    expect(offered('gradus meta ')).toEqual(['power', 'informativeness', 'stability']);
    expect(offered('gradus meta po')).toEqual(['power']);
    expect(offered('gradus meta --')).toEqual(['--help']);
    expect(offered('gradus meta power --t')).toEqual(['--test', '--top', '--topic', '--threads']);
    expect(offered('gradus meta stability --t')).toEqual(['--topic', '--threads']);
    expect(offered('gradus meta power --test ')).toEqual(['bootstrap', 'tukey']);
    expect(offered('gradus model convert --to=on')).toEqual(['onnx', 'onnx3']);
    expect(offered('gradus train lambdamart --leav')).toEqual(['--leaves']);
    expect(offered('gradus train adarank --leav')).toEqual([]);
    expect(offered('gradus meta power q')).toEqual([]); // files are left to bash
  });

  test('offers the values of an option, separate or after an equals sign', () => {
    expect(offered('gradus eval q r -f ')).toEqual(['table', 'trec', 'tsv', 'csv', 'json', 'jsonl', 'md', 'latex', 'parquet']);
    expect(offered('gradus eval --format=js')).toEqual(['json', 'jsonl']);
    expect(offered('gradus eval --convention trec_eval@9')).toEqual(['9.0.8', '9.0.7']); // bash keeps what stands before @
  });

  test('offers measures with their usual cutoffs', () => {
    expect(offered('gradus eval -m nDCG@1')).toEqual(['1', '10', '100', '1000']);
    expect(offered('gradus measures recip')).toEqual(['recip_rank']);
    expect(offered('gradus measures AP Jud')).toContain('Judged@10');
  });

  test('offers tools once, and leaves files to bash', () => {
    expect(offered('gradus as trec_eval@10')).toEqual(['10.0']);
    expect(offered('gradus as trec_eval ')).toEqual([]);
    expect(offered('gradus eval ')).toEqual([]);
    expect(offered('gradus eval -o ')).toEqual([]);
  });
});

describe('gradus completion', () => {
  test.each(['zsh', 'fish', 'powershell'])('%s knows every command, option, choice and measure', (shell) => {
    const { stdout, status } = runGradus(['completion', shell]);
    expect(status).toBe(0);
    for (const word of ['eval', 'per-topic', 'jsonl', 'nDCG@10', 'recip_rank', 'trec_eval@9.0.7']) expect(stdout).toContain(word);
  });

  test('powershell tells -m from -M, and offers the values of an option with either spelling', () => {
    const { stdout } = runGradus(['completion', 'powershell']);
    expect(stdout).toContain("$values['eval -m'] = $measures");
    expect(stdout).toContain("$values['eval -M'] = @()");
    expect(stdout).toContain("$values['meta power --test'] = @('bootstrap', 'tukey')");
    expect(stdout).toContain("$groups['meta'] = @('power', 'informativeness', 'stability')");
    // quotes and brackets are closed
    for (const [open, close] of ['()', '{}', '[]']) expect(stdout.split(open).length).toBe(stdout.split(close).length);
    expect(stdout.split("'").length % 2).toBe(1);
  });

  test('says which shells there are', () => {
    const { stderr, status } = runGradus(['completion', 'tcsh']);
    expect(status).toBe(2);
    expect(stderr).toContain('SHELL: expected one of bash, zsh, fish, powershell, found tcsh');
  });
});
