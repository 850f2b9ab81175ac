import { conventionNames } from '../../conventions/index.js';
import type { Completion, FileUse } from '../../experiment/index.js';
import { allMeasures, type MeasureDef, trecEvalLists, trecEvalNames } from '../../measures/index.js';
import { toolSpellings } from '../tools/tools.js';
import { optionsOf } from './arguments.js';
import type { ArgumentSpec, Command, OptionSpec } from './command.js';

/** The shells that completion scripts are written for. */
export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';
/** The words that `Shell` allows. */
export const shells: readonly Shell[] = ['bash', 'zsh', 'fish', 'powershell'];

/** What the word behind `gradus` can be. */
export interface CompletedEntry {
  readonly name: string;
  readonly summary: string;
  /** What the word behind it is called, if it is a group. */
  readonly argument?: string | undefined;
  /** The command itself, or those of the group. */
  readonly commands: readonly Command[];
}

/** A script for the shell with all that can be completed written out, so that completing does not start Gradus. */
export function completionScript(shell: Shell, entries: readonly CompletedEntry[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript }[shell](entries);
}

/** The words behind the name of a group. */
function subcommandNames({ name, commands }: CompletedEntry): string[] {
  return commands.map((command) => command.name.slice(name.length + 1));
}

interface Value {
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  readonly file?: FileUse;
}

function completionOf({ complete, file }: Value): Completion | undefined {
  return complete ?? (file === undefined ? undefined : 'file');
}

/** The words that complete a value; undefined stands for names of files. */
function candidates(value: Value, entries: readonly CompletedEntry[]): readonly string[] | undefined {
  if (value.choices !== undefined) return value.choices;
  switch (completionOf(value)) {
    case 'measure':
      return measureCandidates();
    case 'convention':
      return conventionNames();
    case 'tool':
      return toolSpellings();
    case 'command':
      return entries.map(({ name }) => name);
    case 'file':
      return undefined;
    default:
      return [];
  }
}

/** The long list of measures stands in a script once, whatever takes a measure. */
function isMeasure({ choices, complete }: Value): boolean {
  return choices === undefined && complete === 'measure';
}

/** Each measure with its usual cutoffs, and the names of trec_eval. */
function measureCandidates(): string[] {
  return [...new Set([...allMeasures.flatMap(spellingsOf), ...Object.keys(trecEvalLists), ...trecEvalNames])];
}

function spellingsOf(def: MeasureDef): string[] {
  if (def.at === undefined) return [def.name];
  const spec = def.params[def.at];
  const numbers = spec.type === 'integer' ? ['1', '5', '10', '20', '100', '1000'] : ['0.1', '0.5', '1'];
  const cut = numbers.map((number) => `${def.name}@${number}`);
  return spec.required ? cut : [def.name, ...cut];
}

/** `--measure -m` */
function spellings(option: OptionSpec): string[] {
  return [`--${option.long}`, ...(option.short === undefined ? [] : [`-${option.short}`])];
}

/** The positional argument that a further word would be. */
function argumentAt(command: Command, index: number): ArgumentSpec | undefined {
  const last = command.arguments.at(-1);
  return command.arguments[index] ?? (last?.repeatable ? last : undefined);
}

/** The first clause of a help text: menus of shells have room for little more. */
function brief(help: string): string {
  return help.split(/[;:(]/)[0].trim();
}

function bashScript(entries: readonly CompletedEntry[]): string {
  const words = (list: readonly string[]): string => `'${list.join(' ')}'`;
  const commands = entries.flatMap((entry) => entry.commands.map((command) => ({ ...command, name: command.name.replace(' ', '/') })));
  const groups = entries.filter(({ argument }) => argument !== undefined);
  const groupCases = groups.map((group) => `      ${group.name}) values=${words(subcommandNames(group))} ;;`);
  const optionCases = commands.map((command) => `    ${command.name}) options=${words(optionsOf(command).flatMap(spellings))} ;;`);
  const valueCases = commands.flatMap((command) =>
    optionsOf(command)
      .filter((option) => option.value !== undefined)
      .map((option) => {
        const patterns = spellings(option).map((spelling) => `${command.name}/${spelling}`);
        const list = candidates(option, entries);
        const values = isMeasure(option) ? 'values=$_gradus_measures' : list === undefined ? 'files=yes' : `values=${words(list)}`;
        return `    ${patterns.join('|')}) takes=value; ${values} ;;`;
      }),
  );
  const positionalCases = commands.flatMap((command) => {
    const list = candidates(argumentAt(command, 0) ?? {}, entries);
    if (list === undefined || list.length === 0) return [];
    return [`    ${command.name}) values=${isMeasure(argumentAt(command, 0) ?? {}) ? '$_gradus_measures' : words(list)} ;;`];
  });
  const manyCases = commands.filter((command) => (completionOf(argumentAt(command, 1) ?? {}) ?? 'file') !== 'file').map(({ name }) => name);
  return `# Completion of gradus for bash, made by \`gradus completion bash\`.
_gradus_measures=${words(measureCandidates())}
_gradus_values() {
  local takes= files= values=
  case $1/$2 in
${valueCases.join('\n')}
  esac
  reply_takes=$takes reply_files=$files reply_values=$values
}

_gradus() {
  # split at blanks only: bash itself also splits at @ and =, which are parts of our words
  local line=\${COMP_LINE:0:COMP_POINT} word command previous options= values= files= i
  local reply_takes reply_files reply_values
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=\${words[\${#words[@]}-1]}
  previous=\${words[\${#words[@]}-2]}
  COMPREPLY=()
  if (( \${#words[@]} == 2 )); then
    values=${words(entries.map(({ name }) => name))}
    [[ $word == -* ]] && values='--help --version'
  elif (( \${#words[@]} == 3 )) && [[ ' ${groups.map(({ name }) => name).join(' ')} ' == *" \${words[1]} "* ]]; then
    case \${words[1]} in
${groupCases.join('\n')}
    esac
    [[ $word == -* ]] && values='--help'
  else
    command=\${words[1]}
    # what stands before the current word: options with their values are stepped over
    local count=0 skip= first=2
    # a group and one of its commands
    [[ ' ${groups.map(({ name }) => name).join(' ')} ' == *" $command "* ]] && command=$command/\${words[2]} first=3
    for (( i = first; i < \${#words[@]} - 1; i++ )); do
      if [[ -n $skip ]]; then skip=; continue; fi
      _gradus_values "$command" "\${words[i]}"
      if [[ -n $reply_takes ]]; then skip=yes; elif [[ \${words[i]} != -?* ]]; then (( count++ )); fi
    done
    if [[ $word == --*=* ]]; then
      _gradus_values "$command" "\${word%%=*}"
      values=$reply_values word=\${word#*=}
    elif [[ -n $skip ]]; then
      _gradus_values "$command" "$previous"
      values=$reply_values
    elif [[ $word == -* ]]; then
      case $command in
${optionCases.join('\n')}
      esac
      values=$options
    elif (( count == 0 )) || [[ ' ${manyCases.join(' ')} ' == *" $command "* ]]; then
      case $command in
${positionalCases.join('\n')}
      esac
    fi
  fi
  # nothing to offer means names of files, which readline completes itself
  [[ -z $values ]] && return
  COMPREPLY=($(compgen -W "$values" -- "$word"))
  # bash replaces only what follows the last of its own separators
  local start=\${word%"\${word##*[@=:]}"}
  [[ -n $start && $COMP_WORDBREAKS == *"\${start: -1}"* ]] && COMPREPLY=("\${COMPREPLY[@]#"$start"}")
}

complete -o default -F _gradus gradus
`;
}

function zshScript(entries: readonly CompletedEntry[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  // in descriptions of _arguments these have a meaning of their own
  const escaped = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&');
  const action = (value: Value): string => {
    if (isMeasure(value)) return '_gradus_measures';
    const list = candidates(value, entries);
    return list === undefined ? '_files' : list.length === 0 ? ' ' : `(${list.join(' ')})`;
  };
  const optionSpecs = (option: OptionSpec): string[] => {
    const names = spellings(option);
    const exclusive = option.repeatable ? '*' : names.length > 1 ? `(${names.join(' ')})` : '';
    const value = option.value === undefined ? '' : `:${escaped(option.value)}:${action(option)}`;
    return names.map((name) => {
      const glued = option.value === undefined ? '' : name.startsWith('--') ? '=' : '+';
      return quote(`${exclusive}${name}${glued}[${escaped(brief(option.help))}]${value}`);
    });
  };
  const argumentSpecs = (command: Command): string[] =>
    command.arguments.map((argument, i) => {
      const position = argument.repeatable ? '*' : String(i + 1);
      return quote(`${position}:${argument.optional ? ':' : ''}${escaped(argument.name)}:${action(argument)}`);
    });
  const commandCase = (name: string, command: Command): string => {
    const specs = [...optionsOf(command).flatMap(optionSpecs), ...argumentSpecs(command)];
    return `        ${name})\n          _arguments -s -S ${specs.join(' \\\n            ')}\n          ;;`;
  };
  const cases = entries.map((entry) => {
    if (entry.argument === undefined) return commandCase(entry.name, entry.commands[0]);
    const names = subcommandNames(entry);
    return `        ${entry.name})
          _arguments -C '(- *)--help[show this help]' ${quote(`1:${entry.argument}:(${names.join(' ')})`)} '*::argument:->${entry.name}'
          if [[ $state == ${entry.name} ]]; then
      case $words[1] in
${entry.commands.map((command, i) => commandCase(names[i], command)).join('\n')}
      esac
          fi
          ;;`;
  });
  return `#compdef gradus
# Completion of gradus for zsh, made by \`gradus completion zsh\`.
_gradus_measures() {
  compadd -- ${measureCandidates().map(quote).join(' ')}
}

_gradus() {
  local curcontext=$curcontext state
  local -a commands=(
${entries.map(({ name, summary }) => `    ${quote(`${name}:${escaped(summary)}`)}`).join('\n')}
  )
  _arguments -C '(- *)--help[show what gradus can do]' '(- *)--version[show the version]' '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
${cases.join('\n')}
      esac
      ;;
  esac
}

if [[ $funcstack[1] == _gradus ]]; then _gradus "$@"; else compdef _gradus gradus; fi
`;
}

function fishScript(entries: readonly CompletedEntry[]): string {
  const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const wordsOf = (value: Value, list: readonly string[]): string => quote(isMeasure(value) ? '$__gradus_measures' : list.join(' '));
  const commandLines = (command: Command): string[] => {
    const here = `-n ${quote(`__gradus_after ${command.name}`)}`;
    const first = argumentAt(command, 0);
    const list = first === undefined ? [] : candidates(first, entries);
    const argumentLine =
      list === undefined
        ? [`complete -c gradus ${here} -F`]
        : list.length === 0
          ? []
          : [`complete -c gradus ${here} -a ${wordsOf(first ?? {}, list)}`];
    const filesLater = completionOf(argumentAt(command, 1) ?? {}) === 'file' && list !== undefined ? [`complete -c gradus ${here} -F`] : [];
    const optionLines = optionsOf(command).map((option) => {
      const values = candidates(option, entries);
      const value =
        option.value === undefined
          ? ''
          : values === undefined
            ? ' -r -F'
            : ` -x${values.length > 0 ? ` -a ${wordsOf(option, values)}` : ''}`;
      const short = option.short === undefined ? '' : ` -s ${option.short}`;
      return `complete -c gradus ${here}${short} -l ${option.long}${value} -d ${quote(brief(option.help))}`;
    });
    return [...argumentLine, ...filesLater, ...optionLines];
  };
  const lines = entries.flatMap((entry) => {
    const names = subcommandNames(entry);
    const here = `-n ${quote(`__gradus_only ${entry.name}`)}`;
    const subcommandLines =
      entry.argument === undefined
        ? []
        : entry.commands.map(({ summary }, i) => `complete -c gradus ${here} -a ${names[i]} -d ${quote(brief(summary))}`);
    return [
      `complete -c gradus -n __fish_use_subcommand -a ${entry.name} -d ${quote(entry.summary)}`,
      ...subcommandLines,
      ...entry.commands.flatMap(commandLines),
    ];
  });
  return `# Completion of gradus for fish, made by \`gradus completion fish\`.
set -g __gradus_measures ${measureCandidates().map(quote).join(' ')}
# whether the words behind gradus begin with these
function __gradus_after
  set -l words (commandline -opc)
  test (count $words) -gt (count $argv); or return 1
  set -l last (math 1 + (count $argv))
  test "$words[2..$last]" = "$argv"
end
# whether they are these and no more
function __gradus_only
  set -l words (commandline -opc)
  test (count $words) -eq (math 1 + (count $argv)); and __gradus_after $argv
end
complete -c gradus -f
complete -c gradus -n __fish_use_subcommand -l help -d 'show what gradus can do'
complete -c gradus -n __fish_use_subcommand -l version -d 'show the version'
${lines.join('\n')}
`;
}

/** Tables of PowerShell itself do not tell `-m` from `-M`, so these are dictionaries of .NET. */
function powershellScript(entries: readonly CompletedEntry[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]): string => `@(${words.map(quote).join(', ')})`;
  const valuesOf = (value: Value): string => (isMeasure(value) ? '$measures' : list(candidates(value, entries) ?? []));
  const groups = entries.filter(({ argument }) => argument !== undefined);
  const lines = entries.flatMap(({ commands }) =>
    commands.flatMap((command) => [
      `  $options[${quote(command.name)}] = ${list(optionsOf(command).flatMap(spellings))}`,
      ...optionsOf(command)
        .filter(({ value }) => value !== undefined)
        .flatMap((option) => spellings(option).map((name) => `  $values[${quote(`${command.name} ${name}`)}] = ${valuesOf(option)}`)),
      `  $values[${quote(command.name)}] = ${valuesOf(argumentAt(command, 0) ?? {})}`,
    ]),
  );
  return `# Completion of gradus for PowerShell, made by \`gradus completion powershell\`.
Register-ArgumentCompleter -Native -CommandName gradus -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $measures = ${list(measureCandidates())}
  $groups = [System.Collections.Generic.Dictionary[string, object]]::new()
  $options = [System.Collections.Generic.Dictionary[string, object]]::new()
  $values = [System.Collections.Generic.Dictionary[string, object]]::new()
${groups.map((group) => `  $groups[${quote(group.name)}] = ${list(subcommandNames(group))}`).join('\n')}
${lines.join('\n')}
  # the words that stand before the one under the cursor
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $lead = ''
  if ($words.Count -lt 2) {
    $found = ${list(entries.map(({ name }) => name))}
    if ($wordToComplete.StartsWith('-')) { $found = @('--help', '--version') }
  } elseif ($words.Count -eq 2 -and $groups.ContainsKey($words[1])) {
    $found = $groups[$words[1]]
  } else {
    $command = $words[1]
    if ($groups.ContainsKey($command)) { $command = $command + ' ' + $words[2] }
    $option = $command + ' ' + $words[-1]
    $equals = $wordToComplete.IndexOf('=')
    if ($wordToComplete.StartsWith('--') -and $equals -gt 0) {
      $option = $command + ' ' + $wordToComplete.Substring(0, $equals)
      $lead = $wordToComplete.Substring(0, $equals + 1)
    }
    if ($values.ContainsKey($option)) { $found = $values[$option] }
    elseif ($wordToComplete.StartsWith('-') -and $options.ContainsKey($command)) { $found = $options[$command] }
    elseif ($values.ContainsKey($command)) { $found = $values[$command] }
    else { $found = @() }
  }
  # nothing to offer means names of files, which PowerShell completes itself
  $found | ForEach-Object { $lead + $_ } | Where-Object { $_.StartsWith($wordToComplete, [System.StringComparison]::OrdinalIgnoreCase) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}
