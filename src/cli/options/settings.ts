import { paramProblem, readParam } from '../../core/index.js';
import { type Setting, specOf, type TurnsOff } from '../../experiment/index.js';
import type { ArgumentsOf } from '../parse/command.js';

/** Settings and options of learners whose options are called otherwise. */
const renamed = {
  measures: 'measure',
  names: 'name',
  judgementColumns: 'qrels-columns',
  normalise: 'normalise-pairs',
  normalisation: 'normalise',
  conventions: 'as',
  folders: 'fold',
} as const;

/** `judgedOnly` as an option is written: `judged-only`. */
type OptionName<Name extends string> = Name extends keyof typeof renamed ? (typeof renamed)[Name] : Dashed<Name>;
type Dashed<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Dashed<Rest>}`
  : Name;

/** `maxRepeats` as an option is written: `max-repeats`. */
export function optionName<Name extends string>(name: Name): OptionName<Name> {
  const own = Object.hasOwn(renamed, name) ? renamed[name as keyof typeof renamed] : undefined;
  return (own ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)) as OptionName<Name>;
}

/** The same with `no-` before it, for a switch that is on unless it is turned off. */
type OptionNameIn<Group, Name extends keyof Group & string> = Group[Name] extends TurnsOff ? `no-${OptionName<Name>}` : OptionName<Name>;

function optionNameIn<Group extends SettingGroup, Name extends NameIn<Group>>(group: Group, name: Name): OptionNameIn<Group, Name> {
  return `${group[name].turnsOff === true ? 'no-' : ''}${optionName(name)}` as OptionNameIn<Group, Name>;
}

type SettingGroup = Readonly<Record<string, Setting>>;
type NameIn<Group> = keyof Group & string;

/** The option for one of these settings of a group. */
export type OptionFor<Group extends SettingGroup, Name extends NameIn<Group> = NameIn<Group>> = {
  [One in Name]: Group[One] & { readonly long: OptionNameIn<Group, One> };
}[Name];

/** What these settings of a group come to; undefined where nothing was given. */
type ValuesOf<Group extends SettingGroup, Name extends NameIn<Group>> = {
  readonly [One in Name]?: (Group[One] extends Setting<infer Value> ? Value : never) | undefined;
};

/** The options for the settings of a group: those that are named, in this order, or all. */
export function optionsFor<Group extends SettingGroup, Name extends NameIn<Group> = NameIn<Group>>(
  group: Group,
  ...names: readonly Name[]
): readonly OptionFor<Group, Name>[] {
  return namesIn(group, names).map((name) => ({ ...group[name], long: optionNameIn(group, name) }));
}

/** What was given for the settings of a group: those that are named, or all. Defaults are left to whoever gets them. */
export function settingsFrom<Group extends SettingGroup, Name extends NameIn<Group> = NameIn<Group>>(
  { given }: ArgumentsOf<readonly OptionFor<Group, NoInfer<Name>>[]>,
  group: Group,
  ...names: readonly Name[]
): ValuesOf<Group, Name> {
  const meaning = (setting: Setting, texts: readonly string[]): unknown => {
    if (setting.value === undefined) return setting.turnsOff !== true;
    if (setting.read !== undefined) return setting.read(texts.join(','));
    if (setting.repeatable === true) return texts;
    const spec = specOf(setting);
    const value = readParam(spec, texts[0]);
    // what cannot be used was reported by the parser; to whoever looks for contradictions it was not given
    return paramProblem('', spec, value) === undefined ? value : undefined;
  };
  const told = namesIn(group, names).flatMap((name) => {
    const texts = given.get(optionNameIn(group, name));
    return texts === undefined ? [] : [[name, meaning(group[name], texts)]];
  });
  return Object.fromEntries(told) as ValuesOf<Group, Name>;
}

function namesIn<Group extends SettingGroup, Name extends NameIn<Group>>(group: Group, names: readonly Name[]): readonly Name[] {
  return names.length === 0 ? (Object.keys(group) as Name[]) : names;
}
